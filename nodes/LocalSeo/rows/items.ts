import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { isRecord, type JsonObject } from '../client';
import { listed } from '../host/words';
import { rowsOfRun, withDatesAsText } from './row';

export type NodeFailure = NodeApiError | NodeOperationError;

/** How many numbers of rows a message lists. */
const MAX_LISTED = 10;
/** n8n's UX guidelines: a simplified record has at most ten fields. */
const MOST_FIELDS = 10;
/** Fields by which a workflow tells what became of a row: one of an earlier run must not be taken for it. */
const OUTCOMES = ['error', 'skipped', 'deleted', 'dryRun'];
/** The same for Create or Update; with other operations, a column `created` is the user's own. */
const OUTCOMES_OF_UPSERT = ['created', 'updated', 'unchanged'];

/** The number that n8n's Google Sheets node gives a row: a whole number from 1. */
function sheetNumberOf({ row_number: own }: IDataObject): number | undefined {
	const number = typeof own === 'number' || typeof own === 'string' ? Number(own) : NaN;
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** What rows are called everywhere: by their number in the sheet, or else by their place, from 1. */
export function numbersOf(rows: INodeExecutionData[], indexes: number[]): string {
	const numbers = indexes.map((index) => String(sheetNumberOf(rows[index].json) ?? index + 1));
	return listed(numbers, MAX_LISTED);
}

/** A message about a row, with its number in the sheet, or else its place among several rows. */
export function messageOf(row: IDataObject, index: number, count: number, message: string): string {
	const number = sheetNumberOf(row);
	if (number !== undefined) return `Row ${number}: ${message}`;
	return count === 1 ? message : `Row ${index + 1} of ${count}: ${message}`;
}

export function messageOfRow(context: IExecutePaginationFunctions, message: string): string {
	const { json } = context.getInputData();
	return messageOf(json, context.getItemIndex(), rowsOfRun(context).length, message);
}

/**
 * The item of a row that failed, in the form that lets n8n keep the row's own data: with "Continue"
 * it stays beside `error`; with the error output n8n itself adds it to an item that holds nothing
 * but `error` (docs/n8n-facts.md, section 1). The row's files stay with it both ways: n8n adds none.
 */
export function failedItem(context: IExecutePaginationFunctions, failure: NodeFailure) {
	const { message, description } = failure;
	const error = {
		message: messageOfRow(context, message),
		description: description ?? null,
		httpCode: 'httpCode' in failure ? failure.httpCode : null,
	};
	const { json, binary } = context.getInputData();
	const isSplit = context.getNode().onError === 'continueErrorOutput';
	return {
		json: isSplit ? { error } : withColumns(json, { error }),
		...(binary && { binary }),
		pairedItem: { item: context.getItemIndex() },
	} satisfies INodeExecutionData;
}

/**
 * A result with the columns of its row: the columns first, with dates as ISO text. Where both have a
 * field of the same name with different values, that of the row is called `input_…`; nothing is lost but
 * what this node has said of an earlier try.
 */
export function withColumns(row: IDataObject, result: IDataObject): IDataObject {
	const isUpsert = OUTCOMES_OF_UPSERT.some((name) => result[name] === true);
	const reported = isUpsert ? [...OUTCOMES, ...OUTCOMES_OF_UPSERT] : OUTCOMES;
	const taken = new Set([...Object.keys(row), ...Object.keys(result)]);
	const columns = Object.entries(withDatesAsText(row))
		.filter(([name, value]) => !isEarlierReport(name, value))
		.map(([name, value]): [string, unknown] => {
			const isFree = !reported.includes(name) && !Object.hasOwn(result, name);
			if (isFree || isSame(result[name], value)) return [name, value];
			let free = `input_${name}`;
			while (taken.has(free)) free = `input_${free}`;
			taken.add(free);
			return [free, value];
		});
	return { ...Object.fromEntries(columns), ...result } as IDataObject;
}

/** The error of a row that is tried again. */
function isEarlierReport(name: string, value: unknown): boolean {
	return name === 'error' && isRecord(value) && 'message' in value && 'httpCode' in value;
}

function isSame(one: unknown, other: unknown): boolean {
	return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Records with at most ten fields, the same ones in each: first the leading fields, then single
 * values in the order of the record, then lists and objects. Records with no more than ten fields are
 * left as they are.
 */
export function simplified(records: unknown[], leadingFields: string[]): unknown[] {
	const rows = records.filter(isRecord);
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	if (names.length <= MOST_FIELDS) return records;
	const rank = (name: string) => {
		if (leadingFields.includes(name)) return leadingFields.indexOf(name);
		const isSingle = rows.every((row) => typeof row[name] !== 'object' || row[name] === null);
		return leadingFields.length + (isSingle ? 0 : 1);
	};
	const kept = new Set(names.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_FIELDS));
	const only = (record: JsonObject) =>
		Object.fromEntries(Object.entries(record).filter(([name]) => kept.has(name)));
	return records.map((record) => (isRecord(record) ? only(record) : record));
}
