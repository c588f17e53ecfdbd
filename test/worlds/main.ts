import fc from 'fast-check';
import { parseArgs } from 'node:util';

import { PLAIN, worlds } from './dimensions';
import { play } from './run';
import { worldOf } from './seeds';

const HELP = `npm run worlds -- [flags]

  --worlds <number>  how many services to try (default: 10000)
  --from <number>    the first seed (default: a new one each time)
  --seed <number>    one service, with what happened in it`;

/** What is odd about a world. */
function oddIn(world: object, plain: object): object {
	const odd = Object.entries(world).flatMap(([name, value]): Array<[string, unknown]> => {
		const usual = (plain as Record<string, unknown>)[name];
		if (JSON.stringify(value) === JSON.stringify(usual)) return [];
		const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
		return [[name, isGroup ? oddIn(value as object, usual as object) : value]];
	});
	return Object.fromEntries(odd);
}

/** Shows one world: what is odd about it, its history, and what is wrong. */
async function show(seed: number): Promise<boolean> {
	const world = worldOf(seed);
	console.log(JSON.stringify(oddIn(world, PLAIN), null, 2));
	const { wrong, service } = await play(world);
	for (const { at, what } of service.history) {
		console.log(`${(at / 1000).toFixed(3).padStart(9)} s  ${what.slice(0, 300)}`);
	}
	console.log(wrong.length > 0 ? `\nWrong: ${wrong.join('; ')}` : '\nAll invariants hold.');
	return wrong.length === 0;
}

/** The same failure in the plainest world that has it. */
async function simplest(seed: number): Promise<void> {
	const holds = fc.asyncProperty(worlds, async (world) => (await play(world)).wrong.length === 0);
	const { counterexample } = await fc.check(holds, { seed, numRuns: 1 });
	const [simple] = counterexample ?? [PLAIN];
	console.log(`Simplest world like it: ${JSON.stringify(oddIn(simple, PLAIN))}`);
}

async function main(): Promise<boolean> {
	const { values } = parseArgs({
		options: {
			worlds: { type: 'string', default: '10000' },
			from: { type: 'string', default: String(Date.now() % 1_000_000_007) },
			seed: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(HELP);
		return true;
	}
	if (values.seed !== undefined) return await show(Number(values.seed));
	const startedAt = Date.now();
	const from = Number(values.from);
	const count = { done: 0, failed: 0, unconfirmed: 0 };
	let wrong = 0;
	for (let seed = from; seed < from + Number(values.worlds); seed++) {
		const verdict = await play(worldOf(seed));
		for (const { said } of verdict.reports) count[said]++;
		if (verdict.wrong.length === 0) continue;
		wrong++;
		console.log(`Seed ${seed}: ${verdict.wrong.join('; ')}`);
		if (wrong === 1) await simplest(seed);
	}
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	console.log(
		`${values.worlds} worlds from seed ${from} in ${seconds} s, ${wrong} wrong: ${JSON.stringify(count)}`,
	);
	return wrong === 0;
}

void main().then((isRight) => (process.exitCode = isRight ? 0 : 1));
