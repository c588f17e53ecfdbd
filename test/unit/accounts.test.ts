import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Permit } from '../../nodes/LocalSeo/client/pace/permit';
import { Accounts } from '../../nodes/LocalSeo/host/accounts';
import { VirtualClock } from '../support/virtualClock';
import { seededRandom } from '../support/random';

const HOUR = 3_600_000;

let clock: VirtualClock;
let accounts: Accounts;
beforeEach(() => {
	clock = new VirtualClock();
	accounts = new Accounts(clock, seededRandom());
});

const pass = (milliseconds: number) => clock.moveTo(clock.now() + milliseconds);

interface Credential {
	apiKey?: string;
	baseUrl?: unknown;
}

const accountOf = ({ apiKey = 'sk_1', baseUrl = 'https://seo.example.com' }: Credential = {}) =>
	accounts.of({ apiKey, baseUrl } as ICredentialDataDecryptedObject);

describe('one account', () => {
	test('is behind two credentials with the same key, however the base URL is written', () => {
		const other = { apiKey: ' sk_1\n', baseUrl: 'https://seo.example.com/api/v1/' };
		expect(accountOf(other)).toBe(accountOf());
	});

	test.each<[string, Credential]>([
		['with another key', { apiKey: 'sk_2' }],
		['at another origin', { baseUrl: 'https://seo.example.org' }],
		['without a usable base URL', { baseUrl: 'seo.example.com' }],
	])('is not shared with a credential %s', (_, credential) => {
		expect(accountOf(credential)).not.toBe(accountOf());
	});
});

describe('an account is released', () => {
	const use = (apiKey: string) => accountOf({ apiKey });

	test('after an hour without use, when another one comes', () => {
		const account = use('sk_1');
		pass(HOUR);
		use('sk_2');
		expect(use('sk_1')).toBe(account);
		pass(HOUR + 1);
		use('sk_3');
		expect(use('sk_1')).not.toBe(account);
	});

	test('not while a request is under way', async () => {
		const sending = use('sk_1');
		const since = clock.now();
		await sending.governor.acquire({ patienceMs: 0, urgency: 'row', kind: 'read', since });
		pass(2 * HOUR);
		use('sk_3');
		expect(use('sk_1')).toBe(sending);
	});
});

test('the pace of an account is forgotten after an hour without use', async () => {
	const account = accountOf();
	const { governor } = account;
	const since = clock.now();
	const permit = await governor.acquire({ patienceMs: 0, urgency: 'row', kind: 'read', since });
	pass(2 * HOUR);
	expect([account.isIdle, account.governor === governor]).toEqual([false, true]);
	governor.ended(permit as Permit, { kind: 'answered', isDone: true });
	pass(HOUR);
	expect(account.governor).toBe(governor);
	pass(1);
	expect(account.governor).not.toBe(governor);
});
