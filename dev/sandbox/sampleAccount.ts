import { randomInt } from 'node:crypto';

import { Account, type Call, type Fields, type Kind, type Limit, PREFIX } from './account';
import { idOf, numberOf } from './chance';
import type { Insight, Keyword, Location, Post, RankScan } from './records';
import { Sample } from './sample';
import { fits, stored } from './stored';

/** IDs of created records are above those of the sample data, with room for a million of them. */
const FIRST_CREATED = 2 ** 31;
const LAST_FIRST_CREATED = 2 ** 32 - 2 ** 20;
/** Created posts that the page shows. */
const POSTS_SHOWN = 200;

export interface AccountOptions {
	locations: number;
	pageSize: number;
	/** The clock of created_at and updated_at; at a reset, the sample data ends at its time. */
	now: () => Date;
	/** For each key; none if undefined. */
	limit: Limit | undefined;
}

/**
 * An account with sample data, which publishes and scans. Locations are created at once, everything else
 * when it is first requested. The arrays are live: a record that is changed in place is served with its
 * changes.
 */
export class SampleAccount {
	/** What requests come to. */
	readonly service: Account;
	private sample: Sample;
	/**
	 * The next created ID is made from this. A service never uses an ID twice, and clients rely on that:
	 * so a reset does not change it, and another sandbox at the same address starts elsewhere.
	 */
	private created = randomInt(FIRST_CREATED, LAST_FIRST_CREATED);
	private readonly insights = new Map<string, Insight>();
	/** Created posts, the latest last, and those among them that are still to be published. */
	private posts: Post[] = [];
	private readonly scheduled = new Set<Post>();

	constructor(private readonly options: AccountOptions) {
		this.sample = new Sample(options.now());
		this.service = new Account(Date, {
			// A socket says what time it is.
			hasDate: false,
			pageSize: options.pageSize,
			limit: options.limit,
			newestFirst: ['posts', 'scans'],
			sample: (kind, ownerId) => this.sampleOf(kind, ownerId),
			instead: ({ root, id }) => void (root === 'keywords' && id && this.keyword(id)),
			id: (_, kind) => ({ id: idOf(PREFIX[kind], this.created++) }),
			createdAt: () => this.time(),
			stores: (fields, kind, isNew) => stored(fields, kind, isNew ? options.now() : undefined),
			created: (record, { kind }) => ({
				status: 201,
				body: { data: this.added(record, kind as Kind) },
			}),
			deleted: ({ location_id }) => {
				this.location(String(location_id))!.keywords_count -= 1;
				return { status: 204 };
			},
			insights: ({ id }) => this.insightOf(String(id)),
			shows: (records, call) => this.shown(records, call),
		});
		this.reset();
	}

	/** Restores the sample data; created records are gone. */
	reset(): void {
		this.sample = new Sample(this.options.now());
		this.service.clear();
		this.service.list('locations');
		this.insights.clear();
		this.posts = [];
		this.scheduled.clear();
	}

	/** In the order of their creation. Use addLocation and removeLocation to change it. */
	get locations(): Location[] {
		return this.service.list('locations') as Location[];
	}

	location(id: string): Location | undefined {
		return this.service.find('locations', id) as Location | undefined;
	}

	keyword(id: string): Keyword | undefined {
		// A sample ID leads to its location; creating the location's keywords also creates this one.
		const location = this.location(Sample.locationOf(id));
		if (location) this.keywordsOf(location.id);
		return this.service.find('keywords', id) as Keyword | undefined;
	}

	/** Keywords of a location in the order of their creation. */
	keywordsOf(locationId: string): Keyword[] {
		return this.service.list('keywords', locationId) as Keyword[];
	}

	/** Rank scans of a keyword, the latest first. */
	scansOf(keywordId: string): RankScan[] {
		return this.service.list('scans', keywordId) as RankScan[];
	}

	/** Content posts of a location, the latest first. */
	postsOf(locationId: string): Post[] {
		return this.service.list('posts', locationId) as Post[];
	}

	insightOf(locationId: string): Insight {
		const known =
			this.insights.get(locationId) ?? this.sample.insight(locationId, isSample(locationId));
		this.insights.set(locationId, known);
		return known;
	}

	addLocation(fields: Fields): Location {
		return this.service.create('locations', fields) as Location;
	}

	updateLocation(location: Location, fields: Fields): Location {
		return Object.assign(location, stored(fields, 'locations'));
	}

	/** The service has no operation for this; tests use it to change a list while it is read. */
	removeLocation(id: string): void {
		const location = this.location(id);
		if (location) this.service.remove('locations', location);
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
	addPost({ id }: Location, fields: Fields): Post {
		return this.added(this.service.create('posts', fields, id), 'posts') as Post;
	}

	/** The created posts, the latest first and with the names of their locations; how many there are in all. */
	received(): { posts: Array<Post & { location: string }>; postCount: number } {
		this.publishDue();
		const shown = this.posts.slice(-POSTS_SHOWN).reverse();
		const nameOf = ({ location_id }: Post) => this.location(location_id)?.name ?? location_id;
		const posts = shown.map((post) => ({ ...post, location: nameOf(post) }));
		return { posts, postCount: this.posts.length };
	}

	private publishDue(): void {
		const now = this.options.now().getTime();
		for (const post of this.scheduled) {
			if (Date.parse(post.publish_at) > now) continue;
			this.scheduled.delete(post);
			Object.assign(post, { status: 'published', updated_at: this.time() });
		}
	}

	/** The sample records of a list. What was created has no history, so it gets none. */
	private sampleOf(kind: Kind, ownerId: string): Fields[] {
		const { sample } = this;
		if (kind === 'locations') {
			return Array.from({ length: this.options.locations }, (_, index) => sample.location(index));
		}
		if (!isSample(ownerId)) return [];
		if (kind === 'scans') return sample.scans(ownerId);
		if (!this.location(ownerId)) throw new Error(`There is no location ${ownerId}`);
		return kind === 'keywords' ? sample.keywords(ownerId) : sample.posts(ownerId);
	}

	private added(record: Fields, kind: Kind): Fields {
		if (kind === 'posts') this.posts.push(record as Post);
		if (record.status === 'scheduled') this.scheduled.add(record as Post);
		if (kind === 'keywords') this.location(String(record.location_id))!.keywords_count += 1;
		return record;
	}

	/** A query parameter with the name of a field keeps the records with that value; any other is ignored. */
	private shown(records: Fields[], { kind, query }: Call): Fields[] {
		if (kind === 'posts') this.publishDue();
		const filters = Object.entries(query).filter(([name]) => !/^(page|per_page)$/.test(name));
		// Unfiltered, a page costs the same in a list of any length.
		return filters.length === 0 ? records : records.filter((record) => fits(record, filters));
	}

	private time(): string {
		return this.options.now().toISOString();
	}
}

/** Whether the record of this ID is sample data, and was not created. */
const isSample = (id: string) => numberOf(id) < FIRST_CREATED;
