import type { IDataObject, IExecutePaginationFunctions, ResourceMapperValue } from 'n8n-workflow';

import { isRecord, type JsonObject, nounOfId } from '../client';
import { InputError } from '../host/errors';
import { namesIn } from '../parameters/names';
import { convert } from '../host/fieldTypes';
import { readOptions } from './options';
import { columnsRead, textOf } from './rowValues';

type Context = IExecutePaginationFunctions;
type Ids = Record<string, string>;

/**
 * The body of a write: an object of fields, or JSON text as the user wrote it.
 *
 * Fields come from the incoming row (automatic mapping) or from the columns that the user filled in,
 * with the option Additional Fields on top. Values of a row keep their types, values that the user
 * filled in get the type of their column. Empty values (`''`, null) are left out; `0`, `false` and
 * lists are sent.
 *
 * @param ids those in the request's path, by name: columns that hold them are no fields of the record
 * @throws InputError for invalid JSON, for a value that is not of its type, and when
 * there is nothing to send
 */
export function readBody(context: Context, ids: Ids): JsonObject | string {
	if (context.getNodeParameter('dataToSend') === 'json') return readJsonBody(context);
	const body = { ...readFields(context, ids), ...readAdditionalFields(context) };
	if (Object.keys(body).length > 0) return body;
	throw new InputError(
		'There is nothing to send: every field is empty',
		'Fill a field, or map the incoming data to the fields. Columns named in the option Exclude Columns are not sent.',
	);
}

function readFields(context: Context, ids: Ids): IDataObject {
	const fields = context.getNodeParameter('fields', {}) as Partial<ResourceMapperValue>;
	// After a switch from manual mapping `value` may be stale (docs/n8n-facts.md, section 4).
	if (fields.mappingMode !== 'autoMapInputData') return readColumns(context, fields);
	const row = { ...context.getInputData().json };
	for (const column of excludedColumns(context, ids)) delete row[column];
	return filled(row);
}

/** n8n does not convert these values, although it knows the type of each column. */
function readColumns(context: Context, { value, schema }: Partial<ResourceMapperValue>) {
	const body = filled(value ?? {});
	for (const { id, displayName, type, removed } of schema ?? []) {
		if (removed) delete body[id];
		else if (id in body) body[id] = readTyped(context, `field "${displayName}"`, type, body[id]);
	}
	return body;
}

function readTyped(context: Context, field: string, type: string | undefined, value: unknown) {
	const result = convert(context, type, value);
	if ('value' in result) return result.value as IDataObject['value'];
	throw new InputError(
		`The ${field} ${result.flaw}`,
		`Its value is ${JSON.stringify(value)}. Nothing was sent. Change the value or the type.`,
	);
}

/** `row_number` is added by n8n's Google Sheets node. */
function excludedColumns(context: Context, ids: Ids): string[] {
	const { excludeColumns } = readOptions(context);
	if (excludeColumns !== undefined) return namesIn(excludeColumns);
	return ['row_number', ...Object.keys(ids).flatMap((name) => columnsOfId(context, name, ids))];
}

/**
 * The columns that say whose record a row is, which the path says already: `location_id` by its name,
 * any other one if it holds that ID and is called `id`, or is where the ID was read from.
 */
function columnsOfId(context: Context, name: string, ids: Ids): string[] {
	const { json: row } = context.getInputData();
	const holders = ['id', ...columnsRead(context, name)];
	return [
		name,
		`${nounOfId(name)}_id`,
		...holders.filter((column) => textOf(row[column]) === ids[name]),
	];
}

/** Fields that the user added by hand: empty text is left out, a JSON null is sent. */
function readAdditionalFields(context: Context): IDataObject {
	const { additionalFields } = readOptions(context);
	const fields: IDataObject = {};
	for (const { name, type, value } of additionalFields?.fields ?? []) {
		if (isEmpty(value)) continue;
		if (!name) throw new InputError('An additional field has no name');
		fields[name] = readTyped(context, `additional field "${name}"`, type, value);
	}
	return fields;
}

function readJsonBody(context: Context): string {
	const value = context.getNodeParameter('jsonBody', '');
	const json = typeof value === 'string' ? value.trim() : JSON.stringify(value);
	const { value: body, flaw } = parseJson(json);
	if (flaw) {
		throw new InputError(
			'The JSON body is not valid JSON',
			`${flaw}. Use double quotes around names and text, and no comma after the last entry.`,
		);
	}
	if (isRecord(body) && Object.keys(body).length > 0) return json;
	throw new InputError(
		'The JSON body must be a non-empty object',
		'Enter an object with the fields to send, e.g. { "title": "Open on Sunday" }',
	);
}

/** The parsed value, or where the text is not valid JSON. */
function parseJson(json: string): { value?: unknown; flaw?: string } {
	try {
		return { value: JSON.parse(json) };
	} catch (error) {
		const { message } = error as SyntaxError;
		const position = /position (\d+)/.exec(message)?.[1];
		if (position === undefined) return { flaw: json === '' ? 'It is empty' : message };
		const lines = json.slice(0, Number(position)).split('\n');
		const character = lines[lines.length - 1].length + 1;
		return { flaw: `Check line ${lines.length}, character ${character}` };
	}
}

function filled(record: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}
