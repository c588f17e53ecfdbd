import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Complaint } from '../n8n/complaint';
import { untilEnded } from '../n8n/execution';
import { http } from '../n8n/http';
import type { Rest } from '../n8n/rest';
import { until } from '../n8n/until';

export const FORM_PATH = '/form/posts-from-a-spreadsheet';

/** Publishes the workflow of the form and waits until the form is available, a moment later. */
export async function publishForm(rest: Rest, url: string, workflowId: string): Promise<void> {
	const { versionId } = await rest.get<{ versionId: string }>(`/workflows/${workflowId}`);
	await rest.post(`/workflows/${workflowId}/activate`, { versionId });

	const address = `${url}${FORM_PATH}`;
	const isThere = async () => (await http.get(address)).status === 200;
	await until(`the form at ${address}`, isThere, { seconds: 120, everyMs: 300 });
}

interface Offered {
	data: string | { data: number[] };
}

/** The file that the last page of the form offers as a download. */
function fileIn(page: string): string {
	const [, encoded] = /decodeURIComponent\("([^"]+)"\)/.exec(page) ?? [];
	if (encoded === undefined) throw new Complaint('the last page of the form offers no file');
	const [{ data }] = JSON.parse(decodeURIComponent(encoded)) as Offered[];
	// With a character for each byte where n8n keeps files in its database.
	const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data);
	return bytes.toString();
}

/** Uploads a file through the form, as a browser does, and returns the file it offers at the end. */
export async function upload(rest: Rest, url: string, file: string): Promise<string> {
	const form = new FormData();
	form.set('field-0', new Blob([readFileSync(file)]), basename(file));
	form.set('field-1', 'Post the rows');
	const { status, data } = await http.post<{ formWaitingUrl: string }>(`${url}${FORM_PATH}`, form);
	if (status !== 200) throw new Complaint(`the form answered with status ${status}`);
	const { formWaitingUrl } = data;

	const executionId = new URL(formWaitingUrl).pathname.split('/').pop();
	await untilEnded(rest, String(executionId));
	const { data: page } = await http.get<string>(formWaitingUrl);
	await http.post(formWaitingUrl); // the page does the same, which ends the execution
	return fileIn(page);
}
