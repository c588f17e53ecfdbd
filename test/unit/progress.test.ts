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

const acquire = async () => {
	const since = account.clock.now();
	const waiter = { ...PATIENT, urgency: 'row', kind: 'read', since } as const;
	return (await account.governor.acquire(waiter)) as Permit;
};

test('a limit is named', async () => {
	const { governor } = account;
	for (let sent = 0; sent < 20; sent++) governor.ended(await acquire(), { kind: 'answered' });
	governor.ended(await acquire(), { kind: 'limited', retryAfterMs: 15_000 });
	governor.ended(await clock.run(acquire()), { kind: 'answered' });
	expect(progress.hindrance).toBe('This run took 15 s: the service limits the number of requests.');
});

test('a service that is slow is said to handle few at a time', async () => {
	const permits = await Promise.all([acquire(), acquire(), acquire(), acquire()]);
	const waiting = acquire();
	await clock.run(clock.sleep(20_000));
	for (const permit of permits) account.governor.ended(permit, { kind: 'answered' });
	await waiting;
	expect(progress.hindrance).toBe(
		'This run took 20 s: the service handles few requests at a time.',
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

test('what held up an earlier run with the same account is not told again', async () => {
	account.governor.ended(await acquire(), { kind: 'limited', retryAfterMs: 15_000 });
	account.governor.ended(await clock.run(acquire()), { kind: 'answered' });
	const next = new Progress(clock);
	next.uses(account);
	await clock.run(clock.sleep(10_000));
	expect(next.hindrance).toBeUndefined();
});
