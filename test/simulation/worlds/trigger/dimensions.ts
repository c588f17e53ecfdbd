import fc from 'fast-check';

import { EVENTS as ALL_EVENTS } from '../../../support/trigger';
import type { Outcome as AnyOutcome } from '../../outcomes';

/** What a request gets instead of its response. `short`: the list lacks a record for once. */
export type Outcome = AnyOutcome | { kind: 'short' };

export type Kind = 'location' | 'keyword' | 'post' | 'scan';
/** `begin` and `finish`: a scan without a time, which gets one later; `late`: dated before others. */
type What =
	| 'add'
	| 'begin'
	| 'change'
	| 'finish'
	| 'late'
	| 'publish'
	| 'remove'
	| 'return'
	| 'score'
	| 'swap';

const CHANGES: Array<[What, Kind[]]> = [
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
];

/** A change of the account; `at`: milliseconds after the start of the poll, or before it. */
export interface Change {
	what: [What, Kind];
	pick: number;
	at: number;
}

/**
 * What happens to n8n before a poll: it is killed and starts with what it saved last; another execution
 * saves over the state; another process takes over (and back); the workflow is activated again; an
 * event is chosen or no longer; the fields to watch come in another order.
 */
export type Life =
	| 'elsewhere'
	| 'event-changed'
	| 'fields-turned'
	| 'killed'
	| 'none'
	| 'overwritten'
	| 'reactivated';

/** A poll and what comes with it; `pause`: since the start of the poll before (ms). */
export interface Step {
	pause: number;
	life: Life;
	changes: Change[];
	/** What the first requests of the poll get. */
	outcomes: Outcome[];
}

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

/** A service, the n8n that polls it, and what happens. Each dimension has a plain value and odd ones. */
export interface World {
	/** By how much the service's clock is ahead (ms). */
	clockOffset: number;
	hasDateHeader: boolean;
	/** Milliseconds to which times are cut. */
	granularity: number;
	ids: 'text' | 'number' | 'long' | 'shared';
	order: 'newest-first' | 'oldest-first' | 'shuffled';
	/** Milliseconds for which a list may be served from a cache. */
	staleness: number;
	hasTotal: boolean;
	pageSize: number;
	latency: number;
	/** Whether `last_scan_at` is the time of the latest scan, of the latest that began, or never changes. */
	lastScanAt: 'begun' | 'right' | 'stuck';
	keywordsCount: 'absent' | 'right';
	locations: number;
	perLocation: number;
	events: keyof typeof EVENTS;
	/** Whether the first location alone is picked, or all are watched. */
	isPicked: boolean;
	/** Whether n8n keeps the state, reads it anew for each poll, or also saves it then. */
	host: 'keeps' | 'reads-anew' | 'saves-all';
	budget: number;
	minimumChange: number;
	trouble: keyof typeof TROUBLES;
	/** The polls that it lasts; Infinity: for good. */
	troubledPolls: number;
	steps: Step[];
}

function dimension<T>(plain: T, ...odd: T[]): fc.Arbitrary<T> {
	return fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant(plain) },
		{ weight: 1, arbitrary: fc.constantFrom(...odd) },
	);
}

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 4, arbitrary: fc.constant<Outcome>({ kind: 'answered' }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Outcome>(
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
	},
);

const change: fc.Arbitrary<Change> = fc.record({
	what: fc.constantFrom(
		...CHANGES.flatMap(([what, kinds]) => kinds.map((kind): [What, Kind] => [what, kind])),
	),
	pick: fc.nat({ max: 1_000 }),
	at: dimension(-30_000, -1, 1, 150, 1_500, -59_000, -400),
});

const LIVES: Life[] = ['elsewhere', 'event-changed', 'fields-turned', 'overwritten', 'reactivated'];

const step: fc.Arbitrary<Step> = fc.record({
	pause: dimension(60_000, 300_000, 3_000_000),
	life: dimension<Life>('none', 'killed', 'killed', 'killed', ...LIVES),
	changes: fc.array(change, { maxLength: 4 }),
	outcomes: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant<Outcome[]>([]) },
		{ weight: 1, arbitrary: fc.array(outcome, { maxLength: 8 }) },
	),
});

const names = <T extends string>(record: Record<T, unknown>) => Object.keys(record) as T[];

export const worlds: fc.Arbitrary<World> = fc.record({
	clockOffset: dimension(0, 3_600_000, -86_400_000, 400),
	hasDateHeader: dimension(true, false),
	granularity: dimension(1, 1_000, 60_000),
	ids: dimension<World['ids']>('text', 'number', 'long', 'shared'),
	order: dimension<World['order']>('newest-first', 'oldest-first', 'shuffled'),
	staleness: dimension(0, 1_000, 30_000),
	hasTotal: dimension(true, false),
	pageSize: dimension(15, 5, 100),
	latency: dimension(20, 1, 2_000),
	lastScanAt: dimension<World['lastScanAt']>('right', 'begun', 'stuck'),
	keywordsCount: dimension<World['keywordsCount']>('right', 'absent'),
	locations: dimension(3, 1, 2, 6),
	perLocation: dimension(2, 0, 1, 4),
	events: dimension<World['events']>('everything', ...names(EVENTS).slice(1)),
	isPicked: dimension(false, true),
	host: dimension<World['host']>('keeps', 'reads-anew', 'saves-all'),
	budget: dimension(300_000, 36_000, 15_000),
	minimumChange: dimension(1, 5),
	trouble: dimension<World['trouble']>('none', ...names(TROUBLES).slice(1)),
	troubledPolls: dimension(3, 1, Infinity),
	steps: fc.array(step, { minLength: 1, maxLength: 10 }),
});
