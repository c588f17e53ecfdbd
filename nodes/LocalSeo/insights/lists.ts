import get from 'lodash/get';
import memoize from 'lodash/memoize';
import omitBy from 'lodash/omitBy';

import { isRecord, type JsonObject } from '../client';
import { AUTOMATIC, dateOf, dateOfName, datePathIn, type Dates } from './dates';

/** An object around a list, or an entry of a list around it; from the inside. */
export interface Around {
	value: JsonObject;
	/** The path of the list whose entry it is, or in whose entry it stands; absent outside of lists. */
	entryOf?: string[];
	outer?: Around;
}

/** A list of a response: an array, or an object whose names are dates. */
export interface SourceList {
	source: object;
	around?: Around;
}

export interface ListEntry {
	/** A member whose name is a date stands here with its value: an object as it is, else as `{ value }`. */
	value: unknown;
	list: SourceList;
	/** As it is written, or in ISO 8601; absent where none can be read. */
	date?: string;
	/** True for a member of an object whose names are dates. */
	isMember?: boolean;
}

/** The lists of one path, which are read alike: where one has days, an entry of another needs a date, too. */
export interface Lists {
	/** The names of the members around it; a list in a list has no name but its number. */
	path: string[];
	entries: ListEntry[];
	/** The lists in whose entries these stand. */
	within?: Lists;
	/** The path of the date in an entry, whether it can be read or not; absent if there is none. */
	datePath?: string[];
	/** True if some entry has a date that can be read. */
	areDays: boolean;
	/** True if entries hold such a list. */
	holdDays: boolean;
}

/** Where a walk through a response is. */
interface Place extends Pick<Lists, 'path' | 'within'> {
	around?: Around;
	/** The number of an entry in the list of that path. */
	at?: number;
}

export const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;

/** The lists of a response, but for those in an entry with a date, which are a value of it. */
export function listsIn(data: unknown, dates: Dates): Lists[] {
	const found = new Map<string, Lists>();
	collect(data, { path: [] }, dates, found);
	const kept = new Set<Lists>();
	// A list is found before those in its entries.
	for (const lists of found.values()) {
		const { within } = lists;
		if (within && (within.areDays || !kept.has(within))) continue;
		kept.add(lists);
		readDatesOf(lists, dates);
	}
	return [...kept];
}

function readDatesOf(lists: Lists, dates: Dates): void {
	const entries = lists.entries.filter(({ isMember }) => !isMember);
	const path = datePathIn(
		entries.map(({ value }) => value),
		dates,
	);
	lists.datePath = path;
	// Luxon is slow, and each metric has the same days.
	const read = memoize((value: unknown) => dateOf(value, path!, dates));
	if (path) for (const entry of entries) entry.date = read(get(entry.value, path));
	lists.areDays = lists.entries.some(({ date }) => date !== undefined);
	if (!lists.areDays) return;
	for (let outer = lists.within; outer && !outer.holdDays; outer = outer.within) {
		outer.holdDays = true;
	}
}

function collect(value: unknown, place: Place, dates: Dates, found: Map<string, Lists>): void {
	if (!isObject(value)) return;
	const { around: outer, at, within } = place;
	if (isRecord(value)) {
		const isKeyed = isKeyedByDates(value, dates);
		// Its other members are said of its days.
		const others = isKeyed ? omitBy(value, (_, name) => dateOfName(name, dates)) : value;
		const entryOf = at === undefined ? outer?.entryOf && place.path : place.path;
		const around = { value: others, entryOf, outer };
		if (isKeyed) {
			const { entries } = listsAt(place.path, place, true, found);
			for (const day of daysOf(value, dates))
				entries.push({ ...day, list: { source: value, around } });
		}
		for (const name of Object.keys(others)) {
			// Most members of a large response are values.
			if (!isObject(others[name])) continue;
			collect(others[name], { path: [...place.path, name], around, within }, dates, found);
		}
		return;
	}
	const path = at === undefined ? place.path : [...place.path, String(at)];
	const lists = listsAt(path, place, false, found);
	const list = { source: value, around: outer };
	for (const [number, entry] of (value as unknown[]).entries()) {
		lists.entries.push({ value: entry, list });
		collect(entry, { path, around: outer, at: number, within: lists }, dates, found);
	}
}

/** @param isKeyed true for objects whose names are dates: they may be the entries of a list of the same path */
function listsAt(
	path: string[],
	{ within }: Place,
	isKeyed: boolean,
	found: Map<string, Lists>,
): Lists {
	const key = JSON.stringify([path, isKeyed]);
	const lists = found.get(key) ?? { path, within, entries: [], areDays: false, holdDays: false };
	found.set(key, lists);
	return lists;
}

/** True for an object that is a list of days: one of its members is called by a date. A field names another. */
function isKeyedByDates(object: object, dates = AUTOMATIC): boolean {
	if (dates.field !== '') return false;
	return Object.keys(object).some((name) => dateOfName(name, dates) !== undefined);
}

/** The members whose names are dates. */
function daysOf(object: JsonObject, dates: Dates): Array<Omit<ListEntry, 'list'>> {
	return Object.entries(object).flatMap(([name, member]) => {
		const date = dateOfName(name, dates);
		// PHP writes a day without values as an empty list.
		const isNothing = Array.isArray(member) && member.length === 0;
		if (date === undefined || isNothing) return [];
		const isPlain = isRecord(member) && !isKeyedByDates(member);
		return [{ value: isPlain ? member : { value: member }, date, isMember: true }];
	});
}

/**
 * The values of an entry in columns that are called by their path. A list is its JSON; so is an object whose
 * names are dates. The list that holds the entry's date is opened, and its other entries are numbered.
 *
 * @param datePath the path of the entry's date, which is left out
 * @param visit gets each column; `isJson` is true for a list
 */
export function eachColumn(
	entry: unknown,
	datePath: string[] | undefined,
	visit: (name: string, value: unknown, isJson: boolean) => void,
): void {
	const add = (value: unknown, path: string, rest: string[] | undefined): void => {
		if (rest?.length === 0) return;
		const name = path || 'data';
		if (!isObject(value)) {
			visit(name, value, false);
		} else if (rest || (isRecord(value) && !isKeyedByDates(value))) {
			// Without a list of pairs, which for a large response takes longer than all else.
			for (const key of Object.keys(value)) {
				const inner = path === '' ? key : `${path}_${key}`;
				add((value as JsonObject)[key], inner, key === rest?.[0] ? rest.slice(1) : undefined);
			}
		} else if (Object.keys(value).length > 0) {
			visit(name, JSON.stringify(value), true);
		}
	};
	add(entry, '', datePath);
}
