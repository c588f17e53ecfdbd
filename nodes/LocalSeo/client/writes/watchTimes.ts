/**
 * For how long, in milliseconds, a list is watched before a record that it does not show is taken
 * to be absent; docs/guarantees.md states the sum. The tests that wait in real time shorten them.
 */
export const watchTimes = {
	/** A backend may go on with a request whose connection is gone, or whose gateway gave up. */
	unheard: 62_000,
	/** A service that answered by itself has acted by then, or has not. */
	answered: 2_000,
	/** A service may show a list from before. */
	stale: 32_000,
};
