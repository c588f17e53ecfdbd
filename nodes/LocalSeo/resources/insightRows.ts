import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { isRecord, type JsonObject } from '../client';

/** A list of dated records, with its name in the response: `days`, or `metrics_daily`. */
interface DatedList {
	name: string;
	entries: JsonObject[];
}

const DATE = /^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}|$)/;

/**
 * With the option Output set to rows, insight data becomes a table (see `insightRows`). Every row has
 * the location's ID, even if the service does not repeat it.
 */
export async function insightOutput(
	this: IExecuteSingleFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const { output } = this.getNodeParameter('options', {}) as { output?: string };
	if (output !== 'rows') return items;
	const location_id = this.getNodeParameter('locationId', '', { extractValue: true }) as string;
	return items.flatMap(({ json, ...rest }) =>
		insightRows(json).map((row) => ({ ...rest, json: { location_id, ...row } as IDataObject })),
	);
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
 *   `insight_…`. Nothing is dropped.
 */
export function insightRows(record: JsonObject): JsonObject[] {
	const days = datedEntries(record);
	if (days) return days.map((day) => flatten(day));
	const lists: DatedList[] = [];
	const around = flatten(record, '', lists);
	if (lists.length === 0) return [around];
	return lists.flatMap(({ name, entries }) =>
		entries.map((entry) => {
			const row = flatten(entry);
			const columns: JsonObject = {};
			for (const [key, value] of Object.entries(around)) put(columns, key, value, row);
			if (lists.length > 1) put(columns, 'list', name, row);
			return { ...columns, ...row };
		}),
	);
}

/** Flattens objects to columns; dated lists go to `lists` if it is given. */
function flatten(record: JsonObject, prefix = '', lists?: DatedList[]): JsonObject {
	const columns: JsonObject = {};
	for (const [key, value] of Object.entries(record)) {
		const name = prefix + key;
		const entries = lists && datedEntries(value);
		if (entries) {
			lists.push({ name, entries });
		} else if (Array.isArray(value)) {
			if (value.length > 0) put(columns, name, JSON.stringify(value));
		} else if (isRecord(value)) {
			for (const [inner, flat] of Object.entries(flatten(value, `${name}_`, lists))) {
				put(columns, inner, flat);
			}
		} else {
			put(columns, name, value);
		}
	}
	return columns;
}

function datedEntries(value: unknown): JsonObject[] | undefined {
	if (Array.isArray(value)) {
		// An entry without a date (a total at the end, say) is treated like the others.
		const isDays = value.every(isRecord) && 2 * value.filter(isDated).length > value.length;
		return isDays ? (value as JsonObject[]) : undefined;
	}
	if (!isRecord(value)) return undefined;
	const days = Object.entries(value);
	if (days.length === 0 || !days.every(([key]) => DATE.test(key))) return undefined;
	return days.map(([date, entry]) =>
		isRecord(entry) ? { date, ...entry } : { date, value: entry },
	);
}

function isDated(entry: unknown): entry is JsonObject {
	return (
		isRecord(entry) &&
		Object.values(entry).some((value) => typeof value === 'string' && DATE.test(value))
	);
}

/** Adds a column under the first name that is free here and in `taken`. */
function put(columns: JsonObject, name: string, value: JsonObject[string], taken: JsonObject = {}) {
	let free = name;
	while (free in columns || free in taken) free = `insight_${free}`;
	columns[free] = value;
}
