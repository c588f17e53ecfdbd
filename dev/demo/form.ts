import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Complaint } from '../n8n/complaint';
import { untilEnded } from '../n8n/execution';
import { http } from '../n8n/http';
import type { Login } from '../n8n/login';
import type { Rest } from '../n8n/rest';
import { until } from '../n8n/until';

export const FORM_PATH = '/form/posts-from-a-spreadsheet';

interface Stored {
	active: boolean;
	versionId: string;
}

/** Publishes the workflow of the form and waits until the form is available, a moment later. */
export async function publishForm(rest: Rest, url: string, workflowId: string): Promise<void> {
	const address = `${url}${FORM_PATH}`;
	// It asks for a login.
	const isThere = async () => [200, 401].includes((await http.get(address)).status);
	// Otherwise the version of an earlier start would answer for another moment.
	const { active, versionId } = await rest.get<Stored>(`/workflows/${workflowId}`);
	if (active) {
		await rest.post(`/workflows/${workflowId}/deactivate`, {});
		await until('the end of the earlier form', async () => !(await isThere()));
	}
	await rest.post(`/workflows/${workflowId}/activate`, { versionId });
	await until(`the form at ${address}`, isThere, { seconds: 120, everyMs: 300 });
}

interface Offered {
	data: string | { data: number[] };
}

/** The file that the last page of the form offers as a download. */
function fileIn(page: string): Buffer {
	const [, encoded] = /decodeURIComponent\("([^"]+)"\)/.exec(page) ?? [];
	const [file] = encoded ? (JSON.parse(decodeURIComponent(encoded)) as Offered[]) : [];
	if (!file) throw new Complaint('the last page of the form offers no file');
	const { data } = file;
	// With a character for each byte where n8n keeps files in its database.
	return typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data);
}

/** Answers a page of the form with what is chosen already, and the first option where nothing is. */
async function answer(rest: Rest, address: string): Promise<void> {
	const { data: page } = await http.get<string>(address);
	const form = new FormData();
	for (const [, field, list] of page.matchAll(/<select id='(field-\d+)'([^]*?)<\/select>/g)) {
		const [, chosen] = /<option value='([^']*)' selected>/.exec(list) ?? [];
		if (!chosen) throw new Complaint(`the form has nothing chosen in ${field}`);
		form.set(field, chosen);
	}
	for (const [, field, option] of page.matchAll(/id='option0_(field-\d+)' value='([^']*)'/g)) {
		form.set(field, JSON.stringify([option]));
	}
	await http.post(address, form);
	await untilEnded(rest, executionAt(address));
}

const executionAt = (address: string) => String(new URL(address).pathname.split('/').pop());

/** Takes a file through the pages of the form, and returns the file that it offers at the end. */
export async function upload(
	rest: Rest,
	url: string,
	file: string,
	{ email, password }: Login,
): Promise<Buffer> {
	const form = new FormData();
	form.set('field-0', new Blob([readFileSync(file)]), basename(file));
	const auth = { username: email, password };
	const { status, data } = await http.post<{ formWaitingUrl: string }>(`${url}${FORM_PATH}`, form, {
		auth,
	});
	if (status !== 200) throw new Complaint(`the form answered with status ${status}`);
	const { formWaitingUrl } = data;
	await untilEnded(rest, executionAt(formWaitingUrl));
	await answer(rest, formWaitingUrl);
	await answer(rest, formWaitingUrl);
	const { data: page } = await http.get<string>(formWaitingUrl);
	await http.post(formWaitingUrl); // the page does the same, which ends the execution
	return fileIn(page);
}
