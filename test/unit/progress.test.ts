import { Account } from '../../nodes/LocalSeo/client';
import type { Permit } from '../../nodes/LocalSeo/client/pace/permit';
import { Progress } from '../../nodes/LocalSeo/rows/row';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const PATIENT = { patienceMs: 300_000 };

let clock: VirtualClock;
let account: Account;
let progress: Progress;

beforeEach(() => {
	clock = new VirtualClock();
	account = new Account(clock, seededRandom());
	progress = new Progress(clock);
	progress.uses(account);
});

const acquire = async () => (await account.governor.acquire(PATIENT)) as Permit;

/** So many requests at a limit of twenty a second, which is known after the first refusal. */
async function rowsAtALimit(count: number) {
	const { governor } = account;
	for (let sent = 0; sent < 20; sent++) governor.ended(await acquire(), { kind: 'answered' });
	governor.ended(await clock.run(acquire()), { kind: 'limited', retryAfterMs: 1_000 });
	for (let sent = 0; sent < count; sent++) {
		progress.uses(account);
		governor.ended(await clock.run(acquire()), { kind: 'answered' });
	}
}

test('a limit is named, and not the rate that is tried beyond it', async () => {
	await rowsAtALimit(350);
	expect(progress.hindrance).toMatch(
		/^This run took 1\d s: the service allows about (19|20) requests a second\.$/,
	);
});

test('a service that is slow is said to handle so many at a time', async () => {
	const permits = await Promise.all([acquire(), acquire(), acquire(), acquire()]);
	const waiting = acquire();
	await clock.run(clock.sleep(20_000));
	for (const permit of permits) account.governor.ended(permit, { kind: 'answered' });
	await waiting;
	expect(progress.hindrance).toBe(
		'This run took 20 s: the service handles about 4 requests at a time.',
	);
});

test('so is one that did not respond', async () => {
	for (let failures = 0; failures < 4; failures++) {
		const failure = { kind: 'unreachable' as const, request: {} as never };
		account.governor.ended(await acquire(), { kind: 'failed', failure });
	}
	const waiting = acquire();
	await clock.run(waiting);
	const failure = { kind: 'unreachable' as const, request: {} as never };
	for (let failures = 0; failures < 4; failures++) {
		account.governor.ended(await clock.run(failures === 0 ? waiting : acquire()), {
			kind: 'failed',
			failure,
		});
	}
	expect(progress.hindrance).toMatch(
		/^This run took \d+ s: the service did not respond for \d+ s\.$/,
	);
});

test('a run that did not wait says nothing', async () => {
	account.governor.ended(await acquire(), { kind: 'answered', tookMs: 10 });
	await clock.run(clock.sleep(10_000));
	expect(progress.hindrance).toBeUndefined();
});

describe('what held a run up', () => {
	/** An account that waited so long, in milliseconds, and which pace the service is known to allow. */
	const accountThat = (limit: number, pace: object = {}) => {
		const waitedMs = { limit: 0, capacity: 0, down: 0 };
		const governor = { pace: { waitedMs, perSecond: undefined, atOnce: 4, ...pace } };
		return {
			account: { governor } as unknown as Account,
			wait: () => (governor.pace = { ...governor.pace, waitedMs: { ...waitedMs, limit } }),
		};
	};
	const endOf = async (seconds: number, waitedMs: number, pace: object = {}) => {
		const waiting = accountThat(waitedMs, pace);
		progress.uses(waiting.account);
		waiting.wait();
		await clock.run(clock.sleep(1_000 * seconds));
		return progress.hindrance;
	};

	test.each([
		[undefined, 'the service limits the number of requests'],
		[5.4, 'the service allows about 5 requests a second'],
		[1, 'the service allows about 1 request a second'],
		[0.5, 'the service allows about 30 requests a minute'],
		[0.001, 'the service allows about 1 request a minute'],
	])('at %p requests a second: %s', async (perSecond, why) => {
		expect(await endOf(10, 9_000, { perSecond })).toBe(`This run took 10 s: ${why}.`);
	});

	test('is told where the service handles one request at a time', async () => {
		const pace = { waitedMs: { limit: 0, capacity: 0, down: 0 }, perSecond: undefined, atOnce: 1 };
		const governor = { pace };
		progress.uses({ governor } as unknown as Account);
		governor.pace = { ...pace, waitedMs: { limit: 0, capacity: 9_000, down: 0 } };
		await clock.run(clock.sleep(10_000));
		expect(progress.hindrance).toBe(
			'This run took 10 s: the service handles one request at a time.',
		);
	});

	test.each([
		['not a few seconds, though most of the run', 6, 4_900, false],
		['not a small part of a long run', 60, 19_000, false],
		['more than a third of the run', 60, 21_000, true],
	])('is told if it took %s', async (_, seconds, waitedMs, isTold) => {
		expect((await endOf(seconds, waitedMs)) !== undefined).toBe(isTold);
	});

	test('is what held up this run, and not an earlier one with the same account', async () => {
		const { account: waited, wait } = accountThat(9_000);
		wait();
		progress.uses(waited);
		await clock.run(clock.sleep(10_000));
		expect(progress.hindrance).toBeUndefined();
	});
});
