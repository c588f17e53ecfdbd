import { isRecord, type JsonObject } from '../../client';
import { isDate, withDays } from './shapes';
import type { NamedLocation } from '../resource';

/** A dated list of a response: a list of dated records, or an object keyed by dates. */
interface DatedList {
	/** Its name in the response: `days`, or `metrics_daily`; empty for the response itself. */
	name: string;
	days: Day[];
	/** Entries without a date among others that have one: a total at the end, say. */
	undated: unknown[];
}

interface Day {
	date: string;
	/** What it holds besides its date. */
	fields: JsonObject;
}

/** A record of a response: its dated lists, and the values around them. */
interface Insight {
	lists: DatedList[];
	around: Columns;
}

/** A date without a time is no longer than this. */
const DAY = 'YYYY-MM-DD';
/** Names of a day's date; where it has none of these, `dateNameIn` finds it. */
const DATE_NAMES = ['date', 'day'];
/** Digits with what separates them, a sign, a currency or a percent sign around them: `1,234.5 %`. */
const NUMERIC = /^[^\p{L}\d]*\d[\d.,'\s]*([^\p{L}\d.,'\s][^\p{L}\d]*)?$/u;
/** How the JSON text of a list begins. */
const JSON_TEXT = /^[[{]/;
/** Levels of objects that become columns; what is further inside becomes JSON text. */
const MAX_DEPTH = 100;
/** Cells; where values around the lists would need more, they are not repeated. */
const MAX_REPEATED = 1_000_000;

/**
 * Daily Rows: one row per date, whatever the shape of the response (the interface shows none). Each
 * row begins with `date`, `location_id` and `location_name`. Together with `summaryRows`, nothing of a
 * response is lost:
 *
 * - **Several dated lists** share one row per date, so that location and date identify a row; the
 *   columns begin with the name of their list. A list that has a date twice (a breakdown) keeps rows
 *   of its own. A value that is called `value` is called after its list.
 * - **Values around the lists** are repeated in each row if they describe it (`isRepeated`).
 *   Everything else, and entries without a date, is left to `summaryRows`: a sum over the rows would
 *   count it several times.
 * - **No dated list:** one row with all values; its date is null if there is none.
 * - **Nested objects** become columns `outer_inner`. **Other lists** become JSON text in one column;
 *   an empty list gives no column.
 * - **Two values for one column:** the date and the location keep the name, then the day's value; the
 *   other one is called `insight_…`, the next one `insight_…_2`. Nothing is dropped.
 *
 * It takes time in proportion to the data and the table, whatever the names.
 */
export function dailyRows(records: JsonObject[], location: NamedLocation): JsonObject[] {
	return insightsIn(records).flatMap(({ lists, around }) => {
		const begin = (date: unknown) => new Columns({ date, ...leading(location) });
		const isDaily = lists.length > 0;
		const rows = isDaily ? rowsOf(lists, begin) : [begin(dateIn(around))];
		const others = isDaily ? around.only(isRepeated) : around;
		if (!isDaily || others.size * rows.length <= MAX_REPEATED) {
			for (const row of rows) row.putAll(others);
		}
		return rows.map((row) => row.record);
	});
}

/**
 * One Row per Location: what has no date, totals above all. Each row begins with `location_id` and
 * `location_name`; columns are named as in `dailyRows`. Where the service returns a list of records
 * that are not days, each is a row.
 */
export function summaryRows(records: JsonObject[], location: NamedLocation): JsonObject[] {
	return insightsIn(records).map(({ lists, around }) => {
		const row = new Columns(leading(location));
		row.putAll(around);
		for (const { name, undated } of lists) {
			const rest = undated.length === 1 ? undated[0] : undated;
			if (name === '' && isRecord(rest)) placeAll(row, rest);
			else if (undated.length > 0) place(row, name || 'undated', rest);
		}
		return row.record;
	});
}

/** The location's name, where the response has it. */
export function nameInResponse([record]: JsonObject[]): string | undefined {
	const { location_name: name, location } = record ?? {};
	return [name, isRecord(location) ? location.name : undefined].find(isText);
}

/**
 * The rule for values around the dated lists: text and true or false describe a row (a currency, a
 * period, a source). A number may be a total, which must not be there once a day; so may a text that a
 * sheet takes for a number. `null` and lists say nothing that each row needs.
 */
function isRepeated(value: unknown): boolean {
	if (typeof value === 'boolean') return true;
	if (!isText(value) || JSON_TEXT.test(value) || NUMERIC.test(value)) return false;
	return Number.isNaN(Number(value));
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

function leading({ id, name }: NamedLocation) {
	return { location_id: id, location_name: name };
}

function insightsIn(received: JsonObject[]): Insight[] {
	const records = shapedRecords(received);
	const insights = records.map((record) => {
		const days = datedList('', record);
		const lists = days ? [days] : [];
		const around = new Columns();
		if (!days) placeAll(around, record, lists);
		return { lists, around };
	});
	if (records.length < 2 || insights.some(({ lists }) => lists.length > 0)) return insights;
	// The response itself may be a list of days.
	const days = datedList('', records);
	return days ? [{ lists: [days], around: new Columns() }] : insights;
}

/** The records of a response, with lists of days in place of what charts use (`withDays`). */
function shapedRecords(received: JsonObject[]): JsonObject[] {
	// One record with a name may be anything; several with points are a list of series.
	const series = received.length > 1 ? withDays(received) : received;
	if (series !== received) return [isRecord(series) ? series : { series }];
	return received.map((record) => withDays(record) as JsonObject);
}

/** A row of a record without a dated list may still be one day. */
function dateIn(around: Columns): unknown {
	const date = around.get('date');
	return isDate(date) ? date : null;
}

function rowsOf(lists: DatedList[], begin: (date: string) => Columns): Columns[] {
	const shared = new Map<string, Columns>();
	const rows: Columns[] = [];
	for (const { name, days } of lists) {
		const isUnique = new Set(days.map(({ date }) => date)).size === days.length;
		const prefix = lists.length > 1 ? `${name}_` : '';
		for (const { date, fields } of days) {
			let row = isUnique ? shared.get(date) : undefined;
			if (!row) {
				row = begin(date);
				rows.push(row);
				if (isUnique) shared.set(date, row);
			}
			for (const [key, value] of Object.entries(fields)) {
				place(row, key === 'value' && name !== '' ? name : prefix + key, value);
			}
		}
	}
	return rows;
}

/** Puts the values of a record into columns; its dated lists go to `lists` if it is given. */
function placeAll(columns: Columns, record: JsonObject, lists?: DatedList[]): void {
	for (const [key, value] of Object.entries(record)) place(columns, key, value, lists);
}

function place(
	columns: Columns,
	name: string,
	received: unknown,
	lists?: DatedList[],
	depth = 1,
): void {
	const value = lists ? withDays(received) : received;
	const list = lists && datedList(name, value);
	if (list) {
		lists.push(list);
	} else if (isRecord(value) && depth < MAX_DEPTH) {
		for (const [key, inner] of Object.entries(value)) {
			place(columns, `${name}_${key}`, inner, lists, depth + 1);
		}
	} else if (Array.isArray(value) || isRecord(value)) {
		if (Object.keys(value).length > 0) columns.put(name, JSON.stringify(value));
	} else {
		columns.put(name, value);
	}
}

function datedList(name: string, value: unknown): DatedList | undefined {
	if (Array.isArray(value)) {
		if (!value.every(isRecord)) return undefined;
		const dateName = dateNameIn(value);
		const days = value.map((entry) => dayOf(entry, dateName));
		const dated = days.filter((day) => day !== undefined);
		if (2 * dated.length <= value.length) return undefined;
		return { name, days: dated, undated: value.filter((_, index) => !days[index]) };
	}
	if (!isRecord(value)) return undefined;
	const entries = Object.entries(value);
	const dated = entries.filter(([key]) => isDate(key));
	if (2 * dated.length <= entries.length) return undefined;
	const days = dated.map(([date, entry]) => ({
		date,
		fields: isRecord(entry) ? entry : { value: entry },
	}));
	const others = entries.filter(([key]) => !isDate(key));
	return { name, days, undated: others.length > 0 ? [Object.fromEntries(others)] : [] };
}

/**
 * The field with the date of the entries: one that is called so, or the one that tells most of them
 * apart, since the time of an update may be the same in all. Of several, one of days before one of times.
 */
function dateNameIn(entries: JsonObject[]): string | undefined {
	const dates = new Map<string, string[]>();
	for (const [name, value] of entries.flatMap((entry) => Object.entries(entry))) {
		if (!isDate(value)) continue;
		const found = dates.get(name);
		if (found) found.push(value);
		else dates.set(name, [value]);
	}
	const named = DATE_NAMES.find((name) => 2 * (dates.get(name)?.length ?? 0) > entries.length);
	if (named !== undefined) return named;
	const [best] = [...dates]
		.map(([name, all]) => ({
			name,
			different: new Set(all).size,
			days: all.filter((date) => date.length <= DAY.length).length,
		}))
		.sort((a, b) => b.different - a.different || b.days - a.days);
	return best?.name;
}

function dayOf(entry: JsonObject, dateName = ''): Day | undefined {
	const { [dateName]: date, ...fields } = entry;
	return isDate(date) ? { date, fields } : undefined;
}

/** The columns of a row, each with a name of its own. */
class Columns {
	private readonly values: Map<string, unknown>;
	/** How many columns a name has already been given to: they are not tried again. */
	private readonly numbers = new Map<string, number>();

	/** @param first the columns that a row begins with */
	constructor(private readonly first: JsonObject = {}) {
		this.values = new Map(Object.entries(first));
	}

	/**
	 * Adds a column under its name, or as `insight_name` or `insight_name_2` where that is taken. What
	 * the row begins with is not repeated.
	 */
	put(name: string, value: unknown): void {
		if (Object.hasOwn(this.first, name) && this.first[name] === value) return;
		let free = name;
		if (this.isTaken(free)) {
			const other = `insight_${name}`;
			let number = this.numbers.get(other) ?? 1;
			for (free = other; this.isTaken(free); free = `${other}_${number}`) number++;
			this.numbers.set(other, number);
		}
		this.values.set(free, value);
	}

	putAll(others: Columns): void {
		for (const [name, value] of others.values) this.put(name, value);
	}

	only(isWanted: (value: unknown) => boolean): Columns {
		const columns = new Columns();
		for (const [name, value] of this.values) if (isWanted(value)) columns.put(name, value);
		return columns;
	}

	get(name: string): unknown {
		return this.values.get(name);
	}

	get size(): number {
		return this.values.size;
	}

	get record(): JsonObject {
		return Object.fromEntries(this.values);
	}

	/** n8n's copies of an item lose a value called `__proto__`. */
	private isTaken(name: string): boolean {
		return name === '__proto__' || this.values.has(name);
	}
}
