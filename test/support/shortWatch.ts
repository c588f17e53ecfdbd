import { lookTimes } from '../../nodes/LocalSeo/client/create/look';
import { looks as proofs } from '../../nodes/LocalSeo/rows/write/stops';

/** Shortens what a create waits for after a fault, in a file of tests that wait in real time. */
export function useShortWatch(factor = 1 / 100): void {
	for (const one of [lookTimes, proofs]) one.after = one.after.map((ms) => ms * factor);
	lookTimes.own *= factor;
}
