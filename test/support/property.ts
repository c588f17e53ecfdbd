import type { Sandbox, SandboxOptions } from '../../dev/sandbox';
import { freshSandbox } from './fixture';
import { fc, SEED } from './random';

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
