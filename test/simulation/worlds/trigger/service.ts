import isMatch from 'lodash/isMatch';
import omit from 'lodash/omit';

import {
	Account,
	type Answer,
	type Call,
	type Fields,
	type Kind,
	metaOf,
	type Page,
} from '../../../../dev/sandbox/account';
import type { Transport } from '../../../../nodes/LocalSeo/client';
import type { VirtualClock } from '../../../support/virtualClock';
import { ANSWERED, instead, type Outcome, wayTo } from '../faults';

const HOUR = 3_600_000;
/** Names that all objects inherit are fields like others. */
const ODD_FIELDS = { constructor: 'x', toString: 'x', hasOwnProperty: 'x' };
/** More requests than any poll of these worlds needs. */
const MAX_REQUESTS = 3_000;

export const timeOf = ({ scanned_at: at }: Fields) => Date.parse(String(at));

/** What a service is like; times in milliseconds. */
interface Traits {
	order: 'newest first' | 'oldest first' | 'shuffled';
	hasTotal: boolean;
	firstPage: number;
	pageSize: number;
	latency: number;
	keywordsCount: 'absent' | 'right';
	locations: number;
	/** The keywords and posts of each location, and the scans of each keyword, six hours apart. */
	perLocation: number;
	scans: number;
	scores: 'number' | 'text';
}

/** A service that is watched. A record that changes is replaced: what was shown stays as it was. */
export class Service {
	/** What comes in place of the lists of the first location. */
	trouble?: Outcome;
	latency: number;
	/** The location that may be in trouble; it stays, since an account without its locations is another one. */
	readonly first: Fields;
	/** The fields that changed, by ID, as often as they did. */
	readonly changed = new Map<unknown, string[][]>();
	private recordsEver = 0;
	private names = 0;
	private readonly account: Account;
	/** Outcomes of the next requests; then all are answered. */
	private outcomes: Outcome[] = [];
	private requests = 0;
	private polls = 0;
	/** The paths of lists that the trigger knows. */
	readonly shownAt = new Set<string>();
	/** True while a list is shown as an empty one. */
	private isEmptied = false;

	constructor(
		private readonly traits: Traits,
		private readonly clock: VirtualClock,
	) {
		this.latency = traits.latency;
		const { pageSize, firstPage } = traits;
		this.account = new Account(clock, {
			...{ pageSize, maxPageSize: pageSize, firstPage, createdAt: () => undefined },
			shows: (records, call) => this.shown(records, call),
			page: (page) => this.page(page),
		});
		for (let index = 0; index < traits.locations; index++) this.addLocation();
		[this.first] = this.list('locations');
		this.derive();
	}

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

	/** @param pick says which record changes */
	apply(change: (service: Service, pick: number) => void, pick: number): void {
		change(this, pick);
		this.derive();
	}

	addLocation(): void {
		const { perLocation, scans } = this.traits;
		const location = this.add('locations');
		for (let count = 0; count < perLocation; count++) {
			const keyword = this.add('keywords', location);
			for (let ago = scans; ago > 0; ago--) this.addScan(keyword, this.now - ago * 6 * HOUR);
			this.add('posts', location);
		}
	}

	add(kind: Kind, owner?: Fields, more: Fields = {}): Fields | undefined {
		if (kind !== 'locations' && !owner) return undefined;
		const number = ++this.recordsEver;
		const own = {
			locations: {
				name: this.name(),
				status: 'active',
				rank_score: 50 + (number % 20),
				...ODD_FIELDS,
			},
			keywords: { keyword: this.name() },
			posts: {
				...{ title: this.name(), status: number % 3 === 0 ? 'published' : 'scheduled' },
				...ODD_FIELDS,
			},
			scans: { position: number % 20, device: number % 3 === 0 ? 'mobile' : 'desktop' },
		}[kind];
		const owned = owner && { [kind === 'scans' ? 'keyword_id' : 'location_id']: owner.id };
		const fields = this.written({ ...owned, ...own, ...more });
		return this.account.add(kind, fields, owner && String(owner.id));
	}

	private written(fields: Fields): Fields {
		const { rank_score: score } = fields;
		return this.traits.scores === 'text' && score !== undefined
			? { ...fields, rank_score: String(score) }
			: fields;
	}

	addScan(keyword: Fields | undefined, time: number): void {
		this.add('scans', keyword, { scanned_at: new Date(time).toISOString() });
	}

	change(kind: Kind, record: Fields | undefined, fields: Fields): void {
		if (!record) return;
		const list = this.account.list(kind, String(record.location_id ?? ''));
		list[list.indexOf(record)] = this.written({ ...record, ...fields });
		const changed = this.changed.get(record.id) ?? [];
		this.changed.set(record.id, [...changed, Object.keys(fields)]);
	}

	/** Removes a record, and with it all that it has. */
	remove(kind: Kind, record: Fields | undefined): void {
		if (record && record.id !== this.first.id) this.account.remove(kind, record);
	}

	/** Writes into each location what it says of its lists. */
	private derive(): void {
		for (const location of this.list('locations')) {
			const keywords = this.list('keywords', location);
			const times = keywords.flatMap((keyword) => this.list('scans', keyword)).map(timeOf);
			const derived = {
				...(this.traits.keywordsCount === 'right' && { keywords_count: keywords.length }),
				last_scan_at: times.length > 0 ? new Date(Math.max(...times)).toISOString() : null,
			};
			if (!isMatch(location, derived)) this.change('locations', location, derived);
		}
	}

	beginPoll(outcomes: Outcome[]): void {
		this.polls++;
		this.outcomes = [...outcomes];
		this.requests = 0;
	}

	readonly transport: Transport = async (request, signal) => {
		const { path, query } = request;
		const isFirst = query.page === undefined;
		const outcome = this.outcomeFor(path, !isFirst);
		// The first reading of a list is believed, also if it is an empty one.
		const isEmptied = outcome.reply === 'empty' && isFirst && this.shownAt.has(path);
		const met = () => (outcome.reply === 'empty' ? ANSWERED : outcome);
		const send = wayTo(this.account, this.clock, this.latency, met, (asked) => {
			this.isEmptied = isEmptied;
			return this.account.act(asked);
		});
		const response = await send(request, signal);
		const isShown = 'status' in response && response.status === 200;
		if (isShown && outcome.reply === undefined) this.shownAt.add(path);
		return response;
	};

	private outcomeFor(path: string, isLater: boolean): Outcome {
		if (++this.requests > MAX_REQUESTS) return instead('401');
		if (this.trouble && this.isOfFirst(path)) return this.trouble;
		const outcome = this.outcomes.shift() ?? ANSWERED;
		// Without a total, a page that is not there is the end of a list.
		const isEnd = outcome.reply === '404' && isLater && !this.traits.hasTotal;
		return isEnd ? ANSWERED : outcome;
	}

	/** True if a path is that of a list of the first location, or of one of its keywords. */
	private isOfFirst(path: string): boolean {
		const owner = path.split('/')[2];
		const owners = [this.first, ...this.list('keywords', this.first)];
		return path.split('/').length > 3 && owners.some(({ id }) => id === owner);
	}

	/** A list as it is shown. */
	private shown(records: Fields[], { kind }: Call): Fields[] {
		if (this.isEmptied) return [];
		const { order, pageSize } = this.traits;
		if (kind !== 'scans') return records;
		const sorted = records.toSorted((a, b) => timeOf(a) - timeOf(b));
		if (order === 'oldest first') return sorted;
		// A page of a few records may be in order by chance.
		if (order === 'newest first' || pageSize < 15) return sorted.reverse();
		const place = (record: Fields) => (records.indexOf(record) * 7 + this.polls * 5) % 11;
		return records.toSorted((a, b) => place(a) - place(b));
	}

	private page(page: Page): Answer {
		const meta = metaOf(page);
		return { body: { data: page.data, meta: this.traits.hasTotal ? meta : omit(meta, 'total') } };
	}
}
