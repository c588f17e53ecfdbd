import type { JsonObject } from '../client';
import { type Fingerprints, watchedFields } from './records';
import type { Settings } from './settings';

/** Options of the trigger that concern some events only. */
export type EventOption = 'direction' | 'fieldsToWatch' | 'minimumChange' | 'onlyPositionChanges';

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
	/** The location that the record belongs to, or is. */
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
	/** The options that concern it. */
	options?: EventOption[];
	/** The event for "Fetch Test Event"; undefined if nothing is listed that it could show. */
	sample(listed: Listed, settings: Settings): TriggerEvent | undefined;
}

/** A list that belongs to a location; the scans belong to each of its keywords. */
export type ListName = 'keywords' | 'posts' | 'scans';

/** A rank scan with its time in milliseconds. */
export interface Scan {
	record: JsonObject;
	at: number;
}

/** A location and what was listed there; lists that were not requested are empty. */
export interface Listed {
	location: JsonObject;
	keywords: JsonObject[];
	/** Of each keyword, in the same order: its scans, the latest first; undefined: they can't be read. */
	scans: Array<Scan[] | undefined>;
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
}

/** What is remembered of a keyword. */
export interface KnownKeyword {
	id: string;
	/** To name it when it is removed. */
	text?: string;
	/** Whether the last list did not have it, although nothing confirms that it was removed. */
	isMissing?: boolean;
}

/** What is remembered of a content post. */
export interface KnownPost {
	id: string;
	/** Absent: changes of posts are not watched. */
	fields?: Fingerprints;
	/** Whether the last list did not have it. */
	isMissing?: boolean;
}

/** What is remembered of a location and of its lists; absent: a list has not been read. */
export interface LocationMemory {
	/** Absent: changes of locations are not watched. */
	fields?: Fingerprints;
	/** The rank score with which the next one is compared, by the name of the event. */
	rankScores: Record<string, number>;
	keywords?: KnownKeyword[];
	/** The location's `keywords_count` when they were listed: if it differs now, keywords have changed. */
	keywordsCount: number | null;
	posts?: KnownPost[];
	/** The location's `last_scan_at`: if it differs now, there are new scans. */
	lastScanAt: string | null;
	/** Scans dated after this (milliseconds) are new, unless they are among the known ones. */
	scansAfter: number;
	/** Digests of the known scans that are dated after that. */
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

/** The names of a subject's events. */
export function namesOf({ events }: { events: EventType[] }): string[] {
	return events.map(({ name }) => name);
}

/** Whether an event of the subject is selected. */
export function isSelected(subject: { events: EventType[] }, { events }: Settings): boolean {
	return namesOf(subject).some((name) => events.has(name));
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

export function addedEvent(event: string, record: JsonObject, location: JsonObject): TriggerEvent {
	return { event, record, before: null, changed: [], location };
}

/**
 * A sample of an event about a change. As nothing has changed, the earlier values are the current
 * ones.
 *
 * @param wanted names of fields; empty: all
 */
export function sampleOfChange(
	event: string,
	record: JsonObject,
	location: JsonObject,
	wanted?: string[],
): TriggerEvent {
	const names = watchedFields(record, wanted);
	const before = Object.fromEntries(names.map((name) => [name, record[name]]));
	return { event, record, before, changed: names, location };
}
