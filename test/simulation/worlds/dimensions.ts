import {
	type Dimension,
	fc,
	mostly,
	oneOf,
	plainOf,
	type WorldOf,
	worldsOf,
} from '../../support/random';
import type { Outcome as AnyOutcome } from '../outcomes';
import { LIMITS, QUOTAS, TELLINGS } from './limits';
import { TEXTS } from './texts';

/** Bodies that do not come from the service, or not as a whole. */
export const BODIES = {
	page: '<html><title>Welcome</title></html>',
	'cut off': '{"data":{"id":"po',
};
type BodyName = keyof typeof BODIES;
/** What happens to one request. */
export type Outcome = AnyOutcome<BodyName>;

const namesOf = <T extends string>(values: Record<T, unknown>) => Object.keys(values) as T[];
const named = <T extends string>(values: Record<T, unknown>) =>
	mostly(namesOf(values)[0], ...namesOf(values));

const CODES = [
	...['ECONNRESET', 'EPIPE', 'HPE_INVALID_CHUNK_SIZE', 'HPE_INVALID_HEADER_TOKEN'],
	...['HPE_INVALID_CONSTANT', 'Z_DATA_ERROR', 'ERR_BAD_RESPONSE'],
];

const only = <const T>(value: T) => fc.constant(value);
const some = <const T>(...values: T[]) => fc.constantFrom(...values);
const answered = only({ kind: 'answered' });
const fault = (acts: fc.Arbitrary<boolean>) =>
	fc.record({
		kind: only('fault'),
		acts,
		fault: some('connection-lost', 'timeout'),
		code: some(...CODES),
	});
const status = (acts: fc.Arbitrary<boolean>) =>
	fc.record({ kind: only('status'), acts, status: some(500, 502, 503, 504, 408, 520, 599) });
const noAnswer = (acts: fc.Arbitrary<boolean>) =>
	fc.record({ kind: only('body'), acts, status: some(200, 201), body: some(...namesOf(BODIES)) });
const silent = (acts: fc.Arbitrary<boolean>) => fc.record({ kind: only('silent'), acts });
const late = fc.record({
	kind: only('late'),
	status: some(502, 504, 202),
	after: some(500, 5_000, 20_000, 60_000),
});
const busy = only({ kind: 'busy' });
const slow = fc.record({ kind: only('slow'), after: some(3_000, 30_000, 59_000, 61_000) });
const limited = fc.record({ kind: only('limited'), retryAfter: some(undefined, '1', '5') });

const ANY = { withCrossShrink: true };
const may = fc.boolean();
const never = only(false);
/** What networks and gateways do, and to reads without effect. */
const onWrites = fc.oneof(
	ANY,
	answered,
	fault(may),
	status(may),
	busy,
	noAnswer(may),
	late,
	slow,
	silent(may),
	limited,
);
const onReads = fc.oneof(
	ANY,
	answered,
	fault(never),
	status(never),
	busy,
	slow,
	silent(never),
	limited,
);
/** Faults that one row may meet at each of its sends. */
const stubborn = fc.oneof(fault(never), status(never), noAnswer(never), silent(never));

/** Of what happens one after the other, nothing is plain. */
const list = <T>(of: fc.Arbitrary<T>, maxLength: number): Dimension<T[]> => ({
	plain: [],
	drawn: fc.array(of, { maxLength }),
});
const change = fc.record({
	/** Before the read of that number. */
	before: fc.integer({ min: 1, max: 8 }),
	what: some('add', 'remove'),
	where: fc.integer({ min: 0, max: 59 }),
});
type Job = 'post' | 'list' | 'update' | 'delete';
const jobs: fc.Arbitrary<Job> = fc.oneof(
	ANY,
	{ weight: 6, arbitrary: only('post') },
	{ weight: 3, arbitrary: only('list') },
	{ weight: 1, arbitrary: some('update', 'delete') },
);

/** A service, and what happens to it, in milliseconds; first what is plain. `TIERS` says what belongs together. */
const DIMENSIONS = {
	/** What is done: rows are posted, a list is read, or a record is changed or deleted. */
	job: { plain: 'post', drawn: jobs } as Dimension<Job>,
	clock: {
		offset: mostly(0, 3_600_000, -86_400_000, 400, -2_500),
		/** To what `created_at` is cut. */
		granularity: mostly(1, 1_000, 60_000),
		/** Hours by which `created_at` is off though it says `Z`. */
		wrongZone: mostly(0, 2, -7),
		dates: mostly('zoned', 'no-zone', 'absent', 'future'),
		hasDateHeader: mostly(true, false),
	},
	records: {
		text: named(TEXTS),
		/** Whether the list leaves out their texts. */
		areListedWithout: mostly('nothing', 'content'),
		/** Whether records carry fields that nobody sent. */
		addedFields: mostly(false, true),
		ids: mostly('text', 'number', 'none', 'reused'),
		/** Records of the location before the first row, some of them like rows. */
		before: mostly(5, 0, 1, 30, 31, 60, 400),
	},
	list: {
		order: mostly('newest-first', 'oldest-first', 'shuffled'),
		/** By how much it shows an earlier state, as a replica does. */
		lag: mostly(0, 1_000, 6_000, 30_000, 60_000),
		/** For how long it may be served from a cache, which says its `Age`. */
		cachedFor: mostly(0, 5_000, 30_000),
		/** Whether it hides what goes live later. */
		hidesAhead: mostly(false, true),
		totals: mostly('right', 'absent', 'text'),
		pageSize: mostly(15, 1, 3, 100),
		/** How many a page is asked for; the service gives no more than its page size. */
		asksFor: mostly<number | undefined>(undefined, 2, 100),
		firstPage: mostly(1, 0),
		/** Which numbers of itself a page says. */
		says: mostly('both', 'current_page', 'per_page', 'neither'),
		pastEnd: mostly<'empty' | 404 | 'clamped'>('empty', 404, 'clamped'),
		changes: oneOf([], 2, fc.array(change, { minLength: 1, maxLength: 5 })),
	},
	/** Of a response; those to writes may take another time, and all of them change for good. */
	latency: mostly(100, 5, 2_000),
	writeLatency: mostly<number | undefined>(undefined, 3, 300, 2_000),
	changes: mostly<{ after: number; factor: number } | undefined>(
		undefined,
		{ after: 10, factor: 20 },
		{ after: 40, factor: 5 },
		{ after: 40, factor: 0.05 },
	),
	/** With more requests in flight it refuses. */
	bears: mostly(Infinity, 1, 3, 8),
	limit: named(LIMITS),
	/** How a wait is told. */
	telling: named(TELLINGS),
	/** After so many requests the key is refused. */
	revokedAfter: mostly<number | undefined>(undefined, 0, 3, 10),
	rows: {
		count: mostly(3, 1, 2, 8, 20, 70),
		/** How many have the same content as another one. */
		duplicates: mostly(0, 1, 2),
		/** What they hold besides texts. */
		more: mostly('nothing', 'numbers', 'dates', 'nested', 'much'),
	},
	/**
	 * What comes after the first run: nothing; n8n's Retry On Fail, which runs the rows again that did
	 * not succeed, with the same or other content (`$now`); the execution is stopped in the middle, and
	 * a person runs it again; or a second execution of the same rows goes on at the same time.
	 */
	life: mostly('once', 'retried', 'retried-with-time', 'stopped', 'together'),
	/** What happens to the writes, in the order in which they arrive; then all are answered. */
	writes: list<Outcome>(onWrites, 3),
	reads: list<Outcome>(onReads, 2),
	/** While the list is read, others post to it, one record in so much time. */
	others: mostly<number | undefined>(undefined, 5_000),
	/** Whether a run reads the list first, as Skip the Row does; else it creates anyway. */
	readsFirst: mostly(true, false),
	/** What responses say of the limit. */
	quota: named(QUOTAS),
	/** What the row whose write arrives first meets instead, at so many of its writes. */
	unlucky: oneOf<{ outcome: Outcome; times: number } | undefined>(
		undefined,
		3,
		fc.record({ outcome: stubborn, times: fc.integer({ min: 1, max: 8 }) }),
	),
};
export type World = WorldOf<typeof DIMENSIONS>;

/** The service that we would have written. */
export const PLAIN = plainOf(DIMENSIONS);
export const worlds = worldsOf(DIMENSIONS);

/** How late a backend may act, together with the lag of its list (ms): docs/reliability.md says so. */
const LATEST = 80_000;

/** What services do, in tiers: any world is made one of a tier by taking away what does not belong there. */
export const TIERS = {
	/** A sane backend, and nothing goes wrong. */
	ordinary: (world: World): World => {
		const { job, clock, records, list: lists, latency, writeLatency, changes, rows } = world;
		const { lag, cachedFor, hidesAhead, changes: none } = PLAIN.list;
		return {
			...PLAIN,
			...{ job, clock, latency, writeLatency, changes, rows },
			records: { ...records, ids: records.ids === 'number' ? 'number' : 'text' },
			list: {
				...lists,
				...{ lag, cachedFor, hidesAhead, changes: none },
				pageSize: Math.max(3, lists.pageSize),
				// One that counts from 0 says so.
				says: lists.firstPage === 0 ? 'both' : lists.says,
			},
		};
	},
	/**
	 * The same behind real networks and gateways, with a few faults each, with limits, overload and
	 * restarts, with lists that lag, are cached or hide what goes live later, with IDs that are given
	 * again, and with others who post and delete meanwhile.
	 */
	faults: (world: World): World => {
		const { list: lists, writes } = world;
		// One that lags is not cached besides.
		const cachedFor = lists.lag > 0 ? 0 : lists.cachedFor;
		const latest = LATEST - lists.lag - cachedFor;
		return {
			...world,
			list: {
				...lists,
				...{ cachedFor, asksFor: undefined, pageSize: Math.max(10, lists.pageSize) },
				says: lists.firstPage === 0 ? 'both' : lists.says,
			},
			writes: writes.map((outcome) =>
				outcome.kind === 'late' ? { ...outcome, after: Math.min(outcome.after, latest) } : outcome,
			),
		};
	},
};
export type Tier = keyof typeof TIERS;
