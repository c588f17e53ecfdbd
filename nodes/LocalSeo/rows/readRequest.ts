import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	idNames,
	isRecord,
	type JsonObject,
	type Method,
	nounOfId,
	type Paging,
	type ServiceRequest,
} from '../client';
import { InputError } from '../text/inputError';
import { isSwitchedOn, readPageOptions } from '../host/requestSettings';
import { resourceOf, takes } from '../service';
import { refuseInvisible, withAllLetters } from './cells';
import type { Attempt } from './findings';
import { readBody } from './readBody';
import {
	columnsRead,
	declarationOf,
	isByName,
	isExpression,
	type Options,
	plainValue,
	readOptions,
	rowsOfRun,
	textInUrl,
} from './row';

type Context = IExecutePaginationFunctions;

/** Seconds. */
const DEFAULT_MAX_WAIT = 300;
/** A sheet in which every row lacks a column is not held up by the search for one that has it. */
const MAX_ROWS_LOOKED_AT = 1_000;

/** What an operation declares of its request. */
interface Declared {
	method?: string;
	url?: string;
}

/**
 * The request that an operation declares, filled with the parameters of one item. A name that is given
 * in place of an ID stands there as it is (`withRealIds`); of all locations, none is given.
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
	const names = isOfAllLocations(context) ? [] : idNames(path);
	const ids = Object.fromEntries(
		names.map((name) => [name, attempt(() => readId(context, name)) ?? '']),
	);
	const hasBody = method === 'POST' || method === 'PATCH';
	return {
		method,
		path,
		ids,
		query: attempt(() => readQuery(context, method)) ?? {},
		body: hasBody ? attempt(() => readBody(context, ids, attempt)) : undefined,
		noun: resourceOf(context.getNodeParameter('resource')).noun,
	};
}

/** Whether something is read of all locations of the account. */
export function isOfAllLocations(context: Context): boolean {
	if (!takes('allLocations')(declarationOf(context))) return false;
	return isSwitchedOn('All Locations', context.getNodeParameter('allLocations', false));
}

/** How many records of a list to get, and how to ask for its pages. */
export function readPaging(context: Context): Paging {
	const options = readOptions(context);
	if (options.pageSize) wholeNumber('Page Size', options.pageSize);
	const isLimited =
		context.getNodeParameter('operation') === 'getAll' &&
		!isSwitchedOn('Return All', context.getNodeParameter('returnAll', false));
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
	const id = textInUrl(context.getNodeParameter(name, '', { extractValue: true }));
	const noun = nounOfId(name);
	const kind = isByName(context, name) ? 'name' : 'ID';
	if (id !== '') {
		refuseTwoColumns(context, name, id);
		if (kind === 'ID') refuseInvisible(`${noun} ID`, id);
		return withAllLetters(`${noun} ${kind}`, id);
	}
	if (!isExpression(context, name)) {
		throw new InputError(`No ${noun} is chosen`, 'Pick one from the list, or enter its ID.');
	}
	// A trigger that is started by hand gives one item without anything in it.
	if (rowsOfRun(context).length === 1 && Object.keys(context.getInputData().json).length === 0) {
		const isAlone = context.getParentNodes(context.getNode().name).length === 0;
		throw new InputError(
			isAlone ? 'Nothing is connected to this step' : 'No data comes into this step',
			`Connect the step that provides the rows, or pick a ${noun} from the list.`,
		);
	}
	const usual = `Pick a ${noun} from the list, or check the expression for its ${kind}.`;
	const { found, advice = usual } = missingColumn(context, name, noun, kind);
	throw new InputError(`The ${noun} ${kind} is empty`, found + advice);
}

/** n8n puts a column that is dropped a second time behind the first one: "Bakery East loc_1". */
function refuseTwoColumns(context: Context, name: string, id: string): void {
	const isOneId = isByName(context, name) || !/\s/.test(id);
	if (isOneId || columnsRead(context, name).length < 2) return;
	const label = name === 'locationId' ? 'Location' : 'Keyword';
	throw new InputError(`Two columns are in '${label}'`, 'Keep only the one with the ID.');
}

/** The usual cause, a sheet without the column that the expression reads, and what to do if there is more to say. */
function missingColumn(
	context: Context,
	name: string,
	noun: string,
	kind: string,
): { found: string; advice?: string } {
	const [column] = columnsRead(context, name);
	const { json: row } = context.getInputData();
	if (column === undefined) return { found: '' };
	if (textInUrl(row[column]) !== '' || isRecord(row[column])) return { found: '' };
	// Files are read without their empty cells.
	const others = rowsOfRun(context).slice(0, MAX_ROWS_LOOKED_AT);
	if (column in row || others.some(({ json }) => column in json)) {
		return { found: `The column "${column}" of this row is empty. ` };
	}
	const names = Object.keys(row);
	if (names.length === 0) return { found: 'The row is empty. ' };
	// As spreadsheet programs save it where the comma stands in numbers.
	const split = names.length === 1 ? names[0].split(';').map((name) => name.trim()) : [];
	if (split.includes(column)) {
		const advice =
			'In the step that extracts the rows, add the option Delimiter and enter a semicolon.';
		return { found: 'The columns of the file are separated by semicolons. ', advice };
	}
	// A byte order mark, or a space at its end.
	if (names.some((name) => name.trim() === column)) {
		const found = `The heading of the column "${column}" has an invisible character before or after its name. `;
		return { found, advice: 'Retype the column heading in the file.' };
	}
	const toNames = noun === 'location' && kind === 'ID' ? ", or set 'Location' to 'Name'" : '';
	return {
		found: `The row has no column "${column}", only: ${names.join(', ')}. `,
		advice: `Use the column that holds the ${kind} of the ${noun}${toNames}. If all rows are for one ${noun}, pick it from the list.`,
	};
}

/** Names that n8n leaves out (docs/dev/n8n-facts.md, section 5). */
const NOT_SENT_BY_HOST = ['__proto__', 'constructor', 'prototype'];

/**
 * The user's query parameters, each name with the list of its values: a name may be there several
 * times, and a list is sent as the name repeated. An empty text is sent: leaving a parameter out would
 * silently drop a filter.
 *
 * @throws InputError for a parameter without a name or value, one that can't be sent, and one that
 * selects the page of a list
 */
function readQuery(context: Context, method: Method): JsonObject {
	const options = readOptions(context);
	const query = new Map<string, string[]>();
	for (const { name: given, value } of options.queryParameters?.parameters ?? []) {
		const name = textInUrl(given);
		if (name === '') {
			throw new InputError('A query parameter has no name', 'Enter its name, or remove it.');
		}
		if (NOT_SENT_BY_HOST.includes(name)) {
			throw new InputError(
				`n8n can't send a query parameter "${name}"`,
				'It would leave it out without a word, and a filter with it. Remove the parameter.',
			);
		}
		if (method === 'GET') refusePaging(name, options);
		query.set(name, [...(query.get(name) ?? []), ...readValues(name, value)]);
	}
	return Object.fromEntries(query);
}

/** A list is read page by page, with query parameters of the node's own. */
function refusePaging(name: string, options: Options): void {
	const { pageParameter, pageSizeParameter } = readPageOptions(options);
	const [does, instead, option] =
		name === pageParameter
			? ['selects the page', 'set Limit or Return All', 'Page Parameter Name']
			: ['sets the page size', 'set the option Page Size', 'Page Size Parameter Name'];
	if (name !== pageParameter && name !== pageSizeParameter) return;
	throw new InputError(
		`The query parameter "${name}" ${does}, which the node does itself`,
		`Remove it, and ${instead}. If the service uses this name for something else, change the option ${option}.`,
	);
}

function readValues(name: string, value: unknown): string[] {
	const plain = plainValue(`query parameter "${name}"`, value);
	const values = Array.isArray(plain) ? (plain as unknown[]) : [plain];
	if (values.length === 0 || values.some((one) => one === undefined || one === null)) {
		throw new InputError(
			`The query parameter "${name}" has no value`,
			'Check its expression, or remove it.',
		);
	}
	return values.map((one) => {
		if (typeof one !== 'object') return String(one);
		throw new InputError(
			`The query parameter "${name}" ${Array.isArray(one) ? 'contains a list' : 'is an object'}`,
			'Enter text, a number, or a list of these.',
		);
	});
}

function wholeNumber(label: string, value: unknown): number {
	if (Number.isInteger(Number(value)) && Number(value) >= 1) return Number(value);
	throw new InputError(
		`${label} must be a whole number of 1 or more`,
		`The current value is ${JSON.stringify(value)}.`,
	);
}
