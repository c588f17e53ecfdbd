import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';
import uniqBy from 'lodash/uniqBy';

import type { JsonObject } from '../client';
import type { NamedLocation, Note } from '../resources';
import { type Cell, columnNames, shortPath, type ValuePath, wholePath } from './columns';
import { ANY_DAYS, type Days, listName } from './days';
import { type DatedTable, hasDays, withoutDate } from './parts';
import { noDate, noDays, severalLists } from './questions';
import { readResponse } from './reading';

/** The data that was read of a location. */
export interface OfLocation {
	location: NamedLocation;
	data: unknown;
}

/** Rows of a table, and what is to be said of them; none of both where there is no data. */
export interface TableRows {
	rows: JsonObject[];
	notes: Note[];
	/** True if their dates stand for weeks or months. */
	isOfPeriods?: boolean;
}

/** Turns what was read of a location into rows. */
export type Table = (insights: OfLocation, days?: Days) => TableRows;

/** A table, and the option Days that it reads. */
export interface TableForm {
	rowsOf: Table;
	days?: Days;
}

/** The name by which people know a location. */
export const labelReading = ({ id, name }: NamedLocation): string =>
	name || id || 'a location without a name';

/**
 * Daily Rows: one for each date. Two lists are joined by date; in a single one, a date that comes several
 * times stays several rows.
 *
 * @throws InputError if there is something without a table, and where a table can be read in several ways
 */
export function dailyRows({ location, data }: OfLocation, days = ANY_DAYS): TableRows {
	const of = labelReading(location);
	const { tables, around } = readResponse(data, days);
	const isChosen = days.list !== '' || days.date !== '';
	if (tables.length === 0) {
		if (around.every(isNothing)) return { rows: [], notes: [] };
		const listsFirst = sortBy(around, ({ isList }) => !isList);
		const places = listsFirst.map(({ place }) => place.map(({ name }) => name).join('.') || 'data');
		throw noDays(isChosen, uniq(places));
	}
	const filled = tables.filter(hasDays);
	if (filled.length === 0) return { rows: [], notes: [{ say: emptyList, of }] };
	const withUndated = filled.filter(({ undated }) => undated.length > 0);
	if (withUndated.length > 0 && !isChosen) {
		const [{ place, undated }] = withUndated;
		throw noDate(listName(place), undated[0]);
	}
	const { rows, notes } = tableOf(location, draftsOf(filled), shortPath, ['date']);
	const isRepeated = uniqBy(rows, 'date').length < rows.length;
	return {
		rows: sortBy(rows, 'date'),
		notes: [
			...withUndated.map(({ undated }) => ({ say: leftOut, of: `${of} (${undated.length})` })),
			...(isRepeated ? [{ say: severalRows, of }] : []),
			...notes,
		],
		isOfPeriods: filled.some(({ isOfPeriods }) => isOfPeriods),
	};
}

/** One Row per Location: all that has no date, in columns that are called by their whole path. */
export function summaryRows({ location, data }: OfLocation, days = ANY_DAYS): TableRows {
	const parts = readResponse(data, days);
	const cells = withoutDate(parts);
	const isWithout = cells.every(isNothing);
	if (isWithout && !parts.tables.some(hasDays)) {
		return { rows: [], notes: [] };
	}
	const { rows, notes } = tableOf(location, [{ cells }], wholePath, []);
	return { rows, notes: isWithout ? [{ say: onlyDays, of: labelReading(location) }] : notes };
}

const emptyList: Note['say'] = (names) =>
	`The list of days is empty for ${names}, which therefore has no rows.`;
const leftOut: Note['say'] = (names) => `Entries without a date were left out: ${names}.`;
const onlyDays: Note['say'] = (names) =>
	`There are only days, and no totals, for ${names}. To get the days, set 'Output' to 'Daily Rows'.`;
export const severalRows: Note['say'] = (names) => `Some dates have several rows: ${names}.`;
const listsAsJson: Note['say'] = (names, count) =>
	`${count === 1 ? 'A column holds a list' : 'Some columns hold lists'} as JSON: ${names}.`;

const isNothing = ({ value }: Cell): boolean => value === null;

/** A row before its columns have names. */
interface Draft {
	date?: string;
	cells: Cell[];
}

/**
 * The rows of dates.
 *
 * @throws InputError for several tables of which one has a date several times: nothing says which of its
 * rows the others belong to
 */
function draftsOf(tables: DatedTable[]): Draft[] {
	if (tables.length === 1) return tables[0].entries;
	if (tables.some(({ entries }) => uniqBy(entries, 'date').length < entries.length)) {
		throw severalLists(uniq(tables.map(({ place }) => listName(place))));
	}
	const rows = new Map<string, Cell[]>();
	for (const { date, cells } of tables.flatMap(({ entries }) => entries)) {
		const known = rows.get(date);
		if (known) known.push(...cells);
		else rows.set(date, [...cells]);
	}
	return [...rows].map(([date, cells]) => ({ date, cells }));
}

/** Rows with their columns, and a note for each of these that holds lists. */
function tableOf(
	{ id, name }: NamedLocation,
	drafts: Draft[],
	nameOf: (place: ValuePath) => string,
	taken: string[],
): TableRows {
	const about = { location_id: id, location_name: name };
	const columnIn = ({ place }: Cell) => nameOf(place);
	const ids = drafts.flatMap(({ cells }) => cells.filter((one) => columnIn(one) === 'location_id'));
	// The location's own ID and name count; rows of several locations are refused.
	const isOne = uniqBy(ids, ({ value }) => String(value)).length < 2;
	const isOwn = (one: Cell) =>
		columnIn(one) === 'location_name' || (isOne && columnIn(one) === 'location_id');
	const kept = drafts.map(({ date, cells }) => ({
		date,
		cells: cells.filter((one) => !isOwn(one)),
	}));
	const all = kept.flatMap(({ cells }) => cells);
	const columns = columnNames(all, nameOf, [...Object.keys(about), ...taken]);
	const columnOf = ({ key }: Cell) => columns.get(key)!;
	const rows = kept.map(({ date, cells }) => ({
		...about,
		...(date !== undefined && { date }),
		...Object.fromEntries<unknown>(cells.map((cell) => [columnOf(cell), cell.value])),
	}));
	const lists = new Set(all.filter(({ isList }) => isList).map(columnOf));
	return { rows, notes: [...lists].map((of) => ({ say: listsAsJson, of })) };
}
