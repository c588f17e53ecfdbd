/**
 * Milliseconds that things take after a fault; docs/guarantees.md states the sums. The tests that wait
 * in real time shorten them.
 */
export const times = {
	/** When the list is looked at: often enough to find a record early, and twice when its absence shows. */
	looks: {
		silent: [1_000, 5_000, 15_000, 30_000, 60_000, 60_500, 90_000, 90_500],
		own: [2_000, 2_600, 8_000, 32_000, 32_500],
		/** For the second time, nobody waits for a list that may be out of date. */
		ownAgain: [2_000, 2_600, 8_000],
	},
	/** For how long a backend may go on after silence, or after the service's own answer. */
	actsWithin: { silent: 60_000, own: 2_000 },
	/** By how much a list may be out of date: it may come from a cache. */
	stale: 30_000,
};
