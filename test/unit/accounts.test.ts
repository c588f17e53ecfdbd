import type { Permit } from '../../nodes/LocalSeo/client/pace/permit';
import { Accounts } from '../../nodes/LocalSeo/host/accounts';
import { VirtualClock } from '../support/virtualClock';
import { seededRandom } from '../support/random';

const HOUR = 3_600_000;
const URL = 'https://seo.example.com';

let clock: VirtualClock;
let accounts: Accounts;
beforeEach(() => {
	clock = new VirtualClock();
	accounts = new Accounts(clock, seededRandom());
});
const accountOf = (apiKey = 'sk_1', baseUrl = URL) => accounts.of({ apiKey, baseUrl });

test.each([
	['the same key, however the base URL is written', true, ' sk_1\n', `${URL}/api/v1/`],
	['another key', false, 'sk_2', URL],
	['another origin', false, 'sk_1', 'https://seo.example.org'],
	['no usable base URL', false, 'sk_1', 'seo.example.com'],
])('a credential with %s is of the same account: %p', (_, isSame, apiKey, baseUrl) => {
	expect(accountOf(apiKey, baseUrl) === accountOf()).toBe(isSame);
});

test('an account is released after an hour without use, when another one comes', () => {
	const account = accountOf();
	clock.advance(HOUR);
	accountOf('sk_2');
	expect(accountOf()).toBe(account);
	clock.advance(HOUR + 1);
	accountOf('sk_3');
	expect(accountOf()).not.toBe(account);
});

test('an account with a request under way stays', async () => {
	const account = accountOf();
	const { pace } = account;
	const asking = { patienceMs: 0, urgency: 'row', kind: 'read', since: clock.now() } as const;
	const permit = (await pace.acquire(asking)) as Permit;
	clock.advance(2 * HOUR);
	expect(accountOf('sk_3') && accountOf()).toBe(account);
	pace.ended(permit, { kind: 'answered' });
	clock.advance(HOUR + 1);
	expect(accountOf('sk_3') && accountOf()).not.toBe(account);
});
