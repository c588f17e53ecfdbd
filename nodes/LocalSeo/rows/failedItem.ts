import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { listed } from '../host/words';
import { withColumns } from './inputFields';
import { rowsInRun } from './rowValues';

export type NodeFailure = NodeApiError | NodeOperationError;

/** The number that n8n's Google Sheets node gives a row: a whole number from 1. */
function sheetNumberOf({ row_number: own }: IDataObject): number | undefined {
	const number = typeof own === 'number' || typeof own === 'string' ? Number(own) : NaN;
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** How many numbers of rows a message lists. */
const MAX_LISTED = 10;

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
	return messageOf(json, context.getItemIndex(), rowsInRun(context), message);
}

/**
 * The item of a row that failed, in the form that lets n8n keep the row's own data: with "Continue"
 * it stays beside `error`; with the error output n8n itself adds it to an item that holds nothing
 * but `error` (docs/n8n-facts.md, section 1). The row's files stay with it both ways: n8n adds none.
 */
export function failedItem(context: IExecutePaginationFunctions, failure: NodeFailure) {
	const { message, description } = failure;
	const httpCode = 'httpCode' in failure ? failure.httpCode : null;
	const error = {
		message: messageOfRow(context, message),
		description: description ?? null,
		httpCode,
	};
	const { json, binary } = context.getInputData();
	const isSplit = context.getNode().onError === 'continueErrorOutput';
	const pairedItem = { item: context.getItemIndex() };
	return {
		json: isSplit ? { error } : withColumns(json, { error }),
		...(binary && { binary }),
		pairedItem,
	} satisfies INodeExecutionData;
}
