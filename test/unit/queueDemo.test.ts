import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

import {
	type Figures,
	isJudged,
	type PostingFigures,
	problemsOf,
	type TriggerFigures,
} from '../../demo/queue/figures';
import { FULL, isFull, readFlags } from '../../demo/queue/flags';
import { tablesOf } from '../../demo/queue/page';
import { sheetsOf } from '../../demo/queue/sheets';
import { COMPOSE, composeVariables } from '../../demo/queue/stores';
import { Complaint } from '../../harness/complaint';
import { withBlock } from '../../harness/markdown';

const posting: PostingFigures = {
	kind: 'posting',
	name: 'Both workers',
	executions: 20,
	perWorker: [10, 10],
	concurrency: 10,
	failedExecutions: 0,
	kills: 0,
	rows: 10_000,
	missing: 0,
	twice: 0,
	failedRows: 0,
	requests: 10_400,
	refused: 400,
	seconds: 240,
	idealSeconds: 200,
};
const trigger: TriggerFigures = {
	kind: 'trigger',
	name: 'The trigger',
	posts: 12,
	untold: 0,
	twice: 0,
	requests: 40,
	restarts: 1,
	seconds: 70,
};

test('figures within their bounds are no problem', () => {
	const killed = { ...posting, kills: 1, failedExecutions: 10, missing: 2_400 };
	expect(problemsOf([posting, killed, trigger])).toEqual([]);
});

test.each<[string, Partial<PostingFigures>, string]>([
	['a post that is there twice', { twice: 1 }, '1 posts are there twice'],
	['a row without a post', { missing: 3 }, '3 rows have no post'],
	['a failed row', { failedRows: 2 }, '2 rows failed'],
	['a failed execution', { failedExecutions: 1 }, '1 executions failed'],
	[
		'a worker without work',
		{ perWorker: [20, 0] },
		'a worker took none of the executions (20 and 0)',
	],
	['a kill of an idle worker', { kills: 1 }, 'the killed worker was running nothing'],
	[
		'a kill that took everything',
		{ kills: 1, failedExecutions: 20 },
		'the other worker was running nothing',
	],
	['too much time', { seconds: 251 }, 'it took 1.255 times the ideal time, more than 1.25'],
	[
		'running into the limit',
		{ refused: 1_100, requests: 10_900 },
		'1100 of 10900 requests were refused, more than 10 %',
	],
])('%s is reported with the name of its run', (_what, change, problem) => {
	expect(problemsOf([{ ...posting, ...change }])).toEqual([`Both workers: ${problem}`]);
});

test('executions that fit on one worker need no other', () => {
	expect(problemsOf([{ ...posting, executions: 10, perWorker: [10, 0] }])).toEqual([]);
});

test('a post that was reported twice, or not at all, is reported', () => {
	expect(problemsOf([{ ...trigger, untold: 1, twice: 2 }])).toEqual([
		'The trigger: 1 posts were not reported',
		'The trigger: 2 posts were reported twice',
	]);
});

test('the time of a run of less than a minute is shown, but not judged; what is too long is bold', () => {
	const short = { ...posting, seconds: 100, idealSeconds: 20 };
	expect(isJudged(short)).toBe(false);
	expect(problemsOf([short])).toEqual([]);
	expect(tablesOf([short])).toContain('5.00 (too short to judge)');
	expect(tablesOf([{ ...posting, seconds: 260 }])).toContain('| **1.30** |');
});

test('the tables have a line for each run, as many cells as columns', () => {
	const all: Figures[] = [posting, trigger];
	const tables = tablesOf(all).split('\n\n');
	expect(tables).toHaveLength(2);
	for (const table of tables) {
		const widths = table.split('\n').map((line) => line.split('|').length);
		expect(widths).toEqual([widths[0], widths[0], widths[0]]);
	}
	expect(tables[0]).toContain(
		'| Both workers | 20 (10 + 10) | 0 | 0 | 10000 | 0 | 0 | 10400 | 400 | 240 | 200 | 1.20 |',
	);
});

test('a page keeps its text, and has the new one between its markers', () => {
	const page = 'Before\n\n<!-- figures -->\n\nold\n\n<!-- /figures -->\n\nAfter $1\n';
	expect(withBlock(page, 'figures', 'costs $& and $1')).toBe(
		'Before\n\n<!-- figures -->\n\ncosts $& and $1\n\n<!-- /figures -->\n\nAfter $1\n',
	);
	expect(() => withBlock('no markers', 'figures', 'new')).toThrow('no <!-- figures --> markers');
});

test('only the run without flags of its size is written to the page', () => {
	expect(readFlags([])).toEqual({ load: FULL, docker: false, help: false });
	expect(isFull(readFlags(['--docker']).load)).toBe(true);
	expect(isFull(readFlags(['--short']).load)).toBe(false);
	expect(isFull(readFlags(['--rows', '50']).load)).toBe(false);
	expect(readFlags(['--short', '--rows', '80']).load).toMatchObject({ executions: 4, rows: 80 });
});

test.each([
	[['--rows', '0'], '--rows must be a whole number of 1 or more, not "0".'],
	[['--rate', 'fast'], '--rate must be a whole number of 1 or more, not "fast".'],
	[['--executions', '1'], '--executions must be 2 or more: one for each worker.'],
	[['--workers', '3'], "Unknown option '--workers'"],
])('the flags %j are refused', (args, message) => {
	expect(() => readFlags(args)).toThrow(Complaint);
	expect(() => readFlags(args)).toThrow(message);
});

test('rows are cut into sheets, none is left out', () => {
	const rows = Array.from({ length: 5 }, (_, index) => ({ title: String(index) }) as never);
	expect(sheetsOf(rows, 2).map(({ length }) => length)).toEqual([2, 2, 1]);
	expect(sheetsOf(rows, 2).flat()).toEqual(rows);
});

test('compose.yaml is given all variables that it reads, and is not reachable from elsewhere', () => {
	const text = readFileSync(COMPOSE, 'utf8');
	const read = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
	const given = composeVariables({ postgresPort: 1, redisPort: 2, password: 'secret' });
	expect([...read].sort()).toEqual(Object.keys(given).sort());

	const { services } = parse(text) as { services: Record<string, { ports: string[] }> };
	expect(Object.keys(services)).toEqual(['postgres', 'redis']);
	for (const { ports } of Object.values(services)) {
		expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
	}
});
