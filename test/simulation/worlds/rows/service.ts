import mapValues from 'lodash/mapValues';
import omit from 'lodash/omit';
import sortBy from 'lodash/sortBy';

import {
	Account,
	type Answer,
	type Fields,
	metaOf,
	type Page,
} from '../../../../dev/sandbox/account';
import type { Clock, HttpRequest, JsonObject, Transport } from '../../../../nodes/LocalSeo/client';
import { ANSWERED, doubtAfter, isRefusal, type Outcome, REPLIES } from '../faults';
import { DrawnService } from '../service';
import { LIMITS, NUMBERS, QUOTAS, TELLINGS, TEXTS, type World } from './dimensions';

/** A record as the service holds it, and the row that its request came from. */
export interface Stored {
	/** Its number, whatever the service shows. */
	number: number;
	row: string | undefined;
	at: number;
	fields: JsonObject;
	removedAt: number;
}

/** One request as the service saw it, from its arrival on. */
export interface Seen {
	who: string;
	/** Tells the calls of a row that is run again apart. */
	call: number;
	isRead: boolean;
	at: number;
	/** True if the service was there and answered: not busy, not in trouble. */
	isGood: boolean;
	/** When its response came; undefined without one. */
	answeredAt?: number;
	/** True if it was refused because of a limit. */
	isRefused: boolean;
	doubt?: 'own' | 'silent';
}

const LOCATION = 'loc_1';
const WEEK = 7 * 24 * 3_600_000;
/** Others post for so long before a list is read (ms). */
const OTHERS_SINCE = 3_000;
/** How late a backend may act, together with the lag of its list (ms): docs/reliability.md says so. */
const LATEST = 80_000;
/** A service that is slower than this is down (ms). */
const SLOWEST = 5_000;

/** A service to which rows are posted, and whose list is read. */
export class Service extends DrawnService {
	readonly records: Stored[] = [];
	readonly requests: Seen[] = [];
	protected readonly account: Account;
	private readonly writes: Outcome[];
	private readonly reads: Outcome[];
	private inFlight = 0;
	private calls = 0;
	private changesDone = 0;
	private othersAt: number;
	/** Whose request it is that the service acts on; who wrote first, and how often it is still unlucky. */
	private writer = '';
	private firstWriter?: string;
	private unluckyWrites: number;

	constructor(
		readonly world: World,
		clock: Clock,
	) {
		super(clock);
		this.writes = [...world.writes];
		this.reads = [...world.reads];
		this.unluckyWrites = world.unlucky?.times ?? 0;
		this.othersAt = this.began - OTHERS_SINCE;
		const { pageSize, pastEnd, offset, hasDate, isCached, staleness } = world;
		this.account = new Account(clock, {
			...{ offset, hasDate, pageSize, maxPageSize: pageSize, firstPage: NUMBERS[world.numbers] },
			id: (_, kind) => (kind === 'locations' ? { id: LOCATION } : this.newId()),
			stores: (fields, _, isNew) => this.stored(fields, isNew),
			created: (data) => {
				this.note(data, clock.now(), this.writer);
				return { status: 201, body: { data: { ...data } } };
			},
			deleted: (data) => {
				this.records.find(({ fields }) => fields === data)!.removedAt = clock.now();
				return { status: 204 };
			},
			createdAt: (at) => this.createdAt(at),
			newestFirst: world.order === 'newest-first' ? ['posts'] : [],
			shows: (records) => this.shown(records),
			...{ staleness: isCached ? staleness : 0, saysAge: isCached && staleness > 0 },
			pastEnd: typeof pastEnd === 'number' ? { status: pastEnd } : pastEnd,
			page: (page) => this.page(page),
			limit: LIMITS[world.limit],
			saysWait: TELLINGS[world.telling],
			saysQuota: QUOTAS[world.quota],
		});
		this.account.create('locations', {});
		for (let index = 0; index < world.before; index++) {
			const { title, content } = fieldsOfRow(index % 5);
			// A run that looks first skips rows that are there; whoever posts without a look does so every week.
			const older = { title, content: world.readsFirst ? `Once: ${String(content)}` : content };
			this.add(older, this.began - (world.before - index) * 90_000 - (world.readsFirst ? 0 : WEEK));
		}
	}

	/** The way of one call, of a row or of another caller. */
	transportOf = (who: string): Transport => {
		const call = ++this.calls;
		return async (request, signal) => {
			const isRead = request.method === 'GET';
			const seen: Seen = {
				who,
				call,
				isRead,
				at: this.clock.now(),
				isGood: false,
				isRefused: false,
			};
			const latency = latencyOf(this.world, isRead, this.requests.length);
			this.requests.push(seen);
			const name = `${request.method} ${JSON.stringify(request.query)} by ${who}`;
			this.log(`${name} sent`);
			const met = () => this.met(seen, request);
			const act = () => this.act(request, who);
			this.inFlight++;
			const response = await this.way(latency, met, act)(request, signal);
			this.inFlight--;
			this.log(`${name}: ${describe(response)}`);
			const isCancelled = 'fault' in response && response.fault === 'cancelled';
			if (!isCancelled) seen.answeredAt = this.clock.now();
			return response;
		};
	};

	private met(seen: Seen, { timeoutMs }: HttpRequest): Outcome | Answer {
		const { world, account, requests, inFlight } = this;
		seen.isGood = requests.length > world.revokedAfter;
		if (seen.isGood) return { status: 401, body: { message: 'Who?' } };
		const refusal = account.refusal();
		seen.isRefused = refusal !== undefined || inFlight > world.bears;
		if (refusal) return refusal;
		if (inFlight > world.bears) {
			// One that bears a single request stands behind nginx with limit_conn, and one says when to come back.
			if (world.bears === 1) return REPLIES.nginx as Answer;
			if (world.bears === 3) return { status: 503, headers: { 'retry-after': '1' } };
			seen.doubt = 'silent';
			return { status: 503, body: { message: 'Busy' } };
		}
		const outcome = this.nextOutcome(seen);
		seen.doubt = doubtAfter(outcome, timeoutMs);
		seen.isRefused = isRefusal(outcome);
		// As far as anyone can see: what a body says is looked at later.
		const { reply = 'a page', after } = outcome;
		seen.isGood = after <= timeoutMs && ['a page', 'cut off'].includes(reply);
		if (outcome !== ANSWERED) this.log(`… ${JSON.stringify(outcome)}`);
		const latest = LATEST - world.staleness;
		return {
			...outcome,
			acts: outcome.acts === Infinity ? Infinity : Math.min(outcome.acts, latest),
		};
	}

	private nextOutcome({ isRead, who }: Seen): Outcome {
		const { unlucky } = this.world;
		if (isRead) return this.reads.shift() ?? ANSWERED;
		this.firstWriter ??= who;
		if (unlucky && who === this.firstWriter && this.unluckyWrites-- > 0) return unlucky.outcome;
		return this.writes.shift() ?? ANSWERED;
	}

	private act(request: HttpRequest, who: string): Answer {
		if (request.method === 'GET') this.change();
		this.writer = who;
		return this.account.act(request);
	}

	/** Keeps what is known of a record, for the judge. */
	private note(fields: JsonObject, at: number, row?: string): void {
		const number = this.records.length + 1;
		this.records.push({ number, row, at, fields, removedAt: Infinity });
	}

	private add(fields: JsonObject, at: number): void {
		this.note(this.account.add('posts', this.stored(fields, true), LOCATION, at), at);
	}

	/** Someone removes a record; its ID may be given again. */
	remove(record: Stored | undefined): void {
		if (!record) return;
		record.removedAt = this.clock.now();
		this.account.remove('posts', record.fields);
	}

	/** What the service keeps of the fields of a post, and what it adds. */
	private stored(fields: JsonObject, isNew: boolean): JsonObject {
		const { text, addsFields, job } = this.world;
		const kept = mapValues(fields, (value) =>
			typeof value === 'string' ? TEXTS[text](value) : value,
		);
		const no = this.records.length + 1;
		return {
			...kept,
			...(isNew && addsFields && { slug: `s${no}`, views: 0, tags: [], author: null }),
			// So that a reading can be judged, whatever its records show.
			...(isNew && job === 'list' && { no }),
		};
	}

	/** What others do to the list before it is read. */
	private change(): void {
		const { others, changes } = this.world;
		const now = this.clock.now();
		this.othersAt = Math.max(this.othersAt, now - OTHERS_SINCE);
		while (this.othersAt + others <= now) {
			this.othersAt += others;
			this.add({ title: `Stranger ${this.records.length}` }, this.othersAt);
		}
		const reads = this.requests.filter(({ isRead }) => isRead).length;
		const due = changes.filter(({ before }) => before <= reads);
		for (const { what, where } of due.slice(this.changesDone)) {
			const there = this.records.filter(({ row, removedAt }) => !row && removedAt === Infinity);
			if (what === 'remove') this.remove(there[where % Math.max(1, there.length)]);
			else this.add({ title: `Stranger ${this.records.length}` }, now);
			this.log(`a stranger: ${what}`);
		}
		this.changesDone = Math.max(this.changesDone, due.length);
	}

	private page({ data, ...page }: Page): Answer {
		const { listedWithout, numbers, totals } = this.world;
		const { total, current_page, ...meta } = metaOf({ data, ...page });
		return {
			body: {
				data: data.map((record) => omit(record, listedWithout)),
				meta: {
					...meta,
					...(numbers !== 'not at all' && { current_page }),
					...(totals !== 'absent' && { total: totals === 'text' ? String(total) : total }),
				},
			},
		};
	}

	/** What the list shows of its records, and in which order. */
	private shown(all: Fields[]): Fields[] {
		const { staleness, isCached, hidesAhead, order } = this.world;
		const now = this.clock.now();
		const known = new Map(this.records.map((record) => [record.fields, record]));
		const isShown = (record: Fields) =>
			(isCached || known.get(record)!.at <= now - staleness) &&
			!(hidesAhead && Date.parse(String(record.publish_at)) > now);
		const place = (record: Fields) => (known.get(record)!.number * 7) % 11;
		const records = all.filter(isShown);
		return order === 'shuffled' ? sortBy(records, place) : records;
	}

	private newId(): { id?: unknown } {
		const { ids, granularity } = this.world;
		const number = this.records.length + 1;
		if (ids === 'none') return {};
		if (ids === 'number') return { id: number };
		// Without a date of its own, the same text under the same ID is the same record.
		if (ids === 'text' || granularity === Infinity) return { id: `post_${number}` };
		const used = this.records.filter(({ removedAt }) => removedAt === Infinity);
		const isFree = (id: unknown) => !used.some(({ fields }) => fields.id === id);
		const free = this.records.find(({ fields }) => isFree(fields.id));
		return { id: free?.fields.id ?? `post_${number}` };
	}

	private createdAt(at: Date): string | undefined {
		const { granularity } = this.world;
		if (granularity === Infinity) return undefined;
		return new Date(Math.floor(at.getTime() / granularity) * granularity).toISOString();
	}
}

/** Milliseconds of the response to one request, after so many others. */
export function latencyOf(world: World, isRead: boolean, others: number): number {
	const { latency, writeLatency = latency, slower } = world;
	const usual = isRead ? latency : writeLatency;
	if (!slower || others < slower.after) return usual;
	return Math.min(SLOWEST, slower.factor * usual);
}

/** What the rows of a sheet hold, with characters that services like to change. */
export function fieldsOfRow(index: number, more: World['more'] = 'nothing'): JsonObject {
	const title = `Offer ${index + 1}: "Café" & more`;
	const content = `What **row ${index + 1}** has to say, isn't it ﬁne? ${'Come by. '.repeat(4)}`;
	const image = { url: `https://example.com/${index}.png`, size: [1, 2] };
	return {
		nothing: { title, content },
		values: { price: 19.9 + index, stock: 0, title, content, image, tags: [] },
		dates: { title, content, publish_at: new Date(Date.UTC(2026, 1, 1 + index)).toISOString() },
		much: { title, content: `${content} ${'Much to say. '.repeat(20_000)}` },
	}[more];
}

/** In a few words: a piece of a large text would keep the whole of it. */
function describe(response: Awaited<ReturnType<Transport>>): string {
	if ('fault' in response) return response.fault;
	const { data, meta } = response.body as { data?: unknown; meta?: unknown };
	const ids = Array.isArray(data) ? JSON.stringify(data.map((one: Fields) => one.id)) : '';
	return `${response.status} ${ids} ${meta ? JSON.stringify(meta) : ''}`;
}
