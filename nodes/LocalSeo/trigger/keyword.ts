import type { JsonObject } from '../client';
import { addedEvent, type TriggerEvent } from './event';
import { keyOf } from './identified';
import { type EventType, isCreatedSince, type ListSubject } from './subject';

/** What is remembered of a location's keywords. */
export interface KeywordMemory {
	/** Their texts by ID; undefined while they have not been listed. */
	keywords?: Map<string, string>;
	/** Those of them that the last list did not have, although nothing confirms that they were removed. */
	unlistedKeywords: Set<string>;
	/** The location's `keywords_count` when they were listed: if it differs now, keywords have changed. */
	keywordsCount: number | null;
}

/** Characters of a keyword's text that are remembered, to name it when it is removed. */
const MAX_TEXT = 200;

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

export const keywordSubject: ListSubject<KeywordMemory> = {
	events: [keywordAdded, keywordRemoved],
	lists: ['keywords'],
	learn: (location) => ({
		keywords: undefined,
		unlistedKeywords: new Set(),
		keywordsCount: countOf(location),
	}),
	learnEmpty: () => ({ keywords: new Map(), keywordsCount: 0 }),
	mayHaveChanged: ({ keywords, unlistedKeywords, keywordsCount }, location) =>
		keywords === undefined || unlistedKeywords.size > 0 || keywordsCount !== countOf(location),

	compare({ account, location: memory }, { location, keywords: listed }, settings) {
		const known = memory.keywords;
		const keywords = new Map(listed.map((record) => [keyOf(record), textOf(record)]));
		const keywordsCount = countOf(location);
		const isConfirmed = keywordsCount !== null && keywords.size >= keywordsCount;

		// If the first poll ran out of time, nothing is known yet, so the date decides.
		const isNew = (record: (typeof listed)[number]) =>
			known ? !known.has(keyOf(record)) : isCreatedSince(record, account);
		const events = listed
			.filter(isNew)
			.map((record) => addedEvent(keywordAdded.name, record, location));

		// A list may lack a keyword for a moment, so where the count does not confirm that it was removed,
		// the next list decides.
		const unlistedKeywords = new Set<string>();
		for (const [id, text] of known ?? []) {
			if (keywords.has(id)) continue;
			if (isConfirmed || memory.unlistedKeywords.has(id)) {
				const keyword = text === '' ? {} : { keyword: text };
				events.push(removedEvent({ id, location_id: location.id, ...keyword }, location));
			} else {
				keywords.set(id, text);
				unlistedKeywords.add(id);
			}
		}
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			remembered: { account, location: { keywords, unlistedKeywords, keywordsCount } },
		};
	},
};

function removedEvent(record: JsonObject, location: JsonObject): TriggerEvent {
	return { event: keywordRemoved.name, record, before: record, changed: [], location };
}

function countOf({ keywords_count: count }: JsonObject): number | null {
	return typeof count === 'number' ? count : null;
}

/** The name of the field is an assumption (docs/assumptions.md). Line breaks and tabs are separators in the stored state. */
function textOf({ keyword }: JsonObject): string {
	return typeof keyword === 'string' ? keyword.replace(/\s+/g, ' ').slice(0, MAX_TEXT) : '';
}
