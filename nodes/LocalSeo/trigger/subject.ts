import { createdAt, type JsonObject, type Paging } from '../client';
import type { TriggerEvent } from './event';
import type { Fields } from './fingerprints';
import type { Identified } from './identified';

export type Direction = 'both' | 'down' | 'up';

/** What the user has set: what to watch, and how lists are requested. */
export interface Settings {
	/** Names of the events to report. */
	events: Set<string>;
	/** IDs of the locations to watch; empty: all. */
	locationIds: Set<string>;
	/** Fields of a location to watch; empty: all. */
	fieldsToWatch: string[];
	/** The direction in which the rank score has to move. */
	direction: Direction;
	/** Minimum change of the rank score since the last reported one. */
	minimumChange: number;
	/** Whether a scan is reported only if its position differs from the previous scan. */
	onlyPositionChanges: boolean;
	paging: Paging;
}

/** Options of the trigger that concern some events only. */
export type EventOption = 'direction' | 'fieldsToWatch' | 'minimumChange' | 'onlyPositionChanges';

/** A list that belongs to a location; the scans belong to each of its keywords. */
export type ListName = 'keywords' | 'posts' | 'scans';

/** A rank scan with its time in milliseconds. */
export interface Scan {
	record: JsonObject;
	at: number;
}

/** A location and what was listed there; lists that were not requested are empty. */
export interface Listed {
	location: Identified;
	keywords: Identified[];
	/** Of each keyword, in the same order: its scans, the latest first; undefined: they can't be read. */
	scans: Array<Scan[] | undefined>;
	posts: Identified[];
}

/** What is remembered of the account; stored by these names. Times in milliseconds. */
export interface AccountMemory {
	/** How many polls there were. */
	polls: number;
	/** When the last one was. */
	polledAt: number;
	/** The location with which the next poll continues, after one that ran out of time. */
	resumeAt?: string;
	/** When the first poll was, and when this one is, by the service's clock. */
	since: number;
	serviceTime: number;
	/** The latest plausible time in any listing of the locations: the service's clock has passed it. */
	newest: number;
	/** Fields of the locations and of the content posts. */
	fields: Fields;
	postFields: Fields;
}

/** What is remembered when a location is compared; `Memory` is the subject's own part of it. */
export interface Remembered<Memory> {
	account: AccountMemory;
	location: Memory;
}

/** An event that the trigger offers. */
export interface EventType {
	/** As stored in saved workflows. */
	name: string;
	/** The options that concern it. */
	options?: EventOption[];
	/** Whether it is reported for every location, whichever locations are selected. */
	isForEveryLocation?: boolean;
	/** The event for "Fetch Test Event"; undefined if nothing is listed that it could show. */
	sample(listed: Listed, settings: Settings): TriggerEvent | undefined;
}

/**
 * What the trigger can watch at a location: its events, the lists that it compares, what it remembers
 * of them, and the comparison. All of it is pure.
 */
export interface Subject<Memory> {
	events: EventType[];
	/** What has to be listed before it can be compared. */
	lists: ListName[];
	/** What is remembered of a location at first: nothing that is there now will be reported. */
	learn(location: Identified, account: AccountMemory, settings: Settings): Memory;
	/** The same for an added location, as far as it differs: everything at it is new. */
	learnEmpty(): Partial<Memory>;
	/** What changed since, as far as it is to be reported, and what to remember from now on. */
	compare(
		remembered: Remembered<Memory>,
		listed: Listed,
		settings: Settings,
	): { events: TriggerEvent[]; remembered: Remembered<Memory> };
}

/** A subject that compares lists, which are only read when something may have changed. */
export interface ListSubject<Memory> extends Subject<Memory> {
	/** Whether the location itself shows that its lists may have changed. */
	mayHaveChanged(remembered: Memory, location: Identified): boolean;
}

/** Milliseconds by which a clock, or a time zone, may be wrong. */
const DAY = 24 * 3_600_000;

/** Whether the service can know a date already; one that is far ahead says nothing about others. */
export function isPlausible(time: number, { serviceTime }: AccountMemory): boolean {
	return time <= serviceTime + DAY;
}

/** Whether a record was created after the first poll, by its date. */
export function isCreatedSince(record: JsonObject, account: AccountMemory): boolean {
	const created = createdAt(record);
	return created !== undefined && created > account.since && isPlausible(created, account);
}
