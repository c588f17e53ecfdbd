import { Account } from '../../nodes/LocalSeo/client';
import type { Permit } from '../../nodes/LocalSeo/client/pace/governor';
import { seededRandom, VirtualClock } from '../support/virtualClock';

let clock: VirtualClock;
let account: Account;
beforeEach(() => {
	clock = new VirtualClock();
	account = new Account(clock, seededRandom());
});

test('the clock of the service is as far ahead as the last response says', () => {
	account.noteServiceTime(NaN);
	expect(account.serviceClockOffset).toBeUndefined();
	account.noteServiceTime(clock.now() + 5_000);
	expect(account.serviceClockOffset).toBe(5_000);
});

const pass = (milliseconds: number) => clock.moveTo(clock.now() + milliseconds);

describe('the pace of the service', () => {
	const acquire = async () => (await account.governor.acquire({ patienceMs: 1_000 })) as Permit;

	test('is forgotten after three quarters of a minute without use', async () => {
		const { governor } = account;
		governor.ended(await acquire(), { kind: 'answered' });
		pass(45_000);
		expect(account.governor).toBe(governor);
		pass(1);
		expect(account.governor).not.toBe(governor);
	});

	test('is kept while a request is under way', async () => {
		const { governor } = account;
		await acquire();
		pass(3_600_000);
		expect(account.governor).toBe(governor);
		expect(account.isIdle).toBe(false);
	});
});
