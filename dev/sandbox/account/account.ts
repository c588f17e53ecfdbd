import { Counter } from './counter';
import { type Answer, type Call, type Fields, type Kind, read, type Request } from './exchange';
import { pageOf } from './paging';
import { INTERFACE, type Switches } from './switches';

/** What the records of a list belong to: the field with its ID. */
const OWNER: Partial<Record<Kind, string>> = {
	keywords: 'location_id',
	posts: 'location_id',
	scans: 'keyword_id',
};

/**
 * One customer's account at the service: a request comes in, its answer goes out. It knows no network
 * and no time of its own, so that a socket and a simulation can stand before it.
 */
export class Account {
	private readonly switches: Switches;
	private readonly lists = new Map<string, Fields[]>();
	/** By kind and ID. */
	private readonly index = new Map<string, Fields>();
	private readonly cached = new Map<string, { records: Fields[]; until: number }>();
	private readonly counters = new Map<string, Counter>();
	private readonly counts = new Map<string, number>();
	private requests = 0;
	private added = 0;

	constructor(
		private readonly clock: { now(): number },
		switches: Partial<Switches> = {},
	) {
		this.switches = { ...INTERFACE, ...switches };
	}

	/** The time by the service's clock. */
	get now(): number {
		return this.clock.now() + this.switches.offset;
	}

	handle(request: Request, key = ''): Answer {
		return this.dressed(this.refusal(key) ?? this.act(request), key);
	}

	/** Counts a request; the answer if it is one too many. */
	refusal(key = ''): Answer | undefined {
		this.requests++;
		const wait = this.counterOf(key).refusal(this.now);
		if (wait === undefined) return undefined;
		const headers = this.switches.saysWait(wait, this.now);
		return { status: 429, headers, body: { message: 'Too many requests' } };
	}

	/** Does what a request asks for, whatever the limit. */
	act(request: Request): Answer {
		const earlier = this.counts.get(request.method) ?? 0;
		this.counts.set(request.method, earlier + 1);
		const call = read(request);
		return call ? this.respond({ ...call, earlier }) : NOT_FOUND;
	}

	/** An answer with the headers that all answers have. */
	dressed(answer: Answer, key = ''): Answer {
		const { hasDate, saysQuota } = this.switches;
		const quota = this.counterOf(key).quota(this.now);
		const headers = {
			...(quota && saysQuota(quota, this.requests)),
			...(hasDate && { date: new Date(this.now).toUTCString() }),
			...answer.headers,
		};
		return { ...answer, headers };
	}

	/** The records of a list, live: what is changed in place is served with its changes. */
	list(kind: Kind, ownerId = ''): Fields[] {
		return remembered(this.lists, `${kind} of ${ownerId}`, () => {
			const records = this.switches.sample(kind, ownerId);
			for (const record of records) this.index.set(`${kind} ${String(record.id)}`, record);
			return records;
		});
	}

	all(kind: Kind): Fields[] {
		const lists = [...this.lists].filter(([name]) => name.startsWith(`${kind} of `));
		return lists.flatMap(([, records]) => records);
	}

	find(kind: Kind, id: string): Fields | undefined {
		return this.index.get(`${kind} ${id}`);
	}

	clear(): void {
		for (const store of [this.lists, this.index, this.cached]) store.clear();
	}

	/** Adds a record as if it had been sent. */
	create(kind: Kind, fields: Fields, ownerId?: string): Fields {
		return this.add(kind, this.switches.stores(fields, kind, true), ownerId);
	}

	/** Adds a record as it is, but for its ID and date. */
	add(kind: Kind, fields: Fields, ownerId?: string, at = this.clock.now()): Fields {
		const { id, createdAt, offset, newestFirst } = this.switches;
		const list = this.list(kind, ownerId);
		const created_at = createdAt(new Date(at + offset), fields);
		const owner = OWNER[kind];
		const record: Fields = {
			...id(++this.added, kind, list),
			...(owner && ownerId !== undefined && { [owner]: ownerId }),
			...fields,
			...(created_at !== undefined && { created_at }),
		};
		if (newestFirst.includes(kind)) list.unshift(record);
		else list.push(record);
		this.index.set(`${kind} ${String(record.id)}`, record);
		return record;
	}

	remove(kind: Kind, record: Fields): void {
		const owner = OWNER[kind];
		const list = this.list(kind, owner && String(record[owner]));
		list.splice(list.indexOf(record), 1);
		this.index.delete(`${kind} ${String(record.id)}`);
	}

	private respond(call: Call): Answer {
		const { switches } = this;
		const { method, kind, id, isOne } = call;
		const answer = switches.instead(call);
		if (answer) return answer;
		const owner = id === undefined ? undefined : this.find(call.root, id);
		if (id !== undefined && !owner) return NOT_FOUND;
		if (kind === 'insights') return { body: { data: switches.insights(owner!, call) } };
		if (isOne) return this.respondWith(owner!, call);
		if (method === 'POST') return switches.created(this.create(kind, call.fields, id), call);
		const { records, ageMs } = this.listed(kind, id);
		const page = pageOf(switches.shows(records, call), call.query, switches);
		const listing = 'data' in page ? switches.page(page, call) : page;
		const age = String(Math.floor(ageMs / 1000));
		return switches.saysAge ? { ...listing, headers: { ...listing.headers, age } } : listing;
	}

	private respondWith(record: Fields, call: Call): Answer {
		const { switches } = this;
		const { method, root } = call;
		if (method === 'DELETE') {
			this.remove(root, record);
			return switches.deleted(record, call);
		}
		if (method !== 'PATCH') return { body: { data: record } };
		const before = { ...record };
		Object.assign(record, switches.stores(call.fields, root, false));
		return switches.updated(record, call, before);
	}

	/** A list as the cache has it. */
	private listed(kind: Kind, ownerId?: string): { records: Fields[]; ageMs: number } {
		const list = this.list(kind, ownerId);
		const { staleness } = this.switches;
		if (staleness === 0) return { records: list, ageMs: 0 };
		const now = this.clock.now();
		const name = `${kind} of ${ownerId}`;
		const cached = this.cached.get(name);
		if (cached && cached.until > now) {
			return { records: cached.records, ageMs: now - (cached.until - staleness) };
		}
		const records = [...list];
		this.cached.set(name, { records, until: now + staleness });
		return { records, ageMs: 0 };
	}

	private counterOf(key: string): Counter {
		return remembered(this.counters, key, () => new Counter(this.switches.limit));
	}
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not found' } };

/** The value that a map holds for a key, created when it is first needed. */
function remembered<T>(store: Map<string, T>, key: string, make: () => T): T {
	let value = store.get(key);
	if (value === undefined) {
		value = make();
		store.set(key, value);
	}
	return value;
}
