import { Account } from '../../nodes/LocalSeo/client';
import type { Permit } from '../../nodes/LocalSeo/client/governor/governor';
import { seededRandom, VirtualClock } from '../support/virtualClock';

/** Milliseconds by which a response may differ from others before the service's clock has been set. */
const STEP = 6_000;

let clock: VirtualClock;
let account: Account;
beforeEach(() => {
	clock = new VirtualClock();
	account = new Account(clock, seededRandom());
});

const pass = (milliseconds: number) => clock.moveTo(clock.now() + milliseconds);

describe('the clock of the service', () => {
	/** A response arrives that says this time, and took so long. */
	const hear = (ahead: number, took: number) => {
		const sentAt = clock.now();
		pass(took);
		account.noteServiceTime(clock.now() + ahead, sentAt);
	};

	test('is not known before a response has said its time', () => {
		account.noteServiceTime(NaN, clock.now());
		expect(account).toMatchObject({ serviceClockOffset: undefined, serviceClockSetAt: -Infinity });
	});

	test('is as far ahead as the first response says, however slow it was', () => {
		hear(5_000, 60_000);
		expect(account).toMatchObject({ serviceClockOffset: 5_000, serviceClockSetAt: -Infinity });
	});

	test.each<[string, number, number]>([
		['a quick response corrects it', 6_000, 4_000],
		['a slow one does not', 6_001, 1_000],
	])('%s', (_, took, offset) => {
		hear(1_000, 100);
		hear(4_000, took);
		expect(account).toMatchObject({ serviceClockOffset: offset, serviceClockSetAt: -Infinity });
	});

	test.each([
		// What was written early, in a response that took a while, says less.
		['ahead', STEP, 0],
		['behind', -STEP - 200, 200],
	])('was not set as long as it is %s by no more than a step', (_, change, took) => {
		hear(10_000, 0);
		hear(10_000 + change, took);
		expect(account.serviceClockSetAt).toBe(-Infinity);
		hear(10_000, 0);
		hear(10_000 + change + Math.sign(change), took);
		expect(account.serviceClockSetAt).toBe(clock.now());
	});

	test('that was set is another one from then on, even by a slow response', () => {
		hear(0, 0);
		hear(3_600_000, 30_000);
		expect(account).toMatchObject({
			serviceClockOffset: 3_600_000,
			serviceClockSetAt: clock.now(),
		});
	});

	test('is not contradicted by a response that was written when its request came', () => {
		hear(0, 0);
		hear(-30_000, 30_000);
		expect(account).toMatchObject({ serviceClockOffset: 0, serviceClockSetAt: -Infinity });
	});
});

describe('the pace of the service', () => {
	const acquire = async () =>
		(await account.governor.acquire({ kind: 'GET /locations', patienceMs: 1_000 })) as Permit;

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
