import { lookTimes } from '../../nodes/LocalSeo/client/create/look';
import { looks as proofs } from '../../nodes/LocalSeo/rows/write/proving';

/** Shortens what a create waits for after a fault, in a file of tests that wait in real time. */
export function useShortWatch(factor = 1 / 100): void {
	const shortened = (times: number[]) => times.map((ms) => ms * factor);
	lookTimes.after = shortened(lookTimes.after);
	lookTimes.own *= factor;
	proofs.waits = shortened(proofs.waits);
}
