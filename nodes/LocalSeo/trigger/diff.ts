import pick from 'lodash/pick';

import { hashOf, idOf, isEmpty, type JsonObject } from '../client';
import { SET_BY_SERVICE } from '../resources';
import type { Change } from './events';

/** The length of a hash that stands for an ID, and for the value of a field (characters of 6 bits). */
const KEY_LENGTH = 8;
const VALUE_LENGTH = 4;
/** Fields that say nothing about a change by a person, unless they are named. */
const NOT_WATCHED = [...SET_BY_SERVICE, 'location_id', 'keyword_id'];

/** The memory of a record has only what the events of its list need. */
export interface Remembered {
	/** The hashes of the watched fields, in the order of `KnownList.names`. */
	fields?: string;
	isPublished?: true;
	/** The scores that the next one is compared with, by the direction of the event. */
	scores?: Partial<Record<Change, number>>;
	/** Fields for the event when the record is removed. */
	kept?: JsonObject;
}

/** The memory of a list. */
export interface KnownList<R extends Remembered = Remembered> {
	/** The watched fields. */
	names: string[];
	/** By key, a hash of the ID: it is shorter, and none of the names that objects inherit. */
	records: Record<string, R>;
	/** True if the last reading showed nothing, where there had been something. */
	isInDoubt?: true;
}

/** The changes to look for in a list. */
export interface Watch {
	/** The fields whose changes count; empty: all but those that the service sets; absent: none. */
	fields?: string[];
	publishedStatus?: string;
	scores?: { directions: Change[]; minimumChange: number };
	/** The names of the fields to keep of a record. */
	keeps?: string[];
}

/** A record to which something happened, with what an event says of it. */
export interface Found {
	record: JsonObject;
	before?: JsonObject | null;
	changed?: string[];
	change?: number;
}

export interface Difference<R extends Remembered = Remembered> {
	found: Record<Change, Found[]>;
	/** The memory with which the next reading is compared. */
	list: KnownList<R>;
}

/** The key of a record in a list; of one without an ID, which only scans may be, by its content. */
export const keyIn = (record: JsonObject): string => keyOfId(idOf(record) ?? record);
export const keyOfId = (id: unknown): string => hashOf(id).slice(0, KEY_LENGTH);

/**
 * The difference of a list from what is remembered of it.
 *
 * @param known absent for the first reading, which only learns
 */
export function diff<R extends Remembered>(
	known: KnownList<R> | undefined,
	records: JsonObject[],
	watch: Watch,
): Difference<R> {
	const found: Difference['found'] = {
		added: [],
		became: [],
		changed: [],
		down: [],
		moved: [],
		removed: [],
		up: [],
	};
	const earlier = new Map(Object.entries(known?.records ?? {}));
	// Services that fail answer with an empty list at times, so the first one is not believed.
	if (known && earlier.size > 0 && records.length === 0 && !known.isInDoubt) {
		return { found, list: { ...known, isInDoubt: true } };
	}
	const names = watch.fields ? watchedNames(records, watch.fields, known?.names ?? []) : [];
	const now = records.map((record): [string, R] => {
		const key = keyIn(record);
		const before = earlier.get(key);
		earlier.delete(key);
		if (known && !before) found.added.push({ record });
		const fields = watch.fields && names.map((name) => hashAt(record, name)).join('');
		const changed = fields && before?.fields ? changedNames(names, before.fields, fields) : [];
		if (changed.length > 0) found.changed.push({ record, changed });
		const isPublished = isPublishedNow(record, before, watch);
		if (known && isPublished && !before?.isPublished) found.became.push({ record });
		const scores = movesOf(record, before?.scores, watch, found);
		const kept = watch.keeps && pick(record, watch.keeps);
		// Other parts of its memory stay as they are, such as the scans of a keyword.
		const rest = { ...before } as R;
		return [key, { ...rest, fields, isPublished, scores, kept }];
	});
	if (known) for (const [, { kept = {} }] of earlier) found.removed.push({ record: kept });
	return { found, list: { names, records: Object.fromEntries(now) } };
}

/** A status that is not shown says nothing. */
function isPublishedNow(
	record: JsonObject,
	before: Remembered | undefined,
	{ publishedStatus }: Watch,
): true | undefined {
	if (publishedStatus === undefined) return undefined;
	if (!Object.hasOwn(record, 'status')) return before?.isPublished;
	return record.status === publishedStatus || undefined;
}

/** The named fields; else all that records have and had, in the order in which they were first seen. */
function watchedNames(records: JsonObject[], named: string[], earlier: string[]): string[] {
	if (named.length > 0) return named;
	const names = new Set(earlier);
	for (const record of records) for (const name of Object.keys(record)) names.add(name);
	return [...names].filter((name) => !NOT_WATCHED.includes(name));
}

/** A field that is null, absent or an empty text is empty. `constructor` is one only where the record itself has it. */
function hashAt(record: JsonObject, name: string): string {
	const value = Object.hasOwn(record, name) ? record[name] : null;
	return hashOf(isEmpty(value) ? null : value).slice(0, VALUE_LENGTH);
}

/** The fields whose hashes differ. One that no record of the list had before is learned. */
function changedNames(names: string[], before: string, now: string): string[] {
	const at = (hashes: string, place: number) =>
		hashes.slice(place * VALUE_LENGTH, (place + 1) * VALUE_LENGTH);
	return names.filter((_, place) => at(before, place) && at(before, place) !== at(now, place));
}

/** The fields in which two records differ, of those given. */
export const differing = (before: JsonObject, record: JsonObject, names: string[]): string[] =>
	names.filter((name) => hashAt(before, name) !== hashAt(record, name));

/** A rank score, also one that is given as text; undefined if it is no number. */
function scoreIn({ rank_score: score }: JsonObject): number | undefined {
	const isText = typeof score === 'string' && score.trim() !== '';
	const number = isText ? Number(score) : score;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Compares a score with the last reported one. A drop counts from the highest score since then, a rise
 * from the lowest, so that small steps add up.
 *
 * @returns the scores that the next one is compared with
 */
function movesOf(
	record: JsonObject,
	earlier: Remembered['scores'],
	{ scores }: Watch,
	found: Difference['found'],
): Remembered['scores'] {
	const score = scoreIn(record);
	if (!scores?.directions.length || score === undefined) return earlier;
	const next = scores.directions.map((direction): [Change, number] => {
		const before = earlier?.[direction];
		if (before === undefined) return [direction, score];
		// Without the digits that a difference of fractions adds: 70.5 - 69.2 is 1.3.
		const change = Number((score - before).toPrecision(12));
		const distance = { down: -change, up: change }[direction as 'down' | 'up'] ?? Math.abs(change);
		if (distance < 0) return [direction, score];
		if (distance === 0 || distance < scores.minimumChange) return [direction, before];
		const details = { before: { rank_score: before }, changed: ['rank_score'], change };
		found[direction].push({ record, ...details });
		return [direction, score];
	});
	return Object.fromEntries(next);
}
