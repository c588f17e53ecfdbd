import type { JsonObject } from '../client';
import { capitalized, listed } from '../text/words';
import type { Item } from './item';

/** How many numbers of rows a message lists. */
const MAX_LISTED = 10;

/** The number that n8n's Google Sheets node gives a row: a whole number from 1. */
function sheetNumberOf({ row_number: own }: JsonObject): number | undefined {
	const number = typeof own === 'number' || typeof own === 'string' ? Number(own) : NaN;
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Asked for each row of a run, and found out once. */
const units = new WeakMap<Item[], 'row' | 'item'>();

/** Messages count rows of a sheet, where each has its number there; else items. */
export function unitOf(rows: Item[]): 'row' | 'item' {
	const isNumbered = () => rows.every(({ json }) => sheetNumberOf(json) !== undefined);
	const unit = units.get(rows) ?? (isNumbered() ? 'row' : 'item');
	units.set(rows, unit);
	return unit;
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
