import fc from 'fast-check';

import { EVENTS as ALL_EVENTS } from '../../../support/trigger';
import type { Outcome as AnyOutcome } from '../../outcomes';

/** Those of rank scores compare numbers alone: `test/unit/trigger.location.test.ts`. */
const everything = ALL_EVENTS.filter((event) => !event.startsWith('rankScore'));

/** What a request gets instead of its response. */
export type Outcome =
	| AnyOutcome
	/** A list lacks a record for once. */
	| { kind: 'short' };

export type Kind = 'location' | 'keyword' | 'post' | 'scan';

/** `backfill`: it is dated three months before it appears. */
type What = 'add' | 'backfill' | 'change' | 'remove' | 'return' | 'swap';

const CHANGES: Array<[What, Kind[]]> = [
	['add', ['location', 'keyword', 'post', 'scan', 'scan']],
	['backfill', ['location', 'scan']],
	['change', ['location', 'post']],
	['remove', ['location', 'keyword', 'post', 'scan']],
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
 * What happens to n8n before a poll: it restarts; another execution saves over what the trigger
 * remembers; another process takes over (and back); the workflow is activated again; its events
 * change.
 */
export type Life =
	| 'none'
	| 'restarted'
	| 'overwritten'
	| 'elsewhere'
	| 'reactivated'
	| 'events-changed';

/** A poll and what comes with it; times in milliseconds. */
export interface Step {
	/** Since the start of the poll before. */
	pause: number;
	/** The service's clock jumps by this. */
	jump: number;
	life: Life;
	changes: Change[];
	/** What the first requests of the poll get. */
	outcomes: Outcome[];
}

/** What is wrong with some lists, for some polls or for good. */
export const TROUBLES = {
	none: undefined,
	forbidden: { kind: 'status', status: 403 },
	missing: { kind: 'status', status: 404 },
	broken: { kind: 'status', status: 500 },
	strange: { kind: 'body', body: { ok: true, message: 'Welcome' } },
	silent: { kind: 'silent' },
} as const;

export const EVENTS = {
	everything,
	additions: ['keywordAdded', 'locationAdded', 'postAdded', 'rankScanCompleted'],
	changes: ['keywordRemoved', 'locationChanged', 'postChanged'],
	posts: ['postAdded', 'postChanged'],
	publications: ['postPublished'],
	scans: ['rankScanCompleted'],
	keywords: ['keywordAdded', 'keywordRemoved'],
	locations: ['locationAdded', 'locationChanged'],
};

/** A service, the n8n that polls it, and what happens. Each dimension has a plain value and odd ones. */
export interface World {
	clockOffset: number;
	hasDateHeader: boolean;
	dates: 'zoned' | 'no-zone' | 'absent' | 'malformed';
	/** Milliseconds to which dates are cut. */
	granularity: number;
	/** Every so many records is dated a thousand years ahead; 0: none. */
	futureEvery: number;
	ids: 'text' | 'number' | 'none' | 'odd' | 'shared';
	order: 'newest-first' | 'oldest-first' | 'shuffled';
	/** Milliseconds for which a list may be served from a cache. */
	staleness: number;
	hasTotal: boolean;
	pageSize: number;
	latency: number;
	lastScanAt: 'right' | 'stuck';
	keywordsCount: 'right' | 'absent' | 'too-high';
	locations: number;
	perLocation: number;
	events: keyof typeof EVENTS;
	/** Whether one location is picked, or all are watched. */
	isPicked: boolean;
	/** Whether n8n keeps what the trigger remembers, reads it anew for each poll, or also saves it then. */
	host: 'keeps' | 'reads-anew' | 'saves-all';
	budget: number;
	trouble: keyof typeof TROUBLES;
	/** What it concerns: the lists of the first location, or the scans of its first keyword. */
	troubleAt: 'location' | 'keyword';
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

const FALSE_SUCCESSES: unknown[] = [
	'<html><title>Welcome</title></html>',
	{ success: false },
	{ data: { ok: true } },
	{ data: [] },
];

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 4, arbitrary: fc.constant<Outcome>({ kind: 'answered' }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Outcome>(
			{ kind: 'fault', fault: 'connection-lost' },
			{ kind: 'fault', fault: 'unreachable' },
			{ kind: 'silent' },
			{ kind: 'short' },
			{ kind: 'short' },
			{ kind: 'short' },
			{ kind: 'limited' },
			{ kind: 'limited', retryAfter: '2' },
			{ kind: 'limited', retryAfter: '1000' },
			...[400, 401, 403, 404, 500, 503].map((status) => ({ kind: 'status' as const, status })),
			...FALSE_SUCCESSES.map((body) => ({ kind: 'body' as const, body })),
		),
	},
);

const change: fc.Arbitrary<Change> = fc.record({
	what: fc.constantFrom(
		...CHANGES.flatMap(([what, kinds]) => kinds.map((kind): [What, Kind] => [what, kind])),
	),
	pick: fc.nat({ max: 1_000 }),
	at: dimension(-30_000, 0, -1, 1, 150, 1_500, -59_000, -400),
});

const step: fc.Arbitrary<Step> = fc.record({
	pause: dimension(60_000, 300_000, 3_000_000),
	jump: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 30, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.constantFrom(3_600_000, -3_600_000, 400 * 86_400_000) },
	),
	life: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 12, arbitrary: fc.constant<Life>('none') },
		{
			weight: 3,
			arbitrary: fc.constantFrom<Life>('restarted', 'overwritten', 'elsewhere', 'reactivated'),
		},
		{ weight: 1, arbitrary: fc.constant<Life>('events-changed') },
	),
	changes: fc.array(change, { maxLength: 4 }),
	outcomes: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant<Outcome[]>([]) },
		{ weight: 1, arbitrary: fc.array(outcome, { maxLength: 8 }) },
	),
});

export const worlds: fc.Arbitrary<World> = fc.record({
	clockOffset: dimension(0, 3_600_000, -86_400_000, 400, -2_500),
	hasDateHeader: dimension(true, false),
	dates: dimension<World['dates']>('zoned', 'no-zone', 'absent', 'malformed'),
	granularity: dimension(1, 1_000, 60_000),
	futureEvery: dimension(0, 3, 7),
	ids: dimension<World['ids']>('text', 'number', 'none', 'odd', 'shared'),
	order: dimension<World['order']>('newest-first', 'oldest-first', 'shuffled'),
	staleness: dimension(0, 1_000, 30_000),
	hasTotal: dimension(true, false),
	pageSize: dimension(15, 5, 100),
	latency: dimension(20, 1, 2_000),
	lastScanAt: dimension<World['lastScanAt']>('right', 'stuck'),
	keywordsCount: dimension<World['keywordsCount']>('right', 'absent', 'too-high'),
	locations: dimension(3, 0, 1, 2, 6),
	perLocation: dimension(2, 0, 1, 4),
	events: dimension<World['events']>(
		'everything',
		...(Object.keys(EVENTS).slice(1) as Array<World['events']>),
	),
	isPicked: dimension(false, true),
	host: dimension<World['host']>('keeps', 'reads-anew', 'saves-all'),
	budget: dimension(300_000, 36_000, 15_000),
	trouble: dimension<World['trouble']>(
		'none',
		...(Object.keys(TROUBLES).slice(1) as Array<World['trouble']>),
	),
	troubleAt: dimension<World['troubleAt']>('location', 'keyword'),
	troubledPolls: dimension(3, 1, Infinity),
	steps: fc.array(step, { minLength: 1, maxLength: 10 }),
});
