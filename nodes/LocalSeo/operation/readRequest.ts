import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	idNames,
	isRecord,
	type Method,
	nounOfId,
	type Paging,
	type ServiceRequest,
} from '../client';
import { InputError } from '../host/errors';
import { readPageOptions } from '../parameters/pageOptions';
import { resourceOf } from '../resources';
import { readOptions } from './options';
import { readBody } from './readBody';
import { readQuery } from './readQuery';
import { columnsRead, isByName, rowsOfRun, textOf } from './rowValues';

type Context = IExecutePaginationFunctions;

/** Seconds. */
const DEFAULT_MAX_WAIT = 300;
/** A sheet in which every row lacks a column is not held up by the search for one that has it. */
const MAX_ROWS_LOOKED_AT = 1_000;

/** What an operation declares of its request. */
export interface Declared {
	method?: string;
	url?: string;
}

/** Reads a part of a request. One that notes what is wrong with the part, and goes on, returns nothing. */
export type Attempt = <T>(read: () => T) => T | undefined;

/**
 * The request that an operation declares, filled with the parameters of one item. A name that is given
 * in place of an ID stands there as it is (`withRealIds`).
 *
 * @param attempt reads each of its parts; where it returns nothing, that part is empty
 * @throws InputError for a parameter that can't be sent
 */
export function readRequest(
	context: Context,
	declared: Declared,
	attempt: Attempt = (read) => read(),
): ServiceRequest {
	const { url: path = '' } = declared;
	const method = (declared.method ?? 'GET') as Method;
	const ids = Object.fromEntries(
		idNames(path).map((name) => [name, attempt(() => readId(context, name)) ?? '']),
	);
	const hasBody = method === 'POST' || method === 'PATCH';
	return {
		method,
		path,
		ids,
		query: attempt(() => readQuery(context, method)) ?? {},
		body: hasBody ? attempt(() => readBody(context, ids)) : undefined,
		noun: resourceOf(context.getNodeParameter('resource')).noun,
	};
}

/** How many records of a list to get, and how to ask for its pages. */
export function readPaging(context: Context): Paging {
	const options = readOptions(context);
	if (options.pageSize) wholeNumber('Technical: Page Size', options.pageSize);
	const isLimited =
		context.getNodeParameter('operation') === 'getAll' && !context.getNodeParameter('returnAll');
	const limit = isLimited ? wholeNumber('Limit', context.getNodeParameter('limit')) : undefined;
	return { ...readPageOptions(options), limit };
}

/** The option Max Wait in milliseconds; an invalid value counts as not set. */
export function readPatience(context: Context): number {
	const maxWait = Number(readOptions(context).maxWait);
	return 1000 * (maxWait >= 0 ? maxWait : DEFAULT_MAX_WAIT);
}

/** @throws InputError for an empty ID or name; it says what the row lacks */
function readId(context: Context, name: string): string {
	const id = textOf(context.getNodeParameter(name, '', { extractValue: true }));
	if (id !== '') return id;
	const noun = nounOfId(name);
	const what = isByName(context, name) ? 'name' : 'ID';
	throw new InputError(
		`The ${noun} ${what} is empty`,
		`${missingColumn(context, name)}Pick a ${noun} from the list, or check the expression for its ${what}.`,
	);
}

/** The usual cause: a sheet without the column that the expression reads. */
function missingColumn(context: Context, name: string): string {
	const [column] = columnsRead(context, name);
	const { json: row } = context.getInputData();
	if (column === undefined) return '';
	if (textOf(row[column]) !== '' || isRecord(row[column])) return '';
	// Files are read without their empty cells.
	const others = rowsOfRun(context).slice(0, MAX_ROWS_LOOKED_AT);
	if (column in row || others.some(({ json }) => column in json)) {
		return `The column "${column}" of this row is empty. `;
	}
	const names = Object.keys(row);
	if (names.length === 0) return 'The row is empty. ';
	// As spreadsheet programs save it where the comma stands in numbers.
	const split = names.length === 1 ? names[0].split(';').map((name) => name.trim()) : [];
	if (split.includes(column)) {
		return 'The columns of the file are separated by semicolons. In the step that extracts the rows, add the option Delimiter and enter a semicolon. ';
	}
	// A byte order mark, or a space at its end.
	if (names.some((name) => name.trim() === column)) {
		return `The heading of the column "${column}" has an invisible character before or after its name. Write it anew in the file. `;
	}
	return `The row has no column "${column}", only: ${names.join(', ')}. `;
}

function wholeNumber(label: string, value: unknown): number {
	if (Number.isInteger(Number(value)) && Number(value) >= 1) return Number(value);
	throw new InputError(
		`${label} must be a whole number of 1 or more`,
		`The current value is ${JSON.stringify(value)}.`,
	);
}
