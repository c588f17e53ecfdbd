import type { JsonObject } from '../../client';
import type { Item, Place } from '../item';
import { messageOf } from '../labels';

/** The error of a row, as n8n shows it. */
export interface Failure {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

/** Fields by which a workflow tells what became of a row: one of an earlier run must not be taken for it. */
const OUTCOMES = ['error', 'outcome', 'skipped', 'deleted', 'goes_live'];

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
