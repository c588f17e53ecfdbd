import { isRecord, type JsonObject } from '../../client';
import { capitalized, listed } from '../../text/words';
import type { Item, Place } from '../item';

/** The error of a row, as n8n shows it. */
export interface Failure {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

/** How many numbers of rows a message lists. */
const MAX_LISTED = 10;
/** n8n's UX guidelines: a simplified record has at most ten fields. */
const MOST_FIELDS = 10;
/** Fields by which a workflow tells what became of a row: one of an earlier run must not be taken for it. */
const OUTCOMES = ['error', 'outcome', 'skipped', 'deleted'];

/** The number that n8n's Google Sheets node gives a row: a whole number from 1. */
function sheetNumberOf({ row_number: own }: JsonObject): number | undefined {
	const number = typeof own === 'number' || typeof own === 'string' ? Number(own) : NaN;
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Messages count rows of a sheet, where each has its number there; else items. */
export function unitOf(rows: Item[]): 'row' | 'item' {
	return rows.every(({ json }) => sheetNumberOf(json) !== undefined) ? 'row' : 'item';
}

/** The name of rows in all messages: "rows 4, 7" by their numbers in the sheet, or "item 3" by their place from 1. */
export function labelOf(rows: Item[], indexes: number[]): string {
	const unit = unitOf(rows);
	const numbers = indexes.map((index) =>
		String(unit === 'row' ? sheetNumberOf(rows[index].json) : index + 1),
	);
	return `${unit}${numbers.length === 1 ? '' : 's'} ${listed(numbers, MAX_LISTED)}`;
}

/** A message about one of several rows. */
export function messageOf(rows: Item[], indexes: number[], message: string): string {
	if (rows.length === 1 && unitOf(rows) === 'item') return message;
	return `${capitalized(labelOf(rows, indexes))}: ${message}`;
}

/**
 * The item of a row that failed, in the form that lets n8n keep the row's own data: with "Continue"
 * it stays beside `error`; with the error output n8n itself adds it to an item that holds nothing
 * but `error` (docs/dev/n8n-facts.md, section 1). The row's files stay with it both ways: n8n adds none.
 */
export function failedItem(place: Place, { message, description, httpCode }: Failure): Item {
	const { rows, index, item, hasErrorOutput } = place;
	const error = {
		message: messageOf(rows, [index], message),
		description: description ?? null,
		...(httpCode && { httpCode }),
	};
	const { json, binary } = rows[index];
	return {
		json: hasErrorOutput ? { error } : withColumns(json, { error }),
		...(binary && { binary }),
		pairedItem: { item },
	};
}

/**
 * A result with the columns of its row, with dates as ISO text: the columns first, or last in a dry run.
 * Where both have a field of the same name with different values, that of the row is called `input_…`.
 */
export function withColumns(row: JsonObject, result: JsonObject, isDryRun = false): JsonObject {
	const taken = new Set([...Object.keys(row), ...Object.keys(result)]);
	const columns = Object.entries(withDatesAsText(row)).map(([name, value]): [string, unknown] => {
		const isFree = !OUTCOMES.includes(name) && !Object.hasOwn(result, name);
		if (isFree || isSame(result[name], value)) return [name, value];
		let free = `input_${name}`;
		while (taken.has(free)) free = `input_${free}`;
		taken.add(free);
		return [free, value];
	});
	const own = Object.fromEntries(columns);
	return isDryRun ? { ...result, ...own } : { ...own, ...result };
}

/** A row with its dates as ISO text. */
const withDatesAsText = (row: JsonObject) => JSON.parse(JSON.stringify(row)) as JsonObject;

function isSame(one: unknown, other: unknown): boolean {
	return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Records with at most ten fields, the same ones in each: first the leading fields, then single
 * values in the order of the record, then lists and objects. Records with no more than ten fields are
 * left as they are.
 */
export function simplified(records: unknown[], leadingFields: string[]): unknown[] {
	/** Each field by its name, with its place; read once, since each record may have other ones. */
	const ranks = new Map<string, number>();
	for (const [name, value] of records.filter(isRecord).flatMap(Object.entries)) {
		const isSingle = typeof value !== 'object' || value === null;
		const place = leadingFields.indexOf(name);
		const rank = place >= 0 ? place : leadingFields.length + (isSingle ? 0 : 1);
		ranks.set(name, Math.max(rank, ranks.get(name) ?? 0));
	}
	if (ranks.size <= MOST_FIELDS) return records;
	const inOrder = [...ranks].sort(([, a], [, b]) => a - b);
	const kept = new Set(inOrder.slice(0, MOST_FIELDS).map(([name]) => name));
	const only = (record: JsonObject) =>
		Object.fromEntries(Object.entries(record).filter(([name]) => kept.has(name)));
	return records.map((record) => (isRecord(record) ? only(record) : record));
}
