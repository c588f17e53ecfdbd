import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES } from '../n8n/home';
import type { Rest } from '../n8n/rest';
import type { Named, NewWorkflow } from '../n8n/workflow';

export const CREDENTIAL = { name: 'Local SEO sandbox', type: 'localSeoApi' };

export const WORKFLOWS = {
	spreadsheet: 'posts-from-spreadsheet.json',
	form: 'posts-from-form.json',
	insights: 'insights-export.json',
	download: 'insights-download.json',
	agent: 'agent-drafts-posts.json',
	rankDrop: 'rank-drop-alert.json',
	scans: 'scans-to-sheet.json',
};

export type Workflows = Record<keyof typeof WORKFLOWS, string>;

/** Creates something, or replaces the one of that name from an earlier start. */
async function put(
	rest: Rest,
	path: string,
	known: Named[],
	body: { name: string },
): Promise<Named> {
	const earlier = known.find(({ name }) => name === body.name);
	if (earlier === undefined) return await rest.post<Named>(path, body);
	return await rest.patch<Named>(`${path}/${earlier.id}`, body);
}

/** Creates the credential, in place of the one from an earlier start. */
export async function putCredential(
	rest: Rest,
	data: { baseUrl: string; apiKey: string },
): Promise<Named> {
	const known = await rest.get<Named[]>('/credentials');
	const earlier = known.find(({ name }) => name === CREDENTIAL.name);
	if (earlier) await rest.delete(`/credentials/${earlier.id}`);
	return await rest.post<Named>('/credentials', { ...CREDENTIAL, data });
}

/** An example as it ships, with the credential selected, as a user would do after importing it. */
export function exampleWith(credential: Named, file: string): NewWorkflow {
	const workflow = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as NewWorkflow;
	for (const node of workflow.nodes) {
		if (!node.type.startsWith('n8n-nodes-local-seo.')) continue;
		node.credentials = { [CREDENTIAL.type]: { id: credential.id, name: credential.name } };
	}
	return workflow;
}

/** A workflow that was looked at: with its Dry Run off, it posts. */
export async function turnDryRun(rest: Rest, id: string, isOn: boolean): Promise<void> {
	const { nodes } = await rest.get<NewWorkflow>(`/workflows/${id}`);
	for (const { parameters } of nodes as Array<{ parameters: { dryRun?: boolean } }>) {
		if (parameters.dryRun !== undefined) parameters.dryRun = isOn;
	}
	await rest.patch(`/workflows/${id}`, { nodes });
}

export async function putWorkflows(rest: Rest, credential: Named): Promise<Workflows> {
	const known = await rest.get<Named[]>('/workflows');
	const ids: Partial<Workflows> = {};
	for (const [what, file] of Object.entries(WORKFLOWS)) {
		const { id } = await put(rest, '/workflows', known, exampleWith(credential, file));
		ids[what as keyof Workflows] = id;
	}
	return ids as Workflows;
}
