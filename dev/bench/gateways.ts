import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';

import {
	type Backend,
	type BackendOptions,
	type Gateway,
	installGateways,
	startBackend,
	startHaproxy,
	startNginx,
} from '../n8n/gateways';
import { flagsOf } from '../n8n/flags';
import { MEASURED, shown } from '../n8n/home';
import { tableOf } from '../n8n/markdown';
import { plainRows, postTo } from '../../test/support/sheet';

const PAGE = join(MEASURED, 'gateways.md');
const RUNS = 3;

interface Case {
	name: string;
	rows: number;
	/** The shortest possible time. */
	idealSeconds: number;
	backend?: BackendOptions;
	gateway?: (backend: Backend) => Promise<Gateway>;
	/** Rows that are posted with the same key just before, by a backend that takes 1 ms for each. */
	before?: number;
}

const CASES: Case[] = [
	{
		name: 'nginx `limit_req` 20 a second, as it comes',
		rows: 200,
		idealSeconds: 9.95,
		gateway: async (backend) => await startNginx(backend, 'limit_req zone=rate;'),
	},
	{
		name: 'nginx `limit_req` 20 a second, `limit_req_status 429`',
		rows: 200,
		idealSeconds: 9.95,
		gateway: async (backend) =>
			await startNginx(backend, 'limit_req zone=rate; limit_req_status 429;'),
	},
	{
		name: 'nginx `limit_conn 4`',
		rows: 200,
		idealSeconds: 5,
		gateway: async (backend) => await startNginx(backend, 'limit_conn connections 4;'),
	},
	{
		name: 'HAProxy `maxconn 4`, `timeout queue 500ms`',
		rows: 200,
		idealSeconds: 5,
		gateway: async (backend) => await startHaproxy(backend, 'maxconn 4'),
	},
	{
		name: '4 workers, 503 (JSON) when 8 wait',
		rows: 300,
		idealSeconds: 7.5,
		backend: { workers: 4, queue: 8 },
	},
	{ name: '1,000 posts of 100 ms with a new key', rows: 1_000, idealSeconds: 1_000 / 960 },
	{
		name: 'the same right after 1,000 of 1 ms',
		rows: 1_000,
		idealSeconds: 1_000 / 960,
		before: 1_000,
	},
];

/** What one run came to. */
interface Run {
	seconds: number;
	requests: number;
	/** Rows that ended in an error, posts that are there twice. */
	failed: number;
	doubled: number;
}

async function measure(one: Case, apiKey: string): Promise<Run> {
	const backend = await startBackend(one.backend);
	const gateway = await one.gateway?.(backend);
	const { origin } = gateway ?? backend;
	try {
		if (one.before) {
			const { workMs } = backend;
			backend.workMs = () => 1;
			await postTo(origin, plainRows(one.before), apiKey);
			Object.assign(backend, { workMs, requests: 0 });
			backend.posts.length = 0;
		}
		const started = performance.now();
		const { json, error } = await postTo(origin, plainRows(one.rows), apiKey);
		const seconds = (performance.now() - started) / 1_000;
		const titles = new Set(backend.posts.map(({ title }) => title));
		return {
			seconds,
			requests: backend.requests,
			failed: error ? one.rows - json.length : 0,
			doubled: backend.posts.length - titles.size,
		};
	} finally {
		await gateway?.close();
		await backend.close();
	}
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function main(): Promise<void> {
	flagsOf('npx gulp bench:gateways', 'Rows through nginx and HAProxy; writes gateways.md.').parse();
	await installGateways();
	const head = ['', 'rows', 'seconds', '÷ ideal', 'requests that reached it', 'not done', 'twice'];
	const rows: Array<Array<string | number>> = [];
	for (const one of CASES) {
		const runs: Run[] = [];
		for (let run = 1; run <= RUNS; run++) {
			runs.push(await measure(one, `key ${one.name} ${run}`.replace(/\W/g, '-')));
		}
		const seconds = median(runs.map((run) => run.seconds));
		const sum = (name: 'failed' | 'doubled') => runs.reduce((all, run) => all + run[name], 0);
		const row = [
			one.name,
			one.rows,
			seconds.toFixed(1),
			(seconds / one.idealSeconds).toFixed(2),
			median(runs.map((run) => run.requests)),
			sum('failed'),
			sum('doubled'),
		];
		console.log(row.join('  '));
		rows.push(row);
	}
	const page = [
		'# Through real gateways',
		`Written by \`npx gulp bench:gateways\` (${availableParallelism()} cores, Node ${process.versions.node}): content posts of 100 ms each through n8n's own engine, with nginx and HAProxy as Debian has them. Medians of ${RUNS} runs; the last two columns are sums. The ideal of the last two lines is 96 posts at a time; what counts is the one by the other.`,
		tableOf(head, rows),
		'',
	].join('\n\n');
	writeFileSync(PAGE, await format(page, { parser: 'markdown' }));
	console.log(`Wrote ${shown(PAGE)}`);
}

void main();
