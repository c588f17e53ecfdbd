import type { JsonObject } from '../client';
import { idIn, memoryKey, numberIn, rememberedWords } from './records';
import {
	addedEvent,
	compareIds,
	type EventType,
	type KnownRecord,
	type ListSubject,
	type TriggerEvent,
} from './subject';

const keywordAdded: EventType = {
	name: 'keywordAdded',
	label: 'Keyword Added',
	description: 'A keyword was added to a location',
	records: 'keywords',
	sample: ({ location, keywords: [keyword] }) =>
		keyword && addedEvent('keywordAdded', keyword, location),
};

const keywordRemoved: EventType = {
	name: 'keywordRemoved',
	label: 'Keyword Removed',
	description: 'A keyword was removed from a location',
	records: 'keywords',
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
		const { added, missing, gone } = compareIds(memory.keywords, listed, account);
		const keywordsCount = keywordsCountOf(location);
		// If the count does not confirm that a keyword was removed, the next list decides.
		const isConfirmed = keywordsCount !== null && listed.length >= keywordsCount;
		const removed = isConfirmed ? [...missing, ...gone] : gone;
		const events = [
			...added.map((record) => addedEvent(keywordAdded.name, record, location)),
			...removed.map((keyword) => removedEvent(keyword, location)),
		];
		const keywords = [...listed.map(knownOf), ...(isConfirmed ? [] : missing)];
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			memory: { ...memory, keywords, keywordsCount },
		};
	},
};

function removedEvent({ id, text }: KnownRecord, location: JsonObject): TriggerEvent {
	const location_id = location.id ?? idIn(location);
	const record = { id, location_id, ...(text === undefined ? {} : { keyword: text }) };
	return { event: keywordRemoved.name, record, before: record, changed: [], location };
}

export function keywordsCountOf({ keywords_count: count }: JsonObject): number | null {
	return numberIn(count) ?? null;
}

/** The name of the field is an assumption (docs/assumptions.md). */
function knownOf(record: JsonObject): KnownRecord {
	const { keyword } = record;
	return {
		id: memoryKey(record),
		text: typeof keyword === 'string' ? rememberedWords(keyword) : undefined,
	};
}
