import isMatch from 'lodash/isMatch';
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
	PREFIX,
} from '../../../../dev/sandbox/account';
import type { HttpRequest, JsonObject, Transport } from '../../../../nodes/LocalSeo/client';
import type { VirtualClock } from '../../../support/virtualClock';
import { ANSWERED, type Outcome } from '../faults';
import { DrawnService } from '../service';
import { TROUBLES, type World } from './dimensions';
import { CHANGES, FIELDS } from './events';

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
export class Service extends DrawnService {
	isTroubled = false;
	latency: number;
	/** The location that is picked, or in trouble; it stays, since an account without its locations is another one. */
	readonly first: Fields;
	/** The responses of the poll under way, by path. */
	readonly served = new Map<string, Served[]>();
	/** How often each list in trouble was asked for. */
	readonly inVain = new Map<string, number>();
	protected readonly account: Account;
	/** Outcomes of the next requests; then all are answered. */
	private outcomes: Outcome[] = [];
	private requests = 0;
	private polls = 0;
	private names = 0;
	/** How many records each list ever had; when scans began; what was removed. */
	private readonly counts = new Map<Fields[], number>();
	private readonly begun = new Map<Fields, number>();
	private readonly gone: Array<{ kind: Kind; record: Fields }> = [];
	/** The request that is being answered. */
	private asked?: { served: Served; lacks: number };

	constructor(
		readonly world: World,
		clock: VirtualClock,
	) {
		super(clock);
		this.latency = world.latency;
		const { offset, hasDate, staleness, pageSize } = world;
		this.account = new Account(clock, {
			...{ offset, hasDate, staleness, pageSize, maxPageSize: pageSize },
			id: (number, kind, list) => ({ id: this.idFor(number, kind, list) }),
			createdAt: () => undefined,
			instead: (call) => this.answerOne(call),
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

	get recordsEver(): number {
		return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
	}

	list(kind: Kind, owner?: Fields): Fields[] {
		return this.account.list(kind, owner && String(owner.id));
	}

	/** The records that are there now. */
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
		this.log(what);
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
		const fields = { ...FIELDS[kind](this.recordsEver + 1, this.name()), ...more };
		// As it is in the owner, where the account would make a text of it.
		const owned = owner && { [kind === 'scans' ? 'keyword_id' : 'location_id']: owner.id };
		return this.account.add(kind, { ...owned, ...fields }, owner && String(owner.id));
	}

	addScan(keyword: Fields | undefined, time: number, isRunning = false): void {
		const scan = this.add('scans', keyword, { scanned_at: isRunning ? null : this.timeText(time) });
		if (scan) this.begun.set(scan, time);
	}

	/** A second scan of the second in which one was over. */
	addTwin(pick: number): void {
		const scan = this.pick('scans', pick);
		const second = Math.floor(Date.parse(String(scan?.scanned_at)) / 1_000);
		const keyword = this.present('keywords').find(({ id }) => id === scan?.keyword_id);
		if (second) this.addScan(keyword, second * 1_000 + (pick % 1_000));
	}

	endScan(pick: number): void {
		const running = this.present('scans').filter(({ scanned_at: at }) => at === null);
		const scan = running[pick % running.length];
		this.change('scans', scan, { scanned_at: this.timeText(this.now) });
	}

	replaceKeyword(pick: number): void {
		const keyword = this.pick('keywords', pick);
		this.remove('keywords', keyword);
		this.add('keywords', this.ownerOf(keyword));
	}

	change(kind: Kind, record: Fields | undefined, fields: Fields): void {
		if (!record) return;
		const list = this.listWith(kind, record);
		const next = { ...record, ...fields };
		list[list.indexOf(record)] = next;
		this.begun.set(next, this.begun.get(record) ?? 0);
	}

	/** Removes a record, and for as long all that it has. */
	remove(kind: Kind, record: Fields | undefined): void {
		if (!record || record.id === this.first.id) return;
		this.account.remove(kind, record);
		this.gone.push({ kind, record });
	}

	/** Shows something again, as it was. */
	restore(kind: Kind, pick: number): void {
		const some = this.gone.filter(
			({ kind: one, record }) => one === kind && (kind === 'locations' || this.ownerOf(record)),
		);
		const one = some[pick % some.length];
		if (!one) return;
		this.gone.splice(this.gone.indexOf(one), 1);
		this.account.add(kind, one.record, String(one.record.location_id ?? ''));
	}

	private ownerOf(record: Fields | undefined): Fields | undefined {
		return this.list('locations').find(({ id }) => id === record?.location_id);
	}

	private listWith(kind: Kind, { keyword_id, location_id = keyword_id ?? '' }: Fields): Fields[] {
		return this.account.list(kind, String(location_id));
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

	private timeText(time: number): string {
		const { granularity } = this.world;
		return new Date(Math.floor(time / granularity) * granularity).toISOString();
	}

	private idFor(number: number, kind: Kind, list: Fields[]): unknown {
		const { ids } = this.world;
		const count = (this.counts.get(list) ?? 0) + 1;
		this.counts.set(list, count);
		if (ids === 'number') return number;
		if (ids === 'long') return `${PREFIX[kind]}_${'x'.repeat(50)}_${number}`;
		const isShared = ids === 'shared' && (kind === 'posts' || kind === 'scans');
		return isShared ? `n${count}` : `${PREFIX[kind]}_${number}`;
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
		const met = () => (lacks > 0 ? ANSWERED : outcome);
		const act = (asked: HttpRequest) => {
			served.at = this.clock.now();
			this.asked = { served, lacks };
			return this.account.act(asked);
		};
		const response = await this.way(this.latency, met, act)(request, signal);
		const isAnswered = lacks > 0 || outcome.reply === undefined;
		const status = 'status' in response ? response.status : undefined;
		// Without a total, a page that does not exist is the end.
		const isEnd = status === 404 && query.page !== undefined && !this.world.hasTotal;
		served.isOk = isEnd || (isAnswered && status === 200);
		if (!served.isOk || lacks > 0) this.log(`${path}: ${JSON.stringify(response).slice(0, 120)}`);
		this.served.set(path, [...(this.served.get(path) ?? []), served]);
		return response;
	};

	private outcomeFor(path: string): Outcome {
		if (++this.requests > MAX_REQUESTS) return { ...ANSWERED, acts: Infinity, reply: '401' };
		const trouble = TROUBLES[this.world.trouble];
		if (this.isTroubled && trouble && this.isOfFirst(path)) {
			this.inVain.set(path, (this.inVain.get(path) ?? 0) + 1);
			return trouble;
		}
		return this.outcomes.shift() ?? ANSWERED;
	}

	/** True if a path is that of a list of the first location, or of one of its keywords. */
	isOfFirst(path: string): boolean {
		const keywords = this.list('keywords', this.first).map(({ id }) => `/keywords/${String(id)}/`);
		return [`/locations/${String(this.first.id)}/`, ...keywords].some((one) =>
			path.startsWith(one),
		);
	}

	/** A location as it is now: the account remembers it as it was at first. */
	private answerOne({ isOne, id }: Call): Answer | undefined {
		const location = this.list('locations').find((one) => String(one.id) === id);
		if (!isOne || !location) return undefined;
		Object.assign(this.asked!.served, { records: [location], all: [location], total: 1 });
		return { body: { data: location } };
	}

	/** A list as it is shown; for once it may lack a record. */
	private shown(records: Fields[], { kind }: Call): Fields[] {
		const { order } = this.world;
		const time = (scan: Fields) => timeOf(scan) || this.begun.get(scan)!;
		const all = kind === 'scans' && order !== 'shuffled' ? sortBy(records, time) : [...records];
		if (order === 'newest-first') all.reverse();
		const place = (record: Fields) => (records.indexOf(record) * 7 + this.polls * 5) % 11;
		const shown = order === 'shuffled' ? sortBy(all, place) : all;
		const { lacks } = this.asked!;
		if (lacks > 0) shown.splice(lacks > 1 ? 0 : this.requests % Math.max(1, shown.length), lacks);
		return shown;
	}

	private page(page: Page): Answer {
		const { hasTotal } = this.world;
		const { served } = this.asked!;
		const { total, ...meta } = metaOf(page);
		served.records = page.data;
		served.all = [...page.all];
		if (hasTotal) served.total = page.all.length;
		return { body: { data: page.data, meta: { ...meta, ...(hasTotal && { total }) } } };
	}
}

const timeOf = ({ scanned_at: at }: Fields) => Date.parse(String(at));
