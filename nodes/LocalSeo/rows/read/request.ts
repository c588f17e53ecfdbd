import {
	idNames,
	isRecord,
	type JsonObject,
	type Method,
	nounOfId,
	type ServiceRequest,
} from '../../client';
import { readPageOptions } from '../../host/requestSettings';
import type { Operation, Resource } from '../../resources';
import { InputError } from '../../text/inputError';
import { refuseInvisible, withAllLetters } from './cells';
import { columnsRead, expressionOf, type Options, plainValue, textInUrl } from './parameters';
import { ADD_DELIMITER, sheetOf, unseparated, whereElse } from './sheet';
import type { Source } from './source';

/**
 * Reads a part of a row. In a dry run, what is wrong with it is noted, and nothing is returned; the rest
 * is read all the same.
 *
 * @param field the one whose value is read
 */
export type NotingProblem = <T>(read: () => T, field?: string) => T | undefined;

/** The parts of a row that are read before its request. */
export interface ReadBefore {
	options: Options;
	/** Whether its location is given by name. */
	isByName: boolean;
	isOfAll: boolean;
	notingProblem: NotingProblem;
}

/**
 * The request that an operation declares, filled with the parameters of one row; its body is read apart.
 * A name that is given in place of an ID stands there as it is; of all locations, none is given.
 *
 * @throws InputError for a parameter that can't be sent
 */
export function readRequest(
	source: Source,
	{ noun, tables }: Resource,
	{ routing: { request } }: Operation,
	{ options, isByName, isOfAll, notingProblem }: ReadBefore,
): ServiceRequest {
	const { method, url: path } = request;
	const names = isOfAll ? [] : idNames(path);
	const ids = Object.fromEntries(
		names.map((name) => [
			name,
			notingProblem(() => readId(source, name, isByName && name === 'locationId')) ?? '',
		]),
	);
	const query = notingProblem(() => readQuery(options, method)) ?? {};
	return { method, path, ids, query, noun, ...(tables && { isOfAnyShape: true }) };
}

/** @throws InputError for an empty ID or name; it says what the row lacks */
function readId(source: Source, name: string, isName: boolean): string {
	const picked = source.picked(name);
	const id = textInUrl(picked);
	const noun = nounOfId(name);
	refuseLostDigits(noun, picked);
	const kind = isName ? 'name' : 'ID';
	if (id !== '') {
		if (!isName) refuseTwoColumns(source, name, id);
		if (!isName) refuseInvisible(`${noun} ID`, id);
		return withAllLetters(`${noun} ${kind}`, id);
	}
	if (!String(expressionOf(source, name)).startsWith('=')) {
		throw new InputError(`No ${noun} is chosen`, 'Pick one from the list, or enter its ID.');
	}
	// A trigger that is started by hand gives one item without anything in it.
	if (source.rows.length === 1 && Object.keys(source.columns).length === 0) {
		throw new InputError(
			source.isAlone() ? 'Nothing is connected to this step' : 'No data comes into this step',
			`Connect the step that provides the rows, or pick a ${noun} from the list.`,
		);
	}
	const usual = `Pick a ${noun} from the list, or check the expression for its ${kind}.`;
	const { found, advice = usual } = missingColumn(source, name, noun, kind);
	throw new InputError(`The ${noun} ${kind} is empty`, found + advice);
}

/** A larger number has lost its last digits, and may be the ID of another record. */
function refuseLostDigits(noun: string, id: unknown): void {
	const one: unknown = Array.isArray(id) && id.length === 1 ? id[0] : id;
	if (typeof one !== 'number' || Number.isSafeInteger(one)) return;
	throw new InputError(
		`The ${noun} ID is a number that cannot be kept exactly: ${one}`,
		'Write IDs as text: have the step before give them in quotes.',
	);
}

/** n8n puts a column that is dropped a second time behind the first one: "Bakery East loc_1". */
function refuseTwoColumns(source: Source, name: string, id: string): void {
	if (!/\s/.test(id) || columnsRead(expressionOf(source, name)).length < 2) return;
	const label = name === 'locationId' ? 'Location' : 'Keyword';
	throw new InputError(`Two columns are in '${label}'`, 'Keep only the one with the ID.');
}

/** The usual cause, a sheet without the column that the expression reads, and what to do if there is more to say. */
function missingColumn(
	source: Source,
	name: string,
	noun: string,
	kind: string,
): { found: string; advice?: string } {
	const [column] = columnsRead(expressionOf(source, name));
	const { columns: row } = source;
	if (column === undefined) return { found: '' };
	if (textInUrl(row[column]) !== '' || isRecord(row[column])) return { found: '' };
	const sheet = sheetOf(source.rows);
	// Files are read without their empty cells.
	if (sheet.has(column)) return { found: `The column "${column}" of this row is empty. ` };
	if (Object.keys(row).length === 0) return { found: 'The row is empty. ' };
	if (sheet.separator !== undefined) {
		return { found: `${unseparated(sheet.separator)}. `, advice: ADD_DELIMITER };
	}
	const toNames = noun === 'location' && kind === 'ID' ? ", or set 'Location' to 'By Name'" : '';
	const found = `There is no column "${column}". ${whereElse(sheet, column)}`;
	if (sheet.like(column).length > 0) {
		return {
			found,
			advice: 'Drag that column into the field, or correct its heading in the file.',
		};
	}
	return {
		found,
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
function readQuery(options: Options, method: Method): JsonObject {
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
			? ['selects the page', "set 'Limit' or 'Return All'", 'Page Parameter Name']
			: ['sets the page size', "set the option 'Page Size'", 'Page Size Parameter Name'];
	if (name !== pageParameter && name !== pageSizeParameter) return;
	throw new InputError(
		`The query parameter "${name}" ${does}, which the node does itself`,
		`Remove it, and ${instead}. If the service uses this name for something else, change the option '${option}'.`,
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
