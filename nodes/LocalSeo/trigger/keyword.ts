import { createdAt, type JsonObject } from '../client';
import { keyOf } from './records';
import {
	addedEvent,
	type EventType,
	isNewAtFirst,
	type KnownKeyword,
	type ListSubject,
	type TriggerEvent,
} from './subject';

const keywordAdded: EventType = {
	name: 'keywordAdded',
	label: 'Keyword Added',
	description: 'A keyword was added to a location',
	sample: ({ location, keywords: [keyword] }) =>
		keyword && addedEvent('keywordAdded', keyword, location),
};

const keywordRemoved: EventType = {
	name: 'keywordRemoved',
	label: 'Keyword Removed',
	description: 'A keyword was removed from a location',
	sample: ({ location, keywords: [keyword] }) =>
		keyword && removedEvent(knownOf(keyword), location),
};

export const keywordSubject: ListSubject = {
	events: [keywordAdded, keywordRemoved],
	lists: ['keywords'],
	mayHaveChanged: ({ keywords, keywordsCount }, location) =>
		keywords === undefined ||
		keywords.some(({ isMissing }) => isMissing) ||
		keywordsCount !== keywordsCountOf(location),

	compare(memory, { location, keywords: listed }, { settings, account }) {
		const knownIds = memory.keywords && new Set(memory.keywords.map(({ id }) => id));
		const isNew = (record: JsonObject) =>
			knownIds ? !knownIds.has(keyOf(record)) : isNewAtFirst(createdAt(record), account);
		const events = listed
			.filter(isNew)
			.map((record) => addedEvent(keywordAdded.name, record, location));

		const keywords = listed.map(knownOf);
		const keywordsCount = keywordsCountOf(location);
		const isConfirmed = keywordsCount !== null && listed.length >= keywordsCount;
		const listedIds = new Set(listed.map(keyOf));
		for (const keyword of memory.keywords ?? []) {
			if (listedIds.has(keyword.id)) continue;
			// A list may lack a keyword for a moment, so where the count does not confirm that it was
			// removed, the next list decides.
			if (isConfirmed || keyword.isMissing) events.push(removedEvent(keyword, location));
			else keywords.push({ ...keyword, isMissing: true });
		}
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			memory: { ...memory, keywords, keywordsCount },
		};
	},
};

function removedEvent({ id, text }: KnownKeyword, location: JsonObject): TriggerEvent {
	const known = text === undefined ? {} : { keyword: text };
	const record = { id, location_id: location.id, ...known };
	return { event: keywordRemoved.name, record, before: record, changed: [], location };
}

export function keywordsCountOf({ keywords_count: count }: JsonObject): number | null {
	return typeof count === 'number' ? count : null;
}

/** The name of the field is an assumption (docs/assumptions.md). */
function knownOf(record: JsonObject): KnownKeyword {
	const { keyword } = record;
	return { id: keyOf(record), text: typeof keyword === 'string' ? keyword : undefined };
}
