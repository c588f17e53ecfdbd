import { Account, type Answer, type Fields, type Page } from '../../../dev/sandbox/account';
import type {
	Clock,
	HttpFault,
	HttpRequest,
	JsonObject,
	Transport,
} from '../../../nodes/LocalSeo/client';
import { transportTo } from '../../support/accountTransport';
import { REFUSALS } from '../../support/gatewayPages';
import { meet } from '../outcomes';
import { BODIES, type Outcome, type World } from './dimensions';
import { LIMITS, QUOTAS, TELLINGS } from './limits';
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
const LOCATION = 'loc_1';

/** A service that is made from a world. */
export class Service {
	readonly records: Stored[] = [];
	readonly history: Entry[] = [];
	readonly requests: Seen[] = [];
	private readonly account: Account;
	private readonly began: number;
	private readonly writes: Outcome[];
	private readonly reads: Outcome[];
	private inFlight = 0;
	/** Whose request it is that the service acts on. */
	private writer = '';
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
		const { list } = world;
		this.account = new Account(clock, {
			...{ offset: world.clock.offset, hasDate: world.clock.hasDateHeader },
			id: (_, kind) => (kind === 'locations' ? { id: LOCATION } : this.newId()),
			stores: (fields, _, isNew) => this.stored(fields, isNew),
			created: (record) => this.created(record),
			deleted: (record) => this.deleted(record),
			createdAt: (at) => this.createdAt(at),
			newestFirst: list.order === 'newest-first' ? ['posts'] : [],
			shows: (records) => this.ordered(records),
			...{ staleness: list.cachedFor, saysAge: list.cachedFor > 0 },
			...{ pageSize: list.pageSize, maxPageSize: list.pageSize, firstPage: list.firstPage },
			pastEnd: typeof list.pastEnd === 'number' ? { status: list.pastEnd } : list.pastEnd,
			page: (page) => this.page(page),
			limit: LIMITS[world.limit],
			saysWait: TELLINGS[world.telling],
			saysQuota: QUOTAS[world.quota],
		});
		this.account.create('locations', {});
		for (let index = 0; index < world.records.before; index++) {
			// Whoever posts the same without a look does so every week.
			const age = (world.records.before - index) * 90_000 + (world.readsFirst ? 0 : WEEK);
			this.add(this.olderFields(index % 5), this.began - age);
		}
		const { others = Infinity } = world;
		for (let age = OTHERS_GO_ON; age > 0 && others < Infinity; age -= others) {
			this.addStranger(this.began - age);
		}
	}

	/** An older record: a run that looks first skips rows that are there, so none of them is one. */
	private olderFields(index: number): JsonObject {
		const fields = fieldsOfRow(index);
		return this.world.readsFirst
			? { ...fields, content: `Once: ${String(fields.content)}` }
			: fields;
	}

	log(what: string): void {
		this.history.push({ at: this.clock.now() - this.began, what });
	}

	/** The way of one call, of a row or of another caller, to the service. */
	transportOf = (who: string): Transport => {
		const call = ++this.calls;
		return async (request, signal) => {
			const { method } = request;
			const at = this.clock.now();
			const seen: Seen = { who, call, method, at, isGood: false, isRefused: false };
			const latency = latencyOf(this.world, method, this.requests.length);
			this.requests.push(seen);
			const name = `${method} ${JSON.stringify(request.query)} by ${who}`;
			this.log(`${name} sent`);
			const respond = async () => {
				const answer = await this.respond(seen, request, signal);
				return 'fault' in answer ? answer : this.account.dressed(answer);
			};
			this.inFlight++;
			const response = await transportTo(respond, this.clock, () => latency)(request, signal);
			this.inFlight--;
			this.log(`${name}: ${describe(response)}`);
			const isCancelled = 'fault' in response && response.fault === 'cancelled';
			if (!isCancelled) seen.answeredAt = this.clock.now();
			return response;
		};
	};

	countOf(method: 'GET' | 'write'): number {
		return this.requests.filter((seen) => (seen.method === 'GET') === (method === 'GET')).length;
	}

	private async respond(
		seen: Seen,
		request: HttpRequest,
		signal?: AbortSignal,
	): Promise<Answer | HttpFault> {
		const { revokedAfter = Infinity, bears } = this.world;
		if (this.requests.length > revokedAfter) {
			seen.isGood = true;
			return { status: 401, body: { message: 'Who?' } };
		}
		const refusal = this.account.refusal();
		if (refusal) {
			seen.isRefused = true;
			return refusal;
		}
		if (this.inFlight > bears) {
			seen.isRefused = true;
			// One that bears a single request stands behind nginx with limit_conn, and one says when to come back.
			if (bears === 1) return { status: 503, body: NGINX };
			const headers = bears === 3 ? { 'retry-after': '1' } : undefined;
			if (!headers) seen.doubt = 'silent';
			return { status: 503, headers, body: { message: 'Busy' } };
		}
		const { timeoutMs: timeout } = request;
		const outcome = this.nextOutcome(seen);
		seen.doubt = doubtAfter(outcome, timeout);
		seen.isRefused = outcome.kind === 'limited' || outcome.kind === 'busy';
		// As far as anyone can see: what a body says is looked at later.
		const isSlow = outcome.kind === 'slow' && outcome.after <= timeout;
		seen.isGood = outcome.kind === 'answered' || outcome.kind === 'body' || isSlow;
		if (outcome.kind !== 'answered') this.log(`… ${JSON.stringify(outcome)}`);
		const met = outcome.kind === 'body' ? { ...outcome, body: BODIES[outcome.body] } : outcome;
		const act = () => this.act(request, seen.who);
		return await meet(met, { act, clock: this.clock, timeout, signal });
	}

	private nextOutcome({ method, who }: Seen): Outcome {
		const answered: Outcome = { kind: 'answered' };
		if (method === 'GET') return this.reads.shift() ?? answered;
		const { unlucky } = this.world;
		this.firstWriter ??= who;
		if (unlucky && who === this.firstWriter && this.unluckyWrites-- > 0) return unlucky.outcome;
		return this.writes.shift() ?? answered;
	}

	private act(request: HttpRequest, who: string): Answer {
		if (request.method === 'GET') this.beforeRead();
		this.writer = who;
		return this.account.dressed(this.account.act(request));
	}

	private created(record: Fields): Answer {
		const { id } = this.note(record, this.clock.now(), this.writer);
		this.log(`record ${id} made for ${this.writer}`);
		return { status: 201, body: { data: { ...record } } };
	}

	private deleted(record: Fields): Answer {
		const stored = this.records.find(({ fields }) => fields === record)!;
		stored.removedAt = this.clock.now();
		return { status: 204 };
	}

	private add(fields: JsonObject, at: number): void {
		this.note(this.account.add('posts', this.stored(fields, true), LOCATION, at), at);
	}

	/** Keeps what is known of a record, for the judge. */
	private note(fields: JsonObject, at: number, row?: string): Stored {
		const shownId = fields.id as Stored['shownId'];
		const stored: Stored = { id: this.records.length + 1, shownId, row, at, fields };
		this.records.push(stored);
		return stored;
	}

	/** What the service keeps of the fields of a post, and what it adds. */
	private stored(fields: JsonObject, isNew: boolean): JsonObject {
		const { records, job } = this.world;
		const text = TEXTS[records.text];
		const kept = (value: unknown) => (typeof value === 'string' ? text(value) : value);
		const stored = Object.entries(fields).map(([name, value]) => [name, kept(value)]);
		const number = this.records.length + 1;
		return {
			...Object.fromEntries(stored),
			...(isNew && { status: 'published' }),
			...(isNew && records.addedFields && { slug: `s${number}`, views: 0, tags: [], author: null }),
			// So that a reading can be judged, whatever its records show.
			...(isNew && job === 'list' && { no: number }),
		};
	}

	private beforeRead(): void {
		this.lastRead = this.clock.now();
		void this.letOthersPost();
		this.change();
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
		this.add({ title: `Stranger ${this.records.length}` }, at);
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

	private page({ data, all, number, size }: Page): Answer {
		const { says } = this.world.list;
		const { areListedWithout } = this.world.records;
		const shown = data.map((record) => ({ ...record }));
		for (const record of shown) delete record[areListedWithout];
		const meta: JsonObject = {};
		if (says === 'both' || says === 'current_page') meta.current_page = number;
		if (says === 'both' || says === 'per_page') meta.per_page = size;
		const { totals } = this.world.list;
		if (totals !== 'absent') meta.total = totals === 'text' ? String(all.length) : all.length;
		return { body: { data: shown, meta } };
	}

	/** What the list shows of its records. */
	private visible(records: Fields[]): Fields[] {
		const { lag, hidesAhead } = this.world.list;
		const now = this.clock.now();
		if (lag === 0 && !hidesAhead) return records;
		const madeAt = new Map(this.records.map(({ fields, at }) => [fields, at]));
		return records.filter((record) => {
			const isAhead = hidesAhead && Date.parse(String(record.publish_at)) > now;
			return !isAhead && madeAt.get(record)! <= now - lag;
		});
	}

	private ordered(all: Fields[]): Fields[] {
		const records = this.visible(all);
		if (this.world.list.order !== 'shuffled') return records;
		const place = new Map(this.records.map(({ fields, id }) => [fields, (id * 7) % 11]));
		return [...records].sort((a, b) => place.get(a)! - place.get(b)!);
	}

	private newId(): { id?: string | number } {
		const number = this.records.length + 1;
		switch (this.world.records.ids) {
			case 'text':
				return { id: `post_${number}` };
			case 'number':
				return { id: number };
			case 'none':
				return {};
			case 'reused': {
				// Without a date of its own, the same text under the same ID is the same record.
				const { dates } = this.world.clock;
				if (dates === 'absent') return { id: `post_${number}` };
				const used = this.records.filter(({ removedAt }) => removedAt === undefined);
				const free = this.records.find(
					({ removedAt, shownId }) =>
						removedAt !== undefined && !used.some((other) => other.shownId === shownId),
				);
				return { id: free?.shownId ?? `post_${number}` };
			}
		}
	}

	/** Someone removes a record; its ID may be given again. */
	remove(record: Stored | undefined): void {
		if (!record) return;
		record.removedAt = this.clock.now();
		this.account.remove('posts', record.fields);
	}

	private createdAt(at: Date): unknown {
		const { granularity, wrongZone, dates } = this.world.clock;
		if (dates === 'absent') return undefined;
		const shift = wrongZone * 3_600_000 + (dates === 'future' ? 1e12 : 0);
		const cut = Math.floor((at.getTime() + shift) / granularity) * granularity;
		const text = new Date(cut).toISOString();
		return dates === 'no-zone' ? text.slice(0, -1) : text;
	}
}

/** Why the outcome of a write is unknown to whoever sent it, if it is. */
function doubtAfter(outcome: Outcome, timeoutMs: number): Seen['doubt'] {
	switch (outcome.kind) {
		case 'status':
			return outcome.status === 500 ? 'own' : 'silent';
		case 'body':
			return 'silent';
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
