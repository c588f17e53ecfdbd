import {
	type DrawnBy,
	fc,
	mostly,
	named,
	oneOf,
	type WorldOf,
	worldsOf,
} from '../../../support/random';
import { ANSWERED, instead, type Outcome } from '../faults';
import { CHANGES, EVENTS } from './events';

/**
 * Before a poll, n8n may be killed, and starts with what it saved last. Or another process takes over, and
 * back; an event is chosen, or no longer; another execution saves over the state; or two of these.
 */
const LIVES = ['elsewhere', 'event-changed', 'overwritten', 'overwritten elsewhere'] as const;
export type Life = (typeof LIVES)[number] | 'killed' | 'none';

const silent: Outcome = { acts: Infinity, after: Infinity };

/** Trouble with the lists of the first location, for some polls or for good. */
export const TROUBLES: Record<string, Outcome | undefined> = {
	none: undefined,
	forbidden: instead('403'),
	missing: instead('404'),
	broken: instead('500'),
	silent,
};

/** For once, the list lacks a record (`short`), all of them (`empty`), or each status (`bare`). */
const REPLIES = [
	...['400', '401', '403', '404', '500', '503', 'ECONNRESET', 'short', 'short', 'empty', 'bare'],
	...['limited', 'limited for 1,000 s', 'a page', 'no success'],
];
const outcomes = oneOf(ANSWERED, 4, fc.constantFrom(silent, ...REPLIES.map(instead)));

/** A change of the account; `at`: after the start of the poll, or before it (ms). */
const change = fc.record({
	what: fc.constantFrom(
		...Object.entries(CHANGES).flatMap(([name, [weight]]) => Array<string>(weight).fill(name)),
	),
	pick: fc.nat({ max: 1_000 }),
	at: mostly(-30_000, -1, 1, 150, 1_500, -59_000, -400).drawn,
});

const step = fc.record({
	/** Since the start of the poll before (ms). */
	pause: mostly(60_000, 300_000, 3_000_000).drawn,
	life: mostly<Life>('none', 'killed', 'killed', 'killed', ...LIVES).drawn,
	changes: fc.array(change, { maxLength: 4 }),
	/** Outcomes of the first requests of the poll. */
	outcomes: oneOf([], 3, fc.array(outcomes.drawn, { maxLength: 8 })).drawn,
});
export type Step = DrawnBy<typeof step>;
const ALL = Object.keys(EVENTS);

/** A service, the n8n that polls it, and what happens; times in milliseconds. First what is plain. */
const DIMENSIONS = {
	/** By how much the service's clock is ahead. */
	offset: mostly(0, 3_600_000, -86_400_000, 400),
	hasDate: mostly(true, false),
	/** To which times are cut. */
	granularity: mostly(1, 1_000, 60_000),
	/** `created`: the scan that was created last comes first, whenever it was over. */
	order: mostly('newest-first', 'oldest-first', 'shuffled', 'created'),
	/** For how long a list may be served from a cache. */
	staleness: mostly(0, 1_000, 30_000),
	hasTotal: mostly(true, false),
	pageSize: mostly(15, 2, 5, 100),
	latency: mostly(20, 1, 2_000),
	/** `last_scan_at` may be the time of the latest scan, of the latest that began, or never changes. */
	lastScanAt: mostly('right', 'begun', 'stuck'),
	keywordsCount: mostly('right', 'absent'),
	locations: mostly(3, 1, 2, 6),
	perLocation: mostly(2, 0, 1, 4),
	/** How many fields records have beside those with a meaning. */
	moreFields: mostly(0, 45),
	scores: mostly('number', 'text'),
	/** How many of the first locations are picked; 0: all are watched. */
	picked: mostly(0, 1, 2, 3),
	fieldsToWatch: mostly('', 'name, status'),
	events: oneOf(ALL, 3, fc.subarray(ALL, { minLength: 1 })),
	/** n8n keeps the state, reads it anew for each poll, or also saves it then. */
	host: mostly('keeps', 'reads-anew', 'saves-all'),
	budget: mostly(300_000, 36_000, 15_000),
	minimumChange: mostly(5, 1),
	trouble: named(TROUBLES),
	/** The polls that it lasts; Infinity: for good. */
	troubledPolls: mostly(3, 1, Infinity),
	steps: { plain: [] as Step[], drawn: fc.array(step, { minLength: 1, maxLength: 10 }) },
};
export type World = WorldOf<typeof DIMENSIONS>;
export const { worlds } = worldsOf(DIMENSIONS);
