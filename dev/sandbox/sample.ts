import { idOf, numberOf, type Random, random } from './chance';
import {
	COUNTS,
	type InsightCounts,
	type Insight,
	type Keyword,
	type Location,
	type Post,
	type RankScan,
} from './records';
import data from './sample.json';

/** A time of the sample: whole days back, and the hour of that day in UTC. */
type Time = [days: number, hour: number];

/** A location of sample.json: what it searches for by volume, and when each of its posts was created. */
interface Entry extends Pick<Location, 'name' | 'address' | 'city' | 'country' | 'status'> {
	language: keyof typeof data.posts;
	rank_score: number;
	scanned: Time;
	created: Time;
	keywords: Record<string, number>;
	posts: Time[];
}

const ENTRIES = data.locations as unknown as Entry[];

const DAY = 24 * 60 * 60 * 1000;
const SCANNED_WEEKS = 26;
const INSIGHT_DAYS = 30;

const NOTHING = Object.fromEntries(COUNTS.map((name) => [name, 0])) as InsightCounts;

/** Beyond this position, a keyword counts as not ranked. */
const LOWEST_RANK = 20;
/** IDs of keywords and posts contain the number of their location; each has up to this many. */
const PER_PARENT = 32;

/**
 * The sample account: sample.json with IDs and dates, and scans and insights drawn for each ID. An account
 * with more locations than the file has them again under other names. Its data ends at `now`.
 */
export class Sample {
	constructor(private readonly now: Date) {}

	/** The location with this index, counted from 0. */
	location(index: number): Location {
		const { name, address, city, country, status, ...entry } = entryOf(index);
		const round = Math.floor(index / ENTRIES.length);
		return {
			id: idOf('loc', index),
			name: round > 0 ? `${name} ${round + 1}` : name,
			...{ address, city, country, rank_score: entry.rank_score, status },
			keywords_count: Object.keys(entry.keywords).length,
			last_scan_at: this.at(entry.scanned).toISOString(),
			created_at: this.at(entry.created).toISOString(),
		};
	}

	/** The id of the location that a sample keyword or post belongs to, read from its own id. */
	static locationOf(id: string): string {
		return idOf('loc', Math.floor(numberOf(id) / PER_PARENT));
	}

	keywords(locationId: string): Keyword[] {
		const index = numberOf(locationId);
		const { keywords, created } = entryOf(index);
		return Object.entries(keywords).map(([keyword, search_volume], nth) => {
			const id = idOf('kw', index * PER_PARENT + nth);
			return {
				...{ id, location_id: locationId, keyword, search_volume },
				position: this.scans(id)[0].position,
				created_at: this.at(created).toISOString(),
			};
		});
	}

	/** Weekly scans of a keyword, the latest first. */
	scans(keywordId: string): RankScan[] {
		const chance = random(`scans ${keywordId}`);
		const locationId = Sample.locationOf(keywordId);
		const last = this.at(entryOf(numberOf(locationId)).scanned).getTime();
		let rank = chance.between(3, 24);
		let previous: number | null = null;
		const scans: RankScan[] = [];
		for (let week = SCANNED_WEEKS - 1; week >= 0; week--) {
			rank = Math.max(1, rank + chance.between(-3, 2));
			const position = rank > LOWEST_RANK ? null : rank;
			scans.unshift({
				id: idOf('scan', numberOf(keywordId) * PER_PARENT + week),
				keyword_id: keywordId,
				position,
				previous_position: previous,
				url: position === null ? null : `https://${locationId.replace('_', '-')}.example/`,
				device: week % 2 === 0 ? 'mobile' : 'desktop',
				scanned_at: new Date(last - week * 7 * DAY).toISOString(),
			});
			previous = position;
		}
		return scans;
	}

	/** Posts of a location, the latest first; every third location has none. */
	posts(locationId: string): Post[] {
		const index = numberOf(locationId);
		const { name, city } = this.location(index);
		const { language, posts } = entryOf(index);
		const texts = data.posts[language];
		return posts.map((created, nth) => {
			const { type, title, content } = texts[(index + nth) % texts.length];
			const at = this.at(created).toISOString();
			return {
				id: idOf('post', index * PER_PARENT + nth),
				location_id: locationId,
				title,
				content: content.replace('{name}', name).replace('{city}', String(city)),
				type,
				image_url: type === 'event' ? `https://images.example/${locationId}/${nth + 1}.jpg` : null,
				status: 'published' as const,
				...{ publish_at: at, created_at: at, updated_at: at },
			};
		});
	}

	/** Thirty days of counts, ending yesterday; all are zero for a location without a history. */
	insight(locationId: string, hasHistory: boolean): Insight {
		const chance = random(`insight ${locationId}`);
		const size = chance.between(20, 200);
		const days = Array.from({ length: INSIGHT_DAYS }, (_, nth) => {
			const day = this.at([INSIGHT_DAYS - nth, 0]);
			const counts = hasHistory ? dayCounts(chance, size, day) : NOTHING;
			return { date: day.toISOString().slice(0, 10), ...counts };
		});
		const totals = { ...NOTHING };
		for (const day of days) for (const name of COUNTS) totals[name] += day[name];
		const period = { from: days[0].date, to: days[days.length - 1].date };
		return { location_id: locationId, period, totals, days };
	}

	private at([days, hour]: Time): Date {
		const today = Math.floor(this.now.getTime() / DAY) * DAY;
		return new Date(today - days * DAY + hour * 60 * 60 * 1000);
	}
}

const entryOf = (index: number) => ENTRIES[index % ENTRIES.length];

/** The counts of a day; on Sundays, half as much happens. */
function dayCounts(chance: Random, size: number, day: Date): InsightCounts {
	const part = day.getUTCDay() === 0 ? 0.5 : 1;
	const views = Math.round(size * part * (0.8 + chance.next() * 0.4));
	const share = (part: number) => Math.round(views * part * (0.6 + chance.next() * 0.8));
	return {
		views,
		searches: share(0.6),
		calls: share(0.04),
		direction_requests: share(0.07),
		website_clicks: share(0.11),
	};
}
