import type { JsonObject } from '../../client';
import { InputError } from '../../host/errors';
import type { NamedLocation, Note, OfLocation, TableRows } from '../resource';
import { type Dated, daysIn, type Found, HOLDER } from './days';
import { type Field, isName, isNumeric, joined } from './fields';

/** The columns that a row begins with; a value that is there already is not repeated. */
const LEADING = ['date', 'location_id', 'location_name'];
const JSON_TEXT = /^\s*[[{]/;
/** Cells of one location. */
const MAX_CELLS = 500_000;

const noDates = (names: string) =>
	`No dates were recognized in these insights, so each location is one row: ${names}.`;
const severalRows = (names: string) =>
	`Some dates have several rows, told apart by other columns: ${names}.`;

/**
 * Daily Rows: one row per date, whatever the shape of the response (the interface shows none). Each
 * row begins with `date`, `location_id` and `location_name`. Together with `summaryRows`, nothing of a
 * response is lost:
 *
 * - **Several lists of days** share one row per date; as far as their columns would be called alike,
 *   they begin with the names of their lists. Where a date comes several times (a breakdown), columns
 *   begin with what tells its entries apart or, if that is too much, each entry is a row.
 * - **Values around the lists** are repeated in each row if they describe it (`isRepeated`).
 *   Everything else, and entries without a date, is left to `summaryRows`: a sum over the rows would
 *   count it several times. So are lists of other periods or events beside a list of days.
 * - **No list of days:** one row with all values; none where there are no values but zeros.
 * - **Two values for one column:** the first one keeps the name; the other one is called `insight_…`.
 *
 * @throws InputError for more cells than a workflow can hold
 */
export function dailyRows(insights: OfLocation[]): TableRows {
	const all = insights.map((one) => ({ ...one, found: foundIn(one) }));
	const nameOf = namesFor(all.flatMap(({ found }) => found.lists));
	const notes: Note[] = [];
	const empty: NamedLocation[] = [];
	const rows = all.flatMap(({ location, found }) => {
		const { lists, around, ofSeries } = found;
		const note = (say: Note['say']) => notes.push({ say, of: location.name ?? location.id });
		if (lists.some(({ isRepeated }) => isRepeated)) note(severalRows);
		if (lists.length > 0) return rowsOf(found, location, nameOf);
		if (isNothing([...around, ...ofSeries])) {
			empty.push(location);
			return [];
		}
		note(noDates);
		return [new Row(location, null).add(around).add(ofSeries).json];
	});
	return { rows, notes, empty };
}

/**
 * One Row per Location: what has no date, totals above all. Each row begins with `location_id` and
 * `location_name`.
 */
export function summaryRows(insights: OfLocation[]): TableRows {
	const rows = insights.map((one) => {
		const { lists, around, ofSeries } = foundIn(one);
		const row = new Row(one.location).add(around).add(ofSeries);
		for (const { path, undated } of lists) {
			const name = path.join('_');
			if (undated.length === 1) row.add(undated[0], name);
			else row.add([[name || 'undated', undated.map((fields) => Object.fromEntries(fields))]]);
		}
		return row.json;
	});
	return { rows, notes: [], empty: [] };
}

/** The location's name, where the response has it. */
export function nameInResponse([record]: unknown[]): string | undefined {
	const { location_name: name, location } = Object(record) as JsonObject;
	return [name, Object(location).name].find(isName);
}

/** Lists of days come first: beside them, others are values like any other. */
function foundIn({ records, beside }: OfLocation): Found {
	const own = daysIn(records, beside);
	const found =
		own.lists.length > 0 || !beside ? own : daysIn({ ...beside, data: records }, undefined);
	const { lists, around, ofSeries } = found.lists.length > 0 ? found : own;
	const isDaily = ({ unit, isOfEvents }: Dated) => unit === 'day' && !isOfEvents;
	const isBeside = (list: Dated) => lists.some(isDaily) && !isDaily(list);
	const others = lists.filter(isBeside).map(({ path, raw }): Field => [path.join('_'), raw]);
	return {
		...found,
		lists: lists.filter((list) => !isBeside(list)),
		around,
		ofSeries: [...ofSeries, ...others],
	};
}

function isNothing(fields: Field[]): boolean {
	const isText = ([, value]: Field) => typeof value === 'string' && JSON_TEXT.test(value);
	const isZero = ([, value]: Field) => !isNumeric(value) || Number(value) === 0;
	const isHollow = ([name, value]: Field) => HOLDER.test(name) && Array.isArray(value);
	return !fields.some(isText) && (fields.every(isZero) || fields.some(isHollow));
}

function rowsOf(
	{ lists, around }: Found,
	location: NamedLocation,
	nameOf: (list: Dated, column: string) => string,
): JsonObject[] {
	const shared = new Map<string, Row>();
	const rows: Row[] = [];
	for (const list of lists) {
		for (const { date, fields } of list.days) {
			const known = list.isRepeated ? undefined : shared.get(date);
			const row = known ?? new Row(location, date);
			if (!known) rows.push(row);
			if (!list.isRepeated) shared.set(date, row);
			row.add(fields.map(([column, value]) => [nameOf(list, column), value]));
		}
	}
	const repeated = around.filter(([, value]) => isRepeatable(value));
	const cells = rows.reduce((sum, { size }) => sum + size + repeated.length, 0);
	if (cells > MAX_CELLS) {
		throw new InputError(
			`The insights of ${location.name ?? location.id} have too many values for daily rows`,
			`They would fill ${cells} cells. Ask for a shorter period under 'Query Parameters', or set 'Output' to 'Raw'.`,
		);
	}
	return rows.map((row) => row.add(repeated).json);
}

/**
 * Text and true or false describe a row (a currency, a period, a source). A number may be a total, which
 * must not be there once a day. `null` and lists say nothing that each row needs.
 */
function isRepeatable(value: unknown): boolean {
	return (
		typeof value === 'boolean' || (isName(value) && !JSON_TEXT.test(value) && !isNumeric(value))
	);
}

/**
 * Names of columns, the same for all locations: with what stands around a list as far as it tells lists
 * apart, and with all of it where two of them would have a column of one name.
 */
function namesFor(lists: Dated[]): (list: Dated, column: string) => string {
	const all = [...new Map(lists.map(({ names }) => [names.join('\n'), names])).values()];
	const most = all.reduce((least, { length }) => Math.min(least, length), lists.length && Infinity);
	let common = 0;
	const isCommon = (names: string[]) => names[common] === all[0][common];
	while (common < (all.length > 1 ? most - 1 : most) && all.every(isCommon)) common++;
	const short = ({ names, path, label }: Dated, column: string) =>
		joined(names.slice(common).join('_'), column) ||
		label ||
		names.at(-1) ||
		path.at(-1) ||
		'value';
	const owners = new Map<string, string>();
	const shared = new Set<string>();
	for (const list of lists) {
		const owner = list.path.join('\n');
		for (const column of new Set(list.days.flatMap(({ fields }) => fields.map(([name]) => name)))) {
			const name = short(list, column);
			if ((owners.get(name) ?? owner) !== owner) shared.add(name);
			owners.set(name, owner);
		}
	}
	return (list, column) => {
		const name = short(list, column);
		return shared.has(name) ? joined(list.path.join('_'), column) || name : name;
	};
}

class Row {
	private readonly cells = new Map<string, unknown>();
	private readonly taken = new Map<string, number>();

	constructor({ id, name }: NamedLocation, date?: string | null) {
		if (date !== undefined) this.cells.set('date', date);
		this.cells.set('location_id', id).set('location_name', name);
	}

	get size(): number {
		return this.cells.size;
	}

	get json(): JsonObject {
		return Object.fromEntries(this.cells);
	}

	/** Adds columns, with `insight_` in front of a name that is taken. */
	add(fields: Field[], prefix = ''): this {
		for (const [own, value] of fields) {
			const name = joined(prefix, own) || 'insights';
			if (Array.isArray(value) && value.length === 0) continue;
			if (LEADING.includes(name) && this.cells.get(name) === value) continue;
			let free = name;
			while (this.cells.has(free)) {
				const count = (this.taken.get(name) ?? 0) + 1;
				this.taken.set(name, count);
				free = count === 1 ? `insight_${name}` : `insight_${name}_${count}`;
			}
			this.cells.set(free, Object(value) === value ? JSON.stringify(value) : value);
		}
		return this;
	}
}
