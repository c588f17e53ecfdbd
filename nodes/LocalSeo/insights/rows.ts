import isEqual from 'lodash/isEqual';
import reject from 'lodash/reject';
import sortBy from 'lodash/sortBy';
import uniqBy from 'lodash/uniqBy';

import { isRecord, type JsonObject } from '../client';
import type { NamedLocation, Note } from '../resources';
import { type Cell, cellsIn, columnNames, pathKey } from './columns';
import { ANY_DAYS, type Days } from './days';
import { type DatedPart, readResponse } from './reading';

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
	days?: Days;
}

/** The name by which people know a location. */
export const labelReading = ({ id, name }: NamedLocation): string => name || id;

/** The columns of each row; a value that is called so has its whole path as its name. */
const LEADING = ['date', 'location_id', 'location_name'];

/**
 * Daily Rows: one for each date. Entries of several tables that have the same date are one row, and a
 * date that comes several times in a table stays several rows. Without any dates, all values are one row.
 */
export function dailyRows({ location, data }: OfLocation, days = ANY_DAYS): TableRows {
	const { entries, around } = readResponse(data, days);
	const of = labelReading(location);
	if (entries.length === 0) {
		if (around.length === 0 || hasNothing(data)) return { rows: [], notes: [] };
		const say = isEqual(days, ANY_DAYS) ? noDates : noneFound;
		const { rows } = tableOf(location, [{ leading: { date: null }, cells: around }]);
		return { rows, notes: [{ say, of }] };
	}
	const { rows, notes } = tableOf(location, mergedByDate(entries));
	const isRepeated = uniqBy(rows, 'date').length < rows.length;
	return {
		rows: sortBy(rows, 'date'),
		notes: [...(isRepeated ? [{ say: severalRows, of }] : []), ...notes],
	};
}

/** One Row per Location: all that has no date. */
export function summaryRows({ location, data }: OfLocation, days = ANY_DAYS): TableRows {
	const { entries, around: cells } = readResponse(data, days);
	const isWithout = entries.length === 0 && (cells.length === 0 || isEmptySeries(data));
	if (isWithout) return { rows: [], notes: [] };
	const { rows, notes } = tableOf(location, [{ leading: {}, cells }]);
	const isDaysOnly = Object.keys(rows[0]).length === 2;
	return { rows, notes: isDaysOnly ? [{ say: onlyDays, of: labelReading(location) }] : notes };
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

/** True for empty lists with nothing but texts around them. */
function isEmptySeries(data: unknown): boolean {
	const isText = ({ value }: Cell) => value === null || typeof value === 'string';
	return Object(data) === data && hasNothing(data) && cellsIn(data, []).every(isText);
}

function listsIn(value: unknown): unknown[][] {
	if (Array.isArray(value)) return [value];
	return isRecord(value) ? Object.values(value).flatMap(listsIn) : [];
}

/** A row before its columns have names. */
interface Draft {
	leading: JsonObject;
	cells: Cell[];
}

/** The rows of dates: an entry belongs to the first one that has nothing of its table or columns. */
function mergedByDate(entries: DatedPart[]): Draft[] {
	const rows = new Map<string, Draft & { has: Set<string> }>();
	const counts = new Map<string, number>();
	for (const { date, place, cells } of entries) {
		const ofTable = `${date}\n${pathKey(place)}`;
		const at = (nth: number) => rows.get(`${date}\n${nth}`);
		let nth = counts.get(ofTable) ?? 0;
		while (cells.some(({ key }) => at(nth)?.has.has(key))) nth++;
		counts.set(ofTable, nth + 1);
		const row = at(nth) ?? { leading: { date }, cells: [], has: new Set() };
		rows.set(`${date}\n${nth}`, row);
		row.cells.push(...cells);
		for (const { key } of cells) row.has.add(key);
	}
	return [...rows.values()];
}

/** Rows with their columns, and a note for each of these that holds lists. */
function tableOf({ id, name }: NamedLocation, drafts: Draft[]): TableRows {
	// The location's own ID and name are there already.
	const isOwn = ({ place, value }: Cell) =>
		({ location_id: id, location_name: name })[place.at(-1)?.name ?? ''] === value;
	const own = drafts.map(({ leading, cells }) => ({ leading, cells: reject(cells, isOwn) }));
	const all = own.flatMap(({ cells }) => cells);
	const columns = columnNames(all, LEADING);
	const columnOf = ({ key }: Cell) => columns.get(key)!;
	const rows = own.map(({ leading, cells }) =>
		Object.fromEntries<unknown>([
			...Object.entries({ ...leading, location_id: id, location_name: name }),
			...cells.map((cell): [string, unknown] => [columnOf(cell), cell.value]),
		]),
	);
	const lists = new Set(all.filter(({ isList }) => isList).map(columnOf));
	return { rows, notes: [...lists].map((of) => ({ say: listsAsJson, of })) };
}
