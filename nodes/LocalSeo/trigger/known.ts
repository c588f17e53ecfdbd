import sortBy from 'lodash/sortBy';

import { hashOf, idOf, isRecord, type JsonObject } from '../client';
import type { EventType } from './events';

/** The length of a hash that stands for an ID, and for a value (characters of 6 bits). */
export const KEY_LENGTH = 6;
export const VALUE_LENGTH = 4;

/** The memory of a record. */
export interface Known {
	/** A short hash of its ID. */
	key: string;
	/** Hashes of its fields (`Fields`); empty if their changes are not watched. */
	hash: string;
	/** True if the last list lacked it: two in a row, and it is gone. */
	isMissing?: boolean;
	/** For a post; absent as long as no status was seen. */
	isPublished?: boolean;
	/** The score of a location with which the next one is compared, by the direction of the event. */
	scores?: Partial<Record<EventType['when'], number>>;
	/** ID and text of a keyword, for the event when it is removed. */
	id?: string;
	text?: string;
	/** The scans of a keyword (`compareScans`); absent until they are read, and if they are not watched. */
	scans?: string;
	/** True for a keyword whose scans have to be read. */
	isDue?: boolean;
}

/** The ID of a record that is known to have one. */
export const idIn = (record: JsonObject) => String(idOf(record));
export const shortHash = (value: unknown, length = KEY_LENGTH) =>
	hashOf(inOrder(value)).slice(0, length);
/** A value with its members by name: services may write them in any order. */
function inOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inOrder);
	if (!isRecord(value)) return value;
	return Object.fromEntries(sortBy(Object.keys(value)).map((name) => [name, inOrder(value[name])]));
}
export const keyOfId = (id: string) => shortHash(id);

/** The value of a field; null if the record lacks it, whatever objects inherit under that name. */
export function valueIn(record: JsonObject, name: string): unknown {
	return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}
