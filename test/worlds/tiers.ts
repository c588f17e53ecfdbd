import { PLAIN, type World } from './dimensions';

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
			ids: world.records.ids === 'number' ? 'number' : 'text',
			before: world.records.before,
		},
		list: {
			...PLAIN.list,
			order: world.list.order === 'shuffled' ? 'newest-first' : world.list.order,
			totals:
				world.list.totals === 'absent' || world.list.totals === 'text'
					? world.list.totals
					: 'right',
			pageSize: Math.max(3, world.list.pageSize),
			says: world.list.says === 'neither' ? 'both' : world.list.says,
			sign: world.list.sign === 'cursor' ? 'none' : world.list.sign,
			pastEnd: world.list.pastEnd === 'clamped' ? 'empty' : world.list.pastEnd,
		},
		latency: world.latency,
		rows: { ...world.rows, more: world.rows.more === 'created_at' ? 'nothing' : world.rows.more },
	}),
	/** The same behind real networks and gateways, with limits, and with others. */
	faults: (world: World): World => ({
		...TIERS.ordinary(world),
		list: {
			...TIERS.ordinary(world).list,
			staleness: world.list.staleness,
			totals: 'right',
			changes: world.list.changes,
		},
		records: { ...TIERS.ordinary(world).records, text: 'plain' },
		bears: world.bears,
		limit: world.limit,
		telling: world.telling,
		quota: world.quota,
		life: world.life,
		writes: world.writes.filter(isTrue),
		reads: world.reads.filter(isTrue).filter(({ kind }) => kind !== 'rejected'),
		others: world.others,
	}),
} satisfies Record<string, (world: World) => World>;

/** Whether what the answer says of itself is true: a success is one, and who says when to come back has not acted. */
function isTrue(outcome: World['writes'][number]): boolean {
	if (outcome.kind === 'body') return false;
	if (outcome.kind === 'busy') return !outcome.acts;
	return !(outcome.kind === 'status' && outcome.status === 303);
}

export type Tier = keyof typeof TIERS;
