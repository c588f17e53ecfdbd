import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { flagsOf } from '../n8n/flags';
import { MEASURED, shown } from '../n8n/home';
import { tableOf } from '../n8n/markdown';
import { World } from '../../test/simulation/pace/play';
import {
	type Abilities,
	type Gateway,
	SPREADS,
	type Spread,
} from '../../test/simulation/pace/service';
import { COUNTS, type Limit } from '../sandbox/account';

const PAGE = join(MEASURED, 'governor.md');
const SEEDS = [1, 2, 3, 4];
const WORKERS = [1, 2, 4, 8, 16, 32, 64];
const spreads = Object.keys(SPREADS) as Spread[];
const SMALL: Abilities = { workers: 4, workMs: 100 };
const LIMITED: Abilities = { workers: 16, workMs: 20, networkMs: 20 };
/** It could serve more than is ever sent. */
const LARGE: Abilities = { workers: 1_000, workMs: 100, spread: 'fixed' };
const PER_SECOND = 20;
const CHANGES = [
	[1, 100],
	[5, 100],
	[100, 1],
	[100, 200],
	[20, 1_000],
] as const;
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

/** How much of a service is used in the middle of a long run, and how many requests are in flight. */
async function use(can: Abilities, seed: number) {
	const world = new World(can, seed);
	const rows = Math.max(600, 60 * can.workers);
	const running = world.post(world.process(), rows);
	const inFlight: number[] = [];
	let [done, from] = [0, 0];
	while (world.service.done < 0.8 * rows) {
		await world.run(world.clock.sleep(can.workMs / 2));
		if (world.service.done < 0.2 * rows) continue;
		from ||= world.clock.now();
		done ||= world.service.done;
		inFlight.push(world.service.inFlight);
	}
	const perMs = (world.service.done - done) / (world.clock.now() - from);
	await world.run(running);
	return { used: (perMs * can.workMs) / can.workers, inFlight: mean(inFlight) };
}

async function capacity(): Promise<string> {
	const rows: Cell[][] = [];
	for (const workers of WORKERS) {
		const row: Cell[] = [workers];
		for (const spread of spreads) {
			const figures = await bySeed(
				async (seed) => await use({ workers, workMs: 200, spread }, seed),
			);
			row.push(percent(mean(figures.map(({ used }) => used))));
			row.push(mean(figures.map(({ inFlight }) => inFlight)).toFixed(1));
		}
		rows.push(row);
	}
	const head = ['requests at a time', ...spreads.flatMap((spread) => [spread, 'in flight'])];
	return tableOf(head, rows);
}

async function changes(): Promise<string> {
	const rows: Cell[][] = [];
	for (const [from, to] of CHANGES) {
		const row: Cell[] = [`${from} ms, then ${to} ms`];
		for (const spread of ['fixed', 'exponential', '1 % at ten times'] as const) {
			const figures = await bySeed(async (seed) => {
				const world = new World({ ...LARGE, workMs: from, spread }, seed);
				const governor = world.process();
				await world.run(world.post(governor, 1_000));
				world.service.can.workMs = to;
				const { seconds } = await world.run(world.post(governor, 1_000));
				const fresh = new World({ ...LARGE, workMs: to, spread }, seed);
				const ideal = await fresh.run(fresh.post(fresh.process(), 1_000));
				return { seconds, fresh: ideal.seconds };
			});
			const of = (name: 'seconds' | 'fresh') => mean(figures.map((figure) => figure[name]));
			row.push(of('seconds').toFixed(2), of('fresh').toFixed(2));
		}
		rows.push(row);
	}
	const head = ['fixed', 'new key', 'exponential', 'new key', '1 % at ten times', 'new key'];
	return tableOf(['answers take', ...head], rows);
}

/** Time by the shortest possible one, and refusals by row. */
async function alone(can: Abilities, count: number, idealSeconds: number) {
	const figures = await bySeed(async (seed) => {
		const world = new World(can, seed);
		const { seconds, done } = await world.run(world.post(world.process(), count));
		if (done < count) throw new Error(`Only ${done} of ${count} rows are done`);
		const { refused, failed, requests } = world.service;
		return { time: seconds / idealSeconds, refused: (refused + failed) / count, requests };
	});
	const of = (name: 'time' | 'refused' | 'requests') => mean(figures.map((figure) => figure[name]));
	return [of('time').toFixed(2), percent(of('refused')), percent(of('requests') / count - 1)];
}

async function overrun(): Promise<string> {
	const rows: Cell[][] = [];
	for (const spread of ['fixed', 'exponential'] as const) {
		for (const queue of [4, 8, 16]) {
			const figures = await alone({ ...SMALL, spread, queue }, 300, 7.5);
			rows.push([`fails when ${queue} wait`, spread, ...figures]);
		}
		for (const timeoutMs of [500, 1_000]) {
			const name = `a gateway that gives up after ${timeoutMs / 1000} s`;
			rows.push([name, spread, ...(await alone({ ...SMALL, spread, timeoutMs }, 300, 7.5))]);
		}
	}
	return tableOf(['service', 'answers', '÷ ideal', 'failed', 'more requests'], rows);
}

async function gateways(): Promise<string> {
	const kinds: Array<[string, Gateway, number]> = [
		['nginx limit_req, 20 a second, no burst', { kind: 'limit_req', apartMs: 50 }, 10],
		['nginx limit_conn 4', { kind: 'limit_conn', most: 4 }, 5],
		['nginx limit_conn 1', { kind: 'limit_conn', most: 1 }, 20],
		['HAProxy maxconn 4, timeout queue 500 ms', { kind: 'maxconn', most: 4, queueMs: 500 }, 5],
	];
	const rows: Cell[][] = [];
	for (const [name, gateway, ideal] of kinds) {
		for (const spread of ['fixed', 'exponential'] as const) {
			const figures = await alone({ ...LARGE, spread, gateway }, 200, ideal);
			rows.push([name, spread, ...figures.slice(0, 2)]);
		}
	}
	return tableOf(['gateway', 'answers', '÷ ideal', 'refused'], rows);
}

/** Times the ideal, refusals by row, and how much longer the slowest process took than the fastest. */
async function shared(can: Abilities, processes: number, all: number, idealSeconds: number) {
	const figures = await bySeed(async (seed) => {
		const world = new World(can, seed);
		const runs = await world.together(processes, all / processes);
		const ended = Math.max(...runs.map(({ startedAt, seconds }) => startedAt + 1000 * seconds));
		const times = runs.map(({ seconds }) => seconds);
		return {
			time: (ended - runs[0].startedAt) / 1000 / idealSeconds,
			refused: world.service.refused / all,
			apart: Math.max(...times) / Math.min(...times),
		};
	});
	const of = (name: 'time' | 'refused' | 'apart') => mean(figures.map((figure) => figure[name]));
	return [of('time').toFixed(2), percent(of('refused')), of('apart').toFixed(1)];
}

async function rate(): Promise<string> {
	const rows: Cell[][] = [];
	for (const counts of COUNTS) {
		const can: Abilities = { ...LIMITED, limit: { most: PER_SECOND, period: 1_000, counts } };
		rows.push([
			counts,
			...(await alone(can, 400, 20)).slice(0, 2),
			...(await alone({ ...can, statesWait: false }, 400, 20)).slice(0, 2),
			...(await alone({ ...can, jitterMs: 10 }, 400, 20)).slice(0, 2),
			...(await shared(can, 4, 800, 40)),
			...(await shared(can, 4, 2_400, 120)),
			...(await shared(can, 8, 2_400, 120)),
		]);
	}
	const one = ['wait told', 'not told', 'uneven'].flatMap((name) => [name, 'refused']);
	const several = ['4 processes', '4, longer', '8, longer'];
	const head = several.flatMap((name) => [name, 'refused', 'apart']);
	return tableOf(['counted by', ...one, ...head], rows);
}

/** Limits of a minute, or of seconds. Each period can be used at its beginning, so that five take four. */
async function longPeriods(): Promise<string> {
	const rows: Cell[][] = [];
	for (const [most, period] of LONG_LIMITS) {
		for (const counts of COUNTS) {
			const limit: Limit = { most, period, counts };
			const can: Abilities = { ...LIMITED, limit };
			const [all, ideal] = [5 * most, (4 * period) / 1000];
			rows.push([
				`${most} in ${period / 1000} s`,
				counts,
				...(await alone(can, all, ideal)).slice(0, 2),
				...(await alone({ ...can, statesWait: false }, all, ideal)).slice(0, 2),
				...(await shared(can, 4, all, ideal)),
			]);
		}
	}
	const head = ['wait told', 'refused', 'not told', 'refused', '4 processes', 'refused', 'apart'];
	return tableOf(['limit', 'counted by', ...head], rows);
}

async function down(): Promise<string> {
	const world = new World(LARGE);
	world.service.state = 'down';
	const run = await world.run(world.post(world.process(), 1_000));
	return `1,000 rows at a service that drops every connection: ${world.service.requests} requests, and all rows have said so after ${run.seconds.toFixed(0)} s (Max Wait is 300 s).`;
}

async function main(): Promise<void> {
	flagsOf(
		'npx gulp bench:governor',
		'What the governor does, in virtual time; writes governor.md.',
	).parse();
	const page = await format(
		[
			'# What the governor does, in virtual time',
			`Written by \`npx gulp bench:governor\`, from the services of \`test/simulation/pace\`: time passes as fast as the machine can compute. Means of ${SEEDS.length} seeds.`,
			'## A service that never refuses',
			'How much of the service is used in the middle of a run, and how many requests are in flight, by how long one takes: always the same, as chance wills, with a few that take very long, with one of a hundred that takes ten times as long, and fast and slow by turns.',
			await capacity(),
			'## A service that becomes slower or faster for good',
			'Seconds for 1,000 posts right after 1,000 others, and what they take with a new key.',
			await changes(),
			'## A service that is easily overrun',
			'300 rows for a service that handles 4 requests at a time in 100 ms each (7.5 s at best). A row that failed is sent again after two looks in two seconds.',
			await overrun(),
			'## A gateway that refuses',
			'200 rows of 100 ms each, through a gateway that says nothing of when to try again.',
			await gateways(),
			'## A rate limit of 20 a second',
			'Time by the shortest possible one, and refusals by row: 400 rows of one process, with a wait that is told (in whole seconds), without, and where each request takes 10 ms longer on its way by chance; 800 and 2,400 rows of several processes. “Apart” is the time of the slowest process by that of the fastest.',
			await rate(),
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
