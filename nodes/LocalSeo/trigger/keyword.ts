import { createdAt, idOf, type JsonObject } from '../client';
import { addedEvent, type TriggerEvent } from './event';
import type { EventType, Subject } from './subject';

/** What is remembered of a location's keywords. */
export interface KeywordMemory {
	/** Their texts by ID; undefined while they have not been listed. */
	keywords?: Map<string, string>;
	/** The location's `keywords_count` when they were: if it differs now, keywords have changed. */
	keywordsCount: number | null;
}

const keywordAdded: EventType = {
	name: 'keywordAdded',
	sample: ({ location, keywords: [keyword] }) =>
		keyword && addedEvent('keywordAdded', keyword, location),
};

const keywordRemoved: EventType = {
	name: 'keywordRemoved',
	sample: ({ location, keywords: [listed] }) => {
		if (!listed) return undefined;
		const { id, location_id, keyword } = listed;
		return removedEvent({ id, location_id, keyword }, location);
	},
};

export const keywordSubject: Subject<KeywordMemory> = {
	events: [keywordAdded, keywordRemoved],
	lists: ['keywords'],
	learn: (location) => ({ keywords: undefined, keywordsCount: countOf(location) }),
	learnEmpty: () => ({ keywords: new Map(), keywordsCount: 0 }),
	mayHaveChanged: ({ keywords, keywordsCount }, location) =>
		keywords === undefined || keywordsCount !== countOf(location),

	compare(remembered, { location, keywords: listed }, settings) {
		const { account, location: memory } = remembered;
		const known = memory.keywords;
		const keywords = new Map(listed.map((record) => [idOf(record) ?? '', textOf(record)]));
		const keywordsCount = countOf(location);
		const removed = [...(known ?? [])].filter(([id]) => !keywords.has(id));
		if (removed.length > 0 && isIncomplete(keywords.size, keywordsCount, memory.keywordsCount)) {
			return { events: [], remembered };
		}

		// If the first poll ran out of time, nothing is known yet, so the date decides.
		const isNew = (record: JsonObject) =>
			known ? !known.has(idOf(record) ?? '') : (createdAt(record) ?? 0) > account.since;
		const events = [
			...listed.filter(isNew).map((record) => addedEvent(keywordAdded.name, record, location)),
			...removed.map(([id, keyword]) => {
				const text = keyword === '' ? {} : { keyword };
				return removedEvent({ id, location_id: location.id, ...text }, location);
			}),
		];
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			remembered: { account, location: { keywords, keywordsCount } },
		};
	},
};

function removedEvent(record: JsonObject, location: JsonObject): TriggerEvent {
	return { event: keywordRemoved.name, record, before: record, changed: [], location };
}

/** Whether a list lacks keywords although their count has not gone down. */
function isIncomplete(listed: number, count: number | null, earlierCount: number | null): boolean {
	const hasGoneDown = count !== null && earlierCount !== null && count < earlierCount;
	return count !== null && listed < count && !hasGoneDown;
}

function countOf({ keywords_count: count }: JsonObject): number | null {
	return typeof count === 'number' ? count : null;
}

/** The name of the field is an assumption (docs/assumptions.md). Line breaks and tabs are separators in the stored state. */
function textOf({ keyword }: JsonObject): string {
	return typeof keyword === 'string' ? keyword.replace(/\s+/g, ' ') : '';
}
