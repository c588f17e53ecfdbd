import { hashOf, idOf, type JsonObject } from '../client';
import type { EventType } from './events';

/** Lengths of hashes (characters of 6 bits): of an ID within its list, of a field, of all fields together. */
export const KEY_LENGTH = 6;
export const FIELD_LENGTH = 3;
export const CHECK_LENGTH = 2;
/** The memory of a keyword's scans. */
export interface KnownScans {
	/** The time of the newest (s since 1970); 0 if there was none. */
	at: number;
	/** Short hashes of those at that time. */
	keys: string[];
}

/** The memory of a record. */
export interface Known {
	/** A short hash of its ID. */
	key: string;
	/** True if the last list lacked it: two in a row, and it is gone. */
	isMissing?: boolean;
	/** Short hashes of its watched fields, by name; a field that is not there is learned first. */
	fields: Map<string, string>;
	/** A hash of all these fields together; in a large account, theirs are shortened. */
	check: string;
	/** True for a post that was published. */
	isPublished?: boolean;
	/** The score of a location with which the next one is compared, by the direction of the event. */
	scores?: Partial<Record<EventType['when'], number>>;
	/** The words of the event when a keyword is removed; an ID that is too long is not remembered. */
	words?: { id: string; text: string };
	/** The scans of a keyword; absent until they are read, and if they are not watched. */
	scans?: KnownScans;
}

/** The ID of a record that is known to have one. */
export const idIn = (record: JsonObject) => String(idOf(record));
export const shortHash = (value: unknown, length: number) => hashOf(value).slice(0, length);
export const keyOfId = (id: string) => shortHash(id, KEY_LENGTH);
