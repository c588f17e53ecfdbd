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
import { countries } from './vocabulary';

const DAY = 24 * 60 * 60 * 1000;
const SCANNED_WEEKS = 26;
const INSIGHT_DAYS = 30;

const NOTHING = Object.fromEntries(COUNTS.map((name) => [name, 0])) as InsightCounts;

/** Beyond this position, a keyword counts as not ranked. */
export const LOWEST_RANK = 20;
/** IDs of keywords and posts contain the number of their location; each has up to this many. */
const PER_PARENT = 32;

/** The sample account, created record by record when needed; its data ends at `now`. */
export class Sample {
	constructor(private readonly now: Date) {}

	/** The location with this index, counted from 0. */
	location(index: number): Location {
		const { country, city, trade, family, round } = placeOf(index);
		const { language } = country;
		const chance = random(`location ${index}`);
		return {
			id: idOf('loc', index),
			name: trade.name.replace('*', family) + (round > 0 ? ` ${round + 1}` : ''),
			address: chance
				.pick(language.addresses)
				.replace('*', chance.pick(language.streets))
				.replace('#', String(chance.between(1, 180))),
			city,
			country: country.code,
			rank_score: chance.between(38, 97),
			status: index % 11 === 7 ? 'paused' : 'active',
			keywords_count: chance.between(3, 8),
			last_scan_at: this.lastScan(index).toISOString(),
			created_at: this.daysAgo(chance.between(200, 1100), chance.between(7, 17)).toISOString(),
		};
	}

	/** The id of the location that a sample keyword or post belongs to, read from its own id. */
	static locationOf(id: string): string {
		return idOf('loc', Math.floor(numberOf(id) / PER_PARENT));
	}

	keywords(locationId: string): Keyword[] {
		const index = numberOf(locationId);
		const { keywords_count: count, created_at } = this.location(index);
		const { country, city, trade } = placeOf(index);
		return Array.from({ length: count }, (_, nth) => {
			const keywordId = idOf('kw', index * PER_PARENT + nth);
			return {
				id: keywordId,
				location_id: locationId,
				keyword: country.language.searches[nth].replace('*', trade.noun).replace('@', city),
				search_volume: random(`volume ${keywordId}`).between(2, 240) * 10,
				position: this.scans(keywordId)[0].position,
				created_at,
			};
		});
	}

	/** Weekly scans of a keyword, the latest first. */
	scans(keywordId: string): RankScan[] {
		const chance = random(`scans ${keywordId}`);
		const locationId = Sample.locationOf(keywordId);
		const last = this.lastScan(numberOf(locationId)).getTime();
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
		if (index % 3 === 0) return [];
		const { name, city } = this.location(index);
		const { language } = placeOf(index).country;
		const chance = random(`posts ${index}`);
		return Array.from({ length: chance.between(1, 5) }, (_, nth) => {
			const { type, title, content } = language.posts[(index + nth) % language.posts.length];
			const days = nth * 14 + chance.between(2, 12);
			const at = this.daysAgo(days, chance.between(7, 17)).toISOString();
			return {
				id: idOf('post', index * PER_PARENT + nth),
				location_id: locationId,
				title,
				content: content.replace('*', name).replace('@', String(city)),
				type,
				image_url: type === 'event' ? `https://images.example/${locationId}/${nth + 1}.jpg` : null,
				status: 'published' as const,
				publish_at: at,
				created_at: at,
				updated_at: at,
			};
		});
	}

	/** Thirty days of counts, ending yesterday; all are zero for a location without a history. */
	insight(locationId: string, hasHistory: boolean): Insight {
		const chance = random(`insight ${locationId}`);
		const size = chance.between(20, 200);
		const days = Array.from({ length: INSIGHT_DAYS }, (_, nth) => {
			const day = this.daysAgo(INSIGHT_DAYS - nth, 0);
			const counts = hasHistory ? dayCounts(chance, size, day) : NOTHING;
			return { date: day.toISOString().slice(0, 10), ...counts };
		});
		const totals = { ...NOTHING };
		for (const day of days) for (const name of COUNTS) totals[name] += day[name];
		const period = { from: days[0].date, to: days[days.length - 1].date };
		return { location_id: locationId, period, totals, days };
	}

	private lastScan(index: number): Date {
		return this.daysAgo(1 + (index % 7), 5);
	}

	/** A full hour (UTC) of a day that lies this many days back. */
	private daysAgo(days: number, hour: number): Date {
		const today = Math.floor(this.now.getTime() / DAY) * DAY;
		return new Date(today - days * DAY + hour * 60 * 60 * 1000);
	}
}

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

/** Country, city, trade and family of a location. Countries take turns; names are unique in a country. */
function placeOf(index: number) {
	const turn = index % countries.length;
	const nth = Math.floor(index / countries.length);
	const country = countries[turn];
	const { trades, families } = country.language;
	return {
		country,
		city: country.cities[nth % country.cities.length],
		// Ten trades and thirteen families share no divisor, so every pair occurs before one is repeated.
		trade: trades[(nth * 3 + turn) % trades.length],
		family: families[(nth * 5 + turn) % families.length],
		round: Math.floor(nth / (trades.length * families.length)),
	};
}
