import type { IDataObject, IExecutePaginationFunctions, ResourceMapperValue } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isRecord } from '../client/envelope';
import { endsWithId, idNames } from '../client/path';
import { namesIn, readOptions } from './options';
import { typed } from './types';

type Context = IExecutePaginationFunctions;

/**
 * The body of a write: an object of fields, or JSON text as the user wrote it.
 *
 * Fields come from the incoming row (automatic mapping) or from the columns that the user filled,
 * with the option Additional Fields on top. A row's values keep their types, those that the user
 * filled get the type of their column; what is empty (`''`, null) is left out, `0`, `false` and
 * lists are not.
 *
 * @throws NodeOperationError for JSON that can't be read, for a value that is not of its type, and
 * when there is nothing to send
 */
export function readBody(context: Context, template: string): IDataObject | string {
	if (context.getNodeParameter('dataToSend') === 'json') return readJsonBody(context);
	const body = { ...readFields(context, template), ...readAdditionalFields(context) };
	if (Object.keys(body).length > 0) return body;
	throw new NodeOperationError(
		context.getNode(),
		'There is nothing to send: every field is empty',
		{
			description:
				'Fill a field, or map the incoming data to the fields. Columns named in the option Exclude Columns are not sent.',
		},
	);
}

function readFields(context: Context, template: string): IDataObject {
	const fields = context.getNodeParameter('fields', {}) as Partial<ResourceMapperValue>;
	// After a switch from manual mapping `value` may be stale (n8n-facts, section 4).
	if (fields.mappingMode !== 'autoMapInputData') return readColumns(context, fields);
	const row = { ...context.getInputData().json };
	for (const column of excludedColumns(context, template)) delete row[column];
	return filled(row);
}

/** n8n itself converts nothing here, though it knows each column's type. */
function readColumns(context: Context, { value, schema }: Partial<ResourceMapperValue>) {
	const body = filled(value ?? {});
	for (const { id, displayName, type, removed } of schema ?? []) {
		if (removed) delete body[id];
		else if (id in body) body[id] = readTyped(context, `field "${displayName}"`, type, body[id]);
	}
	return body;
}

function readTyped(context: Context, field: string, type: string | undefined, value: unknown) {
	const result = typed(context, type, value);
	if ('value' in result) return result.value as IDataObject['value'];
	throw new NodeOperationError(context.getNode(), `The ${field} ${result.complaint}`, {
		description: `Its value is ${JSON.stringify(value)}. Nothing was sent. Change the value or the type.`,
	});
}

/** `row_number` is added by n8n's Google Sheets node; a location that is in the path is no field. */
function excludedColumns(context: Context, template: string): string[] {
	const { excludeColumns } = readOptions(context);
	if (excludeColumns !== undefined) return namesIn(excludeColumns);
	const isOfLocation = idNames(template).includes('locationId') && !endsWithId(template);
	return isOfLocation ? ['row_number', 'location_id'] : ['row_number'];
}

/** What the user added by hand: a text that is empty is left out, a JSON null is sent. */
function readAdditionalFields(context: Context): IDataObject {
	const { additionalFields } = readOptions(context);
	const fields: IDataObject = {};
	for (const { name, type, value } of additionalFields?.fields ?? []) {
		if (isEmpty(value)) continue;
		if (!name) throw new NodeOperationError(context.getNode(), 'An additional field has no name');
		fields[name] = readTyped(context, `additional field "${name}"`, type ?? 'string', value);
	}
	return fields;
}

function readJsonBody(context: Context): string {
	const value = context.getNodeParameter('jsonBody', '');
	const json = typeof value === 'string' ? value.trim() : JSON.stringify(value);
	const { value: body, complaint } = parseJson(json);
	if (complaint) {
		throw new NodeOperationError(context.getNode(), 'The JSON body can not be read', {
			description: `${complaint}. Names and texts need double quotes, and the last entry no comma.`,
		});
	}
	if (isRecord(body) && Object.keys(body).length > 0) return json;
	throw new NodeOperationError(context.getNode(), 'The JSON body is empty or no object', {
		description: 'Enter an object with the fields to send, e.g. { "title": "Open on Sunday" }',
	});
}

/** The value, or where the text breaks. */
function parseJson(json: string): { value?: unknown; complaint?: string } {
	try {
		return { value: JSON.parse(json) };
	} catch (error) {
		const { message } = error as SyntaxError;
		const position = /position (\d+)/.exec(message)?.[1];
		if (position === undefined) return { complaint: json === '' ? 'It is empty' : message };
		const lines = json.slice(0, Number(position)).split('\n');
		const character = lines[lines.length - 1].length + 1;
		return { complaint: `It breaks in line ${lines.length}, at character ${character}` };
	}
}

function filled(record: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}
