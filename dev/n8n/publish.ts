import { http } from './http';
import type { Rest } from './rest';
import { until } from './until';
import type { NewWorkflow } from './workflow';

/** Saves a workflow and publishes it; resolves with its ID. */
export async function activate(rest: Rest, workflow: NewWorkflow): Promise<string> {
	const body = { settings: { executionOrder: 'v1' }, ...workflow };
	const { id, versionId } = await rest.post<{ id: string; versionId: string }>('/workflows', body);
	await rest.post(`/workflows/${id}/activate`, { versionId });
	return id;
}

/** Publishes a workflow that starts with a webhook for POST; resolves with the webhook's address. */
export async function publish(rest: Rest, url: string, workflow: NewWorkflow): Promise<string> {
	await activate(rest, workflow);
	const { path } = workflow.nodes[0].parameters;
	const address = `${url}/webhook/${String(path)}`;
	await untilRegistered(address);
	return address;
}

/** A webhook for POST is available a second or two after its workflow is active. */
export async function untilRegistered(address: string): Promise<void> {
	await until(address, async () => {
		const { data } = await http.get<{ message?: string }>(address);
		// Once it is registered, the webhook rejects a GET, as it expects a POST.
		return /POST/.test(data.message ?? '');
	});
}
