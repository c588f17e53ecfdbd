/** What a record may have besides its own fields: whatever a client sent with it. */
interface Sent {
	[field: string]: unknown;
}

/** Times are ISO 8601 in UTC; what is null has no value yet. */
export interface Location extends Sent {
	id: string;
	name: string;
	address: string | null;
	city: string | null;
	country: string | null;
	rank_score: number;
	status: string;
	keywords_count: number;
	last_scan_at: string | null;
	created_at: string;
}

/** `search_volume` is in searches a month; `position` is null while the keyword is not ranked. */
export interface Keyword extends Sent {
	id: string;
	location_id: string;
	keyword: string;
	search_volume: number;
	position: number | null;
	created_at: string;
}

export interface RankScan extends Sent {
	id: string;
	keyword_id: string;
	position: number | null;
	previous_position: number | null;
	url: string | null;
	device: 'mobile' | 'desktop';
	scanned_at: string;
}

export interface Post extends Sent {
	id: string;
	location_id: string;
	title: string;
	content: string;
	type: string;
	image_url: string | null;
	status: 'scheduled' | 'published';
	publish_at: string;
	created_at: string;
	updated_at: string;
}

/** How often something happened in a day or in the whole period. */
export const COUNTS = [
	'views',
	'searches',
	'calls',
	'direction_requests',
	'website_clicks',
] as const;
export type InsightCounts = Record<(typeof COUNTS)[number], number>;

/** Dates are YYYY-MM-DD; `from` and `to` both belong to the period. */
export interface Insight {
	location_id: string;
	period: { from: string; to: string };
	totals: InsightCounts;
	days: Array<{ date: string } & InsightCounts>;
}
