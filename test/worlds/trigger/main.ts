import fc from 'fast-check';
import { parseArgs } from 'node:util';

import { worldOf, worlds } from './dimensions';
import { play } from './run';

const HELP = `npm run worlds:trigger -- [flags]

  --worlds <number>  how many services to try (default: 2000)
  --from <number>    the first seed (default: a new one each time)
  --seed <number>    one service, with what happened in it`;

/** Shows one world: what is odd about it, its history, and what is wrong. */
async function show(seed: number): Promise<boolean> {
	const world = worldOf(seed);
	console.log(JSON.stringify(world, null, 2));
	const { wrong, service } = await play(world);
	for (const { at, what } of service.history) {
		console.log(
			`${((at - service.history[0].at) / 1000).toFixed(3).padStart(9)} s  ${what.slice(0, 300)}`,
		);
	}
	console.log(wrong.length > 0 ? `\nWrong: ${wrong.join('; ')}` : '\nAll invariants hold.');
	return wrong.length === 0;
}

/** The same failure in the plainest world that has it. */
async function simplest(seed: number): Promise<void> {
	const holds = fc.asyncProperty(worlds, async (world) => (await play(world)).wrong.length === 0);
	const { counterexample } = await fc.check(holds, { seed, numRuns: 1 });
	const [world] = counterexample ?? [];
	console.log(`Simplest world like it: ${JSON.stringify(world)}`);
	if (world) console.log((await play(world)).wrong.slice(0, 3).join('; '));
}

Error.stackTraceLimit = 0;
async function main(): Promise<boolean> {
	const { values } = parseArgs({
		options: {
			worlds: { type: 'string', default: '2000' },
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
	const count = { events: 0, polls: 0, failed: 0, checked: 0 };
	let wrong = 0;
	for (let seed = from; seed < from + Number(values.worlds); seed++) {
		const verdict = await play(worldOf(seed));
		for (const name of Object.keys(count) as Array<keyof typeof count>)
			count[name] += verdict.count[name];
		if (verdict.wrong.length === 0) continue;
		wrong++;
		console.log(`Seed ${seed}: ${verdict.wrong.slice(0, 3).join('; ')}`);
		if (wrong === 1) await simplest(seed);
	}
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	console.log(
		`${values.worlds} worlds from seed ${from} in ${seconds} s, ${wrong} wrong: ${JSON.stringify(count)}`,
	);
	return wrong === 0;
}

void main().then((isRight) => (process.exitCode = isRight ? 0 : 1));
