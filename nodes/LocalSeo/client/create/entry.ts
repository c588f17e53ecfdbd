import type { ServiceError } from '../errors';
import type { JsonObject } from '../ports';
import { isAheadOf, looseKeyOf, type Matching, mayBeAhead } from '../same/key';
import { hasKeys, type Keys, keysOf, shortKeyOf } from '../same/keyIndex';
import type { Before } from './versions';

/** A row in one run of a program; it stays the same when the row is tried again. */
export interface RowKey {
	/** The execution of the workflow, and within it the run of the node. */
	execution: string;
	run: string;
	row: number | string;
}

/** The key by which records that can't be deleted are compared once more, with their letters and digits alone. */
export const LOOSE = ' loose';

/** What is compared of a record that a create makes. */
export interface Compared {
	/** Of its match fields and, of a record that can't be deleted, of all of them loosened. */
	keys: Keys;
	/** Absent outside of executions. */
	row?: RowKey;
}

/** A create that is on its way or in doubt; times by the account's clock (ms). */
export interface Entry extends Compared {
	matching: Matching;
	/** True if its record goes live later, or may. */
	isAhead: boolean;
	/** Absent if the list was not read before: then nothing can be told from it. */
	before?: Before;
	/** Resolves when its row is done with it; absent: nobody is at work on it. */
	ended?: Promise<unknown>;
	/** The request under way, until it has its answer. */
	flight?: { answered: Promise<void>; land(): void };
	/** Since when its outcome is unknown; absent if it is known. */
	doubtSince?: number;
	/** When the list was looked at last. */
	lookedAt: number;
	/** Why its outcome is unknown. */
	error?: ServiceError;
	/** True if the service itself has answered 500. */
	isOwnError: boolean;
	/** True if it was sent a second time. */
	wasResent: boolean;
}

export function comparedKeys(fields: JsonObject, matching: Matching): Keys {
	const keys = keysOf(fields, matching.fields, matching.isTerm);
	if (!matching.isPermanent) return keys;
	const loose = matching.fields.map((field) => looseKeyOf(fields[field]));
	return { ...keys, [LOOSE]: shortKeyOf(loose) };
}

export function newEntry(
	fields: JsonObject,
	matching: Matching,
	before: Before | undefined,
	row: RowKey | undefined,
	wall: number,
): Entry {
	const { time } = matching;
	return {
		...{ matching, before, row, keys: comparedKeys(fields, matching) },
		isAhead: time !== undefined && mayBeAhead(fields[time], wall),
		...{ lookedAt: -Infinity, isOwnError: false, wasResent: false },
	};
}

/** Milliseconds. */
const DAY = 86_400_000;

/** True if a record is surely still to come: a time without a zone may be off by hours. */
export function isShownAhead(record: JsonObject, { time }: Matching, wall: number): boolean {
	return time !== undefined && isAheadOf(record[time], wall + DAY);
}

/** True if a record has the values of a create. */
export function isOf({ keys, matching }: Entry, record: JsonObject): boolean {
	const { fields, isTerm } = matching;
	return fields.every((field) => shortKeyOf(record[field], isTerm) === keys[field]);
}

/**
 * How two creates are related: `equal`; `similar`, as only punctuation differs in records that can't be
 * deleted; `alike`, as all match fields but one are equal, a text among them.
 */
export type Relation = 'equal' | 'similar' | 'alike';

/** @param asks false to compare nothing but what the user has named */
export function relationOf(
	{ keys, matching, row }: Pick<Entry, 'keys' | 'matching' | 'row'>,
	other: Compared,
	asks: boolean,
): Relation | undefined {
	const { [LOOSE]: loose, ...own } = keys;
	if (hasKeys(other.keys, own)) return 'equal';
	if (!asks) return undefined;
	if (loose !== undefined && loose === other.keys[LOOSE]) return 'similar';
	// What this execution makes may well have one title.
	if (matching.time === undefined || row?.execution === other.row?.execution) return undefined;
	const filled = matching.fields.filter((field) => own[field] !== '');
	const shared = filled.filter((field) => own[field] === other.keys[field]);
	const isText = shared.some((field) => field !== matching.time);
	return filled.length > 1 && shared.length === filled.length - 1 && isText ? 'alike' : undefined;
}
