import isEqual from 'lodash/isEqual';
import pickBy from 'lodash/pickBy';
import { inspect, parseArgs } from 'node:util';

import { drawn, fc } from '../../support/random';
import type { Entry } from './service';

/** The result of playing a world. */
interface Verdict {
	/** The flaws; empty where nothing is wrong. */
	wrong: string[];
	history: Entry[];
	/** Numbers that are added up over all worlds. */
	count: Record<string, number>;
}

/** Worlds at random, and how one is played. */
export interface Simulation<World> {
	worlds: fc.Arbitrary<World>;
	/** Where nothing is odd; what differs from it is all that is printed of a world. */
	plain: World;
	play(world: World): Promise<Verdict>;
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

/** Shows a world: what is odd about it, its history, and what is wrong. */
async function show<World extends object>(
	{ worlds, plain, play }: Simulation<World>,
	seed: number,
) {
	const holds = fc.asyncProperty(worlds, async (world) => (await play(world)).wrong.length === 0);
	// Where something is wrong, in the plainest world that has it.
	const { counterexample } = await fc.check(holds, { seed, numRuns: 1 });
	const world = counterexample?.[0] ?? drawn(worlds, seed);
	const { wrong, history } = await play(world);
	const odd = pickBy(world, (value, name) => !isEqual(value, plain[name as keyof World]));
	console.log(inspect(odd, { depth: null }));
	for (const { at, what } of history) {
		console.log(`${(at / 1000).toFixed(3).padStart(9)} s  ${what.slice(0, 300)}`);
	}
	console.log(wrong.length > 0 ? `\nWrong: ${wrong.join('; ')}` : '\nAll invariants hold.');
	return wrong.length === 0;
}

/**
 * Plays worlds from the command line: `--worlds 2000` of them, `--from` a seed, or one world with its
 * `--seed` and all that happens in it. The status of the process is 0 if nothing is wrong.
 */
export async function main<World extends object>(simulation: Simulation<World>): Promise<void> {
	const option = (value?: number) => ({ type: 'string' as const, default: value?.toString() });
	const now = Date.now() % 1_000_000_007;
	const options = { worlds: option(2_000), from: option(now), seed: option() };
	const { values } = parseArgs({ options });
	const [worlds, from, seed] = [values.worlds, values.from, values.seed ?? '0'].map(Number);
	if (![worlds, from, seed].every(Number.isInteger)) throw new Error('A number must be whole');
	let isRight: boolean;
	if (values.seed !== undefined) {
		isRight = await show(simulation, seed);
	} else {
		const { failures, total } = await playAll(simulation, from, worlds);
		for (const [one, wrong] of failures) console.log(`--seed ${one}: ${wrong}`);
		console.log(`${worlds} worlds from seed ${from}, ${failures.size} wrong:`, total);
		isRight = failures.size === 0;
	}
	process.exitCode = isRight ? 0 : 1;
}
