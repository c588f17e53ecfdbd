import type { NodeRun } from '../harness/execution';
import { ledgerOf, listLedgerOf } from '../harness/ledger';
import { startSandbox, type Sandbox } from '../sandbox';
import { runBare } from './bare';
import type { Contender, TestedNode } from './contenders';
import { execute } from './execution';
import { type Row, rowsFor } from './rows';
import type { Scenario } from './scenarios';
import type { Stage } from './stage';
import { workflowOf } from './workflow';

/** What one contender did in one repetition. */
export interface Measurement {
	/** The node's own execution time; for the bare fetch, from its first request to its last response. */
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

type Job = Pick<Measurement, 'seconds' | 'expressions' | 'failure'> & { ids: string[] };

/** IDs of the records that a node returned: as items, or in envelopes as from the HTTP Request node. */
function idsOf({ data }: NodeRun): string[] {
	const items = data?.main.flatMap((output) => output ?? []) ?? [];
	return items
		.flatMap(({ json }) => (Array.isArray(json.data) ? json.data : [json]))
		.map((record: { id?: unknown }) => String(record.id));
}

async function runNode(
	stage: Stage,
	{ credential, ...node }: TestedNode,
	rows?: Row[],
): Promise<Job> {
	const { id, name } = await stage.rest.post<{ id: string; name: string }>('/credentials', {
		name: credential.type,
		...credential,
	});
	const workflow = workflowOf({ credential, ...node }, { id, name }, rows);
	const { run, expressions } = await execute(stage, workflow);
	return {
		seconds: run.executionTime / 1000,
		expressions,
		failure: run.executionStatus === 'success' ? undefined : run.error?.message,
		ids: idsOf(run),
	};
}

async function run(stage: Stage, { node }: Contender, sandbox: Sandbox, rows?: Row[]) {
	return node ? await runNode(stage, node(sandbox), rows) : await runBare(sandbox, rows);
}

/**
 * Lets a contender do the job of a scenario once. Sandbox, credential and workflow are new each time,
 * so that the node knows nothing about the rate limit yet.
 */
export async function measure(
	stage: Stage,
	scenario: Scenario,
	contender: Contender,
): Promise<Measurement> {
	const sandbox = await startSandbox(scenario.sandbox);
	try {
		const rows = scenario.posts === undefined ? undefined : rowsFor(sandbox, scenario.posts);
		const { ids, ...job }: Job = await run(stage, contender, sandbox, rows);
		const { lost, twice } = rows ? ledgerOf(sandbox, rows) : listLedgerOf(sandbox, ids);
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
