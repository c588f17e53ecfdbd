import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Account, type Connection, type JsonObject } from '../../nodes/LocalSeo/client';
import { poll } from '../../nodes/LocalSeo/trigger/poll';
import { ProcessMemory } from '../../nodes/LocalSeo/trigger/state';
import { failure } from '../support/hostFeatures';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A trigger in n8n, with a service that answers in 20 ms. */
class Trigger {
	readonly clock = new VirtualClock();
	readonly stored: IDataObject = {};
	readonly warnings: string[] = [];
	mode = 'trigger';
	/** How the workflow became active. */
	activation = 'activate';
	locations: JsonObject[] = [{ id: 'loc_1', name: 'Marlow' }];
	/** By path. */
	lists: Record<string, JsonObject[]> = {};
	status: (path: string) => number = () => 200;
	headers: Record<string, string> = {};
	latency = 20;
	budget = 5 * MINUTE;
	asked: string[] = [];
	private memory = new ProcessMemory(this.clock);
	private readonly account = new Account(this.clock, seededRandom());
	private context: IPollFunctions;

	constructor(private readonly parameters: JsonObject = { events: ['locationChanged'] }) {
		this.context = this.contextOf();
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
			Promise.resolve<Connection>({
				account: this.account,
				...waiting,
				transport: async ({ path }) => {
					this.asked.push(path);
					await this.clock.sleep(this.latency);
					const data = path === '/locations' ? this.locations : (this.lists[path] ?? []);
					const meta = { current_page: 1, per_page: 50, total: data.length };
					const headers = { date: new Date(this.clock.now()).toUTCString(), ...this.headers };
					return { status: this.status(path), headers, body: { data, meta } };
				},
			});
		const { clock, memory } = this;
		return poll(this.context, { clock, memory, connect: connect as never });
	}

	/** What is reported, by event and ID. */
	async reported() {
		const [items = []] = (await this.poll()) ?? [];
		return items.map(({ json }) => `${json.event as string} ${(json.record as JsonObject).id}`);
	}
}

const renamed = [{ id: 'loc_1', name: 'Henley' }];

test('the options decide what is reported', async () => {
	const events = ['rankScoreChanged', 'locationChanged'];
	const scores = async (options: JsonObject) => {
		const trigger = new Trigger({ events, options });
		trigger.locations = [{ id: 'loc_1', rank_score: 50, city: 'Marlow', name: 'a' }];
		await trigger.poll();
		trigger.locations = [{ id: 'loc_1', rank_score: 53, city: 'Henley', name: 'b' }];
		return await trigger.reported();
	};
	const both = ['rankScoreChanged loc_1', 'locationChanged loc_1'].sort();
	expect((await scores({ direction: 'up', minimumChange: 3 })).sort()).toEqual(both);
	expect(await scores({ direction: 'down' })).toEqual(['locationChanged loc_1']);
	expect(await scores({ minimumChange: 4 })).toEqual(['locationChanged loc_1']);
	expect(await scores({ fieldsToWatch: 'phone' })).toEqual(['rankScoreChanged loc_1']);
});

describe('another account', () => {
	const changesWith = async (after: JsonObject[], locationIds: string[] = []) => {
		const trigger = new Trigger({ events: ['locationAdded', 'locationChanged'], locationIds });
		await trigger.poll();
		trigger.locations = after;
		return await trigger.reported();
	};

	test('is one of which no location is known: it begins anew', async () => {
		expect(await changesWith([{ id: 'loc_7' }, { id: 'loc_8' }])).toEqual([]);
	});

	test('is none that still has one of them', async () => {
		const after = [{ id: 'loc_7', created_at: '2026-01-01T00:01:30Z' }, ...renamed];
		expect((await changesWith(after)).sort()).toEqual([
			'locationAdded loc_7',
			'locationChanged loc_1',
		]);
	});
});

describe('lists that can not be read', () => {
	const posts = {
		'/locations/loc_1/posts': [{ id: 'post_1', created_at: '2026-01-01T00:02:30Z' }],
	};
	const withPosts = () => new Trigger({ events: ['postAdded', 'locationChanged'] });
	const withoutPosts = (status: number) => (path: string) =>
		path.endsWith('posts') ? status : 200;

	test('fail the poll if nothing else was found, and nothing is forgotten', async () => {
		const trigger = withPosts();
		await trigger.poll();
		trigger.status = withoutPosts(403);
		trigger.lists = posts;
		await expect(trigger.poll()).rejects.toMatchObject({ httpCode: '403' });
		trigger.status = () => 200;
		expect(await trigger.reported()).toEqual(['postAdded post_1']);
	});

	test('do not hold back what was found; the log has them', async () => {
		const trigger = withPosts();
		await trigger.poll();
		trigger.status = withoutPosts(403);
		trigger.locations = renamed;
		expect(await trigger.reported()).toEqual(['locationChanged loc_1']);
		expect(trigger.warnings).toEqual([expect.stringMatching(/^Local SEO Trigger: ./)]);
	});

	test('fail the first poll, which then is first again', async () => {
		const trigger = withPosts();
		trigger.status = withoutPosts(403);
		await expect(trigger.poll()).rejects.toMatchObject({ httpCode: '403' });
		expect(trigger.stored).toEqual({});
		trigger.status = () => 200;
		trigger.lists = posts;
		expect(await trigger.reported()).toEqual([]);
	});
});

test('a rate limit that does not end in time is reported as such, with the wait', async () => {
	const trigger = new Trigger();
	await trigger.poll();
	trigger.budget = MINUTE;
	trigger.status = () => 429;
	trigger.headers = { 'retry-after': '100' };
	await expect(trigger.poll()).rejects.toMatchObject({
		httpCode: '429',
		...failure({ cause: 'rate-limited', retryAfterMs: expect.any(Number) }),
		description: expect.not.stringMatching(/option/i),
	});
	// A request that would have to wait for it fails the same way, without being sent.
	await expect(trigger.clock.run(trigger.pollNow())).rejects.toMatchObject({
		description: expect.stringMatching(/had no effect\. Run it again later\.$/),
	});
});

test('no response in time: the message names no option, since the trigger has none', async () => {
	const trigger = new Trigger();
	trigger.latency = HOUR;
	await expect(trigger.poll()).rejects.toMatchObject({
		message: 'The service did not respond in time',
		description: expect.not.stringMatching(/option/i),
	});
});

describe('a sample', () => {
	const sampleOf = async (events: string[], prepare: (trigger: Trigger) => void) => {
		const trigger = new Trigger({ events });
		trigger.mode = 'manual';
		prepare(trigger);
		const [[item] = []] = (await trigger.poll()) ?? [];
		return { json: item?.json, asked: trigger.asked };
	};

	test('is of the first event that there is a record for, at the location that was scanned last', async () => {
		const { json } = await sampleOf(['postAdded', 'nosuch', 'keywordAdded'], (trigger) => {
			trigger.locations = [
				{ id: 'loc_1', last_scan_at: '2025-12-01T00:00:00Z' },
				{ id: 'loc_2', last_scan_at: '2025-12-03T00:00:00Z' },
			];
			for (const { id } of trigger.locations) {
				trigger.lists[`/locations/${id as string}/keywords`] = [{ id: `kw of ${id as string}` }];
			}
		});
		expect(json).toMatchObject({ event: 'keywordAdded', record: { id: 'kw of loc_2' } });
	});

	test('is looked for at five locations at most, and null if there is none', async () => {
		const { json, asked } = await sampleOf(['postAdded'], (trigger) => {
			trigger.locations = Array.from({ length: 9 }, (_, index) => ({ id: `loc_${index}` }));
		});
		expect(json).toBeUndefined();
		expect(asked).toHaveLength(6);
	});
});
