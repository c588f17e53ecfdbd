import uniqBy from 'lodash/uniqBy';

import { isRecord, type JsonObject } from '../client';
import { readDate } from './dates';
import { sameColumn } from './questions';

/** Names that only hold others, and are left out of the names of columns in Daily Rows. */
const HOLDERS = new Set(
	`data days daily rows items values value y series totals insights
	timeSeries datedValues dailyMetricTimeSeries multiDailyMetricTimeSeries`.split(/\s+/),
);

/** The place of a value: the names of the members around it, and the labels of series, from the outside. */
export type ValuePath = Array<{ name: string; isLabel?: boolean }>;

/** A value, and its place. */
export interface Cell {
	place: ValuePath;
	/** Identifies the place. */
	key: string;
	value: unknown;
	/** True for a list, whose value is its JSON. */
	isList?: boolean;
}

const namesIn = (place: ValuePath): string[] => place.map(({ name }) => name);

export const cellAt = (place: ValuePath, value: unknown): Cell => ({
	place,
	key: JSON.stringify(namesIn(place)),
	value,
});

export const jsonAt = (place: ValuePath, value: unknown): Cell => ({
	...cellAt(place, JSON.stringify(value)),
	isList: true,
});

/**
 * The values in a member, each with its place. A list is one value, as JSON, and so are all members that
 * are called by dates, which would be a column for each day; an empty list is none.
 *
 * @param omitted the path of a value that is left out
 */
export function cellsIn(value: unknown, place: ValuePath, omitted?: string[]): Cell[] {
	if (omitted?.length === 0) return [];
	const [name, ...rest] = omitted ?? [];
	if (Array.isArray(value)) {
		const kept = value.filter((_, at) => rest.length > 0 || String(at) !== name);
		return kept.length > 0 ? [jsonAt(place, kept)] : [];
	}
	if (!isRecord(value)) return [cellAt(place, value)];
	const byDate: JsonObject = {};
	const cells: Cell[] = [];
	for (const [key, inner] of Object.entries(value)) {
		if (readDate(key, false) !== undefined) byDate[key] = inner;
		else {
			const omittedIn = key === name ? rest : undefined;
			for (const cell of cellsIn(inner, [...place, { name: key }], omittedIn)) cells.push(cell);
		}
	}
	return Object.keys(byDate).length > 0 ? [jsonAt(place, byDate), ...cells] : cells;
}

/** The whole path, as One Row per Location has it. */
export const wholePath = (place: ValuePath): string => namesIn(place).join('_') || 'data';

/** The path without the names that only hold others; of these alone, the last one. */
export function shortPath(place: ValuePath): string {
	const telling = place.filter(({ name, isLabel }) => isLabel || !HOLDERS.has(name));
	return wholePath(telling.length > 0 ? telling : place.slice(-1));
}

/**
 * The names of the columns of cells, by the keys of their places.
 *
 * @param taken columns that each row has already
 * @throws InputError where two would be called the same: none has another name because of what else is there
 */
export function columnNames(
	cells: Cell[],
	nameOf: (place: ValuePath) => string,
	taken: string[],
): Map<string, string> {
	const places = new Map(taken.map((name) => [name, name]));
	const names = new Map<string, string>();
	for (const { place, key } of uniqBy(cells, 'key')) {
		const [name, path] = [nameOf(place), namesIn(place).join('.')];
		const other = places.get(name);
		if (other !== undefined) throw sameColumn(name, [other, path]);
		places.set(name, path);
		names.set(key, name);
	}
	return names;
}
