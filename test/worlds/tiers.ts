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
	/**
	 * The same behind real networks and gateways, with a few faults each, with limits, overload and
	 * restarts, and with others who post and delete meanwhile.
	 */
	faults: (world: World): World => {
		const ordinary = TIERS.ordinary(world);
		return {
			...ordinary,
			clock: { ...ordinary.clock, granularity: Math.min(1_000, ordinary.clock.granularity) },
			list: {
				...ordinary.list,
				pageSize: Math.max(10, world.list.pageSize),
				staleness: world.list.staleness,
				totals: 'right',
				changes: world.list.changes,
			},
			records: { ...ordinary.records, text: 'plain' },
			bears: world.bears,
			limit: world.limit,
			telling: world.telling,
			quota: world.quota,
			life: world.life,
			writes: world.writes.filter(isReal).slice(0, 3),
			reads: world.reads.filter(isReal).slice(0, 2),
			others: world.others && 5_000,
			readsFirst: world.readsFirst,
		};
	},
} satisfies Record<string, (world: World) => World>;

/** Whether networks and gateways do it, and what an answer says of itself is true. */
function isReal(outcome: World['writes'][number]): boolean {
	switch (outcome.kind) {
		case 'body':
		case 'rejected':
			return false;
		case 'busy':
			return !outcome.acts;
		case 'status':
			return outcome.status !== 303;
		case 'slow':
			return outcome.after < 100_000;
		case 'limited':
			return outcome.retryAfter === undefined || ['1', '5'].includes(outcome.retryAfter);
		default:
			return true;
	}
}

export type Tier = keyof typeof TIERS;
