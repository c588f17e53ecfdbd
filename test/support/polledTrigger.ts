import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import {
	Account,
	type Connection,
	DEFAULT_PAGING,
	type JsonObject,
	withoutKey,
} from '../../nodes/LocalSeo/client';
import type { Connected } from '../../nodes/LocalSeo/host/connect';
import { poll } from '../../nodes/LocalSeo/trigger/poll';
import { ProcessMemory } from '../../nodes/LocalSeo/trigger/state';
import { VirtualClock } from './virtualClock';
import { seededRandom } from './random';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A trigger in n8n, with a service that answers in 20 ms. */
export class Trigger {
	readonly clock = new VirtualClock();
	readonly stored: IDataObject = {};
	readonly warnings: string[] = [];
	mode = 'trigger';
	/** How the workflow became active. */
	activation = 'activate';
	locations: JsonObject[] = [{ id: 'loc_1', name: 'Marlow' }];
	/** By path. */
	lists: Record<string, JsonObject[]> = {};
	/** Bodies in place of those that the service would give, by path. */
	bodies: Record<string, unknown> = {};
	status: (path: string) => number = () => 200;
	headers: Record<string, string> = {};
	latency = 20;
	budget = 5 * MINUTE;
	asked: string[] = [];
	private memory = new ProcessMemory(this.clock);
	private readonly account = new Account(this.clock, seededRandom());
	private context: IPollFunctions;

	constructor(readonly parameters: JsonObject = { events: ['locationChanged'] }) {
		this.context = this.contextOf();
	}

	/** The posts and keywords of loc_1, and the scans of the keyword kw_1. */
	set posts(list: JsonObject[]) {
		this.lists['/locations/loc_1/posts'] = list;
	}

	set keywords(list: JsonObject[]) {
		this.lists['/locations/loc_1/keywords'] = list;
	}

	set scans(list: JsonObject[]) {
		this.lists['/keywords/kw_1/scans'] = list;
	}

	/** Activates the workflow, by which n8n makes a new context: the next poll is part of it. */
	activate(activation: string) {
		this.activation = activation;
		this.context = this.contextOf();
	}

	private contextOf(): IPollFunctions {
		const context = {
			getActivationMode: () => this.activation,
			getMode: () => this.mode,
			getNode: () => ({ id: 'node', name: 'Local SEO Trigger', parameters: {} }),
			getNodeParameter: (name: string, fallback: unknown) => this.parameters[name] ?? fallback,
			getPollBudgetMs: () => this.budget,
			getWorkflow: () => ({ id: 'workflow' }),
			getWorkflowStaticData: () => this.stored,
			logger: { warn: (text: string) => this.warnings.push(text) },
		};
		return context as unknown as IPollFunctions;
	}

	/** Polls a minute after the last poll. */
	async poll() {
		this.clock.moveTo(this.clock.now() + MINUTE);
		this.asked = [];
		return await this.clock.run(this.pollNow());
	}

	pollNow() {
		const connect = (_: unknown, waiting: Pick<Connection, 'patienceMs' | 'timeoutMs'>) =>
			Promise.resolve<Connected>({
				account: this.account,
				paging: DEFAULT_PAGING,
				...waiting,
				transport: async ({ path }) => {
					this.asked.push(path);
					await this.clock.sleep(this.latency);
					const headers = { date: new Date(this.clock.now()).toUTCString(), ...this.headers };
					const body = this.bodies[path] ?? this.bodyAt(path);
					const status = body ? this.status(path) : 404;
					return withoutKey({ status, headers, body: body ?? {} }, 'sk_live_123456');
				},
			});
		const { clock, memory } = this;
		return poll(this.context, { clock, memory, connect: connect as never });
	}

	/** A list, or the record of a location; undefined where there is none. */
	private bodyAt(path: string): unknown {
		const [, id] = /^\/locations\/([^/]+)$/.exec(path) ?? [];
		const location = this.locations.find((one) => one.id === id);
		if (id !== undefined) return location && { data: location };
		const data = path === '/locations' ? this.locations : (this.lists[path] ?? []);
		return { data, meta: { current_page: 1, per_page: data.length, total: data.length } };
	}

	/** The items of a poll. */
	async items(): Promise<IDataObject[]> {
		return ((await this.poll()) ?? []).flat().map(({ json }) => json);
	}

	/** What is reported, by event and ID. */
	async reported() {
		return (await this.items()).map(
			({ event, record }) => `${event as string} ${(record as JsonObject).id as string}`,
		);
	}

	/** n8n ends without saving, and starts again with a state that it saved earlier. */
	restartFrom(saved: string) {
		for (const name of Object.keys(this.stored)) delete this.stored[name];
		Object.assign(this.stored, JSON.parse(saved));
		this.memory = new ProcessMemory(this.clock);
		this.activate('init');
	}
}

/** What a poll came to: its events, or the words of its error. */
export const outcomeOf = async (trigger: Trigger) =>
	await trigger.reported().catch((error: Error & { description?: string }) => {
		return `${error.message} | ${error.description ?? ''}`;
	});
