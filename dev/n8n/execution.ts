import { Complaint } from './complaint';
import type { Rest } from './rest';
import { until } from './until';

export interface NodeRun {
	/** Milliseconds. */
	executionTime: number;
	executionStatus: string;
	error?: { message: string };
	hints?: Array<{ message: string }>;
	data?: { main: Array<Array<{ json: Record<string, unknown> }> | null> };
}

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

/** Reads the format of the library flatted: a list of values, in which texts inside of others are indices. */
function parse(text: string): unknown {
	const values = JSON.parse(text) as unknown[];
	const known = new Map<number, object>();
	const valueAt = (index: number): unknown => {
		const value = values[index];
		if (typeof value !== 'object' || value === null) return value;
		const read = known.get(index) ?? (Array.isArray(value) ? [] : {});
		if (known.has(index)) return read;
		known.set(index, read);
		const entries = Object.entries(value) as Array<[string, unknown]>;
		const parts = entries.map(([name, one]) => [
			name,
			typeof one === 'string' ? valueAt(Number(one)) : one,
		]);
		return Object.assign(read, Object.fromEntries(parts));
	};
	return valueAt(0);
}

const resultIn = ({ data }: StoredExecution) => (parse(data) as { resultData: Result }).resultData;

export async function resultOf(rest: Rest, id: string): Promise<Result> {
	return resultIn(await rest.get<StoredExecution>(`/executions/${id}`));
}

/** Waits until an execution has ended or is waiting for input; complains if it did not succeed. */
export async function untilEnded(rest: Rest, id: string): Promise<void> {
	const hasEnded = async () => {
		const execution = await rest.get<StoredExecution>(`/executions/${id}`);
		const { status } = execution;
		if (status === 'success' || status === 'waiting') return true;
		if (IN_PROGRESS.includes(status)) return false;
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
	});
	await untilEnded(rest, executionId);
	return executionId;
}
