import { randomUUID } from 'node:crypto';
import { Complaint } from '../n8n/complaint';
import { http } from '../n8n/http';
import { untilRegistered } from '../n8n/publish';
import type { Sandbox } from '../sandbox';
import type { INode } from 'n8n-workflow';
import { inARow, type Named, step } from '../n8n/workflow';
import type { Stage } from './stage';

export const PACKAGE = 'n8n-nodes-local-seo';

export type Item = Record<string, unknown>;

/** A location as a node holds it that does not pick it from the list. */
export function byId(value: string) {
	return { __rl: true, mode: 'id', value };
}

/** The workflows of the soak in n8n: each starts with a webhook, except the one with the trigger. */
export class Workflows {
	private readonly ids = new Map<string, string>();
	private readonly webhooks = new Map<string, string>();

	private constructor(
		private readonly stage: Stage,
		readonly credential: Named,
	) {}

	/** Creates them, and waits until each answers. */
	static async create(stage: Stage, { baseUrl, keys }: Sandbox, watched: string[]) {
		const credential = await stage.rest.post<Named>('/credentials', {
			name: 'Sandbox',
			type: 'localSeoApi',
			data: { baseUrl, apiKey: keys.write },
		});
		const workflows = new Workflows(stage, credential);
		const locations = { resource: 'location', operation: 'getAll' };
		await workflows.add('List', [workflows.node('Locations', { ...locations, returnAll: true })]);
		await workflows.add('Insights', [
			workflows.node('Locations', { ...locations, limit: 20 }),
			workflows.node('Insights', {
				resource: 'insight',
				operation: 'get',
				locationId: byId('={{ $json.id }}'),
				output: 'summary',
			}),
		]);
		const posts = [rowsOfBody(), workflows.posts()];
		await workflows.add('Rows', posts);
		await workflows.add('Slow rows', posts);
		await workflows.add('Stopped', posts, 'onReceived');
		await workflows.addTrigger(watched);
		return workflows;
	}

	/** Calls a workflow's webhook; returns the items of its last node. */
	async call(name: string, body: object): Promise<Item[]> {
		const { status, data } = await http.post<unknown>(this.webhooks.get(name) ?? '', body);
		if (status !== 200) {
			throw new Complaint(`n8n answered with status ${status}: ${JSON.stringify(data)}`);
		}
		return (Array.isArray(data) ? data : [data]) as Item[];
	}

	/** Stops the executions of a workflow that are running, as in n8n's list of executions; returns how many. */
	async stopAll(name: string): Promise<number> {
		const { rest } = this.stage;
		const filter = JSON.stringify({ workflowId: this.ids.get(name), status: ['running'] });
		const { results } = await rest.get<{ results: Named[] }>('/executions', { filter });
		for (const { id } of results) await rest.post(`/executions/${id}/stop`, {});
		return results.length;
	}

	async activate(name: string): Promise<void> {
		const { rest } = this.stage;
		const path = `/workflows/${this.ids.get(name)}`;
		const { versionId } = await rest.get<{ versionId: string }>(path);
		await rest.post(`${path}/activate`, { versionId });
	}

	async deactivate(name: string): Promise<void> {
		await this.stage.rest.post(`/workflows/${this.ids.get(name)}/deactivate`, {});
	}

	private node(name: string, parameters: object, more: Partial<INode> = {}): INode {
		const credentials = { localSeoApi: this.credential };
		const all = { ...parameters, options: {} };
		return step(name, `${PACKAGE}.localSeo`, 1, all, { credentials, ...more });
	}

	private posts(): INode {
		const parameters = {
			resource: 'post',
			operation: 'create',
			locationId: byId('={{ $json.location_id }}'),
			whenToPublish: 'now',
			fields: { mappingMode: 'autoMapInputData', value: null },
			// All rows are new; the lists that would be read grow with every round.
			ifExists: 'create',
		};
		return this.node('Posts', parameters, { onError: 'continueRegularOutput' });
	}

	private async add(name: string, nodes: INode[], responseMode = 'lastNode'): Promise<void> {
		const path = randomUUID();
		const webhook = step(
			'Start',
			'n8n-nodes-base.webhook',
			2.1,
			{ httpMethod: 'POST', path, responseMode, responseData: 'allEntries', options: {} },
			{ webhookId: path },
		);
		await this.store(name, [webhook, ...nodes]);
		await this.activate(name);
		const url = `${this.stage.url}/webhook/${path}`;
		this.webhooks.set(name, url);
		await untilRegistered(url);
	}

	private async addTrigger(locationIds: string[]): Promise<void> {
		const parameters = {
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			events: ['locationAdded', 'locationChanged', 'postAdded', 'rankScanCompleted'],
			locationIds,
			options: {},
		};
		const credentials = { localSeoApi: this.credential };
		const trigger = step('Watch', `${PACKAGE}.localSeoTrigger`, 1, parameters, { credentials });
		await this.store('Trigger', [trigger, step('Done', 'n8n-nodes-base.noOp', 1, {})]);
	}

	/** Stores a workflow of nodes in a row. */
	private async store(name: string, nodes: INode[]): Promise<void> {
		const { id } = await this.stage.rest.post<Named>('/workflows', inARow(name, nodes));
		this.ids.set(name, id);
	}
}

/** Turns the rows of the webhook's body into items. */
function rowsOfBody(): INode {
	return step('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} });
}
