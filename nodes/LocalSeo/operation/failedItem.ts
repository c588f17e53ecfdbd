import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { withDatesAsText } from './plainValue';
import { rowsInRun } from './rowValues';

export type NodeFailure = NodeApiError | NodeOperationError;

/** The number that n8n's Google Sheets node gives a row: a whole number from 1. */
function sheetNumberOf({ row_number: own }: IDataObject): number | undefined {
	const number = typeof own === 'number' || typeof own === 'string' ? Number(own) : NaN;
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** What a row is called everywhere: by its number in the sheet, or else by its place, from 1. */
export function numberOf(row: IDataObject, index: number): number {
	return sheetNumberOf(row) ?? index + 1;
}

/** A message about a row, with its number where there are several rows. */
export function messageOfRow(context: IExecutePaginationFunctions, message: string): string {
	const index = context.getItemIndex();
	const count = rowsInRun(context);
	if (count === 1) return message;
	const { json } = context.getInputData();
	const of = sheetNumberOf(json) === undefined ? ` of ${count}` : '';
	return `Row ${numberOf(json, index)}${of}: ${message}`;
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
	const row = context.getNode().onError === 'continueErrorOutput' ? {} : withDatesAsText(json);
	const pairedItem = { item: context.getItemIndex() };
	return {
		json: { ...row, error },
		...(binary && { binary }),
		pairedItem,
	} satisfies INodeExecutionData;
}
