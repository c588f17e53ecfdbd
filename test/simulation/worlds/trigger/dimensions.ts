import { fc, mostly, oneOf, plainOf, type WorldOf, worldsOf } from '../../../support/random';
import { EVENTS as ALL_EVENTS } from '../../../support/trigger';
import type { Outcome as AnyOutcome } from '../../outcomes';

/** What a request gets instead of its response. `short`: the list lacks a record for once. */
export type Outcome = AnyOutcome | { kind: 'short' };

export type Kind = 'location' | 'keyword' | 'post' | 'scan';
/** `begin` and `finish`: a scan without a time, which gets one later; `late`: dated before others. */
const CHANGES = [
	['add', ['location', 'keyword', 'post', 'scan', 'scan', 'scan']],
	['begin', ['scan']],
	['finish', ['scan']],
	['late', ['scan']],
	['change', ['location', 'post', 'post']],
	['publish', ['post']],
	['score', ['location', 'location']],
	['remove', ['location', 'keyword', 'keyword', 'post', 'scan']],
	['return', ['location', 'keyword', 'post']],
	['swap', ['keyword']],
] satisfies Array<[string, Kind[]]>;
type What = (typeof CHANGES)[number][0];

/**
 * What happens to n8n before a poll: it is killed and starts with what it saved last; another execution
 * saves over the state; another process takes over (and back); the workflow is activated again; an
 * event is chosen or no longer; the fields to watch come in another order.
 */
const LIVES = [
	'elsewhere',
	'event-changed',
	'fields-turned',
	'overwritten',
	'reactivated',
] as const;
export type Life = (typeof LIVES)[number] | 'killed' | 'none';

/** What is wrong with the lists of the first location, for some polls or for good. */
export const TROUBLES = {
	none: undefined,
	forbidden: { kind: 'status', status: 403 },
	missing: { kind: 'status', status: 404 },
	broken: { kind: 'status', status: 500 },
	silent: { kind: 'silent' },
} as const;

export const EVENTS = {
	everything: ALL_EVENTS,
	lists: ALL_EVENTS.filter((event) => !event.startsWith('location')),
	posts: ['postAdded', 'postChanged', 'postPublished'],
	scans: ['rankScanCompleted'],
	keywords: ['keywordAdded', 'keywordRemoved'],
	locations: ['locationAdded', 'locationChanged'],
	scores: ['rankScoreChanged', 'rankScoreDropped', 'rankScoreRose'],
};

const outcomes = oneOf<Outcome>(
	{ kind: 'answered' },
	4,
	fc.constantFrom<Outcome>(
		{ kind: 'fault', fault: 'connection-lost' },
		{ kind: 'silent' },
		{ kind: 'short' },
		{ kind: 'short' },
		{ kind: 'limited' },
		{ kind: 'limited', retryAfter: '1000' },
		...[400, 401, 403, 404, 500, 503].map((status) => ({ kind: 'status' as const, status })),
		{ kind: 'body', body: '<html><title>Welcome</title></html>' },
		{ kind: 'body', body: { success: false } },
	),
);

/** A change of the account; `at`: after the start of the poll, or before it. */
const change = fc.record({
	what: fc.constantFrom(
		...CHANGES.flatMap(([what, kinds]) => kinds.map((kind): [What, Kind] => [what, kind])),
	),
	pick: fc.nat({ max: 1_000 }),
	at: mostly(-30_000, -1, 1, 150, 1_500, -59_000, -400).drawn,
});
export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A poll and what comes with it. */
const step = fc.record({
	/** Since the start of the poll before. */
	pause: mostly(60_000, 300_000, 3_000_000).drawn,
	life: mostly<Life>('none', 'killed', 'killed', 'killed', ...LIVES).drawn,
	changes: fc.array(change, { maxLength: 4 }),
	/** What the first requests of the poll get. */
	outcomes: oneOf([], 3, fc.array(outcomes.drawn, { maxLength: 8 })).drawn,
});
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const names = <T extends string>(record: Record<T, unknown>) => Object.keys(record) as T[];

/** A service, the n8n that polls it, and what happens; times in milliseconds. First what is plain. */
const DIMENSIONS = {
	/** By how much the service's clock is ahead. */
	clockOffset: mostly(0, 3_600_000, -86_400_000, 400),
	hasDateHeader: mostly(true, false),
	/** To which times are cut. */
	granularity: mostly(1, 1_000, 60_000),
	ids: mostly('text', 'number', 'long', 'shared'),
	order: mostly('newest-first', 'oldest-first', 'shuffled'),
	/** For how long a list may be served from a cache. */
	staleness: mostly(0, 1_000, 30_000),
	hasTotal: mostly(true, false),
	pageSize: mostly(15, 5, 100),
	latency: mostly(20, 1, 2_000),
	/** Whether `last_scan_at` is the time of the latest scan, of the latest that began, or never changes. */
	lastScanAt: mostly('right', 'begun', 'stuck'),
	keywordsCount: mostly('right', 'absent'),
	locations: mostly(3, 1, 2, 6),
	perLocation: mostly(2, 0, 1, 4),
	events: mostly(...names(EVENTS)),
	/** Whether the first location alone is picked, or all are watched. */
	isPicked: mostly(false, true),
	/** Whether n8n keeps the state, reads it anew for each poll, or also saves it then. */
	host: mostly('keeps', 'reads-anew', 'saves-all'),
	budget: mostly(300_000, 36_000, 15_000),
	minimumChange: mostly(1, 5),
	trouble: mostly(...names(TROUBLES)),
	/** The polls that it lasts; Infinity: for good. */
	troubledPolls: mostly(3, 1, Infinity),
	steps: { plain: [] as Step[], drawn: fc.array(step, { minLength: 1, maxLength: 10 }) },
};
export type World = WorldOf<typeof DIMENSIONS>;
export const PLAIN = plainOf(DIMENSIONS);
export const worlds = worldsOf(DIMENSIONS);
