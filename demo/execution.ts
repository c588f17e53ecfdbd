import { setTimeout as wait } from 'node:timers/promises';
import { Complaint } from './complaint';
import type { Rest } from './rest';

interface Execution {
	id: string;
	status: string;
	/** The run's data in n8n's flat form: a list whose texts of digits point into the list. */
	data: string;
}

const ENDS_WITHIN = 180_000;
const UNDERWAY = ['new', 'running'];

/** The message of the node that stopped an execution. */
function reasonOf({ data }: Execution): string {
	const flat = JSON.parse(data) as unknown[];
	const member = (value: unknown, name: string) =>
		flat[Number((value as Record<string, string> | undefined)?.[name] ?? Number.NaN)];
	return String(
		member(member(member(flat[0], 'resultData'), 'error'), 'message') ?? 'no reason given',
	);
}

/** Waits until an execution has ended, or waits for a person; complains where it did not succeed. */
export async function untilEnded(rest: Rest, id: string): Promise<void> {
	const deadline = Date.now() + ENDS_WITHIN;
	for (;;) {
		const execution = await rest.get<Execution>(`/executions/${id}`);
		if (execution.status === 'success' || execution.status === 'waiting') return;
		if (!UNDERWAY.includes(execution.status)) {
			throw new Complaint(`the workflow ended with "${execution.status}": ${reasonOf(execution)}`);
		}
		if (Date.now() > deadline) {
			throw new Complaint(`the workflow did not end within ${ENDS_WITHIN / 1000} s`);
		}
		await wait(300);
	}
}

/** Runs a workflow from its manual trigger, as the button in the editor does. */
export async function runByHand(rest: Rest, workflowId: string): Promise<void> {
	const { executionId } = await rest.post<{ executionId: string }>(`/workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: 'Start by hand' },
	});
	await untilEnded(rest, executionId);
}
