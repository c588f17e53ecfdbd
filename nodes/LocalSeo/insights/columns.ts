import countBy from 'lodash/countBy';
import uniqBy from 'lodash/uniqBy';

import { isRecord } from '../client';
import { readDate } from './dates';

/** Names that only hold others, and are left out of the names of columns. */
const HOLDERS = new Set(
	`data days daily rows items values value y series totals insights
	timeSeries datedValues dailyMetricTimeSeries multiDailyMetricTimeSeries`.split(/\s+/),
);

/** Where a value stands: the names of the members around it, and the labels of series, from the outside. */
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
export const pathKey = (place: ValuePath): string => JSON.stringify(namesIn(place));
export const cellAt = (place: ValuePath, value: unknown): Cell => ({
	place,
	key: pathKey(place),
	value,
});

/**
 * The values in a member, each with its place. A list is one value, as JSON, and an empty one is none; so
 * are members that are called by dates, which would be a column for each day.
 *
 * @param omitted the path of a value that is left out
 */
export function cellsIn(value: unknown, place: ValuePath, omitted?: string[]): Cell[] {
	if (omitted?.length === 0) return [];
	const [name, ...rest] = omitted ?? [];
	if (Array.isArray(value)) {
		const kept = value.filter((_, at) => rest.length > 0 || String(at) !== name);
		return kept.length > 0 ? [{ ...cellAt(place, JSON.stringify(kept)), isList: true }] : [];
	}
	if (!isRecord(value)) return [cellAt(place, value)];
	const names = Object.keys(value);
	if (names.length > 0 && names.every((key) => readDate(key, false) !== undefined)) {
		return [{ ...cellAt(place, JSON.stringify(value)), isList: true }];
	}
	return Object.entries(value).flatMap(([key, inner]) =>
		cellsIn(inner, [...place, { name: key }], key === name ? rest : undefined),
	);
}

/**
 * The names of the columns of cells, by the keys of their places: as short as possible; where two would be
 * called the same, or like one of the taken names, their whole paths.
 */
export function columnNames(cells: Cell[], taken: string[]): Map<string, string> {
	const forms = uniqBy(cells, 'key').map(({ place, key }) => {
		const telling = place.filter(({ name, isLabel }) => isLabel || !HOLDERS.has(name));
		const short = telling.length > 0 ? telling : place.slice(-1);
		// The key is never the name of another place.
		const names = [namesIn(short).join('_') || 'data', ['data', ...namesIn(place)].join('_'), key];
		return { key, names };
	});
	for (;;) {
		const counts = countBy([...taken, ...forms.map(({ names }) => names[0])]);
		const alike = forms.filter(({ names }) => names.length > 1 && counts[names[0]] > 1);
		if (alike.length === 0) return new Map(forms.map(({ key, names }) => [key, names[0]]));
		for (const { names } of alike) names.shift();
	}
}
