import { Complaint } from '../n8n/complaint';
import type { NodeRun } from '../n8n/execution';
import { type Ledger, ledgerOf, ledgerOfTexts, listLedgerOf } from '../n8n/ledger';
import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import { runBare } from './bare';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Before, Contender, TestedNode } from './contenders';
import { execute, type Execution } from './execution';
import { type Row, rowsFor } from '../n8n/rows';
import type { Named } from '../n8n/workflow';
import type { Scenario } from './scenarios';
import type { Stage } from './stage';
import { workflowOf } from './workflow';

/** What one contender did in one repetition. */
export interface Measurement {
	/** The own execution time of its nodes; for the bare fetch, from its first request to its last response. */
	seconds: number;
	requests: number;
	/** How many of the records are missing, or have different content. */
	lost: number;
	/** How many extra copies of records there are. */
	doubled: number;
	/** How many of the requests got status 429. */
	refused: number;
	/** How many expressions n8n evaluated for the node; undefined without n8n. */
	expressions?: number;
	/** The error of the node, if it failed. */
	failure?: string;
}

type Item = Record<string, unknown>;
type Job = Pick<Measurement, 'seconds' | 'expressions' | 'failure'> & { items: Item[] };

function itemsOf({ data }: NodeRun): Item[] {
	return (data?.main ?? []).flatMap((output) => output ?? []).map(({ json }) => json);
}

/** IDs of the records in items: each one, or in envelopes as from the HTTP Request node. */
function idsOf(items: Item[]): string[] {
	return items
		.flatMap((item) => (Array.isArray(item.data) ? (item.data as Item[]) : [item]))
		.map(({ id }) => String(id));
}

/** A row of a table, whatever the order of its columns. */
const textOf = (row: object) => JSON.stringify(Object.entries(row).sort());

/** The insights of all locations as a table: a row for each day. */
function insightTable({ account }: Sandbox): object[] {
	return account.locations.flatMap(({ id, name }) => {
		const { days } = account.insightOf(id);
		return days.map((day) => ({ location_id: id, location_name: name, ...day }));
	});
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

async function runNode(
	stage: Stage,
	{ credential, ...node }: TestedNode,
	rows: object[] | undefined,
	executions: number,
): Promise<Job> {
	const { id, name } = await stage.rest.post<Named>('/credentials', {
		name: credential.type,
		...credential,
	});
	const all: Execution[] = [];
	for (let execution = 1; execution <= executions; execution++) {
		// A workflow of its own each time, so that the one has nothing to do with the other.
		const workflow = workflowOf({ credential, ...node }, { id, name }, rows);
		all.push(await execute(stage, workflow));
	}
	const runs = all.flatMap((one) => one.runs);
	const failed = runs.find(({ executionStatus }) => executionStatus !== 'success');
	return {
		seconds: sumOf(runs.map(({ executionTime }) => executionTime)) / 1000,
		expressions: sumOf(all.map(({ expressions }) => expressions)),
		failure: failed?.error?.message,
		items: itemsOf(runs[runs.length - 1]),
	};
}

/** The job of a scenario: which rows come in, and what has to come of it. */
interface Task {
	rows?: object[];
	ledger(items: Item[]): Ledger;
}

function taskOf({ posts, insights, existing = 0 }: Scenario, sandbox: Sandbox): Task {
	if (posts !== undefined) {
		const [location] = sandbox.account.locations;
		for (let count = 1; count <= existing; count++) {
			sandbox.account.addPost(location, { title: `Older ${count}`, content: 'From before.' });
		}
		const rows = rowsFor(sandbox.account.locations, posts);
		return { rows, ledger: () => ledgerOf(sandbox, rows) };
	}
	if (!insights) return { ledger: (items) => listLedgerOf(sandbox, idsOf(items)) };
	// As Get Many returns them, so that the names are there.
	const rows = sandbox.account.locations.map(({ id, name }) => ({ id, name, location_id: id }));
	const table = insightTable(sandbox).map(textOf);
	return { rows, ledger: (items) => ledgerOfTexts(table, items.map(textOf)) };
}

/** What the same key does before, without a rate limit; its requests don't count. */
async function prepare(
	stage: Stage,
	sandbox: Sandbox,
	{ latencyMs, rows, node, idleMs = 0 }: Before,
	{ latencyMs: then, requestsPerSecond }: SandboxOptions,
): Promise<void> {
	sandbox.setLatency(latencyMs);
	sandbox.setRateLimit(undefined);
	const others = rowsFor(sandbox.account.locations, rows).map((row) => ({
		...row,
		title: `Before: ${row.title}`,
	}));
	const { failure } = await runNode(stage, node!(sandbox), others, 1);
	if (failure !== undefined) throw new Complaint(`What comes before failed: ${failure}`);
	await sleep(idleMs);
	sandbox.setLatency(then ?? 0);
	sandbox.setRateLimit(requestsPerSecond);
	sandbox.requests.length = 0;
}

/**
 * Lets a contender do the job of a scenario once. Sandbox, credential and workflow are new each time,
 * so that the node knows of the service only what the same key did before.
 */
export async function measure(
	stage: Stage,
	scenario: Scenario,
	contender: Contender,
): Promise<Measurement> {
	const options = { ...scenario.sandbox, ...contender.sandbox };
	const sandbox = await startSandbox(options);
	try {
		if (contender.before) await prepare(stage, sandbox, contender.before, options);
		const { rows, ledger } = taskOf(scenario, sandbox);
		const { lostResponses: times = 0, executions = 1 } = scenario;
		const when = { method: 'POST' };
		if (times > 0) sandbox.faults.add({ when, times, actFirst: true, dropConnection: true });
		const { items, ...job }: Job = contender.node
			? await runNode(stage, contender.node(sandbox), rows, executions)
			: await runBare(sandbox, rows as Row[] | undefined);
		const { lost, twice } = ledger(items);
		return {
			...job,
			lost: lost.length,
			doubled: twice.length,
			requests: sandbox.requests.length,
			refused: sandbox.requests.filter(({ status }) => status === 429).length,
		};
	} finally {
		await sandbox.close();
	}
}
