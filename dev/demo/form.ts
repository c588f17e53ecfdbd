import { http } from '../n8n/http';
import type { Rest } from '../n8n/rest';
import { until } from '../n8n/until';

export const FORM_PATH = '/form/posts-from-a-spreadsheet';

interface Stored {
	name: string;
	active: boolean;
	versionId: string;
}

/** Publishes the workflow of the form and waits until the form is available, a moment later. */
export async function publishForm(rest: Rest, url: string, workflowId: string): Promise<void> {
	const address = `${url}${FORM_PATH}`;
	const workflow = `/workflows/${workflowId}`;
	// It asks for a login.
	const isThere = async () => [200, 401].includes((await http.get(address)).status);
	const { name, active } = await rest.get<Stored>(workflow);
	// n8n lists first what was saved last: here, the workflow that a user looks for.
	const { versionId } = await rest.patch<Stored>(workflow, { name });
	// Otherwise the version of an earlier start would answer for another moment.
	if (active) {
		await rest.post(`${workflow}/deactivate`, {});
		await until('the end of the earlier form', async () => !(await isThere()));
	}
	await rest.post(`${workflow}/activate`, { versionId });
	await until(`the form at ${address}`, isThere, { seconds: 120, everyMs: 300 });
}
