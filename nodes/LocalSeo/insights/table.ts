import { isRecord, type JsonObject } from '../client';
import type { NamedLocation } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, listed } from '../text/words';
import { dateOfName, type Dates, datesOfList, isOfDay } from './dates';
import { type ListEntry, isObject, type Lists, listsIn } from './lists';
import { besideHints, pageHints } from './pages';
import { isWithin, type Period } from './period';
import { Labels, listName, TableRow, SPLIT_OUT } from './row';

/** The response for a location. */
export interface Insights {
	location: NamedLocation;
	/** The content of `data`. */
	data: unknown;
	/** The members beside `data`. */
	beside: JsonObject;
	/** True for a list with a total, which was read to its end. */
	isWhole: boolean;
}

/** The options with which insights are read. */
export interface InsightOptions {
	dates: Dates;
	/** Absent: all days. */
	period?: Period;
	acceptsIncomplete: boolean;
}

/** The rows and hints of a location. */
export interface Table {
	rows: unknown[];
	/** Sentences without a period, which are said of this location. */
	hints: string[];
	/** True for a response that holds nothing, or empty lists and objects alone. */
	isEmpty?: boolean;
	/** True if there are days, in the period or not. */
	hasDays?: boolean;
	/** Present if there is something, but no list of days. */
	noDays?: InputError;
}

/** How many lists a message shows. */
const MAX_LISTED = 5;

/**
 * Daily Rows: one for each entry with a date, with the values of the entries around it. No column is
 * called by a text of the response, so that one more day, list or location adds rows and renames nothing.
 *
 * @throws InputError for an entry without a date among days, two columns of one name, lists that nothing
 * tells apart, another location's rows, one page of several, and weeks or months alone with a period
 */
export function dailyRows(
	insights: Insights,
	{ dates, period, ...reading }: InsightOptions,
): Table {
	const all = listsIn(insights.data, dates);
	const days = all.filter(({ areDays }) => areDays);
	const hints = hintsOf(insights, days, reading.acceptsIncomplete);
	// Days in another form would be lost.
	const unread = all.find(({ areDays, holdDays, datePath }) => datePath && !areDays && !holdDays);
	const isLost = unread !== undefined && dates.field === '';
	if (days.length === 0) {
		if (isLost) throw noDays(all, dates);
		const isEmpty = isNothing(insights.data);
		return { rows: [], hints, ...(isEmpty ? { isEmpty } : { noDays: noDays(all, dates) }) };
	}
	if (isLost) throw noDate(unread.path, unread.entries[0]);
	const dated = days.flatMap((lists) => datedIn(lists, dates));
	const undated = all.filter(({ areDays, holdDays, datePath, entries }) => {
		return areDays ? entries.some(({ date }) => date === undefined) : datePath && !holdDays;
	});
	for (const { path } of undated)
		hints.push(`Entries of ${listName(path)} without a date were left out`);
	const ofDays = period ? dated.filter(({ isDay }) => isDay) : dated;
	if (ofDays.length === 0) throw noWholeDays();
	if (ofDays.length < dated.length) hints.push("'Period' left out weeks and months");
	const kept = period ? ofDays.filter(({ date }) => isWithin(date, period)) : ofDays;
	if (kept.length === 0) hints.push("No day is within 'Period'");
	const labels = new Map(days.map((lists) => [lists, new Labels(lists)]));
	const json = new Set<string>();
	const keys = new Set<string>();
	const rows = kept.map((one) => {
		const row = new TableRow(insights.location, listName(one.lists.path), keys);
		addDay(row, one, labels.get(one.lists)!, json);
		return row.json;
	});
	return { rows, hints: [...hints, ...jsonHints(json)], hasDays: true };
}

/**
 * One Row per Location: all that has no date, in columns that are called by their path. No row where there
 * is nothing at all.
 *
 * @throws InputError for two columns of one name, another location's values, and one page of several
 */
export function summaryRow(
	insights: Insights,
	{ dates, acceptsIncomplete }: InsightOptions,
): Table {
	const { location, data } = insights;
	const days = listsIn(data, dates).filter(({ areDays }) => areDays);
	const hints = hintsOf(insights, days, acceptsIncomplete);
	if (days.length === 0 && isNothing(data)) return { rows: [], hints, isEmpty: true };
	const row = new TableRow(location, listName([]), new Set());
	const json = new Set<string>();
	const rest = withoutDays(data, undatedIn(days), dates) ?? {};
	// A list of one record is that record.
	const isOne = Array.isArray(data) && data.length === 1 && Array.isArray(rest);
	row.addAll(isOne ? rest[0] : rest, undefined, json);
	if (row.isEmpty) hints.push('There are only days, and no totals');
	return { rows: [row.json], hints: [...hints, ...jsonHints(json)] };
}

/**
 * The items of Raw: `data` as it is.
 *
 * @throws InputError for one page of several
 */
export function rawItems(insights: Insights, { dates, acceptsIncomplete }: InsightOptions): Table {
	const { data } = insights;
	const days = listsIn(data, dates).filter(({ areDays }) => areDays);
	const hints = hintsOf(insights, days, acceptsIncomplete);
	const isEmpty =
		data === null || data === '' || (isObject(data) && Object.keys(data).length === 0);
	return {
		rows: Array.isArray(data) ? (data as unknown[]) : isEmpty ? [] : [data],
		hints,
		isEmpty,
	};
}

/**
 * The tables of all locations of a run. A location without days, such as a new one, is a hint beside others
 * that have days; alone, it is an error, since the days may be in a form that has to be named.
 */
export function settled(tables: Table[]): Table[] {
	if (!tables.some(({ hasDays }) => hasDays)) return tables;
	return tables.map(({ noDays: why, ...table }) =>
		why ? { ...table, hints: [...table.hints, 'No days were recognized'] } : table,
	);
}

/** Pages of `data` itself, and of what is around a list of days, are said by what stands beside the list. */
function hintsOf({ data, beside, isWhole }: Insights, days: Lists[], accepts: boolean): string[] {
	const holders = new Set<JsonObject>(isWhole ? [] : [{ ...beside, data }]);
	if (isRecord(data)) holders.add(data);
	for (const { list } of days.flatMap(({ entries }) => entries)) {
		let around = list.around;
		for (; around && !holders.has(around.value); around = around.outer) holders.add(around.value);
	}
	return [...pageHints([...holders], accepts), ...besideHints(beside)];
}

/** True for nothing but `null`, and empty lists and objects. */
const isNothing = (value: unknown): boolean =>
	typeof value === 'object' && Object.values(value ?? {}).every(isNothing);

/** An entry with its date. */
interface Dated {
	lists: Lists;
	entry: ListEntry;
	date: string;
	isDay: boolean;
}

/** @throws InputError for an entry without a date, unless a field is named: then it is left out */
function datedIn(lists: Lists, { field }: Dates): Dated[] {
	const { path, entries, datePath } = lists;
	const undated = entries.find(({ date }) => date === undefined);
	if (undated && field === '') throw noDate(path, undated);
	const dated = entries.filter(({ date }) => date !== undefined);
	const dates = datesOfList(dated.map(({ date }) => date!));
	return dated.map((entry, at) => {
		return { lists, entry, date: dates[at], isDay: isOfDay(dates[at], datePath) };
	});
}

function addDay(
	row: TableRow,
	{ lists, entry, date }: Dated,
	labels: Labels,
	json: Set<string>,
): void {
	const { path, datePath } = lists;
	row.add('date', date);
	if (path.length > 0) row.add('list', path.join('.'));
	for (const [name, value] of labels.of(entry.list, date)) row.add(name, value);
	row.addAll(entry.value, entry.isMember ? undefined : datePath, json);
}

const jsonHints = (names: Set<string>): string[] =>
	names.size > 0 ? [`Lists come as JSON in ${listed([...names], MAX_LISTED)}`] : [];

/** The entries without a date, by their list of days. */
function undatedIn(days: Lists[]): Map<object, unknown[]> {
	const left = new Map<object, unknown[]>();
	for (const { list, date, value } of days.flatMap(({ entries }) => entries)) {
		if (!left.has(list.source)) left.set(list.source, []);
		if (date === undefined) left.get(list.source)!.push(value);
	}
	return left;
}

/** Undefined for what holds nothing else. */
function withoutDays(value: unknown, undated: Map<object, unknown[]>, dates: Dates): unknown {
	if (!isObject(value)) return value;
	const left = undated.get(value);
	if (left && Array.isArray(value)) return left.length > 0 ? left : undefined;
	const all = Object.entries(value).filter(
		([name]) => !left || dateOfName(name, dates) === undefined,
	);
	const members = all.map(([name, one]) => [name, withoutDays(one, undated, dates)]);
	const kept = members.filter(([, one]) => one !== undefined);
	if (kept.length === 0) return undefined;
	return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept);
}

function noDays(all: Lists[], { field }: Dates): InputError {
	const shown = all.map(({ path, entries: [first] }) =>
		first ? `${listName(path)} with ${asValue(first.value)}` : `${listName(path)}, which is empty`,
	);
	const inField = field === '' ? '' : ` in the field ${asValue(field)}`;
	return new InputError(
		`No dates were recognized${inField} in these insights. Their lists: ${listed(shown, MAX_LISTED, '; ') || 'none'}`,
		"If entries of a list have a date, enter its path within an entry under 'Field' in the option 'Dates', and how it is written under 'Format'. For what has no date, set 'Output' to 'One Row per Location'; for everything, to Raw.",
	);
}

function noDate(path: string[], { value }: ListEntry): InputError {
	return new InputError(
		`The list ${listName(path)} has an entry without a date that can be read: ${asValue(value)}`,
		`If each has one elsewhere, add the option 'Dates', and enter its field and format; with a field, entries without a date are left out. Otherwise, ${SPLIT_OUT}`,
	);
}

function noWholeDays(): InputError {
	return new InputError(
		"These insights are of weeks or months, and 'Period' keeps days",
		"Remove the option 'Period'. If the service takes a period, add its parameters under 'Query Parameters'.",
	);
}
