import { systemClock } from '../client';

/** Rows that are worked on before others in the process have their turn. */
const AT_A_TIME = 100;

/** Works on each of many rows, and lets others in the process have their turn in between. */
export async function inSlices<T, R>(
	rows: readonly T[],
	work: (row: T, index: number) => R,
	signal?: AbortSignal,
): Promise<R[]> {
	const results: R[] = [];
	for (const [index, row] of rows.entries()) {
		if (index % AT_A_TIME === AT_A_TIME - 1) await systemClock.sleep(0, signal);
		results.push(work(row, index));
	}
	return results;
}
