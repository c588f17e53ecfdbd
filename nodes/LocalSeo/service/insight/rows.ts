import { isRecord, type JsonObject } from '../../client';
import type { NamedLocation } from '../resource';
import { type Days, daysIn, type Field, isDate, isNumeric, readRecords, readSeries } from './days';

/** A record of a response: the lists of days in it by name, and the values around them. */
interface Insight {
	/** The name is that in the response: `days`, or `metrics_daily`; empty for the response itself. */
	lists: Array<Days & { name: string }>;
	around: Field[];
}

/** The columns that a row begins with; a value that is there already is not repeated. */
const LEADING = ['date', 'location_id', 'location_name'];
/** How the JSON text of a list begins. */
const JSON_TEXT = /^[[{]/;

/**
 * Daily Rows: one row per date, whatever the shape of the response (the interface shows none). Each
 * row begins with `date`, `location_id` and `location_name`. Together with `summaryRows`, nothing of a
 * response is lost:
 *
 * - **Several lists of days** share one row per date, so that location and date identify a row; the
 *   columns begin with the name of their list. A list that has a date twice (a breakdown) keeps rows
 *   of its own. A value that is called `value` is called after its list.
 * - **Values around the lists** are repeated in each row if they describe it (`isRepeated`).
 *   Everything else, and entries without a date, is left to `summaryRows`: a sum over the rows would
 *   count it several times.
 * - **No list of days:** one row with all values; its date is null if there is none.
 * - **Nested objects** become columns `outer_inner`. **Other lists** become JSON text in one column;
 *   an empty list gives no column.
 * - **Two values for one column:** the date and the location keep the name, then the day's value; the
 *   other one is called `insight_…`. Nothing is dropped.
 */
export function dailyRows(records: JsonObject[], location: NamedLocation): JsonObject[] {
	return insightsIn(records).flatMap(({ lists, around }) => {
		const begin = (date: unknown) => ({ date, ...leading(location) });
		const [, date] = around.find(([name]) => name === 'date') ?? [];
		const isDaily = lists.length > 0;
		const rows = isDaily ? rowsOf(lists, begin) : [begin(isDate(date) ? date : null)];
		const others = isDaily ? around.filter(([, value]) => isRepeated(value)) : around;
		for (const row of rows) put(row, others);
		return rows;
	});
}

/**
 * One Row per Location: what has no date, totals above all. Each row begins with `location_id` and
 * `location_name`; columns are named as in `dailyRows`. Where the service returns a list of records
 * that are not days, each is a row.
 */
export function summaryRows(records: JsonObject[], location: NamedLocation): JsonObject[] {
	return insightsIn(records).map(({ lists, around }) => {
		const row = leading(location);
		put(row, around);
		for (const { name, undated = [] } of lists) {
			const rest = undated.length === 1 ? undated[0] : undated;
			put(row, columnsOf(isRecord(rest) ? name : name || 'undated', rest));
		}
		return row;
	});
}

/** The location's name, where the response has it. */
export function nameInResponse([record]: JsonObject[]): string | undefined {
	const { location_name: name, location } = record ?? {};
	return [name, isRecord(location) ? location.name : undefined].find(isText);
}

/**
 * The rule for values around the lists of days: text and true or false describe a row (a currency, a
 * period, a source). A number may be a total, which must not be there once a day. `null` and lists say
 * nothing that each row needs.
 */
function isRepeated(value: unknown): boolean {
	if (typeof value === 'boolean') return true;
	return isText(value) && !JSON_TEXT.test(value) && !isNumeric(value);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

function leading({ id, name }: NamedLocation): JsonObject {
	return { location_id: id, location_name: name };
}

function insightsIn(records: JsonObject[]): Insight[] {
	// One record with a name may be anything; several with points are a list of series.
	const series = records.length > 1 ? readSeries(records) : undefined;
	if (series) return [insightOf(series)];
	const insights = records.map((record) => {
		const lists: Insight['lists'] = [];
		return { lists, around: columnsOf('', record, lists) };
	});
	if (records.length < 2 || insights.some(({ lists }) => lists.length > 0)) return insights;
	// The response itself may be a list of days.
	const days = readRecords(records);
	return days ? [insightOf(days)] : insights;
}

function insightOf(days: Days): Insight {
	return {
		lists: [{ name: '', ...days }],
		around: columnsOf('', Object.fromEntries(days.around ?? [])),
	};
}

/** The columns that a value becomes; its lists of days go to `lists`, if that is given. */
function columnsOf(name: string, value: unknown, lists?: Insight['lists']): Field[] {
	const days = lists && daysIn(value);
	if (days) lists.push({ name, ...days });
	const fields = days ? (days.around ?? []) : isRecord(value) ? Object.entries(value) : undefined;
	if (fields) {
		return fields.flatMap(([key, inner]) =>
			columnsOf(name === '' ? key : `${name}_${key}`, inner, lists),
		);
	}
	if (typeof value !== 'object' || value === null) return [[name, value]];
	return Object.keys(value).length > 0 ? [[name, JSON.stringify(value)]] : [];
}

function rowsOf(lists: Insight['lists'], begin: (date: string) => JsonObject): JsonObject[] {
	const shared = new Map<string, JsonObject>();
	const rows: JsonObject[] = [];
	for (const { name, days } of lists) {
		const isUnique = new Set(days.map(({ date }) => date)).size === days.length;
		const prefix = lists.length > 1 && name !== '' ? `${name}_` : '';
		for (const { date, fields } of days) {
			const known = isUnique ? shared.get(date) : undefined;
			const row = known ?? begin(date);
			if (!known) rows.push(row);
			if (isUnique) shared.set(date, row);
			for (const [key, value] of fields) {
				put(row, columnsOf(key === 'value' && name !== '' ? name : prefix + key, value));
			}
		}
	}
	return rows;
}

/** Adds columns to a row, with `insight_` in front of a name that is taken. */
function put(row: JsonObject, fields: Field[]): void {
	for (const [name, value] of fields) {
		if (LEADING.includes(name) && row[name] === value) continue;
		let free = name;
		while (Object.hasOwn(row, free)) free = `insight_${free}`;
		row[free] = value;
	}
}
