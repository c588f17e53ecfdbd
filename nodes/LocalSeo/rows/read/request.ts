import { idNames, type JsonObject, nounOfId, type ServiceRequest, UNSEEN } from '../../client';
import type { Operation, Resource } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue, sentences } from '../../text/words';
import { isBlank, plainValue, refuseBroken } from './cells';
import { columnsRead, expressionOf, isByName, isExpression } from './expressions';
import type { Options, RowSettings } from './parameters';
import type { Problems } from './problems';
import { sheetOf } from './sheet';
import type { Source } from './source';

/**
 * The request that an operation declares, filled with the parameters of one row; its body is made later. A
 * name that is given in place of an ID stands there as it is; of all locations, none is given.
 */
export function readRequest(
	source: Source,
	{ noun, tables }: Resource,
	{ routing: { request } }: Operation,
	{ isOfAll }: RowSettings,
	problems: Problems,
): ServiceRequest {
	const { method, url: path } = request;
	const names = isOfAll ? [] : idNames(path);
	const ids = Object.fromEntries(
		names.map((name) => [name, problems.noting(() => readId(source, name)) ?? '']),
	);
	const query = problems.noting(() => readQuery(source)) ?? {};
	return { method, path, ids, query, noun, ...(tables && { isOfAnyShape: true }) };
}

const INVISIBLE = new RegExp(`[${UNSEEN}]`);

/** @throws InputError for an ID or a name that can't be used; it says what the row lacks */
function readId(source: Source, name: string): string {
	const noun = nounOfId(name);
	const kind = name === 'locationId' && isByName(source, name) ? 'name' : 'ID';
	const picked = source.picked(name);
	const one: unknown = Array.isArray(picked) && picked.length === 1 ? picked[0] : picked;
	if (Array.isArray(one) && one.length > 1) {
		throw new InputError(
			`The ${noun} ${kind} has several values: ${asValue(one)}`,
			`Split the row first, so that each has one ${noun}.`,
		);
	}
	// A larger number has lost its last digits, and may be the ID of another record.
	if (typeof one === 'number' && !Number.isSafeInteger(one)) {
		throw new InputError(
			`The ${noun} ID is a number that cannot be kept exactly: ${one}`,
			'Write IDs as text: have the step before give them in quotes.',
		);
	}
	if (typeof one === 'object' && one !== null) {
		throw new InputError(
			`The ${noun} ${kind} is an object: ${asValue(one)}`,
			`Map the part of it that holds the ${kind}.`,
		);
	}
	const id = ['string', 'number', 'boolean'].includes(typeof one) ? String(one).trim() : '';
	if (isBlank(id)) throw emptyId(source, name, kind);
	refuseBroken(`${noun} ${kind}`, id);
	if (kind === 'name') return id;
	if (INVISIBLE.test(id)) {
		throw new InputError(
			`The ${noun} ID has an invisible character: ${asValue(id)}`,
			'Retype the cell.',
		);
	}
	return id;
}

function emptyId(source: Source, name: string, kind: string): InputError {
	const noun = nounOfId(name);
	const expression = expressionOf(source, name);
	if (!isExpression(expression)) {
		return new InputError(`No ${noun} is chosen`, 'Pick one from the list, or enter its ID.');
	}
	const { rows, columns: row } = source;
	// A trigger that is started by hand gives one item without anything in it.
	if (rows.length === 1 && Object.keys(row).length === 0) {
		return new InputError(
			'No data comes into this step',
			`Connect the step that provides the rows, or pick a ${noun} from the list.`,
		);
	}
	const use = `Use the column that holds the ${kind} of the ${noun}, or pick a ${noun} from the list.`;
	const [column] = columnsRead(expression);
	if (column === undefined) return new InputError(`The ${noun} ${kind} is empty`, use);
	// Files are read without their empty cells.
	const sheet = sheetOf(rows);
	return sheet.has(column)
		? new InputError(
				`The ${noun} ${kind} is empty: the row has nothing in "${column}"`,
				'Fill the cell, or remove the row.',
			)
		: new InputError(
				`The ${noun} ${kind} is empty: there is no column "${column}"`,
				sentences(sheet.insteadOf(column), use),
			);
}

/** Names that n8n leaves out (docs/dev/n8n-facts.md, section 5). */
const NOT_SENT_BY_HOST = ['__proto__', 'constructor', 'prototype'];

/**
 * The user's query parameters, each name with the list of its values: a name may be there several
 * times, and a list is sent as the name repeated. An empty text is sent: leaving a parameter out would
 * silently drop a filter.
 *
 * @throws InputError for a parameter without a name or value, and one that can't be sent
 */
function readQuery(source: Source): JsonObject {
	const { queryParameters } = source.parameter('options', {}) as Options;
	const query = new Map<string, string[]>();
	for (const { name: given, value } of queryParameters?.parameters ?? []) {
		const name = String(given ?? '').trim();
		if (name === '') {
			throw new InputError('A query parameter has no name', 'Enter its name, or remove it.');
		}
		if (NOT_SENT_BY_HOST.includes(name)) {
			throw new InputError(
				`n8n can't send a query parameter "${name}"`,
				'It would leave it out without a word, and a filter with it. Remove the parameter.',
			);
		}
		query.set(name, [...(query.get(name) ?? []), ...readValues(name, value)]);
	}
	return Object.fromEntries(query);
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
