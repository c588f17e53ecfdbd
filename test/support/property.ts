import fc from 'fast-check';

import type { Sandbox, SandboxOptions } from '../../dev/sandbox';
import { freshSandbox } from './fixture';

/**
 * Few: the worlds show the same in virtual time (test/simulation/worlds), these that it holds over real sockets.
 * `npx gulp test:faults` draws other ones: FAULT_RUNS=5000 for a long run, FAULT_SEED to see one again.
 */
export const RUNS = Number(process.env.FAULT_RUNS ?? 56);
export const SEED = Number(process.env.FAULT_SEED ?? 20_261_121);
/** Schedules that wait do not use the processor: several go on at the same time. */
const AT_ONCE = 8;

/** A sandbox of its own for each schedule. */
export async function withSandbox(
	options: SandboxOptions,
	use: (sandbox: Sandbox) => Promise<void>,
) {
	const sandbox = await freshSandbox(options);
	try {
		await use(sandbox);
	} finally {
		await sandbox.close();
	}
}

/** Checks a property many times, several at once; the seed is printed with a failure. */
export async function always<T>(
	arbitrary: fc.Arbitrary<T>,
	runs: number,
	check: (value: T) => Promise<void>,
) {
	await Promise.all(
		Array.from({ length: AT_ONCE }, async (_, index) => {
			const numRuns = Math.ceil(runs / AT_ONCE);
			const property = fc.asyncProperty(arbitrary, check);
			await fc.assert(property, { numRuns, seed: SEED + index, endOnFailure: true });
		}),
	);
}
