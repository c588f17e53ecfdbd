import type { Fields, Kind } from './account';
import { Refusal } from './contract';

/** The account's own fields: what a client sends under these names does not count. */
const OWN: Record<Kind, string[]> = {
	locations: ['id', 'rank_score', 'keywords_count', 'last_scan_at', 'created_at'],
	keywords: ['id', 'location_id', 'search_volume', 'position', 'created_at'],
	posts: ['id', 'location_id', 'status', 'created_at', 'updated_at'],
	scans: [],
};

/**
 * What the account makes of the fields that were sent.
 *
 * @param createdAt of a new record; absent: of one that is changed
 */
export function stored(sent: Fields, kind: Kind, createdAt?: Date): Fields {
	const fields = { ...sent };
	for (const name of OWN[kind]) delete fields[name];
	if (!createdAt) return fields;
	if (kind === 'locations') {
		const given = { address: null, city: null, country: null, status: 'active', ...fields };
		const counts = { rank_score: 0, keywords_count: 0, last_scan_at: null };
		return { ...given, ...counts, name: String(fields.name) };
	}
	if (kind === 'posts') return { ...fields, ...publicationOf(fields, createdAt) };
	return { ...fields, keyword: String(fields.keyword), search_volume: 0, position: null };
}

function publicationOf({ title, content, type, image_url, publish_at }: Fields, now: Date): Fields {
	const publishAt = publish_at ? new Date(String(publish_at)) : now;
	if (Number.isNaN(publishAt.getTime())) {
		const text = 'The publish_at field is not a valid date.';
		throw new Refusal(422, text, { publish_at: [text] });
	}
	return {
		...{ title: String(title), content: String(content), type: String(type || 'update') },
		image_url: image_url ? String(image_url) : null,
		status: publishAt > now ? 'scheduled' : 'published',
		publish_at: publishAt.toISOString(),
		updated_at: now.toISOString(),
	};
}

/** Whether a record has the values of a query; names that it does not have are ignored. */
export function fits(record: Fields, filters: Array<[string, unknown]>): boolean {
	return filters.every(
		([name, value]) => !Object.hasOwn(record, name) || String(record[name]) === String(value),
	);
}
