import { randomInt } from 'node:crypto';

import { idOf, numberOf } from './ids';
import type { Insight, Keyword, Location, Post, RankScan } from './records';
import { insightWith, Sample } from './sample';

/** IDs of created records are above those of the sample data, with room for a million of them. */
const FIRST_CREATED = 2 ** 31;
const LAST_FIRST_CREATED = 2 ** 32 - 2 ** 20;
/** Beyond this position, a keyword counts as not ranked. */
const LOWEST_RANK = 20;

/** What a client sent as a body; the account's own fields take precedence. */
export type Fields = Record<string, unknown>;

/** A change of the account, for those who watch it. */
export interface Change {
	location?: Location;
	/** A post that was created. */
	post?: Post;
	/** A post that was scheduled, and is published now. */
	published?: Post;
	/** Everything has to be read again: a location was removed, or the sample data was reset. */
	all?: 'removal' | 'reset';
}

export interface AccountOptions {
	/** How many sample locations there are. */
	locations: number;
	/** The clock of created_at and updated_at; at a reset, the sample data ends at its time. */
	now: () => Date;
}

/**
 * The records of one organisation. Locations are created at once, everything else when it is first
 * requested. The arrays are live: a record that is changed in place is served with its changes.
 */
export class SampleAccount {
	/** All locations in the order of their creation. Use addLocation and removeLocation to change it. */
	readonly locations: Location[] = [];

	private sample: Sample;
	/**
	 * The next created ID is made from this. A service never uses an ID twice, and clients rely on that:
	 * so a reset does not change it, and another sandbox at the same address starts elsewhere.
	 */
	private created = randomInt(FIRST_CREATED, LAST_FIRST_CREATED);
	private readonly locationById = new Map<string, Location>();
	private readonly keywordById = new Map<string, Keyword>();
	private readonly keywordsByLocation = new Map<string, Keyword[]>();
	private readonly scansByKeyword = new Map<string, RankScan[]>();
	private readonly postsByLocation = new Map<string, Post[]>();
	private readonly insightByLocation = new Map<string, Insight>();
	/** Created posts that are still to be published. */
	private readonly scheduled = new Set<Post>();
	private readonly watchers = new Set<(change: Change) => void>();

	constructor(private readonly options: AccountOptions) {
		this.sample = new Sample(options.now());
		this.reset();
	}

	/** Restores the sample data; created records are gone. */
	reset(): void {
		this.sample = new Sample(this.options.now());
		this.locations.length = 0;
		this.locationById.clear();
		this.keywordById.clear();
		this.keywordsByLocation.clear();
		this.scansByKeyword.clear();
		this.postsByLocation.clear();
		this.insightByLocation.clear();
		this.scheduled.clear();
		for (let index = 0; index < this.options.locations; index++) {
			const location = this.sample.location(index);
			this.locations.push(location);
			this.locationById.set(location.id, location);
		}
		this.notify({ all: 'reset' });
	}

	location(id: string): Location | undefined {
		return this.locationById.get(id);
	}

	keyword(id: string): Keyword | undefined {
		// A sample ID leads to its location; creating the location's keywords also creates this one.
		const location = this.location(Sample.locationOf(id));
		if (location) this.keywordsOf(location.id);
		return this.keywordById.get(id);
	}

	/** Keywords of a location in the order of their creation. */
	keywordsOf(locationId: string): Keyword[] {
		return remembered(this.keywordsByLocation, locationId, () => {
			const keywords = this.sample.keywords(this.known(locationId));
			for (const keyword of keywords) this.keywordById.set(keyword.id, keyword);
			return keywords;
		});
	}

	/** Rank scans of a keyword, the latest first. */
	scansOf(keywordId: string): RankScan[] {
		return remembered(this.scansByKeyword, keywordId, () => this.sample.scans(keywordId));
	}

	/** Content posts of a location, the latest first. */
	postsOf(locationId: string): Post[] {
		return remembered(this.postsByLocation, locationId, () =>
			this.sample.posts(this.known(locationId)),
		);
	}

	insightOf(locationId: string): Insight {
		return remembered(this.insightByLocation, locationId, () =>
			this.sample.insight(this.known(locationId)),
		);
	}

	/** The insights of a period, as far back as a year; of days that the account does not have, none. */
	insightBetween(locationId: string, from?: string, to?: string): Insight {
		const latest = this.insightOf(locationId);
		const isSample = numberOf(locationId) < FIRST_CREATED;
		const earlier = isSample && from ? this.sample.earlierDays(locationId) : [];
		const days = [...earlier, ...latest.days].filter(
			({ date }) => (!from || date >= from) && (!to || date <= to),
		);
		return insightWith(locationId, days, from ?? latest.period.from, to ?? latest.period.to);
	}

	addLocation(fields: Fields): Location {
		const given = { address: null, city: null, country: null, status: 'active' };
		const own = {
			id: idOf('loc', this.created++),
			name: String(fields.name),
			rank_score: 0,
			keywords_count: 0,
			last_scan_at: null,
			created_at: this.time(),
		};
		const location: Location = { ...own, ...given, ...fields, ...own };
		this.locations.push(location);
		this.locationById.set(location.id, location);
		// A new location has no history, so it gets no sample data.
		this.keywordsByLocation.set(location.id, []);
		this.postsByLocation.set(location.id, []);
		this.insightByLocation.set(location.id, this.sample.emptyInsight(location.id));
		this.notify({ location });
		return location;
	}

	updateLocation(location: Location, fields: Fields): Location {
		const { id, rank_score, keywords_count, last_scan_at, created_at } = location;
		Object.assign(location, fields, { id, rank_score, keywords_count, last_scan_at, created_at });
		this.notify({ location });
		return location;
	}

	/** The service has no operation for this; tests use it to change a list while it is read. */
	removeLocation(id: string): void {
		const at = this.locations.findIndex((location) => location.id === id);
		if (at < 0) return;
		this.locations.splice(at, 1);
		this.locationById.delete(id);
		this.notify({ all: 'removal' });
	}

	addKeyword(location: Location, fields: Fields): Keyword {
		const own = {
			id: idOf('kw', this.created++),
			location_id: location.id,
			keyword: String(fields.keyword),
			search_volume: 0,
			position: null,
			created_at: this.time(),
		};
		const keyword: Keyword = { ...own, ...fields, ...own };
		this.keywordsOf(location.id).push(keyword);
		this.keywordById.set(keyword.id, keyword);
		this.scansByKeyword.set(keyword.id, []);
		location.keywords_count += 1;
		return keyword;
	}

	removeKeyword(keyword: Keyword): void {
		const keywords = this.keywordsOf(keyword.location_id);
		keywords.splice(keywords.indexOf(keyword), 1);
		this.keywordById.delete(keyword.id);
		const location = this.location(keyword.location_id);
		if (location) location.keywords_count -= 1;
	}

	/** The service scans by itself, and has no operation for it; tests use this. */
	addScan(keyword: Keyword, position: number | null): RankScan {
		const scans = this.scansOf(keyword.id);
		const scan: RankScan = {
			id: idOf('scan', this.created++),
			keyword_id: keyword.id,
			position,
			previous_position: scans[0]?.position ?? null,
			url: null,
			device: 'mobile',
			scanned_at: this.time(),
		};
		scans.unshift(scan);
		keyword.position = position;
		const location = this.location(keyword.location_id);
		if (location) location.last_scan_at = scan.scanned_at;
		return scan;
	}

	/** Adds a post; it is `scheduled` if `publish_at` is in the future. Without one, it is published now. */
	addPost(location: Location, fields: Fields): Post {
		const now = this.options.now();
		const publishAt = fields.publish_at ? new Date(String(fields.publish_at)) : now;
		const own: Post = {
			id: idOf('post', this.created++),
			location_id: location.id,
			title: String(fields.title),
			content: String(fields.content),
			type: String(fields.type || 'update'),
			image_url: fields.image_url ? String(fields.image_url) : null,
			status: publishAt > now ? 'scheduled' : 'published',
			publish_at: publishAt.toISOString(),
			created_at: now.toISOString(),
			updated_at: now.toISOString(),
		};
		const post: Post = { ...own, ...fields, ...own };
		this.postsOf(location.id).unshift(post);
		if (post.status === 'scheduled') this.scheduled.add(post);
		this.notify({ location, post });
		return post;
	}

	/** Publishes the created posts whose time has come. */
	publishDue(): void {
		const now = this.options.now().getTime();
		for (const post of this.scheduled) {
			if (Date.parse(post.publish_at) <= now) this.publish(post);
		}
	}

	/** Publishes a scheduled post, whatever its time; undefined if there is none of this ID. */
	publishNow(id: string): Post | undefined {
		const post = [...this.scheduled].find((one) => one.id === id);
		if (post) this.publish(post);
		return post;
	}

	private publish(post: Post): void {
		this.scheduled.delete(post);
		Object.assign(post, { status: 'published', updated_at: this.time() });
		this.notify({ location: this.location(post.location_id), published: post });
	}

	/** Lowers the rank score of a location, as a bad week does. */
	dropRank(location: Location): void {
		location.rank_score = Math.max(0, location.rank_score - randomInt(5, 13));
		this.notify({ location });
	}

	/** Scans all keywords of a location; positions move by a few places. */
	scanNow(location: Location): void {
		for (const keyword of this.keywordsOf(location.id)) {
			const position = (keyword.position ?? LOWEST_RANK) + randomInt(-3, 4);
			this.addScan(keyword, position > LOWEST_RANK ? null : Math.max(1, position));
		}
		this.notify({ location });
	}

	/** Calls back on every change until the returned function is called. */
	watch(watcher: (change: Change) => void): () => void {
		this.watchers.add(watcher);
		return () => this.watchers.delete(watcher);
	}

	/** The ID, if it belongs to a location of this account: only those get sample data. */
	private known(locationId: string): string {
		if (!this.locationById.has(locationId)) throw new Error(`There is no location ${locationId}`);
		return locationId;
	}

	private notify(change: Change): void {
		for (const watcher of this.watchers) watcher(change);
	}

	private time(): string {
		return this.options.now().toISOString();
	}
}

/** The value that a map holds for a key, created when it is first needed. */
function remembered<T>(store: Map<string, T>, key: string, make: () => T): T {
	let value = store.get(key);
	if (value === undefined) {
		value = make();
		store.set(key, value);
	}
	return value;
}
