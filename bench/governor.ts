import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { shown } from '../harness/home';
import { tableOf } from '../harness/markdown';
import { World } from '../test/governor/play';
import { type Abilities, type Spread, SPREADS } from '../test/governor/service';
import { COUNTS, type Limit } from '../test/worlds/limits';

const PAGE = join(__dirname, 'governor.md');
const SEEDS = [1, 2, 3, 4];
const WORKERS = [1, 2, 4, 8, 16, 32, 64];
const spreads = Object.keys(SPREADS) as Spread[];
const SMALL: Abilities = { workers: 4, workMs: 100, spread: 'exponential' };
const LARGE: Abilities = { workers: 16, workMs: 20, spread: 'exponential', networkMs: 20 };
const PER_SECOND = 20;
/** How much longer than the least a request takes on its way, on average (milliseconds). */
const JITTERS = [0, 3, 10, 40];
const LONG_LIMITS = [
	[60, 60_000],
	[300, 60_000],
	[100, 10_000],
] as const;

type Cell = string | number;

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const percent = (part: number) => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;

/** Plays the same with several seeds, one after the other. */
async function bySeed<T>(play: (seed: number) => Promise<T>): Promise<T[]> {
	const results: T[] = [];
	for (const seed of SEEDS) results.push(await play(seed));
	return results;
}

async function capacity(): Promise<string> {
	const rows: Cell[][] = [];
	for (const workers of WORKERS) {
		const row: Cell[] = [workers];
		for (const spread of spreads) {
			const figures = await bySeed(async (seed) => {
				const world = new World({ workers, workMs: 200, spread }, seed);
				await world.run(world.post(world.process(), Math.max(600, 30 * workers)));
				const { busyMs, inFlightMs, measuredMs } = world.service;
				return { used: busyMs / measuredMs, inFlight: inFlightMs / measuredMs };
			});
			row.push(percent(mean(figures.map(({ used }) => used))));
			row.push(mean(figures.map(({ inFlight }) => inFlight)).toFixed(1));
		}
		rows.push([...row, 2 * workers + 2]);
	}
	const head = ['requests at a time', ...spreads.flatMap((spread) => [spread, 'in flight'])];
	return tableOf([...head, 'at most'], rows);
}

async function trouble(): Promise<string> {
	const services: Array<[string, Partial<Abilities>]> = [
		...[4, 8, 16].map((most): [string, Partial<Abilities>] => [
			`503 when ${most} wait`,
			{ queue: { most, refuses: 503 } },
		]),
		...[500, 1_000].map((gatewayMs): [string, Partial<Abilities>] => [
			`a gateway that gives up after ${gatewayMs / 1000} s`,
			{ gatewayMs },
		]),
	];
	const rows: Cell[][] = [];
	for (const [name, more] of services) {
		const figures = await bySeed(async (seed) => {
			const world = new World({ ...SMALL, ...more }, seed);
			const run = await world.run(world.post(world.process(), 300));
			// Rows that were refused wait for the proof that they were not done.
			const ends = run.ends.sort((a, b) => a - b);
			const prompt = (ends[ends.length - 1 - world.service.failed] - run.startedAt) / 1000;
			return { run, service: world.service, prompt };
		});
		rows.push([
			name,
			figures.map(({ run }) => run.done).join(', '),
			figures.map(({ service }) => service.posts.length).join(', '),
			figures.map(({ service }) => service.failed).join(', '),
			percent(mean(figures.map(({ service }) => service.requests)) / 300 - 1),
			(mean(figures.map(({ prompt }) => prompt)) / 7.5).toFixed(2),
			mean(figures.map(({ run }) => run.seconds)).toFixed(0),
		]);
	}
	return tableOf(
		['service', 'rows done', 'posts', 'refused', 'more requests', '÷ ideal', 'all, s'],
		rows,
	);
}

/** Times the ideal, refusals by request that was needed, and how much longer the slowest process took. */
async function shared(
	can: Partial<Abilities>,
	processes: number,
	all = processes === 1 ? 400 : 800,
	idealSeconds = all / PER_SECOND,
): Promise<Cell[]> {
	const rows = all / processes;
	const figures = await bySeed(async (seed) => {
		const world = new World({ ...LARGE, ...can, limit: can.limit && { ...can.limit } }, seed);
		const runs = await world.together(processes, rows);
		const ended = Math.max(...runs.map(({ endedAt }) => endedAt));
		const times = runs.map(({ seconds }) => seconds);
		return {
			time: (ended - runs[0].startedAt) / 1000 / idealSeconds,
			refused: world.service.limited / (processes * rows),
			apart: Math.max(...times) / Math.min(...times),
		};
	});
	const of = (name: 'time' | 'refused' | 'apart') => mean(figures.map((figure) => figure[name]));
	return [
		of('time').toFixed(2),
		percent(of('refused')),
		...(processes > 1 ? [of('apart').toFixed(1)] : []),
	];
}

async function rate(): Promise<string> {
	const rows: Cell[][] = [];
	for (const counts of COUNTS) {
		const limit: Limit = { most: PER_SECOND, period: 1_000, counts };
		rows.push([
			counts,
			...(await shared({ limit }, 1)),
			...(await shared({ limit, statesWait: false }, 1)),
			...(await shared({ limit }, 4)),
			...(await shared({ limit }, 8)),
		]);
	}
	return tableOf(
		[
			'counted by',
			'wait told',
			'refused',
			'not told',
			'refused',
			'4 processes',
			'refused',
			'apart',
			'8 processes',
			'refused',
			'apart',
		],
		rows,
	);
}

/** One process, where by chance a request takes longer on its way. */
async function uneven(): Promise<string> {
	const rows: Cell[][] = [];
	for (const counts of COUNTS) {
		const limit: Limit = { most: PER_SECOND, period: 1_000, counts };
		const row: Cell[] = [counts];
		for (const jitterMs of JITTERS) {
			row.push(...(await shared({ limit, jitterMs }, 1)));
		}
		rows.push(row);
	}
	const head = JITTERS.flatMap((jitter) => [`${jitter} ms`, 'refused']);
	return tableOf(['counted by', ...head], rows);
}

/** What it is worth that each response says how much of the limit is left. */
async function told(): Promise<string> {
	const rows: Cell[][] = [];
	for (const counts of COUNTS) {
		const limit: Limit = { most: PER_SECOND, period: 1_000, counts };
		for (const quota of ['not at all', 'right'] as const) {
			const row: Cell[] = [counts, quota === 'right' ? 'yes' : 'no'];
			for (const processes of [1, 2, 4, 8]) {
				row.push(...(await shared({ limit, quota }, processes, 2_400)).slice(0, 2));
			}
			rows.push(row);
		}
	}
	const head = [1, 2, 4, 8].flatMap((processes) => [`${processes}`, 'refused']);
	return tableOf(['counted by', 'says what is left', ...head], rows);
}

/** Limits of a minute, or of seconds. Each period can be used at its beginning, so that five take four. */
async function longPeriods(): Promise<string> {
	const rows: Cell[][] = [];
	for (const [most, period] of LONG_LIMITS) {
		for (const counts of COUNTS) {
			const limit: Limit = { most, period, counts };
			const of = (can: Partial<Abilities>, processes: number) =>
				shared({ limit, ...can }, processes, 5 * most, (4 * period) / 1000);
			rows.push([
				`${most} in ${period / 1000} s`,
				counts,
				...(await of({}, 1)),
				...(await of({ statesWait: false }, 1)),
				...(await of({}, 4)),
			]);
		}
	}
	const head = ['wait told', 'refused', 'not told', 'refused', '4 processes', 'refused', 'apart'];
	return tableOf(['limit', 'counted by', ...head], rows);
}

async function down(): Promise<string> {
	const world = new World({ ...LARGE });
	world.service.state = 'down';
	const run = await world.run(world.post(world.process(), 1_000));
	return `1,000 rows at a service that drops every connection: ${world.service.requests} requests, and all rows have said so after ${run.seconds.toFixed(0)} s (Max Wait is 300 s).`;
}

async function main(): Promise<void> {
	const page = await format(
		[
			'# What the governor does, in virtual time',
			`Written by \`npm run bench:governor\`, from the services of \`test/governor\`: the client itself posts rows, and time passes as fast as the machine can compute. Means of ${SEEDS.length} seeds.`,
			'## A service that never refuses',
			'How much of the service is used after the first 20 answers, and how many requests are in flight, by how long one takes: always the same, as chance wills, or with a few that take very long.',
			await capacity(),
			'## A service that is easily overrun',
			'300 rows for a service that handles 4 requests at a time in 100 ms each (7.5 s at best). “÷ ideal” leaves out the rows that were refused: they wait up to two minutes for the proof that they were not done, since a gateway may give up on a backend that goes on (“all”).',
			await trouble(),
			'## A rate limit of 20 a second',
			'Time by the shortest possible one, and refusals by row; “apart” is the time of the slowest process by that of the fastest.',
			await rate(),
			'Where the responses do not say what is left, “at most 1.2” and “what one leaves is taken up within 5 s” exclude each other at such a limit. Only a request too many shows whether there is more, and the wait that it is told (a second, since waits are whole seconds) costs its process what it would have sent: with four processes a quarter of a second of the limit. Two such trials in five seconds cost a tenth of it, and those that are refused together cost more. Tried in its place, and no better: whole numbers of requests a second, sent evenly; each second’s share at its beginning, which costs less but leaves whoever is late in the period with next to nothing; longer or shorter times between the trials; fewer in flight while the rate is measured.',
			'The same in one process, with a wait that is told, where each request takes longer on its way than the fastest, by chance and on average by so much: then more than twenty may arrive in a second, although fewer were sent.',
			await uneven(),
			'Two minutes at the limit, by the number of processes: if a service says in each response how many requests are left (`X-RateLimit-Remaining` and the like), the use of others shows without a refusal.',
			await told(),
			'## A limit of a minute',
			'Five times what it allows, which takes four periods at least.',
			await longPeriods(),
			'## A service that is down',
			await down(),
		].join('\n\n'),
		{ parser: 'markdown' },
	);
	console.log(page);
	writeFileSync(PAGE, page);
	console.log(`Written to ${shown(PAGE)}`);
}

void main();
