import { isRecord, type JsonObject } from '../../client';
import type { NamedLocation } from '../resource';
import { type Days, daysIn, type Field, isDate, isNumeric, readRecords, readSeries } from './days';

/** A record of a response: the lists of days in it by name, and the values around them. */
interface Insight {
	/** The name is that in the response: `days`, or `metrics_daily`; empty for the response itself. */
	lists: Array<Days & { name: string }>;
	around: Field[];
}

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
 *   other one is called `insight_…`, the next one `insight_…_2`. Nothing is dropped.
 *
 * It takes time in proportion to the data and the table, whatever the names.
 */
export function dailyRows(records: JsonObject[], location: NamedLocation): JsonObject[] {
	return insightsIn(records).flatMap(({ lists, around }) => {
		const begin = (date: unknown) => new Row({ date, ...leading(location) });
		const [, date] = around.find(([name]) => name === 'date') ?? [];
		const isDaily = lists.length > 0;
		const rows = isDaily ? rowsOf(lists, begin) : [begin(isDate(date) ? date : null)];
		const others = isDaily ? around.filter(([, value]) => isRepeated(value)) : around;
		if (!isDaily || others.length * rows.length <= MAX_REPEATED) {
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
		const row = new Row(leading(location));
		row.putAll(around);
		for (const { name, undated = [] } of lists) {
			const rest = undated.length === 1 ? undated[0] : undated;
			row.putAll(columnsOf(isRecord(rest) ? name : name || 'undated', rest));
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

function leading({ id, name }: NamedLocation) {
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
function columnsOf(name: string, value: unknown, lists?: Insight['lists'], depth = 0): Field[] {
	const days = lists && daysIn(value);
	if (days) lists.push({ name, ...days });
	const fields = days ? (days.around ?? []) : isRecord(value) ? Object.entries(value) : undefined;
	if (fields && depth < MAX_DEPTH) {
		return fields.flatMap(([key, inner]) =>
			columnsOf(name === '' ? key : `${name}_${key}`, inner, lists, depth + 1),
		);
	}
	if (typeof value !== 'object' || value === null) return [[name, value]];
	return Object.keys(value).length > 0 ? [[name, JSON.stringify(value)]] : [];
}

function rowsOf(lists: Insight['lists'], begin: (date: string) => Row): Row[] {
	const shared = new Map<string, Row>();
	const rows: Row[] = [];
	for (const { name, days } of lists) {
		const isUnique = new Set(days.map(({ date }) => date)).size === days.length;
		const prefix = lists.length > 1 && name !== '' ? `${name}_` : '';
		for (const { date, fields } of days) {
			let row = isUnique ? shared.get(date) : undefined;
			if (!row) {
				row = begin(date);
				rows.push(row);
				if (isUnique) shared.set(date, row);
			}
			for (const [key, value] of fields) {
				row.putAll(columnsOf(key === 'value' && name !== '' ? name : prefix + key, value));
			}
		}
	}
	return rows;
}

/** A row of a table, whose columns have a name of their own each. */
class Row {
	private readonly values: Map<string, unknown>;
	/** How many columns a name has already been given to: they are not tried again. */
	private readonly numbers = new Map<string, number>();

	/** @param first the columns that it begins with; they are not repeated */
	constructor(private readonly first: JsonObject) {
		this.values = new Map(Object.entries(first));
	}

	/** Adds columns under their names, or as `insight_name` or `insight_name_2` where that is taken. */
	putAll(fields: Field[]): void {
		for (const [name, value] of fields) {
			const isThere = Object.hasOwn(this.first, name) && this.first[name] === value;
			if (!isThere) this.values.set(this.freeName(name), value);
		}
	}

	get record(): JsonObject {
		return Object.fromEntries(this.values);
	}

	private freeName(name: string): string {
		if (!this.isTaken(name)) return name;
		const other = `insight_${name}`;
		let number = this.numbers.get(other) ?? 1;
		let free = other;
		for (; this.isTaken(free); free = `${other}_${number}`) number++;
		this.numbers.set(other, number);
		return free;
	}

	/** n8n's copies of an item lose a value called `__proto__`. */
	private isTaken(name: string): boolean {
		return name === '__proto__' || this.values.has(name);
	}
}
