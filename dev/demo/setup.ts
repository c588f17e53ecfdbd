import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES } from '../n8n/home';
import type { Login } from '../n8n/login';
import type { Rest } from '../n8n/rest';
import type { Named, NewWorkflow } from '../n8n/workflow';

export const CREDENTIAL = { name: 'Local SEO sandbox', type: 'localSeoApi' };
/** Without it, n8n refuses to publish the forms of the examples. */
export const FORM_LOGIN = { name: 'Login of the forms', type: 'httpBasicAuth' };

export const WORKFLOWS = {
	spreadsheet: 'posts-from-spreadsheet.json',
	insights: 'insights-export.json',
	download: 'insights-download.json',
	agent: 'agent-drafts-posts.json',
	rankDrop: 'rank-drop-alert.json',
	scans: 'scans-to-sheet.json',
	// n8n lists first what was saved last.
	form: 'posts-from-form.json',
};

export type Workflows = Record<keyof typeof WORKFLOWS, string>;

/** Creates a credential, or gives the one of that name another key: what uses it goes on using it. */
export async function putCredential(
	rest: Rest,
	data: Record<string, string>,
	{ name, type } = CREDENTIAL,
): Promise<Named> {
	const body = { name, type, data };
	const known = await rest.get<Array<Named & { type: string }>>('/credentials');
	const earlier = known.find((one) => one.name === name && one.type === type);
	if (earlier === undefined) return await rest.post<Named>('/credentials', body);
	return await rest.patch<Named>(`/credentials/${earlier.id}`, body);
}

/** Creates the credential that guards the first page of a form, or gives it another password. */
export const putFormLogin = async (rest: Rest, { email, password }: Login): Promise<Named> =>
	await putCredential(rest, { user: email, password }, FORM_LOGIN);

/** An example as it ships, with the credentials selected, as a user would do after importing it. */
export function exampleWith(credential: Named, file: string, formLogin?: Named): NewWorkflow {
	const workflow = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as NewWorkflow;
	for (const node of workflow.nodes) {
		if (node.type.startsWith('n8n-nodes-local-seo.')) {
			node.credentials = { [CREDENTIAL.type]: { id: credential.id, name: credential.name } };
		}
		if (formLogin && node.parameters.authentication === 'basicAuth') {
			node.credentials = { [FORM_LOGIN.type]: { id: formLogin.id, name: formLogin.name } };
		}
	}
	return workflow;
}

/** The ID of the demo's own workflow: a user who imports the same example gets another one. */
const idOf = (what: string) => `demo-${what}`;

/** Creates the demo's own workflows, or restores those of an earlier start; leaves all others alone. */
export async function putWorkflows(
	rest: Rest,
	credential: Named,
	formLogin?: Named,
): Promise<Workflows> {
	const known = await rest.get<Array<Named & { isArchived: boolean }>>('/workflows');
	const ids: Partial<Workflows> = {};
	for (const [what, file] of Object.entries(WORKFLOWS)) {
		const id = (ids[what as keyof Workflows] = idOf(what));
		const workflow = exampleWith(credential, file, formLogin);
		const earlier = known.find((one) => one.id === id);
		if (earlier?.isArchived) await rest.post(`/workflows/${id}/unarchive`, {});
		// n8n keeps settings that a request leaves out.
		const settings = { timezone: 'DEFAULT', ...workflow.settings };
		if (earlier) await rest.patch(`/workflows/${id}`, { ...workflow, pinData: {}, settings });
		else await rest.post('/workflows', { id, ...workflow });
	}
	return ids as Workflows;
}
