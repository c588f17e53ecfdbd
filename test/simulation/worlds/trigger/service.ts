import isMatch from 'lodash/isMatch';
import omit from 'lodash/omit';
import pick from 'lodash/pick';
import sortBy from 'lodash/sortBy';

import {
	Account,
	type Answer,
	type Call,
	type Fields,
	type Kind,
	metaOf,
	type Page,
} from '../../../../dev/sandbox/account';
import type { HttpRequest, JsonObject, Transport } from '../../../../nodes/LocalSeo/client';
import type { VirtualClock } from '../../../support/virtualClock';
import { ANSWERED, instead, type Outcome, wayTo } from '../faults';
import { TROUBLES, type World } from './dimensions';
import { CHANGES, FIELDS, timeOf } from './events';

const ODD_NAMES = ['constructor', 'toString', 'hasOwnProperty'];
/** More requests than any poll of these worlds needs. */
const MAX_REQUESTS = 3_000;

/** A response, as it was when it was given. */
interface Served {
	/** The page that was asked for. */
	page: unknown;
	isOk: boolean;
	at: number;
	records: JsonObject[];
	/** The whole list; its total if it was told. */
	all: JsonObject[];
	total?: number;
}

/** A service that is watched. A record that changes is replaced: what was shown stays as it was. */
export class Service {
	isTroubled = false;
	latency: number;
	/** The location that may be in trouble; it stays, since an account without its locations is another one. */
	readonly first: Fields;
	/** The responses of the poll under way, by path. */
	readonly served = new Map<string, Served[]>();
	private recordsEver = 0;
	private readonly account: Account;
	/** Outcomes of the next requests; then all are answered. */
	private outcomes: Outcome[] = [];
	private requests = 0;
	private polls = 0;
	private names = 0;
	/** When scans began. */
	private readonly begun = new Map<Fields, number>();
	/** The request that is being answered. */
	private asked?: { served: Served; lacks: number; isBare: boolean };

	constructor(
		readonly world: World,
		private readonly clock: VirtualClock,
	) {
		this.latency = world.latency;
		const { offset, hasDate, staleness, pageSize } = world;
		this.account = new Account(clock, {
			...{ offset, hasDate, staleness, pageSize, maxPageSize: pageSize },
			createdAt: () => undefined,
			shows: (records, call) => this.shown(records, call),
			page: (page) => this.page(page),
		});
		for (let index = 0; index < world.locations; index++) this.addLocation(world.perLocation);
		[this.first] = this.list('locations');
		this.derive();
	}

	/** The time by the service's clock. */
	get now(): number {
		return this.account.now;
	}

	list(kind: Kind, owner?: Fields): Fields[] {
		return this.account.list(kind, owner && String(owner.id));
	}

	present(kind: Kind): Fields[] {
		if (kind === 'locations') return this.list(kind);
		const owners = this.present(kind === 'scans' ? 'keywords' : 'locations');
		return owners.flatMap((owner) => this.list(kind, owner));
	}

	pick(kind: Kind, pick: number): Fields | undefined {
		const all = this.present(kind);
		return all[pick % all.length];
	}

	name = () => `Name ${++this.names}`;

	apply(what: string, pick: number): void {
		CHANGES[what][1](this, pick);
		this.derive();
	}

	addLocation(perLocation: number): void {
		const location = this.add('locations');
		for (let count = 0; count < perLocation; count++) {
			this.addScan(this.add('keywords', location), this.now);
			this.add('posts', location);
		}
	}

	add(kind: Kind, owner?: Fields, more: Fields = {}): Fields | undefined {
		if (kind !== 'locations' && !owner) return undefined;
		const owned = owner && { [kind === 'scans' ? 'keyword_id' : 'location_id']: owner.id };
		const own = FIELDS[kind](++this.recordsEver, this.name());
		const others = ['locations', 'posts'].includes(kind) ? this.moreFields() : {};
		// The status comes last, as services add fields at the end.
		const fields = { ...owned, ...omit(own, 'status'), ...others, ...pick(own, 'status'), ...more };
		return this.account.add(kind, this.written(fields), owner && String(owner.id));
	}

	get lastField(): string | undefined {
		return Object.keys(this.moreFields()).at(-1);
	}

	/** Names that all objects inherit are fields like others. */
	private moreFields(): Fields {
		const names = Array.from({ length: this.world.moreFields }, (_, nth) => `field_${nth}`);
		return Object.fromEntries([...names, ...ODD_NAMES].map((name) => [name, 'x']));
	}

	private written(fields: Fields): Fields {
		const { rank_score: score } = fields;
		const isText = this.world.scores === 'text' && score !== undefined;
		const known = Object.fromEntries(
			Object.entries(fields).filter(([, value]) => value !== undefined),
		);
		return isText ? { ...known, rank_score: String(score) } : known;
	}

	addScan(keyword: Fields | undefined, time: number, isRunning = false): void {
		const scan = this.add('scans', keyword, { scanned_at: isRunning ? null : this.timeText(time) });
		if (scan) this.begun.set(scan, time);
	}

	change(kind: Kind, record: Fields | undefined, fields: Fields): void {
		if (!record) return;
		const list = this.account.list(kind, String(record.keyword_id ?? record.location_id ?? ''));
		const next = this.written({ ...record, ...fields });
		list[list.indexOf(record)] = next;
		this.begun.set(next, this.begun.get(record) ?? 0);
	}

	/** Removes a record, and with it all that it has. */
	remove(kind: Kind, record: Fields | undefined): void {
		if (record && record.id !== this.first.id) this.account.remove(kind, record);
	}

	/** Writes into each location what it says of its lists. */
	private derive(): void {
		const { keywordsCount, lastScanAt } = this.world;
		for (const location of this.list('locations')) {
			const keywords = this.list('keywords', location);
			const scans = keywords.flatMap((keyword) => this.list('scans', keyword));
			const times =
				lastScanAt === 'begun' ? scans.map((one) => this.begun.get(one)!) : scans.map(timeOf);
			const newest = Math.max(0, ...times.filter(Boolean));
			const derived = {
				...(keywordsCount === 'right' && { keywords_count: keywords.length }),
				last_scan_at: newest > 0 ? this.timeText(newest) : null,
				...(lastScanAt === 'stuck' && pick(location, 'last_scan_at')),
			};
			if (!isMatch(location, derived)) this.change('locations', location, derived);
		}
	}

	timeText(time: number): string {
		const { granularity } = this.world;
		return new Date(Math.floor(time / granularity) * granularity).toISOString();
	}

	beginPoll(outcomes: Outcome[]): void {
		this.polls++;
		this.outcomes = [...outcomes];
		this.requests = 0;
		this.served.clear();
	}

	/** True if each request of the poll was answered. */
	get isCalm(): boolean {
		return [...this.served.values()].flat().every(({ isOk }) => isOk);
	}

	readonly transport: Transport = async (request, signal) => {
		const { path, query } = request;
		const outcome = this.outcomeFor(path);
		const lacks = { short: 1, empty: Infinity }[outcome.reply ?? ''] ?? 0;
		const served: Served = { page: query.page, isOk: false, at: 0, records: [], all: [] };
		const isBare = outcome.reply === 'bare';
		const met = () => (lacks > 0 || isBare ? ANSWERED : outcome);
		const act = (asked: HttpRequest) => {
			served.at = this.clock.now();
			this.asked = { served, lacks, isBare };
			return this.account.act(asked);
		};
		const send = wayTo(this.account, this.clock, this.latency, met, act);
		const response = await send(request, signal);
		const isAnswered = lacks > 0 || isBare || outcome.reply === undefined;
		const status = 'status' in response ? response.status : undefined;
		// A page that does not exist is the end of a list.
		const isEnd = status === 404 && query.page !== undefined;
		served.isOk = isEnd || (isAnswered && status === 200);
		const { data } = ('body' in response ? response.body : {}) as { data?: Fields };
		if (served.isOk && data && !Array.isArray(data)) served.records = [data];
		this.served.set(path, [...(this.served.get(path) ?? []), served]);
		return response;
	};

	private outcomeFor(path: string): Outcome {
		if (++this.requests > MAX_REQUESTS) return instead('401');
		const trouble = TROUBLES[this.world.trouble];
		if (this.isTroubled && trouble && this.isOfFirst(path)) return trouble;
		return this.outcomes.shift() ?? ANSWERED;
	}

	/** True if a path is that of a list of the first location, or of one of its keywords. */
	private isOfFirst(path: string): boolean {
		const owner = path.split('/')[2];
		const owners = [this.first, ...this.list('keywords', this.first)];
		return path.split('/').length > 3 && owners.some(({ id }) => id === owner);
	}

	/** A list as it is shown; for once it may lack a record. */
	private shown(records: Fields[], { kind }: Call): Fields[] {
		const { order } = this.world;
		const time = (scan: Fields) => timeOf(scan) || this.begun.get(scan)!;
		const place = (record: Fields) => (records.indexOf(record) * 7 + this.polls * 5) % 11;
		const isByTime = kind === 'scans' && order !== 'created';
		const sorted = isByTime ? sortBy(records, time) : [...records];
		if (['newest-first', 'created'].includes(order)) sorted.reverse();
		const shown = order === 'shuffled' ? sortBy(records, place) : sorted;
		const { lacks, isBare } = this.asked!;
		if (lacks > 0) shown.splice(lacks > 1 ? 0 : this.requests % Math.max(1, shown.length), lacks);
		return isBare ? shown.map((one) => omit(one, 'status')) : shown;
	}

	private page(page: Page): Answer {
		const { hasTotal } = this.world;
		const meta = metaOf(page);
		const told = hasTotal && { total: page.all.length };
		Object.assign(this.asked!.served, { records: page.data, all: [...page.all], ...told });
		return { body: { data: page.data, meta: hasTotal ? meta : omit(meta, 'total') } };
	}
}
