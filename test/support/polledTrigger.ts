import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import {
	Account,
	type Connection,
	DEFAULT_PAGING,
	type JsonObject,
	withoutKey,
} from '../../nodes/LocalSeo/client';
import type { Connected } from '../../nodes/LocalSeo/host/connect';
import { ProcessMemory } from '../../nodes/LocalSeo/trigger/memory';
import { poll } from '../../nodes/LocalSeo/trigger/poll';
import { VirtualClock } from './virtualClock';
import { seededRandom } from './random';

export const MINUTE = 60_000;

/** A trigger in n8n, with a service that answers in 20 ms. */
export class Trigger {
	readonly clock = new VirtualClock();
	readonly stored: IDataObject = {};
	readonly warnings: string[] = [];
	mode = 'trigger';
	name = 'Local SEO Trigger';
	/** What n8n allows for a poll (ms). */
	budget = 5 * MINUTE;
	locations: JsonObject[] = [{ id: 'loc_1', name: 'Marlow' }];
	/** By path. */
	lists: Record<string, JsonObject[]> = {};
	status: (path: string) => number = () => 200;
	/** How long it takes to answer (ms). */
	latency: (path: string) => number = () => 20;
	/** The lists whose path ends so lack a record. */
	lacking?: string;
	asked: string[] = [];
	/** When the last poll began (ms). */
	polledAt = 0;
	/** That of the process in which it runs. */
	memory = new ProcessMemory();
	private readonly account = new Account(this.clock, seededRandom());
	private context: IPollFunctions;

	constructor(readonly parameters: JsonObject) {
		this.context = this.contextOf('activate');
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
		this.context = this.contextOf(activation);
	}

	/** Another process goes on, with what n8n has saved. */
	restart(activation: string) {
		this.memory = new ProcessMemory();
		this.activate(activation);
	}

	private contextOf(activation: string): IPollFunctions {
		const context = {
			getActivationMode: () => activation,
			getMode: () => this.mode,
			getNode: () => ({ id: 'node', name: this.name, parameters: {} }),
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
		const { account, clock, memory } = this;
		clock.advance(MINUTE);
		this.polledAt = clock.now();
		this.asked = [];
		const connect = (_: unknown, waiting: Pick<Connection, 'patienceMs' | 'timeoutMs'>) =>
			Promise.resolve<Connected>({
				...{ account, paging: DEFAULT_PAGING, ...waiting },
				transport: async ({ path, query }, signal) => {
					this.asked.push(path);
					await clock.sleep(this.latency(path), signal);
					const headers = {};
					const body = this.bodyAt(path, Number(query.page ?? 1));
					return withoutKey({ status: this.status(path), headers, body }, 'sk_live_123456');
				},
			});
		return await clock.run(poll(this.context, { clock, memory, connect: connect as never }));
	}

	private bodyAt(path: string, page: number): unknown {
		const all = path === '/locations' ? this.locations : (this.lists[path] ?? []);
		const isLacking = this.lacking !== undefined && path.endsWith(this.lacking);
		const total = all.length + Number(isLacking);
		return { data: page === 1 ? all : [], meta: { current_page: page, per_page: 10_000, total } };
	}

	async items(): Promise<IDataObject[]> {
		return ((await this.poll()) ?? []).flat().map(({ json }) => json);
	}

	/** What is reported, by event and ID. */
	async reported() {
		return (await this.items()).map(
			({ event, record }) => `${event as string} ${(record as JsonObject).id as string}`,
		);
	}
}

/** What a poll came to: its events, or the words of its error. */
export const outcomeOf = async (trigger: Trigger) =>
	await trigger.reported().catch((error: Error & { description?: string }) => {
		return `${error.message} | ${error.description ?? ''}`;
	});

export type State = Partial<
	Pick<Trigger, 'locations' | 'posts' | 'keywords' | 'scans' | 'status' | 'lacking'>
>;

/** A trigger whose first poll has learned what is there. */
export async function learned(events: string, state: State = {}, parameters: JsonObject = {}) {
	const trigger = new Trigger({ events: events.split(' '), ...parameters });
	Object.assign(trigger, state);
	expect(await trigger.reported()).toEqual([]);
	return trigger;
}

/** What each of some polls reports, after its change. */
export async function reportedAfter(trigger: Trigger, ...changes: Array<State | undefined>) {
	const reported: string[][] = [];
	for (const change of changes) {
		Object.assign(trigger, change);
		reported.push(await trigger.reported());
	}
	return reported;
}

export const ids = (...all: string[]) => all.map((id) => ({ id }));

/** A location with one keyword, which has these scans. */
export const scanned = (...scans: JsonObject[]): State => ({
	locations: [
		{ id: 'loc_1', name: 'Marlow', keywords_count: 1, last_scan_at: scans[0]?.scanned_at },
	],
	keywords: [{ id: 'kw_1', keyword: 'dentist' }],
	scans,
});
export const scan = (id: string, at: string, more: JsonObject = {}) => ({
	...{ id, scanned_at: `2025-11-${at}:00Z`, position: 3 },
	...more,
});
