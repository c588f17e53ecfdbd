import pick from 'lodash/pick';

import type { Limit, Switches } from '../../../../dev/sandbox/account';
import { fc, mostly, named, oneOf, type WorldOf, worldsOf } from '../../../support/random';
import { ANSWERED, delayed, late, lostAt, type Outcome } from '../faults';

/** How services store a text. */
export const TEXTS: Record<string, (text: string) => string> = {
	plain: (text) => text,
	trimmed: (text) => text.trim().replace(/\s+/g, ' '),
	cut: (text) => text.slice(0, 40),
	'cut with …': (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text),
	entities: (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
	decomposed: (text) => text.normalize('NFD'),
	curly: (text) => text.replace(/"(.*?)"/g, '“$1”').replaceAll("'", '’'),
	html: (text) => `<p>${text.replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')}</p>`,
	'lower case': (text) => text.toLowerCase(),
	translated: (text) => text.split(' ').reverse().join(' '),
};

export const LIMITS: Record<string, Limit | undefined> = {
	none: undefined,
	'20 a second by the clock': { most: 20, period: 1_000, counts: 'clock periods' },
	'5 in the last second': { most: 5, period: 1_000, counts: 'the last period' },
	'a bucket of 10 at 2 a second': { most: 10, period: 5_000, counts: 'a bucket' },
	'60 a minute': { most: 60, period: 60_000, counts: 'clock periods' },
	'12 a day': { most: 12, period: 86_400_000, counts: 'clock periods' },
};

/** How a wait is told, by a service whose time is `now`. */
export const TELLINGS: Record<string, Switches['saysWait']> = {
	seconds: (wait) => ({ 'retry-after': String(Math.ceil(wait / 1000)) }),
	date: (wait, now) => ({ 'retry-after': new Date(now + wait + 999).toUTCString() }),
	reset: (wait) => ({ 'ratelimit-reset': String(Math.ceil(wait / 1000)) }),
	'reset as a time': (wait, now) => ({ 'x-ratelimit-reset': String(now + wait) }),
	'not at all': () => ({}),
};

const left = (count: number) => ({ 'x-ratelimit-remaining': String(count) });
/** What each response says of the limit; some say of each success that none is left. */
export const QUOTAS: Record<string, Switches['saysQuota']> = {
	'not at all': () => ({}),
	right: (quota) => left(quota.left),
	'never any left': () => left(0),
};

/** Which number of itself a page says, from the first one on. */
export const NUMBERS = { 'from 1': 1, 'from 0': 0, 'not at all': 1 };

const SHRINKS = { withCrossShrink: true };
const list = <T>(of: fc.Arbitrary<T>, maxLength: number) => ({
	plain: [] as T[],
	drawn: fc.array(of, { maxLength }),
});
type Job = 'post' | 'list' | 'update' | 'delete';
const jobs = fc.oneof(
	SHRINKS,
	{ weight: 6, arbitrary: fc.constant<Job>('post') },
	{ weight: 3, arbitrary: fc.constant<Job>('list') },
	{ weight: 1, arbitrary: fc.constantFrom<Job>('update', 'delete') },
);
const answered = fc.constant(ANSWERED);
const onWrites = fc.oneof(SHRINKS, answered, lostAt(0, Infinity), late, delayed);
const onReads = fc.oneof(SHRINKS, answered, lostAt(Infinity), delayed);
const change = fc.record({
	/** Before the read of that number. */
	before: fc.integer({ min: 1, max: 8 }),
	what: fc.constantFrom('add', 'remove'),
	where: fc.integer({ min: 0, max: 59 }),
});

/** What differs between services where nothing goes wrong. */
const ORDINARY = {
	/** Rows are posted, a list is read, or a record is changed or deleted. */
	job: { plain: 'post' as Job, drawn: jobs },
	/** By how much the service's clock is ahead (ms). */
	offset: mostly(0, 3_600_000, -86_400_000, 400),
	hasDate: mostly(true, false),
	/** To what `created_at` is cut (ms); Infinity: it is not shown. */
	granularity: mostly(1, 1_000, 60_000, Infinity),
	text: named(TEXTS),
	/** A field that the list leaves out. */
	listedWithout: mostly('nothing', 'content'),
	/** Whether records carry fields that nobody sent. */
	addsFields: mostly(false, true),
	/** Records of the location before the first row, some of them like rows. */
	before: mostly(5, 0, 1, 30, 31, 60, 400),
	order: mostly('newest-first', 'oldest-first', 'shuffled'),
	totals: mostly('right', 'absent', 'text'),
	pageSize: mostly(15, 10, 100),
	numbers: named(NUMBERS),
	pastEnd: mostly<'empty' | 404 | 'clamped'>('empty', 404, 'clamped'),
	/** Of a response (ms); of one to a write; and by what factor all of them change after so many. */
	latency: mostly(100, 5, 2_000),
	writeLatency: mostly<number | undefined>(undefined, 3, 300, 2_000),
	slower: mostly<{ after: number; factor: number } | undefined>(
		undefined,
		{ after: 10, factor: 20 },
		{ after: 40, factor: 5 },
		{ after: 40, factor: 0.05 },
	),
	/** The rows, how many of them say the same as others, and what they hold besides texts. */
	count: mostly(3, 1, 2, 8, 20, 70),
	duplicates: mostly(0, 1, 2),
	more: mostly('nothing', 'values', 'dates', 'much'),
};

/** A service, and what happens to it. */
const DIMENSIONS = {
	...ORDINARY,
	ids: mostly('text', 'number', 'none', 'reused'),
	/** For how long the list shows an earlier state (ms): a replica, or a cache, which says its `Age`. */
	staleness: mostly(0, 1_000, 6_000, 30_000, 60_000),
	isCached: oneOf(false, 1, fc.constant(true)),
	/** Whether the list hides what goes live later. */
	hidesAhead: mostly(false, true),
	changes: oneOf([], 2, fc.array(change, { minLength: 1, maxLength: 5 })),
	/** With more requests in flight it refuses. */
	bears: mostly(Infinity, 1, 3, 8),
	limit: named(LIMITS),
	telling: named(TELLINGS),
	quota: named(QUOTAS),
	/** After so many requests the key is refused. */
	revokedAfter: mostly(Infinity, 0, 3, 10),
	/**
	 * What comes after the first run: nothing; n8n's Retry On Fail, with the same or other content
	 * (`$now`); the execution is stopped in the middle, and a person runs it again; or a second execution
	 * of the same rows goes on at the same time.
	 */
	life: mostly('once', 'retried', 'retried-with-time', 'stopped', 'together'),
	/** What happens to writes and reads, in the order in which they arrive; then all are answered. */
	writes: list(onWrites, 3),
	reads: list(onReads, 2),
	/** What the row whose write arrives first meets instead, at so many of its writes. */
	unlucky: oneOf<{ outcome: Outcome; times: number } | undefined>(
		undefined,
		3,
		fc.record({ outcome: lostAt(Infinity), times: fc.integer({ min: 1, max: 8 }) }),
	),
	/** While the list is read, others post to it, one record in so much time (ms). */
	others: mostly(Infinity, 5_000),
	/** Whether a run reads the list first, as Skip the Row does; else it creates anyway. */
	readsFirst: mostly(true, false),
};
export type World = WorldOf<typeof DIMENSIONS>;

/** The service that we would have written, and services at random. */
export const { plain: PLAIN, worlds } = worldsOf(DIMENSIONS);

/** What services do, in tiers: any world is made one of a tier by taking away what does not belong there. */
export const TIERS = {
	/** A sane backend, and nothing goes wrong. */
	ordinary: (world: World): World => ({ ...PLAIN, ...pick(world, Object.keys(ORDINARY)) }),
	/** The same behind real networks and gateways, with limits, overload, restarts and other users. */
	faults: (world: World): World => world,
};
export type Tier = keyof typeof TIERS;
