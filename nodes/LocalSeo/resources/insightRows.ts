import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { isRecord, type JsonObject } from '../client';

/** An entry of a list of dates: a record that holds its date, or a value by its date. */
interface Entry {
	date?: string;
	fields: JsonObject;
}

/** A list of entries, with its name in the response: `days`, or `metrics_daily`. */
interface DatedList {
	name: string;
	entries: Entry[];
}

const DATE = /^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}|$)/;
/** Levels of objects that become columns; what is further inside becomes JSON text. */
const MAX_DEPTH = 100;
/** Cells; beyond them, the values around a list get a row of their own instead of a place in each. */
const MAX_REPEATED = 1_000_000;

/**
 * With the option Output set to rows, insight data becomes a table (see `insightRows`). Every row has
 * the ID of the location in `location_id`, even if the service does not repeat it.
 */
export async function insightOutput(
	this: IExecuteSingleFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const { output } = this.getNodeParameter('options', {}) as { output?: string };
	if (output !== 'rows') return items;
	const locationId = this.getNodeParameter('locationId', '', { extractValue: true }) as string;
	return items.flatMap(({ json, ...rest }) =>
		insightRows(json).map((row) => ({ ...rest, json: withLocation(row, locationId) })),
	);
}

function withLocation(row: JsonObject, locationId: string): IDataObject {
	const columns = new Columns();
	columns.put('location_id', locationId);
	for (const [name, value] of Object.entries(row)) {
		if (name !== 'location_id' || value !== locationId) columns.put(name, value);
	}
	return columns.record as IDataObject;
}

/**
 * Turns insight data of any shape (the interface shows none) into rows for a sheet:
 *
 * - **One list of dated records** (objects that each hold a date, or an object keyed by dates):
 *   one row per entry, with the values around the list repeated in each.
 * - **Several such lists:** the rows of each list, one list after the other, with the list's name in
 *   the column `list`.
 * - **None:** one row.
 * - **Nested objects** become columns `outer_inner`. **Other lists** become JSON text in one column;
 *   an empty list gives no column.
 * - **Two values for one column:** the entry's value keeps the name, the other one is called
 *   `insight_…`, the next one `insight_…_2`. Nothing is dropped.
 *
 * It takes time in proportion to the data and the table, whatever the names.
 */
export function insightRows(record: JsonObject): JsonObject[] {
	const days = datedEntries(record);
	if (days) return days.map((day) => rowOf(day, new Columns()));
	const lists: DatedList[] = [];
	const around = flatten(record, lists);
	if (lists.length === 0) return [around.record];
	const count = lists.reduce((sum, { entries }) => sum + entries.length, 0);
	const isRepeated = around.size * count <= MAX_REPEATED;
	const rows = lists.flatMap(({ name, entries }) =>
		entries.map((entry) =>
			rowOf(entry, isRepeated ? around : new Columns(), lists.length > 1 ? name : undefined),
		),
	);
	return isRepeated ? rows : [around.record, ...rows];
}

function rowOf({ date, fields }: Entry, around: Columns, list?: string): JsonObject {
	const own = flatten(fields);
	const columns = new Columns(own);
	for (const [name, value] of around.entries()) columns.put(name, value);
	if (list !== undefined) columns.put('list', list);
	if (date !== undefined && own.get('date') !== date) columns.put('date', date);
	return { ...columns.record, ...own.record };
}

/** Flattens objects to columns; dated lists go to `lists` if it is given. */
function flatten(
	record: JsonObject,
	lists?: DatedList[],
	columns = new Columns(),
	prefix = '',
	depth = 1,
): Columns {
	for (const [key, value] of Object.entries(record)) {
		const name = prefix + key;
		const entries = lists && datedEntries(value);
		if (entries) {
			lists.push({ name, entries });
		} else if (isRecord(value) && depth < MAX_DEPTH) {
			flatten(value, lists, columns, `${name}_`, depth + 1);
		} else if (Array.isArray(value) || isRecord(value)) {
			if (Object.keys(value).length > 0) columns.put(name, JSON.stringify(value));
		} else {
			columns.put(name, value);
		}
	}
	return columns;
}

function datedEntries(value: unknown): Entry[] | undefined {
	if (Array.isArray(value)) {
		// An entry without a date (a total at the end, say) is treated like the others.
		const isDays = value.every(isRecord) && 2 * value.filter(isDated).length > value.length;
		return isDays ? value.map((fields: JsonObject) => ({ fields })) : undefined;
	}
	if (!isRecord(value)) return undefined;
	const days = Object.entries(value);
	if (days.length === 0 || !days.every(([key]) => DATE.test(key))) return undefined;
	return days.map(([date, entry]) => ({
		date,
		fields: isRecord(entry) ? entry : { value: entry },
	}));
}

function isDated(entry: unknown): entry is JsonObject {
	return (
		isRecord(entry) &&
		Object.values(entry).some((value) => typeof value === 'string' && DATE.test(value))
	);
}

/** The columns of a row, each with a name of its own, here and in `others`. */
class Columns {
	private readonly values = new Map<string, unknown>();
	/** How many columns a name has already been given to: they are not tried again. */
	private readonly numbers = new Map<string, number>();

	constructor(private readonly others?: Columns) {}

	/** Adds a column under its name, or as `insight_name` or `insight_name_2` where that is taken. */
	put(name: string, value: unknown): void {
		let free = name;
		if (this.isTaken(free)) {
			const other = `insight_${name}`;
			let number = this.numbers.get(other) ?? 1;
			for (free = other; this.isTaken(free); free = `${other}_${number}`) number++;
			this.numbers.set(other, number);
		}
		this.values.set(free, value);
	}

	get(name: string): unknown {
		return this.values.get(name);
	}

	get size(): number {
		return this.values.size;
	}

	entries(): IterableIterator<[string, unknown]> {
		return this.values.entries();
	}

	get record(): JsonObject {
		return Object.fromEntries(this.values);
	}

	/** n8n's copies of an item lose a value called `__proto__`. */
	private isTaken(name: string): boolean {
		return name === '__proto__' || this.values.has(name) || this.others?.isTaken(name) === true;
	}
}
