import { randomUUID } from 'node:crypto';
import { Complaint } from '../n8n/complaint';
import { type NodeRun, resultOf } from '../n8n/execution';
import { temporaryHome } from '../n8n/home';
import { installHost, startHost } from '../n8n/host';
import { http } from '../n8n/http';
import { ledgerOf, listLedgerOf } from '../n8n/ledger';
import { installPackage } from '../n8n/nodePackage';
import { freePort } from '../n8n/port';
import { activate, untilRegistered } from '../n8n/publish';
import { logIn, type Rest } from '../n8n/rest';
import { rowsFor } from '../n8n/rows';
import { until } from '../n8n/until';
import { inARow, type Named, type NewWorkflow, step } from '../n8n/workflow';
import { startSandbox } from '../sandbox';
import type { Contender, Job, TestedNode } from './jobs';

/** A running n8n with this node installed, in a temporary folder. */
export interface Stage {
	url: string;
	rest: Rest;
	close(): Promise<void>;
}

/** What one contender did in one repetition. */
export interface Measurement {
	/** The node's own execution time, as n8n records it. */
	seconds: number;
	requests: number;
	/** How many records are missing, or have different content. */
	lost: number;
	/** How many extra copies of records there are. */
	doubled: number;
	/** How many requests got status 429 or 503. */
	refused: number;
	/** The error of the node, if it failed. */
	failure?: string;
}

/** Installs the packed node into a fresh n8n and starts it on a free port. */
export async function openStage(): Promise<Stage> {
	await installHost();
	const home = temporaryHome('bench');
	await installPackage(home);
	const { url, stop } = await startHost(home, await freePort());
	return { url, rest: await logIn(url, home), close: stop };
}

const MEASURED = 'Measured';

/** Webhook, rows from a Code node if there are any, and the measured node; named after the webhook's path. */
function workflowOf(node: TestedNode, credential: Named, rows?: object[]): NewWorkflow {
	const path = randomUUID();
	const { type, typeVersion, parameters, retryOnFail } = node;
	const webhook = { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData' };
	const jsCode = `return ${JSON.stringify(rows)}.map((json) => ({ json }));`;
	const credentials = { [node.credential.type]: credential };
	return inARow(path, [
		step('Start', 'n8n-nodes-base.webhook', 2.1, { ...webhook, options: {} }, { webhookId: path }),
		...(rows ? [step('Rows', 'n8n-nodes-base.code', 2, { jsCode })] : []),
		step(MEASURED, type, typeVersion, parameters, { credentials, retryOnFail }),
	]);
}

/** Publishes a workflow, calls its webhook once, and returns what the measured node did. */
async function execute({ rest, url }: Stage, workflow: NewWorkflow): Promise<NodeRun> {
	const workflowId = await activate(rest, workflow);
	const address = `${url}/webhook/${workflow.name}`;
	await untilRegistered(address);
	await http.post(address, {});
	const id = await until('the end of the execution', async () => {
		const filter = JSON.stringify({ workflowId });
		const { results } = await rest.get<{ results: Array<{ id: string; status: string }> }>(
			'/executions',
			{ filter },
		);
		return results.find(({ status }) => !['new', 'running'].includes(status))?.id;
	});
	const { runData, error } = await resultOf(rest, id);
	const run = runData[MEASURED]?.at(-1);
	if (!run) throw new Complaint(`The workflow did not reach the node: ${error?.message}`);
	await rest.post(`/workflows/${workflowId}/deactivate`, {});
	return run;
}

/** IDs of the records in items: each an item, or in envelopes as from the HTTP Request node. */
function idsIn({ data }: NodeRun): string[] {
	const items = (data?.main ?? []).flatMap((output) => output ?? []).map(({ json }) => json);
	const records = items.flatMap((item) => (Array.isArray(item.data) ? item.data : [item]));
	return records.map(({ id }) => String(id));
}

/**
 * Lets a contender do a job once. Sandbox, credential and workflow are new each time, so that the node
 * knows nothing about the service.
 */
export async function measure(
	stage: Stage,
	{ sandbox: options, posts, lostResponses = 0, executions = 1 }: Job,
	contender: Contender,
): Promise<Measurement> {
	const sandbox = await startSandbox(options);
	try {
		const rows = posts === undefined ? undefined : rowsFor(sandbox.account.locations, posts);
		if (lostResponses > 0) {
			const fault = { actFirst: true, dropConnection: true } as const;
			sandbox.faults.add({ when: { method: 'POST' }, times: lostResponses, ...fault });
		}
		const node = contender.node(sandbox);
		const { type } = node.credential;
		const credential = await stage.rest.post<Named>('/credentials', {
			name: type,
			...node.credential,
		});
		const runs: NodeRun[] = [];
		for (let execution = 1; execution <= executions; execution++) {
			// A workflow of its own each time, so that nothing is remembered between them.
			runs.push(await execute(stage, workflowOf(node, credential, rows)));
		}
		const ids = idsIn(runs[runs.length - 1]);
		const { lost, twice } = rows ? ledgerOf(sandbox, rows) : listLedgerOf(sandbox, ids);
		const { requests } = sandbox;
		return {
			seconds: runs.reduce((sum, { executionTime }) => sum + executionTime, 0) / 1_000,
			requests: requests.length,
			lost: lost.length,
			doubled: twice.length,
			refused: requests.filter(({ status }) => status === 429 || status === 503).length,
			failure: runs.find(({ executionStatus }) => executionStatus !== 'success')?.error?.message,
		};
	} finally {
		await sandbox.close();
	}
}
