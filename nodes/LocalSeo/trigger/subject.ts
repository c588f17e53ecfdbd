import { createdAt, type JsonObject } from '../client';
import { differenceOf, keyOf, type KnownFields } from './records';
import type { Settings } from './settings';

/** An event starts the workflow with one item. */
export interface TriggerEvent {
	event: string;
	/** The record, as the service returns it; for a removed keyword, what was remembered of it. */
	record: JsonObject;
	/** Earlier values of the changed fields, if they are short; for a scan, the previous scan. */
	before: JsonObject | null;
	/** Names of the fields that changed. */
	changed: string[];
	/** Of a rank score: by how much it changed; negative where it dropped. */
	change?: number;
	/** The location that the record belongs to, or is: then its item has it once. */
	location: JsonObject;
	/** The keyword that a scan belongs to. */
	keyword?: JsonObject;
	/** Says that this is a test event; no other event has it. */
	sample?: string;
}

/** An event that the trigger offers. */
export interface EventType {
	/** As stored in saved workflows. */
	name: string;
	label: string;
	description: string;
	/** What there has to be for it: "rank scans". */
	records: string;
	/** The event for "Fetch Test Event"; undefined if nothing is listed that it could show. */
	sample(listed: Listed, settings: Settings): TriggerEvent | undefined;
}

/** A list that belongs to a location; the scans belong to each of its keywords. */
export type ListName = 'keywords' | 'posts' | 'scans';

/** A rank scan. */
export interface Scan {
	record: JsonObject;
	keyword: JsonObject;
	/** Its time in milliseconds. */
	at: number;
	/** A short hash by which it is recognized. */
	key: string;
}

/** A location and what was listed there; lists that were not requested are empty. */
export interface Listed {
	location: JsonObject;
	keywords: JsonObject[];
	/** Of all keywords, the latest first. */
	scans: Scan[];
	/** Whether the scans of all keywords can be read. */
	isComplete: boolean;
	posts: JsonObject[];
}

/** What is remembered of the account. Times in milliseconds, by the service's clock. */
export interface AccountMemory {
	/** What is watched, see `signatureOf`. */
	watch: string;
	/** How many polls there were. */
	polls: number;
	/** When the first poll was, and when the last one. */
	since: number;
	polledAt: number;
	/** The location with which the next poll continues, after one that ran out of time. */
	resumeAt?: string;
	/** Hashes of lines in n8n's log, each of which is written once. */
	noted?: string[];
}

/** What is remembered of a keyword or a content post. */
export interface KnownRecord {
	id: string;
	/** Whether the last list did not have it. */
	isMissing?: boolean;
	/** Of a keyword, to name it when it is removed. */
	text?: string;
	/** Of a post; absent: changes of posts are not watched. */
	fields?: KnownFields;
}

/** What is remembered of a location and of its lists; absent: a list has not been read. */
export interface LocationMemory {
	/** Absent: changes of locations are not watched. */
	fields?: KnownFields;
	/** The rank score with which the next one is compared, by the name of the event. */
	rankScores: Record<string, number>;
	keywords?: KnownRecord[];
	/** The location's `keywords_count` when they were listed: if it differs now, keywords have changed. */
	keywordsCount: number | null;
	posts?: KnownRecord[];
	/** The location's `last_scan_at`: if it differs now, there are new scans. */
	lastScanAt: string | null;
	/** Scans dated after this (milliseconds) are new, unless they are among the known ones. */
	scansAfter: number;
	/** Keys of the known scans that are dated after that. */
	knownScans?: string[];
	/** The last poll that compared all watched lists. */
	checkedAt: number;
}

/** What a comparison has to know beside the two things that it compares. */
export interface Watch {
	settings: Settings;
	account: AccountMemory;
}

/** What changed, as far as it is to be reported, and what to remember from now on. */
export interface Outcome {
	events: TriggerEvent[];
	memory: LocationMemory;
}

/** Something that is watched by lists of a location. All of it is pure. */
export interface ListSubject {
	events: EventType[];
	/** What has to be listed before it can be compared. */
	lists: ListName[];
	/** Whether the location itself shows that its lists may have changed. */
	mayHaveChanged(memory: LocationMemory, location: JsonObject): boolean;
	compare(memory: LocationMemory, listed: Listed, watch: Watch): Outcome;
}

/** Milliseconds by which a clock, or a time zone, may be wrong. */
const DAY = 24 * 3_600_000;

/** Whether the service can know a date already; one that is far ahead says nothing about others. */
export function isPlausible(time: number, { polledAt }: AccountMemory): boolean {
	return time <= polledAt + DAY;
}

/**
 * Whether a record is new although its list was not read before: if it is dated after the first
 * poll, or after what was known then.
 */
export function isNewAtFirst(
	time: number | undefined,
	account: AccountMemory,
	after = account.since,
): boolean {
	return time !== undefined && time > after && isPlausible(time, account);
}

/**
 * What is new in a list, what is missing from it for the first time, and what for the second: a list
 * may lack a record for a moment.
 */
export function compareIds(
	known: KnownRecord[] | undefined,
	listed: JsonObject[],
	account: AccountMemory,
): { added: JsonObject[]; missing: KnownRecord[]; gone: KnownRecord[] } {
	const knownIds = known && new Set(known.map(({ id }) => id));
	const listedIds = new Set(listed.map(keyOf));
	const isNew = (record: JsonObject) =>
		knownIds ? !knownIds.has(keyOf(record)) : isNewAtFirst(createdAt(record), account);
	const unlisted = (known ?? []).filter(({ id }) => !listedIds.has(id));
	return {
		added: listed.filter(isNew),
		missing: unlisted
			.filter(({ isMissing }) => !isMissing)
			.map((record) => ({ ...record, isMissing: true })),
		gone: unlisted.filter(({ isMissing }) => isMissing),
	};
}

export function addedEvent(event: string, record: JsonObject, location: JsonObject): TriggerEvent {
	return { event, record, before: null, changed: [], location };
}

/**
 * The event of a record of which fields changed; none where nothing did.
 *
 * @param added fields that the service has added to all such records
 */
export function changedEvents(
	event: string,
	record: JsonObject,
	location: JsonObject,
	[earlier, now]: [KnownFields, KnownFields],
	added?: string[],
): TriggerEvent[] {
	const { changed, before } = differenceOf(earlier, now, added);
	return changed.length > 0 ? [{ event, record, before, changed, location }] : [];
}
