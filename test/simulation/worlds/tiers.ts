import { type BodyName, BODIES, NO_ANSWERS, PLAIN, type World } from './dimensions';
import type { QuotaName, TellingName } from './limits';
import { TEXTS, type TextName } from './texts';

type Change = (world: World) => World;

const withClock =
	(clock: Partial<World['clock']>): Change =>
	(world) => ({ ...world, clock: { ...world.clock, ...clock } });
const withRecords =
	(records: Partial<World['records']>): Change =>
	(world) => ({ ...world, records: { ...world.records, ...records } });
const withList =
	(list: Partial<World['list']>): Change =>
	(world) => ({ ...world, list: { ...world.list, ...list } });
/** It acts, and denies it. */
const denies =
	(body: BodyName): Change =>
	(world) => ({ ...world, writes: [{ kind: 'body', acts: true, status: 200, body }] });

const TRUE_TELLINGS: TellingName[] = [
	'seconds',
	'date',
	'reset',
	'reset as a time',
	'reset as a time in ms',
	'draft',
	'not at all',
];
const TRUE_QUOTAS: QuotaName[] = ['not at all', 'right', 'right, as a draft'];
const FALSE_TELLINGS: TellingName[] = [
	'as none',
	'as past',
	'too short',
	'as a day',
	'as endless',
	'in words',
];
const FALSE_QUOTAS: QuotaName[] = [
	'of a day',
	'never any left',
	'never any left of a billion',
	'half, until it refuses',
	'by chance',
	'more than there is',
	'without sense',
];

/** How a service contradicts its interface, or itself. */
const CONTRADICTIONS: Change[] = [
	...(['too-low', 'too-high', 'huge', 'negative', 'of-page'] as const).map((totals) =>
		withList({ totals }),
	),
	withList({ pageParameter: 'ignored' }),
	withList({ pageParameter: 'refused' }),
	withList({ pastEnd: 'clamped' }),
	withList({ firstPage: 0 }),
	withList({ says: 'neither' }),
	withList({ order: 'shuffled' }),
	...(['no-zone', 'absent', 'future', 'from-row'] as const).map((dates) => withClock({ dates })),
	withClock({ wrongZone: 2 }),
	withClock({ wrongZone: -7 }),
	withClock({ granularity: 60_000 }),
	withClock({ hasDateHeader: false }),
	withRecords({ ids: 'none' }),
	// With the same date, too, it would be the same record to anyone.
	(world) => withRecords({ ids: 'reused' })(withClock({ granularity: 1 })(world)),
	withRecords({ areListedWithout: 'content' }),
	...(Object.keys(TEXTS) as TextName[]).map((text) => withRecords({ text })),
	...(Object.keys(BODIES) as BodyName[]).filter((body) => !NO_ANSWERS.includes(body)).map(denies),
	...FALSE_TELLINGS.map(
		(telling): Change =>
			(world) => ({ ...world, telling, limit: '5 in the last second' }),
	),
	...FALSE_QUOTAS.map(
		(quota): Change =>
			(world) => ({ ...world, quota, limit: '5 in the last second' }),
	),
];

const trueOr = <T>(value: T, isTrue: readonly T[]): T =>
	isTrue.includes(value) ? value : isTrue[0];

/**
 * What services do, in tiers: any world is made one of a tier by taking away what belongs to none of it.
 */
export const TIERS = {
	/** A sane backend, and nothing goes wrong. */
	ordinary: (world: World): World => ({
		...PLAIN,
		job: world.job,
		clock: { ...PLAIN.clock, offset: world.clock.offset, granularity: world.clock.granularity },
		records: {
			...PLAIN.records,
			text: world.records.text,
			addedFields: world.records.addedFields,
			ids: trueOr(world.records.ids, ['text', 'number']),
			before: world.records.before,
		},
		list: {
			...PLAIN.list,
			order: trueOr(world.list.order, ['newest-first', 'oldest-first']),
			totals: trueOr(world.list.totals, ['right', 'absent', 'text']),
			pageSize: Math.max(3, world.list.pageSize),
			asksFor: world.list.asksFor,
			says: trueOr(world.list.says, ['both', 'current_page', 'per_page']),
			sign: world.list.sign,
			pastEnd: trueOr(world.list.pastEnd, ['empty', 404, 422]),
		},
		latency: world.latency,
		writeLatency: world.writeLatency,
		changes: world.changes,
		rows: { ...world.rows, more: world.rows.more === 'created_at' ? 'nothing' : world.rows.more },
	}),
	/**
	 * The same behind real networks and gateways, with a few faults each, with limits, overload and
	 * restarts, and with others who post and delete meanwhile.
	 */
	faults: (world: World): World => {
		const ordinary = TIERS.ordinary(world);
		const { bears, limit, revokedAfter, life, writes, reads, unlucky, others, readsFirst } = world;
		return {
			...ordinary,
			clock: { ...ordinary.clock, granularity: Math.min(1_000, ordinary.clock.granularity) },
			list: {
				...ordinary.list,
				pageSize: Math.max(10, world.list.pageSize),
				asksFor: undefined,
				staleness: world.list.staleness,
				totals: 'right',
				changes: world.list.changes,
			},
			records: { ...ordinary.records, text: 'plain' },
			...{ bears, limit, revokedAfter, life, writes, reads, unlucky, others, readsFirst },
			telling: trueOr(world.telling, TRUE_TELLINGS),
			quota: trueOr(world.quota, TRUE_QUOTAS),
		};
	},
	/** The same with one contradiction. */
	contradictions: (world: World): World => {
		const contradict = CONTRADICTIONS[world.contradiction % CONTRADICTIONS.length];
		return contradict({ ...TIERS.faults(world), contradiction: world.contradiction });
	},
} satisfies Record<string, (world: World) => World>;

export type Tier = keyof typeof TIERS;
