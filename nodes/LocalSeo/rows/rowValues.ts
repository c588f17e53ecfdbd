import type { IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { isRecord } from '../client';
import { InputError } from '../host/errors';

/** `$json.city`, `$json["City Name"]`, `$json?.city`, and the same of `$input.item`. */
const COLUMN =
	/\$(?:json|input\.item\.json)(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[(["'`])(.+?)\2\])/gu;

/** The columns of the row that the expression in a parameter reads, in their order. */
export function columnsRead(context: IExecutePaginationFunctions, name: string): string[] {
	const parameter: unknown = context.getNode().parameters[name];
	const expression = String(isRecord(parameter) ? parameter.value : parameter);
	if (!expression.startsWith('=')) return [];
	return [...expression.matchAll(COLUMN)].map(([, dotted, , quoted]) => dotted ?? quoted);
}

/** The rows of the run; the one of the context, where n8n does not say more. */
export function rowsOfRun(context: IExecutePaginationFunctions): INodeExecutionData[] {
	return Object.values(context.getExecuteData().data)[0]?.[0] ?? [context.getInputData()];
}

/** How many rows the run of the node has. */
export function rowsInRun(context: IExecutePaginationFunctions): number {
	return rowsOfRun(context).length;
}

/** Whether a parameter is the same for all rows. */
export function isFixed(context: IExecutePaginationFunctions, name: string): boolean {
	const parameter: unknown = context.getNode().parameters[name];
	return !String(isRecord(parameter) ? parameter.value : parameter).startsWith('=');
}

/** Whether the name of a record is given in place of its ID. */
export function isByName(context: IExecutePaginationFunctions, name: string): boolean {
	const parameter: unknown = context.getNode().parameters[name];
	return isRecord(parameter) && parameter.mode === 'name';
}

/** A value as it appears in a URL; empty for anything but text, numbers and booleans. */
export function textOf(value: unknown): string {
	return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

/** What takes the place of a letter that could not be read. */
const LOST_LETTER = '\uFFFD';

/**
 * A value of a row, as it is.
 *
 * @throws InputError for one that lacks letters: a file was read in another encoding than its own
 */
export function withAllLetters<T>(what: string, value: T): T {
	if (!JSON.stringify(value)?.includes(LOST_LETTER)) return value;
	throw new InputError(
		`The ${what} lacks letters: there is a "${LOST_LETTER}" in their place`,
		'Nothing was sent. Save the file as "CSV UTF-8" or as an Excel workbook, and read it again.',
	);
}
