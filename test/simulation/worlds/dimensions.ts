import fc from 'fast-check';

import type { Outcome as AnyOutcome } from '../outcomes';
import {
	LIMITS,
	type LimitName,
	QUOTAS,
	type QuotaName,
	TELLINGS,
	type TellingName,
} from './limits';
import { TEXTS, type TextName } from './texts';

/** What happens to one request. */
export type Outcome = AnyOutcome<BodyName>;

/** A service, and what happens to it. Each dimension has a plain value and others; `tiers.ts` says where. */
export interface World {
	/** What is done: rows are posted, a list is read, or a record is changed or deleted. */
	job: 'post' | 'list' | 'update' | 'delete';
	clock: {
		offset: number;
		/** Milliseconds to which `created_at` is cut. */
		granularity: number;
		/** Hours by which `created_at` is off though it says `Z`. */
		wrongZone: number;
		dates: 'zoned' | 'no-zone' | 'absent' | 'future';
		hasDateHeader: boolean;
	};
	records: {
		text: TextName;
		/** Whether the list leaves out their texts. */
		areListedWithout: 'nothing' | 'content';
		/** Whether records carry fields that nobody sent. */
		addedFields: boolean;
		ids: 'text' | 'number' | 'none' | 'reused';
		/** Records of the location before the first row, some of them like rows. */
		before: number;
	};
	list: {
		order: 'newest-first' | 'oldest-first' | 'shuffled';
		/** By how much the list shows an earlier state (ms), as a replica does. */
		lag: number;
		/** Milliseconds for which a list may be served from a cache, which says its `Age`. */
		cachedFor: number;
		/** Whether the list hides what goes live later. */
		hidesAhead: boolean;
		totals: 'right' | 'absent' | 'text';
		pageSize: number;
		/** How many a page is asked for; the service gives no more than its page size. */
		asksFor: number | undefined;
		firstPage: 1 | 0;
		/** Which numbers of itself a page says. */
		says: 'both' | 'current_page' | 'per_page' | 'neither';
		pastEnd: 'empty' | 404 | 'clamped';
		/** Before the read of that number. */
		changes: Array<{ before: number; what: 'add' | 'remove'; where: number }>;
	};
	/** Milliseconds of a response; those to writes may take another time, and all of them change for good. */
	latency: number;
	writeLatency: number | undefined;
	changes: { after: number; factor: number } | undefined;
	/** With more requests in flight it refuses. */
	bears: number;
	limit: LimitName;
	telling: TellingName;
	quota: QuotaName;
	/** After so many requests the key is refused. */
	revokedAfter: number | undefined;
	rows: {
		count: number;
		/** How many have the same content as another one. */
		duplicates: number;
		/** What they hold besides texts. */
		more: 'nothing' | 'numbers' | 'dates' | 'nested' | 'much';
	};
	/**
	 * What comes after the first run: nothing; n8n's Retry On Fail, which runs the rows again that did
	 * not succeed, with the same or other content (`$now`); the execution is stopped in the middle, and
	 * a person runs it again; or a second execution of the same rows goes on at the same time.
	 */
	life: 'once' | 'retried' | 'retried-with-time' | 'stopped' | 'together';
	/** What happens to the writes, in the order in which they arrive; then all are answered. */
	writes: Outcome[];
	/** The same for reads. */
	reads: Outcome[];
	/** What the row whose write arrives first meets instead, at so many of its writes. */
	unlucky: { outcome: Outcome; times: number } | undefined;
	/** While the list is read, others post to it, one record in so many milliseconds. */
	others: number | undefined;
	/** Whether a run reads the list first, as Skip the Row does; else it creates anyway. */
	readsFirst: boolean;
}

const answered: Outcome = { kind: 'answered' };

/** The service that we would have written. */
export const PLAIN: World = {
	job: 'post',
	clock: { offset: 0, granularity: 1, wrongZone: 0, dates: 'zoned', hasDateHeader: true },
	records: {
		text: 'plain',
		areListedWithout: 'nothing',
		addedFields: false,
		ids: 'text',
		before: 5,
	},
	list: {
		order: 'newest-first',
		lag: 0,
		cachedFor: 0,
		hidesAhead: false,
		totals: 'right',
		pageSize: 15,
		asksFor: undefined,
		firstPage: 1,
		says: 'both',
		pastEnd: 'empty',
		changes: [],
	},
	latency: 100,
	writeLatency: undefined,
	changes: undefined,
	bears: Infinity,
	limit: 'none',
	telling: 'seconds',
	quota: 'not at all',
	revokedAfter: undefined,
	rows: { count: 3, duplicates: 0, more: 'nothing' },
	life: 'once',
	writes: [],
	reads: [],
	unlucky: undefined,
	others: undefined,
	readsFirst: true,
};

function dimension<T>(plain: T, ...odd: T[]): fc.Arbitrary<T> {
	return fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant(plain) },
		{ weight: 1, arbitrary: fc.constantFrom(...odd) },
	);
}

const namesOf = <T extends string>(values: Record<T, unknown>) => Object.keys(values) as T[];

const CODES = [
	'ECONNRESET',
	'EPIPE',
	'HPE_INVALID_CHUNK_SIZE',
	'HPE_INVALID_HEADER_TOKEN',
	'HPE_INVALID_CONSTANT',
	'Z_DATA_ERROR',
	'ERR_BAD_RESPONSE',
];

/** Bodies that do not come from the service, or not as a whole. */
export const BODIES = {
	page: '<html><title>Welcome</title></html>',
	'cut off': '{"data":{"id":"po',
};
export type BodyName = keyof typeof BODIES;

const fault = (acts: fc.Arbitrary<boolean>) =>
	fc.record({
		kind: fc.constant('fault' as const),
		acts,
		fault: fc.constantFrom('connection-lost' as const, 'timeout' as const),
		code: fc.constantFrom(...CODES),
	});
const status = (acts: fc.Arbitrary<boolean>) =>
	fc.record({
		kind: fc.constant('status' as const),
		acts,
		status: fc.constantFrom(500, 502, 503, 504, 408, 520, 599),
	});
const noAnswer = (acts: fc.Arbitrary<boolean>) =>
	fc.record({
		kind: fc.constant('body' as const),
		acts,
		status: fc.constantFrom(200, 201),
		body: fc.constantFrom(...(Object.keys(BODIES) as BodyName[])),
	});
const busy = fc.constant({ kind: 'busy' as const });
const slow = fc.record({
	kind: fc.constant('slow' as const),
	after: fc.constantFrom(3_000, 30_000, 59_000, 61_000),
});
const limited = fc.record({
	kind: fc.constant('limited' as const),
	retryAfter: fc.constantFrom(undefined, '1', '5'),
});

/** What networks and gateways do. */
const writeOutcome: fc.Arbitrary<Outcome> = fc.oneof(
	{ withCrossShrink: true },
	fc.constant(answered),
	fault(fc.boolean()),
	status(fc.boolean()),
	busy,
	noAnswer(fc.boolean()),
	fc.record({
		kind: fc.constant('late' as const),
		status: fc.constantFrom(502, 504, 202),
		after: fc.constantFrom(500, 5_000, 20_000, 60_000),
	}),
	slow,
	fc.record({ kind: fc.constant('silent' as const), acts: fc.boolean() }),
	limited,
);

const never = fc.constant(false);
/** Faults that one row may meet at each of its sends. */
const stubbornOutcome: fc.Arbitrary<Outcome> = fc.oneof(
	fault(never),
	status(never),
	noAnswer(never),
	fc.record({ kind: fc.constant('silent' as const), acts: never }),
);
const readOutcome: fc.Arbitrary<Outcome> = fc.oneof(
	{ withCrossShrink: true },
	fc.constant(answered),
	fault(never),
	status(never),
	busy,
	slow,
	fc.record({ kind: fc.constant('silent' as const), acts: never }),
	limited,
);

const jobs: fc.Arbitrary<World['job']> = fc.oneof(
	{ withCrossShrink: true },
	{ weight: 6, arbitrary: fc.constant('post' as const) },
	{ weight: 3, arbitrary: fc.constant('list' as const) },
	{ weight: 1, arbitrary: fc.constantFrom('update' as const, 'delete' as const) },
);

export const worlds: fc.Arbitrary<World> = fc.record({
	job: jobs,
	clock: fc.record({
		offset: dimension(0, 3_600_000, -86_400_000, 400, -2_500),
		granularity: dimension(1, 1_000, 60_000),
		wrongZone: dimension(0, 2, -7),
		dates: dimension<World['clock']['dates']>('zoned', 'no-zone', 'absent', 'future'),
		hasDateHeader: dimension(true, false),
	}),
	records: fc.record({
		text: dimension<TextName>('plain', ...namesOf(TEXTS)),
		areListedWithout: dimension<World['records']['areListedWithout']>('nothing', 'content'),
		addedFields: dimension(false, true),
		ids: dimension<World['records']['ids']>('text', 'number', 'none', 'reused'),
		before: dimension(5, 0, 1, 30, 31, 60, 400),
	}),
	list: fc.record({
		order: dimension<World['list']['order']>('newest-first', 'oldest-first', 'shuffled'),
		lag: dimension(0, 1_000, 6_000, 30_000, 60_000),
		cachedFor: dimension(0, 5_000, 30_000),
		hidesAhead: dimension(false, true),
		totals: dimension<World['list']['totals']>('right', 'absent', 'text'),
		pageSize: dimension(15, 1, 3, 100),
		asksFor: dimension<number | undefined>(undefined, 2, 100),
		firstPage: dimension<1 | 0>(1, 0),
		says: dimension<World['list']['says']>('both', 'current_page', 'per_page', 'neither'),
		pastEnd: dimension<World['list']['pastEnd']>('empty', 404, 'clamped'),
		changes: fc.oneof(
			{ withCrossShrink: true },
			{ weight: 2, arbitrary: fc.constant<World['list']['changes']>([]) },
			{
				weight: 1,
				arbitrary: fc.array(
					fc.record({
						before: fc.integer({ min: 1, max: 8 }),
						what: fc.constantFrom('add' as const, 'remove' as const),
						where: fc.integer({ min: 0, max: 59 }),
					}),
					{ minLength: 1, maxLength: 5 },
				),
			},
		),
	}),
	latency: dimension(100, 5, 2_000),
	writeLatency: dimension<number | undefined>(undefined, 3, 300, 2_000),
	changes: dimension<World['changes']>(
		undefined,
		{ after: 10, factor: 20 },
		{ after: 40, factor: 5 },
		{ after: 40, factor: 0.05 },
	),
	bears: dimension(Infinity, 1, 3, 8),
	limit: dimension<LimitName>('none', ...namesOf(LIMITS)),
	telling: dimension<TellingName>('seconds', ...namesOf(TELLINGS)),
	revokedAfter: dimension<number | undefined>(undefined, 0, 3, 10),
	rows: fc.record({
		count: dimension(3, 1, 2, 8, 20, 70),
		duplicates: dimension(0, 1, 2),
		more: dimension<World['rows']['more']>('nothing', 'numbers', 'dates', 'nested', 'much'),
	}),
	life: dimension<World['life']>('once', 'retried', 'retried-with-time', 'stopped', 'together'),
	writes: fc.array(writeOutcome, { maxLength: 3 }),
	reads: fc.array(readOutcome, { maxLength: 2 }),
	others: dimension<number | undefined>(undefined, 5_000),
	readsFirst: dimension(true, false),
	quota: dimension<QuotaName>('not at all', ...namesOf(QUOTAS)),
	// Last, so that a seed keeps what it drew before there were unlucky rows.
	unlucky: fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant(undefined) },
		{
			weight: 1,
			arbitrary: fc.record({ outcome: stubbornOutcome, times: fc.integer({ min: 1, max: 8 }) }),
		},
	),
});
