import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import { Poller, runNode, type RunOptions } from '../../support/engine';

export type Fields = Record<string, unknown>;
export type Kind = 'locations' | 'keywords' | 'posts' | 'scans';

/** What the backend answers; without a body, nothing comes after the headers. */
export interface Answer {
	status?: number;
	/** Sent as JSON; a text or bytes as they are. */
	body?: unknown;
	headers?: Record<string, string>;
}

/** A request as a handler sees it. */
export interface Call {
	method: string;
	/** Below the Base URL. */
	path: string;
	query: URLSearchParams;
	headers: IncomingMessage['headers'];
	fields: Fields;
	kind: Kind | 'insights';
	/** The ID in the path. */
	id?: string;
	/** How many requests with this method came before. */
	earlier: number;
}

/** What a backend may do one way or another. The defaults are those of the interface. */
export interface Switches {
	/** Answers in place of everything below, where it answers. */
	instead: (call: Call) => Answer | undefined;
	/** The ID of a record under its name, from a number that counts up or from those that are there. */
	id: (number: number, kind: Kind, records: Fields[]) => Fields;
	/** What is kept of the fields that were sent. */
	stores: (fields: Fields, call: Call) => Fields;
	/** `created_at` as it is shown; undefined: none. */
	createdAt: (at: Date) => unknown;
	/** Milliseconds that the service's clock is ahead. */
	clock: number;
	hasDate: boolean;
	created: (record: Fields, call: Call) => Answer;
	updated: (record: Fields, call: Call, before: Fields) => Answer;
	deleted: (record: Fields, call: Call) => Answer;
	/** The records of a list in its order; they are given as they were created. */
	shows: (records: Fields[], call: Call) => Fields[];
	pageSize: number;
	page: (records: Fields[], call: Call, all: Fields[]) => Answer;
}

/** Of all records, one page after the other, with `meta` as the interface shows it. */
export const metaOf = (call: Call, all: Fields[], pageSize: number) => ({
	current_page: pageOf(call),
	per_page: pageSize,
	total: all.length,
});

export const pageOf = ({ query }: Pick<Call, 'query'>) => Number(query.get('page') ?? 1);

const PREFIX: Record<Kind, string> = {
	locations: 'loc',
	keywords: 'kw',
	posts: 'post',
	scans: 'scan',
};

const idOf = (number: number, kind: Kind) => ({
	id: `${PREFIX[kind]}_${(0xa1b2c3 + number * 7919).toString(36)}`,
});

const interfaceOf = (own: Partial<Switches>): Switches => ({
	instead: () => undefined,
	id: idOf,
	stores: (fields) => fields,
	createdAt: (at) => at.toISOString(),
	clock: 0,
	hasDate: true,
	created: (data) => ({ status: 201, body: { data } }),
	updated: (data) => ({ body: { data } }),
	deleted: () => ({ status: 204 }),
	shows: (records) => records,
	pageSize: 15,
	page: (data, call, all) => ({
		body: { data, meta: metaOf(call, all, own.pageSize ?? 15) },
	}),
	...own,
});

const ROUTE = /^\/(locations|keywords)(?:\/([^/]+)(?:\/(keywords|posts|insights|scans))?)?$/;

/** One customer's account at the backend, with switches of its own. */
export class Service {
	readonly credential: { baseUrl: string; apiKey: string };
	/** `METHOD /path?query` of every request, in order of arrival. */
	readonly requests: string[] = [];
	readonly calls: Call[] = [];
	readonly records: Record<Kind, Fields[]> = { locations: [], keywords: [], posts: [], scans: [] };
	private readonly switches: Switches;
	private count = 0;

	constructor(origin: string, number: number, switches: Partial<Switches>) {
		this.switches = interfaceOf(switches);
		this.credential = { baseUrl: `${origin}/${number}/api/v1`, apiKey: `key-of-account-${number}` };
		const city = { city: 'Leeds', country: 'GB' };
		for (const name of ['Corner Bakery', 'Hill Street Dental']) {
			const address = `${this.count + 1} High Street`;
			const counts = { rank_score: 61, status: 'active', keywords_count: 0 };
			this.add('locations', { name, address, ...city, ...counts });
		}
	}

	/** The ID of a location, in the form of the service. */
	location(index = 0): string {
		return String(this.records.locations[index].id);
	}

	/** Adds a record that was there before. */
	add(kind: Kind, fields: Fields, at = new Date('2026-01-05T09:30:00Z')): Fields {
		const { id, createdAt, clock } = this.switches;
		const number = ++this.count;
		const created_at = createdAt(new Date(at.getTime() + clock));
		// A location always has an `id`: other paths begin with it.
		const record: Fields = {
			...(kind === 'locations' ? idOf(number, kind) : {}),
			...id(number, kind, this.records[kind]),
			...fields,
			...(created_at === undefined ? {} : { created_at }),
		};
		this.records[kind].push(record);
		return record;
	}

	/** Posts from before, each with texts of its own. */
	addPosts(count: number, location = 0): Fields[] {
		return Array.from({ length: count }, (_, index) =>
			this.add('posts', {
				location_id: this.location(location),
				title: `Older post ${index + 1}`,
				content: `What we wrote in week ${index + 1}`,
			}),
		);
	}

	/** What was sent with a method. */
	sent(method: string): Fields[] {
		return this.calls.filter((call) => call.method === method).map(({ fields }) => fields);
	}

	countOf(method: string): number {
		return this.calls.filter((call) => call.method === method).length;
	}

	/** Runs the node with this account; a run that waits is stopped. */
	async run(parameters: INodeParameters, rows: object[] = [{}], more: Partial<RunOptions> = {}) {
		const { credential } = this;
		const signal = AbortSignal.timeout(GUARD);
		const result = await runNode({ credential, parameters, rows, signal, ...more });
		// The service's own records are what these tests look at; test/node shows the outcome beside them.
		const json = result.json.map((item) => ({ ...item }));
		for (const item of json) delete item.outcome;
		return { ...result, json, waited: signal.aborted };
	}

	poller(parameters: INodeParameters): Poller {
		const { credential } = this;
		return new Poller({
			credential,
			parameters: { locationIds: [], options: {}, ...parameters },
			budget: GUARD,
		});
	}

	handle(call: Call): Answer {
		const { instead, shows, page, pageSize } = this.switches;
		this.calls.push(call);
		const answer = instead(call);
		if (answer) return answer;
		const owner = this.find(call);
		if (call.id !== undefined && !owner) return NOT_FOUND;
		if (call.method === 'POST') return this.create(call);
		if (call.method === 'PATCH') return this.update(call, owner!);
		if (call.method === 'DELETE') return this.delete(call, owner!);
		if (call.kind === 'insights') return { body: { data: { days: [] } } };
		if (isOne(call)) return { body: { data: owner } };
		const field = call.path.startsWith('/keywords') ? 'keyword_id' : 'location_id';
		const all = shows(
			this.records[call.kind].filter((one) => call.id === undefined || one[field] === call.id),
			call,
		);
		const size = Number(call.query.get('per_page') ?? pageSize);
		const from = (pageOf(call) - 1) * size;
		return page(all.slice(from, from + size), call, all);
	}

	/** The record that the ID in the path belongs to. */
	private find({ id, path }: Call): Fields | undefined {
		const kind = path.startsWith('/keywords') ? 'keywords' : 'locations';
		return this.records[kind].find((one) => String(one.id) === id);
	}

	private create(call: Call): Answer {
		const { stores, created } = this.switches;
		const owner = call.id === undefined ? {} : { location_id: call.id };
		const kind = call.kind as Kind;
		return created(this.add(kind, { ...owner, ...stores(call.fields, call) }, new Date()), call);
	}

	private update(call: Call, record: Fields): Answer {
		const before = { ...record };
		Object.assign(record, this.switches.stores(call.fields, call));
		return this.switches.updated(record, call, before);
	}

	private delete(call: Call, record: Fields): Answer {
		const { keywords } = this.records;
		keywords.splice(keywords.indexOf(record), 1);
		return this.switches.deleted(record, call);
	}

	headers(): Record<string, string> {
		const { hasDate, clock } = this.switches;
		return hasDate ? { Date: new Date(Date.now() + clock).toUTCString() } : {};
	}
}

/** Milliseconds after which a run is stopped that waits for something. */
const GUARD = 20_000;

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not found' } };

/** Whether a path is that of a record, not of a list. */
const isOne = ({ id, path }: Call) => id !== undefined && path.split('/').length === 3;

/** Starts the backend for the tests of a file; each call gives an account of its own. */
export function useBackend(): (switches?: Partial<Switches>) => Service {
	const services: Service[] = [];
	const server = createServer((request, response) => void answer(services, request, response));
	beforeAll(async () => await new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	return (switches = {}) => {
		const { port } = server.address() as AddressInfo;
		const service = new Service(`http://127.0.0.1:${port}`, services.length, switches);
		services.push(service);
		return service;
	};
}

async function answer(services: Service[], request: IncomingMessage, response: ServerResponse) {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://backend');
	const [, number, path] = /^\/(\d+)\/api\/v1(\/.*)$/.exec(pathname) ?? [];
	const service = services[Number(number)];
	const [, root, id, below] = ROUTE.exec(path.replace(/\/$/, '')) ?? [];
	const method = String(request.method);
	service.requests.push(`${method} ${path}${searchParams.size > 0 ? `?${searchParams}` : ''}`);
	const { status, body, headers } = service.handle({
		...{ method, path, query: searchParams, headers: request.headers },
		fields: text === '' ? {} : (JSON.parse(text) as Fields),
		kind: (below ?? root) as Kind,
		id: id && decodeURIComponent(id),
		earlier: service.countOf(method),
	});
	const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
	response.sendDate = false;
	response.writeHead(status ?? 200, {
		...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		...service.headers(),
		...headers,
	});
	response.end(body === undefined ? undefined : isRaw ? body : JSON.stringify(body));
}
