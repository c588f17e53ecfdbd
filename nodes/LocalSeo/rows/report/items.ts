import { type JsonObject, ServiceError } from '../../client';
import { isWrite } from '../../resources';
import { asJson, type Item, type Place } from '../item';
import { messageOf } from '../labels';
import { type RowEnd, type Failure, isQuestion } from '../outcome';
import type { Row } from '../read/row';
import type { RowResult } from './results';

/** Fields by which a workflow tells what became of a row: one of an earlier run must not be taken for it. */
const OUTCOMES = new Set([
	...['error', 'outcome', 'created', 'updated', 'unchanged', 'skipped', 'deleted'],
	...['goes_live', 'warning', 'note'],
]);

/**
 * The result of a row.
 *
 * @param row absent: it could not be read
 * @param failureOf n8n's error for whatever failed
 */
export function resultOf(
	place: Place,
	row: Row | undefined,
	ending: RowEnd,
	failureOf: (error: Error) => Failure,
): RowResult {
	if (ending instanceof Error) {
		const failure = failureOf(ending);
		const isAsked = isQuestion(ending);
		return {
			...{ items: [failedItem(place, failure, isAsked)], includesInput: false, outcome: 'failed' },
			...{ failure, notes: [] },
			isUnclear: ending instanceof ServiceError && ending.kind === 'unconfirmed',
			isAsked,
		};
	}
	const { records, ...performed } = ending;
	delete performed.record;
	const pairedItem = { item: place.item };
	// A copy: whoever changes an item does not change what others hold of it.
	const isOwn = row !== undefined && isWrite(row.operation);
	const own = isOwn ? (JSON.parse(JSON.stringify(records)) as unknown[]) : records;
	const items = own.map((one) => ({ json: asJson(one), pairedItem }));
	return { ...performed, items, includesInput: row?.includesInput === true };
}

/**
 * The item of a row that failed, in the form that lets n8n keep the row's own data: with "Continue"
 * it stays beside `error`; with the error output n8n itself adds it to an item that holds nothing
 * but `error` (docs/dev/n8n-facts.md, section 1). The row's files stay with it both ways: n8n adds none.
 */
function failedItem(
	place: Place,
	{ message, description, httpCode }: Failure,
	isOfRun = false,
): Item {
	const { rows, index, item, hasErrorOutput } = place;
	const error = {
		message: isOfRun ? message : messageOf(rows, [index], message),
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

/** The items of a row, with its own columns beside the result where the option says so. */
export function itemsOf(place: Place, result: RowResult): Item[] {
	const { items, includesInput, forecast } = result;
	const { hasErrorOutput, rows, index } = place;
	if (forecast?.action === 'invalid' && hasErrorOutput) {
		const { problem: message = '', advice: description } = forecast;
		return [failedItem(place, { message, description })];
	}
	if (!includesInput) return items;
	const { json } = rows[index];
	// An item that holds nothing but an error leaves by the error output: n8n adds the columns itself.
	const isApart = ({ json: own }: Item) => hasErrorOutput && Object.keys(own).join() === 'error';
	return items.map((item) =>
		isApart(item) ? item : { ...item, json: withColumns(json, item.json, forecast !== undefined) },
	);
}

/**
 * A result with the columns of its row, with dates as ISO text: the columns first, or last in a dry run.
 * Where both have a field of the same name with different values, that of the row is called `input_…`.
 */
export function withColumns(row: JsonObject, result: JsonObject, isDryRun = false): JsonObject {
	const taken = new Set([...Object.keys(row), ...Object.keys(result)]);
	const columns = Object.entries(withDatesAsText(row)).map(([name, value]): [string, unknown] => {
		const isFree = !OUTCOMES.has(name) && !Object.hasOwn(result, name);
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
