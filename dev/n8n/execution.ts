import { parse } from 'flatted';
import { Complaint } from './complaint';
import { Rejection, type Rest } from './rest';
import { until } from './until';

/** One run of one node. */
export interface NodeRun {
	/** Milliseconds. */
	executionTime: number;
	executionStatus: string;
	error?: { message: string };
	hints?: Array<{ message: string }>;
	data?: { main: Array<Array<{ json: Record<string, unknown> }> | null> };
}

/** What an execution left behind. */
export interface Result {
	runData: Record<string, NodeRun[]>;
	/** What stopped it. */
	error?: { message: string };
}

interface StoredExecution {
	status: string;
	/** The run's data, as n8n stores it with the library flatted. */
	data: string;
}

const IN_PROGRESS = ['new', 'running'];

const resultIn = ({ data }: StoredExecution) => (parse(data) as { resultData: Result }).resultData;

/** The result of an execution that has ended. */
export async function resultOf(rest: Rest, id: string): Promise<Result> {
	return resultIn(await rest.get<StoredExecution>(`/executions/${id}`));
}

/** Waits until an execution has ended or is waiting for input; complains if it did not succeed. */
export async function untilEnded(rest: Rest, id: string): Promise<void> {
	const hasEnded = async () => {
		const execution = await rest.get<StoredExecution>(`/executions/${id}`).catch((error) => {
			// n8n 2.20 does so for as long as an execution that has begun has no data.
			if (error instanceof Rejection && error.status === 500) return undefined;
			throw error;
		});
		const status = execution?.status ?? 'new';
		if (status === 'success' || status === 'waiting') return true;
		if (!execution || IN_PROGRESS.includes(status)) return false;
		const { error } = resultIn(execution);
		throw new Complaint(
			`the workflow ended with "${status}": ${error?.message ?? 'no reason given'}`,
		);
	};
	await until('the end of the workflow', hasEnded, { seconds: 180, everyMs: 300 });
}

/**
 * Runs a workflow from its manual trigger, as the button in the editor does, and waits for its end;
 * resolves with the ID of the execution.
 */
export async function runByHand(rest: Rest, workflowId: string): Promise<string> {
	const { executionId } = await rest.post<{ executionId: string }>(`/workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: 'Start by hand' },
		// n8n 1 runs what the editor shows, later versions what is stored.
		workflowData: await rest.get(`/workflows/${workflowId}`),
	});
	await untilEnded(rest, executionId);
	return executionId;
}
