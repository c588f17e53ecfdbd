import { existsSync, readFileSync } from 'node:fs';
import { Complaint } from '../n8n/complaint';
import { type NodeRun, resultOf } from '../n8n/execution';
import { http } from '../n8n/http';
import { until as untilThere } from '../n8n/until';
import type { Stage } from './stage';
import type { Workflow } from './workflow';

const ENDED = ['success', 'error', 'crashed', 'canceled'];

/** What n8n reports about one execution of a workflow. */
export interface Execution {
	/** The runs of the nodes that are measured. */
	runs: NodeRun[];
	/** How many expressions these nodes had n8n evaluate. */
	expressions: number;
}

async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
	return await untilThere(what, read, { seconds: 60, everyMs: 300 });
}

/** Calls a webhook and waits for the workflow to end; it is available a moment after activation. */
async function callWebhook(url: string): Promise<void> {
	await until(url, async () => {
		const { status } = await http.post(url, {});
		return status === 404 || status === 503 ? undefined : status;
	});
}

/** Reads the line that expressions.cjs has written about a workflow. */
function countOf(file: string, workflowId: string, nodes: string[]): number | undefined {
	if (!existsSync(file)) return undefined;
	const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
	const counted = lines
		.map((line) => JSON.parse(line) as { workflowId: string; counts: Record<string, number> })
		.find((line) => line.workflowId === workflowId);
	return counted && nodes.reduce((sum, node) => sum + (counted.counts[node] ?? 0), 0);
}

/** Activates a workflow, calls its webhook once, and returns what the measured nodes did. */
export async function execute(stage: Stage, workflow: Workflow): Promise<Execution> {
	const { rest, url } = stage;
	const { id, versionId } = await rest.post<{ id: string; versionId: string }>(
		'/workflows',
		workflow.definition,
	);
	await rest.post(`/workflows/${id}/activate`, { versionId });
	await callWebhook(`${url}/webhook/${workflow.path}`);

	const executionId = await until('the execution', async () => {
		const { results } = await rest.get<{ results: Array<{ id: string; status: string }> }>(
			'/executions',
			{ filter: JSON.stringify({ workflowId: id }) },
		);
		return results.find(({ status }) => ENDED.includes(status))?.id;
	});
	const { runData, error } = await resultOf(rest, executionId);
	const runs = workflow.measured.flatMap((name) => runData[name]?.at(-1) ?? []);
	if (runs.length === 0)
		throw new Complaint(`the workflow did not reach the measured node: ${error?.message}`);
	const expressions = await until('the count of expressions', async () =>
		countOf(stage.expressions, id, workflow.measured),
	);
	await rest.post(`/workflows/${id}/deactivate`, {});
	return { runs, expressions };
}
