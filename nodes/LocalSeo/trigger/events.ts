import type { JsonObject } from '../client';

/** The lists to watch: the locations, and lists that each location has; scans are listed by keyword. */
export type Watched = 'keywords' | 'locations' | 'posts' | 'scans';

/**
 * The changes of a record:
 *
 * - `added`: it is new in its list; `removed`: two lists in a row lack it
 * - `changed`: a watched field has another value
 * - `became`: its status is now the one that means published
 * - `moved`: its score is far enough from the last reported one; `down` and `up` in one direction
 */
export type Change = 'added' | 'became' | 'changed' | 'down' | 'moved' | 'removed' | 'up';

/** An event that the trigger offers. */
export interface EventType {
	/** The name in saved workflows; it never changes. */
	name: string;
	label: string;
	description: string;
	of: Watched;
	when: Change;
}

/** `[name, of, when, label, description]` of all events, of which everything else about them follows. */
const TABLE: Array<[string, Watched, Change, string, string]> = [
	['keywordAdded', 'keywords', 'added', 'Keyword Added', 'A location has a new keyword'],
	['keywordRemoved', 'keywords', 'removed', 'Keyword Removed', 'A location lost a keyword'],
	[
		'locationAdded',
		'locations',
		'added',
		'Location Added',
		'The account has a new location, whichever locations you select below',
	],
	[
		'locationChanged',
		'locations',
		'changed',
		'Location Changed',
		'A field of a location changed: any field, or one of those in Fields to Watch',
	],
	['postAdded', 'posts', 'added', 'Content Post Added', 'A location has a new content post'],
	['postChanged', 'posts', 'changed', 'Content Post Changed', 'A field of a content post changed'],
	[
		'postPublished',
		'posts',
		'became',
		'Content Post Published',
		'The status of a content post became the one in Published Status',
	],
	['rankScanCompleted', 'scans', 'added', 'Rank Scan Completed', 'A keyword has a new rank scan'],
	['rankScoreChanged', 'locations', 'moved', 'Rank Score Changed', 'A rank score changed'],
	['rankScoreDropped', 'locations', 'down', 'Rank Score Dropped', 'A rank score became lower'],
	['rankScoreRose', 'locations', 'up', 'Rank Score Rose', 'A rank score became higher'],
];

export const eventTypes = TABLE.map(
	([name, of, when, label, description]): EventType => ({ name, of, when, label, description }),
);

export const isOfScore = ({ when }: EventType) => ['down', 'moved', 'up'].includes(when);
export const isLocationAdded = ({ of, when }: EventType) => of === 'locations' && when === 'added';

/** An event; it starts the workflow with one item. */
export interface TriggerEvent {
	event: string;
	/** The record as the service returns it; of a removed keyword, what is remembered. */
	record: JsonObject;
	/** For a scan, the one that came before; for a score, the last reported one; else null. */
	before: JsonObject | null;
	/** Names of the fields that changed. */
	changed: string[];
	/** Only for a score: its change, negative for a drop. */
	change?: number;
	/** The location of the record; the record itself if it is one. */
	location: JsonObject;
	/** Only for a scan: its keyword. */
	keyword?: JsonObject;
}

/** @param more what is known beyond the record and its location */
export function eventOf(
	{ name: event }: EventType,
	record: JsonObject,
	location: JsonObject,
	more: Partial<TriggerEvent> = {},
): TriggerEvent {
	return { event, before: null, record, changed: [], location, ...more };
}
