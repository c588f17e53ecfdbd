import { sortBy } from 'lodash';

import { isRecord, type JsonObject } from '../client';
import type { NamedLocation, Note } from '../resources';
import { type Cell, cellsIn, columnsOf, keyOf, ROOT } from './columns';
import { Days } from './days';
import { type Entry, readResponse } from './reading';

/** The data that was read of a location. */
export interface OfLocation {
	location: NamedLocation;
	data: unknown;
}

/** Rows of a table, and what is to be said of them; none of both where there is no data. */
export interface TableRows {
	rows: JsonObject[];
	notes: Note[];
}

/** Turns what was read of a location into rows. */
export type Table = (insights: OfLocation, days?: Days) => TableRows;

/** A table, and the option Days that it reads. */
export interface TableForm {
	rowsOf: Table;
	days: Days;
}

/** The columns of each row; a value that is called so has its whole path as its name. */
const LEADING = ['date', 'location_id', 'location_name'];

/**
 * Daily Rows: one for each date. Entries of several tables that have the same date are one row, and a
 * date that comes several times in a table stays several rows. Without any dates, all values are one row.
 */
export function dailyRows({ location, data }: OfLocation, days = new Days()): TableRows {
	const { entries, around } = readResponse(data, days);
	const of = location.name || location.id;
	if (entries.length === 0) {
		if (around.length === 0 || hasNothing(data)) return { rows: [], notes: [] };
		const say = days.isSet ? noneFound : noDates;
		return { rows: [rowOf(location, around, { date: null })], notes: [{ say, of }] };
	}
	const merged = mergedByDate(entries);
	const cells = merged.flatMap((one) => one.cells);
	const columns = columnsIn(cells);
	const rows = merged.map(({ date, cells: own }) => rowOf(location, own, { date }, columns));
	const isRepeated = new Set(merged.map(({ date }) => date)).size < merged.length;
	return {
		rows: sortBy(rows, 'date'),
		notes: [...(isRepeated ? [{ say: severalRows, of }] : []), ...listNotes(cells, columns)],
	};
}

/** One Row per Location: all that has no date. */
export function summaryRows({ location, data }: OfLocation, days = new Days()): TableRows {
	const { entries, around: cells } = readResponse(data, days);
	if (cells.length + entries.length === 0) return { rows: [], notes: [] };
	const columns = columnsIn(cells);
	const isDaysOnly = cells.length === 0;
	return {
		rows: [rowOf(location, cells, {}, columns)],
		notes: [
			...(isDaysOnly ? [{ say: onlyDays, of: location.name || location.id }] : []),
			...listNotes(cells, columns),
		],
	};
}

/** The location's name, where the response has it. */
export function nameInResponse(data: unknown): string | undefined {
	const { location_name: name, location } = Object(data) as JsonObject;
	return [name, (Object(location) as JsonObject).name].find(
		(one): one is string => typeof one === 'string' && one.trim() !== '',
	);
}

const noDates: Note['say'] = (names) =>
	`No dates were recognized for ${names}. If these insights have a list of days, say in the option 'Days' where it is and which field is the date; else take 'Output': Raw and n8n's Edit Fields.`;
const noneFound: Note['say'] = (names) =>
	`No dates were recognized for ${names}, with the list, the date and the format in the option 'Days'. Compare them with 'Output': Raw.`;
const onlyDays: Note['say'] = (names) =>
	`The service returned only days and no totals for ${names}. To get the days, set 'Output' to 'Daily Rows'.`;
const severalRows: Note['say'] = (names) =>
	`Some dates have several rows, told apart by other columns: ${names}.`;
const listsAsJson: Note['say'] = (names, count) =>
	`${count === 1 ? 'A column holds a list' : 'Some columns hold lists'} as JSON: ${names}.`;

/** True for no data, and for lists of which all are empty, or hold nothing but series that are. */
function hasNothing(data: unknown): boolean {
	const lists = listsIn(data);
	return data === null || (lists.length > 0 && lists.every((list) => list.every(isEmptySeries)));
}

function isEmptySeries(entry: unknown): boolean {
	const isText = ({ value }: Cell) => value === null || typeof value === 'string';
	return isRecord(entry) && hasNothing(entry) && cellsIn(entry, ROOT).every(isText);
}

function listsIn(value: unknown): unknown[][] {
	if (Array.isArray(value)) return [value];
	return isRecord(value) ? Object.values(value).flatMap(listsIn) : [];
}

/** The rows of a date: an entry belongs to the first one that has nothing of its table or columns. */
function mergedByDate(entries: Entry[]): Array<{ date: string; cells: Cell[] }> {
	const rows = new Map<string, { date: string; cells: Cell[]; has: Set<string> }>();
	const counts = new Map<string, number>();
	for (const { date, place, cells } of entries) {
		const ofTable = `${date}\n${keyOf(place)}`;
		const keys = cells.map((cell) => keyOf(cell.place));
		let nth = counts.get(ofTable) ?? 0;
		while (keys.some((key) => rows.get(`${date}\n${nth}`)?.has.has(key))) nth++;
		counts.set(ofTable, nth + 1);
		const row = rows.get(`${date}\n${nth}`) ?? { date, cells: [], has: new Set() };
		rows.set(`${date}\n${nth}`, row);
		row.cells.push(...cells);
		for (const key of keys) row.has.add(key);
	}
	return [...rows.values()];
}

function columnsIn(cells: Cell[]): Map<string, string> {
	return columnsOf([...new Map(cells.map(({ place }) => [keyOf(place), place])).values()], LEADING);
}

function rowOf(
	{ id, name }: NamedLocation,
	cells: Cell[],
	leading: JsonObject,
	columns = columnsIn(cells),
): JsonObject {
	return Object.fromEntries<unknown>([
		...Object.entries({ ...leading, location_id: id, location_name: name }),
		...cells.map(({ place, value }): [string, unknown] => [columns.get(keyOf(place))!, value]),
	]);
}

function listNotes(cells: Cell[], columns: Map<string, string>): Note[] {
	const lists = cells.filter(({ isList }) => isList).map(({ place }) => columns.get(keyOf(place)));
	return [...new Set(lists)].map((of) => ({ say: listsAsJson, of }));
}
