import { createdAt, type JsonObject } from '../client';
import { diffFields, memoryKey, type KnownFields } from './records';
import type { Settings } from './settings';

/** An event; it starts the workflow with one item. */
export interface TriggerEvent {
	event: string;
	/** The record as the service returns it; for a removed keyword, what was remembered of it. */
	record: JsonObject;
	/** Earlier values of the changed fields, if they are short; for a scan, the previous scan. */
	before: JsonObject | null;
	/** Names of the fields that changed. */
	changed: string[];
	/** Only for a rank score: its change, negative for a drop. */
	change?: number;
	/** The location of the record. If it is the record itself, the item has it once. */
	location: JsonObject;
	/** Only for a scan: its keyword. */
	keyword?: JsonObject;
	/** Marks a test event; no other event has it. */
	sample?: string;
}

/** An event that the trigger offers. */
export interface EventType {
	/** The name in saved workflows; it never changes. */
	name: string;
	label: string;
	description: string;
	/** Names the records that the event needs, for messages: "rank scans". */
	records: string;
	/**
	 * The event for "Fetch Test Event", with something that has changed; undefined if nothing is listed
	 * that it could show.
	 */
	sample(listed: Listed, settings: Settings): TriggerEvent | undefined;
	/** A line for n8n's log, where the records lack what tells the event from others. */
	lacks?(listed: Listed, settings: Settings): string | undefined;
}

/** A list of a location; scans are listed for each of its keywords. */
export type ListName = 'keywords' | 'posts' | 'scans';

/** A rank scan. */
export interface Scan {
	record: JsonObject;
	keyword: JsonObject;
	/** The time of the scan (ms). */
	at: number;
	/** A short hash that identifies the scan. */
	key: string;
}

/** A location and its lists; lists that were not requested are empty. */
export interface Listed {
	location: JsonObject;
	keywords: JsonObject[];
	/** The scans of all keywords, the latest first. */
	scans: Scan[];
	/** True if the scans of all keywords could be read. */
	isComplete: boolean;
	/** True if a scan goes on. */
	isScanning: boolean;
	posts: JsonObject[];
}

/** The memory of the account. Times in milliseconds, by the service's clock. */
export interface AccountMemory {
	/** Identifies what is watched, see `signatureOf`. */
	watch: string;
	/** The number of polls so far. */
	polls: number;
	/** The times of the first poll and of the last one. */
	since: number;
	polledAt: number;
	/** The location with which the next poll continues, after one that ran out of time. */
	resumeAt?: string;
	/** Hashes of lines in n8n's log, so that each is written once. */
	noted?: string[];
}

/** The memory of a keyword or a content post. */
export interface KnownRecord {
	id: string;
	/** True if the last list did not have it. */
	isMissing?: boolean;
	/** Only for a keyword: its name, for the event when it is removed. */
	text?: string;
	/** Only for a post; absent if neither changes nor publications of posts are watched. */
	fields?: KnownFields;
	/** Only for a post; absent if publications are not watched. */
	isPublished?: boolean;
}

/** The memory of a location and of its lists; a list that has not been read is absent. */
export interface LocationMemory {
	/** Absent if changes of locations are not watched. */
	fields?: KnownFields;
	/** The rank score with which the next one is compared, by the name of the event. */
	rankScores: Record<string, number>;
	keywords?: KnownRecord[];
	/** The location's `keywords_count` when its keywords were listed: they have changed if it differs now. */
	keywordsCount: number | null;
	posts?: KnownRecord[];
	/** The location's `last_scan_at`: there are new scans if it differs now. */
	lastScanAt: string | null;
	/** Scans dated after this time (ms) are new, unless they are in `knownScans`. */
	scansAfter: number;
	/** Keys of the known scans that are dated after `scansAfter`. */
	knownScans?: string[];
	/** The number of the last poll that compared all watched lists. */
	checkedAt: number;
}

/** Everything that a comparison needs beside the two things that it compares. */
export interface Watch {
	settings: Settings;
	account: AccountMemory;
}

/** The changes to report, and the memory from now on. */
export interface Changes {
	events: TriggerEvent[];
	memory: LocationMemory;
}

/** A subject that is read from lists of a location. All its functions are pure. */
export interface ListSubject {
	events: EventType[];
	/** The lists that a comparison needs. */
	lists: ListName[];
	/** True if the location itself shows that its lists may have changed. */
	mayHaveChanged(memory: LocationMemory, location: JsonObject): boolean;
	compare(memory: LocationMemory, listed: Listed, watch: Watch): Changes;
}

/** Clocks differ by less than this, so a date that is further ahead is a plan (ms). */
export const CLOCK_ERROR = 60_000;
/** The largest error of a clock or a time zone (ms). */
export const DAY = 24 * 3_600_000;

/** True if the service can know a date already; one that is far ahead says nothing about other records. */
export function isPlausible(time: number, { polledAt }: AccountMemory): boolean {
	return time <= polledAt + DAY;
}

/** True if a record of a list that was not read before is new: dated after the first poll, or after `after`. */
export function isNewAtFirst(
	time: number | undefined,
	account: AccountMemory,
	after = account.since,
): boolean {
	return time !== undefined && time > after && isPlausible(time, account);
}

/**
 * Separates new records, and known ones that are missing from the list for the first or the second
 * time: a list may lack a record for a moment.
 */
export function compareIds(
	known: KnownRecord[] | undefined,
	listed: JsonObject[],
	account: AccountMemory,
): { added: JsonObject[]; missing: KnownRecord[]; gone: KnownRecord[] } {
	const knownIds = known && new Set(known.map(({ id }) => id));
	const listedIds = new Set(listed.map(memoryKey));
	const isNew = (record: JsonObject) =>
		knownIds ? !knownIds.has(memoryKey(record)) : isNewAtFirst(createdAt(record), account);
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
 * The event of a record with changed fields; none if nothing changed.
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
	const { changed, before } = diffFields(earlier, now, added);
	return changed.length > 0 ? [{ event, record, before, changed, location }] : [];
}
