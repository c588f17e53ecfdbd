import { PLAIN, type World } from './dimensions';

/** How late a backend may act, together with the lag of its list (ms): docs/reliability.md says so. */
const LATEST = 80_000;

/**
 * What services do, in tiers: any world is made one of a tier by taking away what belongs to none of it.
 */
export const TIERS = {
	/** A sane backend, and nothing goes wrong. */
	ordinary: (world: World): World => ({
		...PLAIN,
		job: world.job,
		clock: world.clock,
		records: { ...world.records, ids: world.records.ids === 'number' ? 'number' : 'text' },
		list: {
			...PLAIN.list,
			order: world.list.order,
			totals: world.list.totals,
			pageSize: Math.max(3, world.list.pageSize),
			asksFor: world.list.asksFor,
			firstPage: world.list.firstPage,
			// One that counts from 0 says so.
			says: world.list.firstPage === 0 ? 'both' : world.list.says,
			pastEnd: world.list.pastEnd,
		},
		latency: world.latency,
		writeLatency: world.writeLatency,
		changes: world.changes,
		rows: world.rows,
	}),
	/**
	 * The same behind real networks and gateways, with a few faults each, with limits, overload and
	 * restarts, with lists that lag, are cached or hide what goes live later, with IDs that are given
	 * again, and with others who post and delete meanwhile.
	 */
	faults: (world: World): World => {
		const ordinary = TIERS.ordinary(world);
		const { bears, limit, revokedAfter, life, reads, unlucky, others, readsFirst } = world;
		const { lag, hidesAhead, changes } = world.list;
		// One that lags is not cached besides.
		const cachedFor = lag > 0 ? 0 : world.list.cachedFor;
		return {
			...ordinary,
			records: { ...ordinary.records, ids: world.records.ids },
			list: {
				...ordinary.list,
				pageSize: Math.max(10, world.list.pageSize),
				...{ asksFor: undefined, lag, cachedFor, hidesAhead, changes },
			},
			...{ bears, limit, revokedAfter, life, reads, unlucky, others, readsFirst },
			telling: world.telling,
			quota: world.quota,
			writes: world.writes.map((outcome) =>
				outcome.kind === 'late'
					? { ...outcome, after: Math.min(outcome.after, LATEST - lag - cachedFor) }
					: outcome,
			),
		};
	},
} satisfies Record<string, (world: World) => World>;

export type Tier = keyof typeof TIERS;
