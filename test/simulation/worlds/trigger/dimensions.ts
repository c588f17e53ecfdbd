import {
	type DrawnBy,
	fc,
	mostly,
	named,
	oneOf,
	type WorldOf,
	worldsOf,
} from '../../../support/random';
import { EVENTS } from '../../../support/trigger';
import { ANSWERED, instead, type Outcome } from '../faults';
import { CHANGES } from './changes';

/**
 * Before a poll, n8n may be killed, and starts with what it saved last; another execution saves over what
 * n8n has; or an event is chosen, or no longer.
 */
const LIVES = ['killed', 'overwritten', 'other events'] as const;
export type Life = (typeof LIVES)[number] | 'none';

const silent: Outcome = { acts: Infinity, after: Infinity };

/** Trouble with the lists of the first location, for some polls or for good. */
export const TROUBLES: Record<string, Outcome | undefined> = {
	none: undefined,
	forbidden: instead('403'),
	missing: instead('404'),
	broken: instead('500'),
	silent,
};

/** `empty`: for once, a list is shown as an empty one. */
const REPLIES = [
	...['400', '401', '403', '404', '500', '503', 'ECONNRESET', 'empty'],
	...['limited', 'limited for 1,000 s', 'a page', 'no success'],
];
const outcomes = oneOf(ANSWERED, 4, fc.constantFrom(silent, ...REPLIES.map(instead)));

/** A change of the account; `at`: after the start of the poll, or before it (ms). */
const change = fc.record({
	what: fc.constantFrom(...Object.keys(CHANGES)),
	pick: fc.nat({ max: 1_000 }),
	at: mostly(-30_000, -1, 1, 150, 1_500, -59_000, -400).drawn,
});

const step = fc.record({
	/** Since the start of the poll before (ms). */
	pause: mostly(60_000, 300_000, 3_000_000).drawn,
	life: oneOf<Life>('none', 4, fc.constantFrom(...LIVES)).drawn,
	changes: fc.array(change, { maxLength: 4 }),
	/** Outcomes of the first requests of the poll. */
	outcomes: oneOf([], 3, fc.array(outcomes.drawn, { maxLength: 8 })).drawn,
});
export type Step = DrawnBy<typeof step>;

/** A service, the n8n that polls it, and what happens; times in milliseconds. First what is plain. */
const DIMENSIONS = {
	order: mostly('newest first', 'oldest first', 'shuffled'),
	hasTotal: mostly(true, false),
	firstPage: mostly(1, 0),
	pageSize: mostly(15, 2, 5, 100),
	latency: mostly(20, 1, 2_000),
	keywordsCount: mostly('right', 'absent'),
	locations: mostly(3, 1, 2, 6),
	perLocation: mostly(2, 0, 1, 4),
	/** How many scans each keyword has at first, six hours apart. */
	scans: mostly(2, 0, 1, 40),
	scores: mostly('number', 'text'),
	/** How many of the first locations are picked; 0: all are watched. */
	picked: mostly(0, 1, 2, 3),
	fieldsToWatch: mostly('', 'status, constructor'),
	events: oneOf(EVENTS, 3, fc.subarray(EVENTS, { minLength: 1 })),
	/** n8n keeps the state, reads it anew for each poll, or also saves it then. */
	host: mostly('keeps', 'reads anew', 'saves all'),
	budget: mostly(300_000, 36_000, 15_000),
	minimumChange: mostly(5, 1),
	trouble: named(TROUBLES),
	/** The rounds that it lasts; Infinity: for good. */
	troubledRounds: mostly(1, 2, Infinity),
	/** After each round, the account is quiet for some polls. */
	rounds: {
		plain: [] as Step[][],
		drawn: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
			minLength: 1,
			maxLength: 4,
		}),
	},
};
export type World = WorldOf<typeof DIMENSIONS>;
export const { worlds } = worldsOf(DIMENSIONS);
