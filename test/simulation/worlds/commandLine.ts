import { Command, InvalidArgumentError, Option } from 'commander';

import { drawn, fc } from '../../support/random';

/** What playing a world comes to. */
export interface Verdict {
	/** What is wrong; empty where nothing is. */
	wrong: string[];
	/** What happened, in its order; `at` in milliseconds. */
	history: Array<{ at: number; what: string }>;
	/** What is added up over all worlds. */
	count: Record<string, number>;
}

interface Program<World> {
	/** The command's flags as they were given. */
	flags: Flags;
	worlds: fc.Arbitrary<World>;
	play(world: World): Promise<Verdict>;
	/** Where nothing is odd; what differs from it is all that is printed of a world. */
	plain: World;
}

export interface Flags {
	worlds: number;
	from: number;
	seed?: number;
	world?: object;
	allow: number;
}

function whole(value: string): number {
	if (/^\d+$/.test(value)) return Number(value);
	throw new InvalidArgumentError('It must be a whole number.');
}

function json(value: string): object {
	try {
		return JSON.parse(value) as object;
	} catch {
		throw new InvalidArgumentError('It must be JSON, as a world is printed.');
	}
}

/** The flags that all worlds have, for a command such as `npx gulp worlds`. */
export function flagsOf(command: string): Command {
	return new Command(`${command} --`)
		.option('--worlds <number>', 'how many services to try', whole, 2000)
		.addOption(
			new Option('--from <number>', 'the first seed')
				.argParser(whole)
				.default(Date.now() % 1_000_000_007, 'a new one each time'),
		)
		.option('--seed <number>', 'one service, with what happened in it', whole)
		.option('--world <json>', 'one service as it was printed, perhaps changed by hand', json)
		.option('--allow <number>', 'how many may be wrong, where some are known to be', whole, 0)
		.showHelpAfterError();
}

type Fields = Record<string, unknown>;
const isGroup = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is odd about a world: the fields that are not as usual. */
function oddIn(world: object, plain: object): object {
	const odd = Object.entries(world).flatMap(([name, value]): Array<[string, unknown]> => {
		const usual = (plain as Fields)[name];
		if (JSON.stringify(value) === JSON.stringify(usual)) return [];
		return [[name, isGroup(value) && isGroup(usual) ? oddIn(value, usual) : value]];
	});
	return Object.fromEntries(odd);
}

/** The world of which this is odd. */
function worldWith(odd: object, plain: object): object {
	const fields = Object.entries(odd).map(([name, value]): [string, unknown] => {
		const usual = (plain as Fields)[name];
		return [name, isGroup(value) && isGroup(usual) ? worldWith(value, usual) : value];
	});
	return { ...plain, ...Object.fromEntries(fields) };
}

/** Plays worlds from the command line; the status of the process is 0 if nothing is wrong. */
export async function run<World extends object>(program: Program<World>): Promise<void> {
	const { flags, worlds, plain } = program;
	const { seed, world } = flags;
	let isRight: boolean;
	if (world) isRight = await playOne(program, worldWith(world, plain) as World);
	else if (seed !== undefined) isRight = await playOne(program, drawn(worlds, seed));
	else isRight = await playMany(program);
	process.exitCode = isRight ? 0 : 1;
}

/** Shows one world: what is odd about it, its history, and what is wrong. */
async function playOne<World extends object>(
	{ play, plain }: Program<World>,
	world: World,
): Promise<boolean> {
	console.log(JSON.stringify(oddIn(world, plain), null, 2));
	const { wrong, history } = await play(world);
	for (const { at, what } of history) {
		console.log(`${(at / 1000).toFixed(3).padStart(9)} s  ${what.slice(0, 300)}`);
	}
	console.log(wrong.length > 0 ? `\nWrong: ${wrong.join('; ')}` : '\nAll invariants hold.');
	return wrong.length === 0;
}

async function playMany<World extends object>(program: Program<World>): Promise<boolean> {
	const { from, worlds, allow } = program.flags;
	const startedAt = Date.now();
	const total: Record<string, number> = {};
	let failures = 0;
	for (let seed = from; seed < from + worlds; seed++) {
		const { wrong, count } = await program.play(drawn(program.worlds, seed));
		for (const [name, number] of Object.entries(count)) total[name] = (total[name] ?? 0) + number;
		if (wrong.length === 0) continue;
		console.log(`Seed ${seed}: ${wrong.slice(0, 3).join('; ')}`);
		if (++failures === 1) await showSimplest(program, seed);
	}
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	console.log(
		`${worlds} worlds from seed ${from} in ${seconds} s, ${failures} wrong: ${JSON.stringify(total)}`,
	);
	return failures <= allow;
}

/** The same failure in the plainest world that has it. */
async function showSimplest<World extends object>(
	{ worlds, play, plain }: Program<World>,
	seed: number,
): Promise<void> {
	const holds = fc.asyncProperty(worlds, async (world) => (await play(world)).wrong.length === 0);
	const { counterexample } = await fc.check(holds, { seed, numRuns: 1 });
	if (counterexample) {
		const odd = JSON.stringify(oddIn(counterexample[0], plain));
		console.log(`Simplest world like it: --world '${odd.replaceAll("'", "'\\''")}'`);
	}
}
