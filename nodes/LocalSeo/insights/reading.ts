import get from 'lodash/get';
import uniq from 'lodash/uniq';

import { isRecord, type JsonObject } from '../client';
import { cellAt, cellsIn, type ValuePath } from './columns';
import { datesOfList, isWeekOrMonth } from './dates';
import {
	dateIn,
	datePathIn,
	type Days,
	isInList,
	isListOfDays,
	isOfPeriod,
	listName,
} from './days';
import { type DatedEntry, hasDays, type Parts } from './parts';
import { daysOrSeries, namelessSeries, severalDates } from './questions';
import { labelled, seriesNames } from './series';

/**
 * Takes a response apart by its shape alone: no number of entries, nor another response, changes how it is
 * read. A list of one that is neither days nor series is its entry.
 *
 * @throws InputError where it can be read in several ways
 */
export function readResponse(data: unknown, days: Days): Parts {
	if (!Array.isArray(data)) return read(data, [], days);
	return tableIn(data, [], days) ?? read(data.length === 1 ? data[0] : data, [], days);
}

function read(value: unknown, place: ValuePath, days: Days): Parts {
	if (isRecord(value)) return readObject(value, place, days);
	if (Array.isArray(value)) {
		return tableIn(value, place, days) ?? { tables: [], around: cellsIn(value, place) };
	}
	const tables = value === null && isListOfDays(place, days) ? [tableOf(place, [])] : [];
	return { tables, around: [cellAt(place, value)] };
}

function tableOf(
	place: ValuePath,
	dated: DatedEntry[],
	undated: unknown[] = [],
	isOfPeriods = false,
) {
	const dates = datesOfList(dated.map(({ date }) => date));
	const entries = dated.map(({ cells }, at) => ({ date: dates[at], cells }));
	return { place, entries, undated, isOfPeriods: isOfPeriods || dates.some(isWeekOrMonth) };
}

/** Members that are called by their dates, and all others as they are. */
function readObject(object: JsonObject, place: ValuePath, days: Days): Parts {
	const isRead = days.date === '' && isInList(place, days);
	const dated: DatedEntry[] = [];
	const parts: Parts = { tables: [], around: [] };
	for (const [name, value] of Object.entries(object)) {
		const date = isRead ? dateIn(name, [], days) : undefined;
		if (date !== undefined) dated.push({ date, cells: cellsIn(value, place) });
		else add(parts, read(value, [...place, { name }], days));
	}
	if (dated.length > 0) parts.tables.push(tableOf(place, dated));
	return parts;
}

function add(parts: Parts, { tables, around }: Parts): void {
	for (const table of tables) parts.tables.push(table);
	for (const cell of around) parts.around.push(cell);
}

/**
 * A list of days, or of series of days; undefined for any other list.
 *
 * @throws InputError if it may be either, or its entries have several dates
 */
function tableIn(list: unknown[], place: ValuePath, days: Days): Parts | undefined {
	if (list.length === 0) {
		return isListOfDays(place, days) ? { tables: [tableOf(place, [])], around: [] } : undefined;
	}
	const own = isInList(place, days) ? datePathIn(list.filter(isRecord), days) : undefined;
	const byOwnDate = own && datedList(list, place, own, days);
	if (byOwnDate && days.date === '' && list.some((entry) => holdsDays(entry, place, days))) {
		throw daysOrSeries(listName(place), own.join('.'));
	}
	if (byOwnDate) return byOwnDate;
	const inner = isInList(place, days) ? innerDatePaths(list.filter(isRecord), days) : [];
	const series = seriesIn(list, place, days);
	const paths = inner.map((path) => path.join('.'));
	if (inner.length > 0 && series) throw daysOrSeries(listName(place), paths[0]);
	if (inner.length > 1) throw severalDates(listName(place), paths);
	return inner.length > 0 ? datedList(list, place, inner[0], days) : series;
}

const holdsDays = (entry: unknown, place: ValuePath, days: Days): boolean =>
	read(entry, place, days).tables.some(hasDays);

/** Entries by the date at this path; undefined if none of them has one. */
function datedList(list: unknown[], place: ValuePath, path: string[], days: Days) {
	const dated: DatedEntry[] = [];
	const undated: unknown[] = [];
	for (const entry of list) {
		const date = dateIn(get(entry, path), path, days);
		if (date === undefined) undated.push(entry);
		else dated.push({ date, cells: cellsIn(entry, place, path) });
	}
	if (dated.length === 0) return undefined;
	return { tables: [tableOf(place, dated, undated, isOfPeriod(path))], around: [] };
}

/** The paths of the dates that entries have one level down. */
function innerDatePaths(entries: JsonObject[], days: Days): string[][] {
	const names = uniq(
		entries.flatMap((entry) => Object.keys(entry).filter((name) => isRecord(entry[name]))),
	);
	return names.flatMap((name) => {
		const inner = entries.map((entry) => entry[name]).filter(isRecord);
		const path = datePathIn(inner, days);
		const isDate = (one: JsonObject) => dateIn(get(one, path!), path!, days) !== undefined;
		return path && inner.some(isDate) ? [[name, ...path]] : [];
	});
}

/**
 * Entries of which some hold tables, each with what names it in front; undefined if none does.
 *
 * @throws InputError if it is not certain what they are called
 */
function seriesIn(list: unknown[], place: ValuePath, days: Days): Parts | undefined {
	const readings = list.map((entry) => read(entry, place, days));
	if (readings.every(({ tables }) => tables.length === 0)) return undefined;
	const { path, labels, why } = seriesNames(list, days);
	if (why !== undefined) throw namelessSeries(listName(place), why);
	const parts: Parts = { tables: [], around: [] };
	for (const [at, reading] of readings.entries()) {
		add(parts, path ? labelled(reading, place, labels[at], path) : reading);
	}
	return parts;
}
