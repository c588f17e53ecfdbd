import { parseArgs } from 'node:util';

import { drawn, fc } from '../../support/random';

/** Worlds at random, and how one is played. */
export interface Simulation<World> {
	worlds: fc.Arbitrary<World>;
	/** Finds what is wrong, and numbers that are added up over all worlds. */
	play(world: World): Promise<{ wrong: string[]; count: Record<string, number> }>;
}

/** Plays the worlds with these seeds; what is wrong, by seed, and what is added up. */
export async function playAll<World>(
	{ worlds, play }: Simulation<World>,
	from: number,
	count: number,
) {
	const total: Record<string, number> = {};
	const failures = new Map<number, string>();
	for (let seed = from; seed < from + count; seed++) {
		const verdict = await play(drawn(worlds, seed));
		for (const [name, one] of Object.entries(verdict.count)) total[name] = (total[name] ?? 0) + one;
		if (verdict.wrong.length > 0) failures.set(seed, verdict.wrong.slice(0, 3).join('; '));
	}
	return { failures, total };
}

/**
 * Plays worlds from the command line: `--worlds 2000` of them, `--from` a seed, or one with its `--seed`,
 * which shows the plainest world that has the same flaw. It fails where something is wrong.
 */
export async function main<World>(simulation: Simulation<World>): Promise<void> {
	const option = (value?: number) => ({ type: 'string' as const, default: value?.toString() });
	const now = Date.now() % 1_000_000_007;
	const options = { worlds: option(2_000), from: option(now), seed: option() };
	const { values } = parseArgs({ options });
	const isOne = values.seed !== undefined;
	const [count, from] = (isOne ? ['1', values.seed] : [values.worlds, values.from]).map(Number);
	if (![count, from].every(Number.isInteger)) throw new Error('A number must be whole');
	const { failures, total } = await playAll(simulation, from, count);
	for (const [seed, wrong] of failures) console.log(`--seed ${seed}: ${wrong}`);
	console.log(`${count} worlds from seed ${from}, ${failures.size} wrong:`, total);
	process.exitCode = Math.sign(failures.size);
	if (!isOne) return;
	const holds = async (world: World) => (await simulation.play(world)).wrong.length === 0;
	const property = fc.asyncProperty(simulation.worlds, holds);
	const { counterexample } = await fc.check(property, { seed: from, numRuns: 1 });
	console.log(JSON.stringify(counterexample?.[0] ?? drawn(simulation.worlds, from), null, 2));
}
