import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Complaint } from './complaint';
import { ROOT } from './home';
import type { Rest } from './rest';
import { until } from './until';

export interface NodeRun {
	/** Milliseconds. */
	executionTime: number;
	executionStatus: string;
	error?: { message: string };
	hints?: Array<{ message: string }>;
	data?: { main: Array<Array<{ json: Record<string, unknown>; binary?: object }> | null> };
}

export interface Result {
	/** `waiting`: for input. */
	status: string;
	runData: Record<string, NodeRun[]>;
	/** What stopped it. */
	error?: { message: string };
}

interface StoredExecution {
	status: string;
	/** The run's data, as n8n stores it with its library flatted. */
	data: string;
}

/** Of n8n's own packages, which are there once it is installed. */
export const requireOfN8n = createRequire(join(ROOT, 'dev', 'n8n', 'pinned', 'package.json'));

/** Waits until an execution has ended or is waiting for input, and returns what came of it. */
export async function untilOver(rest: Rest, id: string): Promise<Result> {
	const read = async () => {
		const execution = await rest.get<StoredExecution>(`/executions/${id}`);
		return ['new', 'running'].includes(execution.status) ? undefined : execution;
	};
	const wait = { seconds: 180, everyMs: 300 };
	const { status, data } = await until('the end of the workflow', read, wait);
	const { parse } = requireOfN8n('flatted') as { parse(text: string): { resultData: Result } };
	return { ...parse(data).resultData, status };
}

/** The same; complains if it did not succeed. */
export async function untilEnded(rest: Rest, id: string): Promise<Result> {
	const result = await untilOver(rest, id);
	const { status, error } = result;
	if (status === 'success' || status === 'waiting') return result;
	const reason = error?.message ?? 'no reason given';
	throw new Complaint(`the workflow ended with "${status}": ${reason}`);
}

/** Starts a workflow from its manual trigger, as the button in the editor does; the ID of the execution. */
export async function startByHand(rest: Rest, workflowId: string): Promise<string> {
	const body = { triggerToStartFrom: { name: 'Start by hand' } };
	return (await rest.post<{ executionId: string }>(`/workflows/${workflowId}/run`, body))
		.executionId;
}

/** Runs a workflow from its manual trigger to its end. */
export const runByHand = async (rest: Rest, workflowId: string): Promise<Result> =>
	await untilEnded(rest, await startByHand(rest, workflowId));

/** What has come of the executions of a workflow so far, the first one first. */
export async function resultsOf(rest: Rest, workflowId: string): Promise<Result[]> {
	const filter = JSON.stringify({ workflowId });
	const { results } = await rest.get<{ results: Array<{ id: string }> }>('/executions', { filter });
	return await Promise.all(results.reverse().map(async ({ id }) => await untilOver(rest, id)));
}

/** The items that came out of a node; none if it did not run. */
export const itemsOf = ({ runData }: Result, node: string): Array<Record<string, unknown>> =>
	(runData[node] ?? []).flatMap(({ data }) => data?.main[0] ?? []).map(({ json }) => json);
