import isUndefined from 'lodash/isUndefined';
import mapValues from 'lodash/mapValues';
import omit from 'lodash/omit';
import omitBy from 'lodash/omitBy';
import pick from 'lodash/pick';

import {
	Account,
	type Answer,
	type Fields,
	metaOf,
	type Page,
} from '../../../../dev/sandbox/account';
import type {
	Clock,
	HttpFault,
	HttpRequest,
	JsonObject,
	Transport,
} from '../../../../nodes/LocalSeo/client';
import { ANSWERED, doubtAfter, instead, type Outcome, wayTo } from '../faults';
import { ANSWERS, SHOWN, STATUSES, TEXTS, TIMES, type World } from './dimensions';

/** A record as the service holds it, and the row that its request came from; times in milliseconds. */
export interface Stored {
	row: string | undefined;
	at: number;
	fields: JsonObject;
	/** True if it was to go live later, whatever the service made of it. */
	isPlanned: boolean;
	/** The ID of its receipt, which the answer may have in place of its own. */
	receipt: string;
}

/** One request as the service saw it, from its arrival on. */
export interface Seen {
	who: string;
	/** Tells the calls of a row that is run again apart. */
	call: number;
	isRead: boolean;
	at: number;
	/** When its response came; undefined without one. */
	answeredAt?: number;
	/** True if the service was there and answered, as far as anyone can see. */
	isGood: boolean;
	doubt?: 'own' | 'silent';
}

export const LOCATION = 'loc_1';
const WEEK = 7 * 24 * 3_600_000;
/** Others post for so long before a list is read (ms). */
const OTHERS_SINCE = 3_000;
/** How late a backend may act, together with the lag of its list (ms): docs/reliability.md says so. */
const LATEST = 80_000;

export class Service {
	readonly records: Stored[] = [];
	readonly requests: Seen[] = [];
	/** A mistake of the simulation, which the node takes for a request that was cancelled. */
	mistake?: Error;
	private readonly account: Account;
	private readonly writes: Outcome[];
	private readonly reads: Outcome[];
	private calls = 0;
	private othersAt: number;
	/** Whose request it is that the service acts on. */
	private writer = '';

	constructor(
		private readonly world: World,
		private readonly clock: Clock,
	) {
		const began = clock.now();
		this.writes = [...world.writes];
		this.reads = [...world.reads];
		this.othersAt = began - OTHERS_SINCE;
		const { pageSize, readsFirst } = world;
		this.account = new Account(clock, {
			...{ pageSize, maxPageSize: pageSize },
			id: (number, kind) => {
				if (kind === 'locations') return { id: LOCATION };
				return world.hasIds ? { id: `post_${number}` } : {};
			},
			stores: (fields) => this.stored(fields),
			created: (data, { fields }) => {
				const isPlanned = isAhead(fields.publish_at, clock.now());
				const { receipt } = this.note(data, clock.now(), this.writer, isPlanned);
				return ANSWERS[world.answers](this.asShown(data), receipt);
			},
			newestFirst: ['posts'],
			// Read where the posts show no fields.
			instead: ({ kind }) =>
				kind === 'locations'
					? { body: { data: [{ id: LOCATION }], meta: { total: 1 } } }
					: undefined,
			shows: (records) => this.shown(records),
			page: (page) => this.page(page),
		});
		this.account.create('locations', {});
		for (let index = 0; index < world.before; index++) {
			const like = fieldsOfRow(index % 5);
			// A run that looks first skips rows that are there; whoever posts without a look does so every week.
			const at = began - (world.before - index) * 90_000 - (readsFirst ? 0 : WEEK);
			const when = hasDates(world) && { publish_at: new Date(at).toISOString() };
			// By default, a row beside a record with its title is refused; by its title alone, it is that record.
			const isAlike = world.namesMatchFields && world.listedWithout === 'nothing';
			const differing = readsFirst ? [...(isAlike ? [] : ['title']), 'content'] : [];
			const older = mapValues(pick(like, 'title', 'content'), (text, name) =>
				differing.includes(name) ? `Once: ${String(text)}` : text,
			);
			this.add({ ...older, ...when }, at);
		}
	}

	/** The way of one call, of a row or of another caller. */
	transportOf = (who: string): Transport => {
		const call = ++this.calls;
		return async (request, signal) => {
			const at = this.clock.now();
			const seen: Seen = { who, call, isRead: request.method === 'GET', at, isGood: false };
			this.requests.push(seen);
			const [met, act] = [() => this.met(seen, request), () => this.act(request, who)];
			const send = wayTo(this.account, this.clock, this.world.latency, met, act);
			const response = await send(request, signal);
			const isCancelled = 'fault' in response && response.fault === 'cancelled';
			if (!isCancelled) seen.answeredAt = this.clock.now();
			else if (!signal?.aborted) this.mistake ??= (response as HttpFault).cause as Error;
			return response;
		};
	};

	private met(seen: Seen, { timeoutMs }: HttpRequest): Outcome {
		const { revokedAfter, staleness, takes } = this.world;
		const isRevoked = this.requests.length > revokedAfter;
		const next = isRevoked ? undefined : (seen.isRead ? this.reads : this.writes).shift();
		const { acts, after, reply } = isRevoked ? instead('401') : (next ?? ANSWERED);
		const outcome = {
			acts: acts === Infinity ? acts : Math.min(acts, LATEST - staleness),
			// A create that takes long is acted on at once, and answered later.
			after: after + (seen.isRead ? 0 : takes),
			reply,
		};
		seen.doubt = doubtAfter(outcome, timeoutMs);
		const isSeen = ['a page', 'cut off', '401', undefined].includes(reply);
		seen.isGood = outcome.after <= timeoutMs && isSeen;
		return outcome;
	}

	private act(request: HttpRequest, who: string): Answer {
		if (request.method === 'GET') this.addOthers();
		this.writer = who;
		return this.account.act(request);
	}

	/** Keeps what is known of a record, for the judge. */
	private note(fields: JsonObject, at: number, row?: string, isPlanned = false): Stored {
		const receipt = `job_${this.records.length + 1}`;
		const record = { row, at, fields, isPlanned, receipt };
		this.records.push(record);
		return record;
	}

	private add(fields: JsonObject, at: number): void {
		this.note(this.account.add('posts', this.stored(fields), LOCATION, at), at);
	}

	private stored(fields: JsonObject): JsonObject {
		const [text, time] = [TEXTS[this.world.text], TIMES[this.world.time]];
		const now = this.clock.now();
		return mapValues(fields, (value, name) => {
			if (typeof value !== 'string') return value;
			if (name !== 'publish_at') return text(value);
			return isAhead(value, now) ? time(value, now) : value;
		});
	}

	/** A record as answers and lists show it. */
	private asShown(record: Fields): JsonObject {
		const { showsTime, status } = this.world;
		const { publish_at: time } = record;
		const shown = {
			...record,
			publish_at:
				showsTime === 'never' ? undefined : time && SHOWN[showsTime](new Date(String(time))),
			status: STATUSES[status](isAhead(time, this.clock.now())),
		};
		return omitBy(shown, isUndefined) as JsonObject;
	}

	/** Lets others post before the list is read. */
	private addOthers(): void {
		const { others } = this.world;
		const now = this.clock.now();
		this.othersAt = Math.max(this.othersAt, now - OTHERS_SINCE);
		for (; this.othersAt + others <= now; this.othersAt += others)
			this.add({ title: `Stranger ${this.records.length}` }, this.othersAt);
	}

	private page({ data, ...page }: Page): Answer {
		const { listedWithout, hasTotal, hides } = this.world;
		const all = this.records.map(({ fields }) => fields);
		const counted = hides === 'new' ? { ...page, all } : page;
		const meta = omit(metaOf({ ...counted, data }), hasTotal ? [] : ['total']);
		const shown = data.map((record) => omit(this.asShown(record), listedWithout));
		return { body: { data: shown, meta } };
	}

	/** The records that the list shows. */
	private shown(all: Fields[]): Fields[] {
		const { staleness, hides, hasTotal } = this.world;
		const now = this.clock.now();
		const known = new Map(this.records.map((record) => [record.fields, record]));
		return all.filter((record) => {
			const { at, row } = known.get(record)!;
			const isAheadHidden = hides === 'ahead' && isAhead(record.publish_at, now);
			return at <= now - staleness && !isAheadHidden && !(hides === 'new' && hasTotal && row);
		});
	}
}

/** True for the time of a post that goes live later. */
const isAhead = (time: unknown, now: number) => Date.parse(String(time)) > now;

/** True if some rows have a time. */
export const hasDates = ({ more }: World) => more === 'dates' || more === 'some dates';

/** The fields of a row, with characters that services like to change. */
export function fieldsOfRow(index: number, more: World['more'] = 'nothing'): JsonObject {
	const title = `Offer ${index + 1}: "Café" & more`;
	const content = `What **row ${index + 1}** has to say, isn't it ﬁne? ${'Come by. '.repeat(4)}`;
	const image_url = `https://example.com/${index}.png`;
	// Some services cut the seconds.
	const at = new Date(Date.UTC(2026, 1, 1 + index, 11, 0, 30));
	const dated = { title, content, publish_at: at.toISOString() };
	return {
		nothing: { title, content },
		values: { price: 19.9 + index, stock: 0, title, content, image_url },
		dates: dated,
		'some dates': index % 2 === 0 ? dated : { title, content },
		much: { title, content: `${content} ${'Much to say. '.repeat(1_000)}` },
		'too much': { title, content: `${content} ${'Much to say. '.repeat(20_000)}` },
	}[more];
}
