import {
	type Clock,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	type Transport,
} from '../../../nodes/LocalSeo/client';
import { REFUSALS } from '../../support/gatewayPages';
import { BODIES, NO_ANSWERS, type Outcome, type World } from './dimensions';
import { Counter, LIMITS, QUOTAS, TELLINGS } from './limits';
import { TEXTS } from './texts';

/** A record as the service holds it, and the row that its request came from. */
export interface Stored {
	/** Its number, whatever the service shows. */
	id: number;
	shownId: string | number | undefined;
	row: string | undefined;
	at: number;
	fields: JsonObject;
	removedAt?: number;
}

/** What happened, in the order in which it did; milliseconds since the world began. */
export interface Entry {
	at: number;
	what: string;
}

/** One request as the service saw it, from its arrival on. */
export interface Seen {
	who: string;
	/** Tells the calls of a row that is run again apart. */
	call: number;
	method: string;
	at: number;
	/** Whether the service was there and answered: not busy, not in trouble. */
	isGood: boolean;
	/** When its response came; undefined without one. */
	answeredAt?: number;
	/** Whether it was refused because of a limit. */
	isRefused: boolean;
	/**
	 * Why its outcome is unknown: `own` is an error of the service itself, `silent` is no response, that
	 * of a gateway or none that can be read.
	 */
	doubt?: 'own' | 'silent';
}

const NGINX = REFUSALS['nginx, limit_req and limit_conn'].body;
const WEEK = 7 * 24 * 3_600_000;
/** Others post for so many milliseconds before and after a list is read; then so many records at most. */
const OTHERS_GO_ON = 3_000;
const MOST_OF_OTHERS = 1_000;

/** A service that is made from a world. */
export class Service {
	readonly records: Stored[] = [];
	readonly history: Entry[] = [];
	readonly requests: Seen[] = [];
	private readonly began: number;
	private cache?: { until: number; records: Stored[] };
	private readonly writes: Outcome[];
	private readonly reads: Outcome[];
	private readonly counter: Counter;
	private inFlight = 0;
	private calls = 0;
	private changesDone = 0;
	private lastRead = -Infinity;
	private postedByOthers = 0;
	private areOthersPosting = false;
	/** Who wrote first, and how many of its writes still meet what `unlucky` says. */
	private firstWriter?: string;
	private unluckyWrites: number;

	constructor(
		private readonly world: World,
		private readonly clock: Clock,
	) {
		this.began = clock.now();
		this.writes = [...world.writes];
		this.reads = [...world.reads];
		this.unluckyWrites = world.unlucky?.times ?? 0;
		this.counter = new Counter(LIMITS[world.limit]);
		for (let index = 0; index < world.records.before; index++) {
			// Whoever posts the same without a look does so every week.
			const age = (world.records.before - index) * 90_000 + (world.readsFirst ? 0 : WEEK);
			this.add(undefined, fieldsOfRow(index % 5), this.began - age);
		}
		const { others = Infinity } = world;
		for (let age = OTHERS_GO_ON; age > 0 && others < Infinity; age -= others) {
			this.addStranger(this.began - age);
		}
	}

	log(what: string): void {
		this.history.push({ at: this.clock.now() - this.began, what });
	}

	/** The way of one call, of a row or of another caller, to the service. */
	transportOf = (who: string): Transport => {
		const call = ++this.calls;
		return async (request, signal) => await this.exchange({ who, call }, request, signal);
	};

	countOf(method: 'GET' | 'write'): number {
		return this.requests.filter((seen) => (seen.method === 'GET') === (method === 'GET')).length;
	}

	private async exchange(
		{ who, call }: Pick<Seen, 'who' | 'call'>,
		request: HttpRequest,
		signal?: AbortSignal,
	): ReturnType<Transport> {
		const time = latencyOf(this.world, request.method, this.requests.length);
		const seen: Seen = {
			who,
			call,
			method: request.method,
			at: this.clock.now(),
			isGood: false,
			isRefused: false,
		};
		this.requests.push(seen);
		const name = `${request.method} ${JSON.stringify(request.query)} by ${who}`;
		this.log(`${name} sent`);
		const timeout = request.timeoutMs;
		this.inFlight++;
		try {
			await this.clock.sleep(time / 2, signal);
			const response = await this.respond(seen, request, timeout, signal);
			await this.clock.sleep(time / 2, signal);
			this.log(`${name}: ${describe(response)}`);
			seen.answeredAt = this.clock.now();
			return response;
		} catch (error) {
			this.log(`${name} cancelled`);
			return { fault: 'cancelled', cause: error as Error };
		} finally {
			this.inFlight--;
		}
	}

	private async respond(
		seen: Seen,
		request: HttpRequest,
		timeout: number,
		signal?: AbortSignal,
	): ReturnType<Transport> {
		const { revokedAfter = Infinity, telling } = this.world;
		if (this.requests.length > revokedAfter) {
			seen.isGood = true;
			return this.response(401, { message: 'Who?' });
		}
		const wait = this.counter.refusal(this.now);
		if (wait !== undefined) {
			seen.isRefused = true;
			const told = TELLINGS[telling](wait, this.now);
			return this.response(429, { message: 'Too many' }, told);
		}
		if (this.inFlight > this.world.bears) {
			seen.isRefused = true;
			// One that bears a single request stands behind nginx with limit_conn.
			const isGateway = this.world.bears === 1;
			if (!isGateway) seen.doubt = 'own';
			return this.response(503, isGateway ? NGINX : { message: 'Busy' });
		}
		const outcome = this.nextOutcome(seen);
		seen.doubt = doubtAfter(outcome, timeout);
		if (outcome.kind !== 'answered') this.log(`… ${JSON.stringify(outcome)}`);
		switch (outcome.kind) {
			case 'answered':
				seen.isGood = true;
				return this.act(request, seen.who);
			case 'limited': {
				seen.isRefused = true;
				const headers = outcome.retryAfter ? { 'retry-after': outcome.retryAfter } : {};
				return this.response(429, { message: 'Too many' }, headers);
			}
			case 'fault': {
				if (outcome.acts) this.act(request, seen.who);
				if (outcome.fault === 'timeout') await this.clock.sleep(timeout, signal);
				const cause = Object.assign(new Error(outcome.code), { code: outcome.code });
				return { fault: outcome.fault, cause };
			}
			case 'status':
				if (outcome.acts) this.act(request, seen.who);
				return this.response(outcome.status, { message: 'Something is off' });
			case 'busy':
				seen.isRefused = true;
				return this.response(503, '<html><title>Busy</title></html>', { 'retry-after': '5' });
			case 'body':
				if (outcome.acts) this.act(request, seen.who);
				// As far as anyone can see: what it says is looked at later.
				seen.isGood = true;
				return this.response(outcome.status, BODIES[outcome.body]);
			case 'late':
				void this.clock.sleep(outcome.after).then(() => this.act(request, seen.who));
				return this.response(outcome.status, '<html><title>Gateway</title></html>');
			case 'slow': {
				const response = this.act(request, seen.who);
				await this.clock.sleep(Math.min(outcome.after, timeout), signal);
				if (outcome.after > timeout) return { fault: 'timeout', cause: new Error('slow') };
				seen.isGood = true;
				return response;
			}
			case 'silent': {
				if (outcome.acts) this.act(request, seen.who);
				// Not even the transport's own timeout ends it.
				await this.clock.sleep(10 * timeout, signal);
				return { fault: 'timeout', cause: new Error('silent') };
			}
		}
	}

	private nextOutcome({ method, who }: Seen): Outcome {
		const answered: Outcome = { kind: 'answered' };
		if (method === 'GET') return this.reads.shift() ?? answered;
		const { unlucky } = this.world;
		this.firstWriter ??= who;
		if (unlucky && who === this.firstWriter && this.unluckyWrites-- > 0) return unlucky.outcome;
		return this.writes.shift() ?? answered;
	}

	private act(request: HttpRequest, who: string): HttpResponse {
		if (request.method === 'GET') return this.read(request);
		const fields = JSON.parse(request.body ?? '{}') as JsonObject;
		if (request.method === 'POST') {
			const record = this.add(who, fields, this.clock.now());
			this.log(`record ${record.id} made for ${who}`);
			return this.response(201, { data: this.shown(record) });
		}
		const record = this.find(request);
		if (!record) return this.response(404, { message: 'Not there' });
		if (request.method === 'DELETE') {
			this.remove(record);
			return this.response(204, '');
		}
		Object.assign(record.fields, this.stored(fields));
		return this.response(200, { data: this.shown(record) });
	}

	private add(row: string | undefined, fields: JsonObject, at: number): Stored {
		const id = this.records.length + 1;
		const record = { id, shownId: this.newId(id), row, at, fields: this.stored(fields) };
		this.records.push(record);
		return record;
	}

	private stored(fields: JsonObject): JsonObject {
		const text = TEXTS[this.world.records.text];
		const kept = (value: unknown) => (typeof value === 'string' ? text(value) : value);
		return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, kept(value)]));
	}

	private find({ path }: HttpRequest): Stored | undefined {
		const id = decodeURIComponent(path.split('/')[2]);
		return this.records.find(
			({ removedAt, shownId }) => removedAt === undefined && String(shownId) === id,
		);
	}

	private read(request: HttpRequest): HttpResponse {
		if (!request.path.endsWith('s')) {
			const record = this.find(request);
			if (!record) return this.response(404, { message: 'Not there' });
			return this.response(200, { data: this.shown(record) });
		}
		this.lastRead = this.clock.now();
		void this.letOthersPost();
		this.change();
		return this.page(request);
	}

	private async letOthersPost(): Promise<void> {
		const { others } = this.world;
		if (others === undefined || this.areOthersPosting) return;
		this.areOthersPosting = true;
		while (this.clock.now() < this.lastRead + OTHERS_GO_ON) {
			await this.clock.sleep(others);
			if (++this.postedByOthers > MOST_OF_OTHERS) return;
			this.addStranger();
		}
		this.areOthersPosting = false;
	}

	private addStranger(at = this.clock.now()): void {
		this.add(undefined, { title: `Stranger ${this.records.length}` }, at);
	}

	/** What others do to the list while it is read. */
	private change(): void {
		const reads = this.countOf('GET');
		const due = this.world.list.changes.filter(({ before }) => before <= reads);
		for (const { what, where } of due.slice(this.changesDone)) {
			if (what === 'add') {
				this.addStranger();
			} else {
				const there = this.records.filter(
					({ row, removedAt }) => row === undefined && removedAt === undefined,
				);
				this.remove(there[where % Math.max(1, there.length)]);
			}
			this.log(`a stranger: ${what}`);
		}
		this.changesDone = Math.max(this.changesDone, due.length);
	}

	private page({ query }: HttpRequest): HttpResponse {
		const { pageSize, firstPage, pageParameter, pastEnd, says, sign } = this.world.list;
		if (pageParameter === 'refused' && query.page !== undefined) {
			return this.response(400, { message: 'page: unknown' });
		}
		const size = Math.min(pageSize, Number(query.per_page ?? pageSize));
		const asked = pageParameter === 'known' ? Number(query.page ?? firstPage) - firstPage : 0;
		const records = this.listed();
		const lastIndex = Math.max(0, Math.ceil(records.length / size) - 1);
		if (asked > lastIndex && (pastEnd === 404 || pastEnd === 422)) {
			return this.response(pastEnd, { message: 'There is no such page' });
		}
		const index = pastEnd === 'clamped' ? Math.min(asked, lastIndex) : asked;
		const data = records.slice(index * size, (index + 1) * size);
		const meta: JsonObject = {};
		if (says === 'both' || says === 'current_page') meta.current_page = index + firstPage;
		if (says === 'both' || says === 'per_page') meta.per_page = size;
		const total = this.totalOf(records.length, data.length);
		if (total !== undefined) meta.total = total;
		const shown = data.map((record) => this.shown(record, true));
		const body: JsonObject = { data: shown, meta };
		const hasMore = index < lastIndex;
		if (sign === 'last_page') meta.last_page = lastIndex + firstPage;
		if (sign === 'has_more') body.has_more = hasMore;
		if (sign === 'next') body.links = { next: hasMore ? `/x?page=${index + 1 + firstPage}` : null };
		return this.response(200, body);
	}

	/** The records in their order, as the cache has them. */
	private listed(): Stored[] {
		const { order, staleness } = this.world.list;
		const now = this.clock.now();
		if (!this.cache || this.cache.until <= now) {
			const records = this.records.filter(({ removedAt }) => removedAt === undefined);
			this.cache = { until: now + staleness, records };
		}
		const records = [...this.cache.records];
		if (order === 'newest-first') records.reverse();
		if (order === 'shuffled') records.sort((a, b) => ((a.id * 7) % 11) - ((b.id * 7) % 11));
		return records;
	}

	private totalOf(all: number, ofPage: number): unknown {
		switch (this.world.list.totals) {
			case 'right':
				return all;
			case 'absent':
				return undefined;
			case 'text':
				return String(all);
			case 'too-low':
				return Math.max(0, all - 2);
			case 'too-high':
				return all + 2;
			case 'huge':
				return 1_000_000_000;
			case 'negative':
				return -1;
			case 'of-page':
				return ofPage;
		}
	}

	/** A record as the service shows it. */
	private shown(record: Stored, isListed = false): JsonObject {
		const { areListedWithout, addedFields } = this.world.records;
		const shown: JsonObject = { ...record.fields, status: 'published' };
		if (isListed && areListedWithout !== 'nothing') delete shown[areListedWithout];
		if (addedFields)
			Object.assign(shown, { slug: `s${record.id}`, views: 0, tags: [], author: null });
		if (record.shownId !== undefined) shown.id = record.shownId;
		// So that a reading can be judged, whatever its records show.
		if (this.world.job === 'list') shown.no = record.id;
		const created = this.createdAt(record);
		if (created !== undefined) shown.created_at = created;
		return shown;
	}

	private newId(id: number): string | number | undefined {
		switch (this.world.records.ids) {
			case 'text':
				return `post_${id}`;
			case 'number':
				return id;
			case 'none':
				return undefined;
			case 'reused': {
				// Without a date of its own, the same text under the same ID is the same record.
				const { dates } = this.world.clock;
				if (dates === 'absent' || dates === 'from-row') return `post_${id}`;
				const used = this.records.filter(({ removedAt }) => removedAt === undefined);
				const free = this.records.find(
					({ removedAt, shownId }) =>
						removedAt !== undefined && !used.some((other) => other.shownId === shownId),
				);
				return free?.shownId ?? `post_${id}`;
			}
		}
	}

	/** Someone removes a record; its ID may be given again. */
	remove(record: Stored | undefined): void {
		if (record) record.removedAt = this.clock.now();
	}

	private createdAt({ at, fields }: Stored): unknown {
		const { offset, granularity, wrongZone, dates } = this.world.clock;
		if (dates === 'absent') return undefined;
		if (dates === 'from-row') return fields.created_at ?? fields.publish_at;
		const shift = wrongZone * 3_600_000 + (dates === 'future' ? 1e12 : 0);
		const cut = Math.floor((at + offset + shift) / granularity) * granularity;
		const text = new Date(cut).toISOString();
		return dates === 'no-zone' ? text.slice(0, -1) : text;
	}

	private get now(): number {
		return this.clock.now() + this.world.clock.offset;
	}

	private response(status: number, body: unknown, more: JsonObject = {}): HttpResponse {
		const date = new Date(this.now).toUTCString();
		const dated = this.world.clock.hasDateHeader ? { date, ...more } : more;
		return { status, headers: { ...this.quota(), ...dated }, body };
	}

	private quota(): JsonObject {
		const { limit } = this.counter;
		if (!limit) return {};
		const left = this.counter.left(this.now);
		return QUOTAS[this.world.quota](left, limit.most, this.requests.length);
	}
}

/** Why the outcome of a write is unknown to whoever sent it, if it is. */
function doubtAfter(outcome: Outcome, timeoutMs: number): Seen['doubt'] {
	switch (outcome.kind) {
		case 'status':
			return [500, 503].includes(outcome.status) ? 'own' : 'silent';
		case 'body':
			return NO_ANSWERS.includes(outcome.body) ? 'silent' : undefined;
		case 'slow':
			return outcome.after > timeoutMs ? 'silent' : undefined;
		case 'fault':
		case 'late':
		case 'silent':
			return 'silent';
		default:
			return undefined;
	}
}

/** A service that is slower than this is down (ms). */
const SLOWEST = 5_000;

/** Milliseconds of the response to one request, after so many others. */
export function latencyOf(world: World, method: string, others: number): number {
	const { latency, writeLatency = latency, changes } = world;
	const usual = method === 'GET' ? latency : writeLatency;
	if (!changes || others < changes.after) return usual;
	return Math.min(SLOWEST, changes.factor * usual);
}

/** What the rows of a sheet hold, with characters that services like to change. */
export function fieldsOfRow(index: number, more: World['rows']['more'] = 'nothing'): JsonObject {
	const fields: JsonObject = {
		title: `Offer ${index + 1}: "Café" & more`,
		content: `What **row ${index + 1}** has to say, isn't it ﬁne? ${'Come by and see. '.repeat(3)}`,
	};
	const day = new Date(Date.UTC(2026, 1, 1 + index)).toISOString();
	switch (more) {
		case 'nothing':
			return fields;
		case 'numbers':
			return { price: 19.9 + index, stock: 0, ...fields };
		case 'dates':
			return { ...fields, publish_at: day };
		case 'nested':
			return {
				...fields,
				image: { url: `https://example.com/${index}.png`, size: [1, 2] },
				tags: [],
			};
		case 'created_at':
			return { ...fields, created_at: day };
		case 'much':
			return { ...fields, content: `${String(fields.content)} ${'Much to say. '.repeat(20_000)}` };
	}
}

/** In a few words: a piece of a large text would keep the whole of it. */
function describe(response: Awaited<ReturnType<Transport>>): string {
	if ('fault' in response) return response.fault;
	const { status, body } = response;
	if (typeof body === 'string') return `${status} ${body}`;
	const { data, meta } = body as { data?: unknown; meta?: unknown };
	if (!Array.isArray(data))
		return `${status}, ${Object.keys(body as object)
			.slice(0, 3)
			.join(' ')}`;
	const ids = data.map((record) => (record as JsonObject).id);
	return `${status}, ${data.length} records: ${JSON.stringify(ids)} ${JSON.stringify(meta)}`;
}
