import { times } from '../../nodes/LocalSeo/client/create/confirm';
import { looks } from '../../nodes/LocalSeo/rows/write/stops';

/**
 * Shortens what a create waits for after a fault, in a file of tests that wait in real time.
 */
export function useShortWatch(factor = 1 / 100): void {
	const short = (value: unknown): unknown =>
		typeof value === 'number'
			? value * factor
			: Array.isArray(value)
				? value.map(short)
				: Object.fromEntries(
						Object.entries(value as object).map(([key, one]) => [key, short(one)]),
					);
	Object.assign(times, short(times));
	Object.assign(looks, short(looks));
}
