import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { endsWithId, idNames } from '../client/path';
import { readOptions } from './options';

type Context = IExecutePaginationFunctions;

/**
 * The body of a write: an object of fields, or JSON text as the user wrote it.
 *
 * Fields come from the incoming row (automatic mapping) or from the columns that the user filled,
 * with the option Additional Fields on top. Values keep their types; what is empty (`''`, null) is
 * left out, `0`, `false` and lists are not.
 *
 * @throws NodeOperationError for JSON that can't be read, and when there is nothing to send
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
	const fields = context.getNodeParameter('fields', {}) as {
		mappingMode?: string;
		value?: IDataObject | null;
	};
	// After a switch from manual mapping `value` may be stale (n8n-facts, section 4).
	if (fields.mappingMode !== 'autoMapInputData') return filled(fields.value ?? {});
	const row = { ...context.getInputData().json };
	for (const column of excludedColumns(context, template)) delete row[column];
	return filled(row);
}

/** `row_number` is added by n8n's Google Sheets node; a location that is in the path is no field. */
function excludedColumns(context: Context, template: string): string[] {
	const { excludeColumns } = readOptions(context);
	if (typeof excludeColumns === 'string')
		return excludeColumns.split(',').map((name) => name.trim());
	const isOfLocation = idNames(template).includes('locationId') && !endsWithId(template);
	return isOfLocation ? ['row_number', 'location_id'] : ['row_number'];
}

/** What the user added by hand: a text that is empty is left out, a JSON null is sent. */
function readAdditionalFields(context: Context): IDataObject {
	const { additionalFields } = readOptions(context);
	const fields: Record<string, unknown> = {};
	for (const { name, type = 'string', value } of additionalFields?.fields ?? []) {
		if (isEmpty(value)) continue;
		if (!name) throw new NodeOperationError(context.getNode(), 'An additional field has no name');
		fields[name] = (TYPES[type] ?? TYPES.string)(value);
		if (fields[name] !== undefined) continue;
		throw new NodeOperationError(
			context.getNode(),
			`The additional field "${name}" is not of the type ${type}`,
			{ description: `Its value is ${JSON.stringify(value)}. Change the value or the type.` },
		);
	}
	return fields as IDataObject;
}

/** Readers of a typed value; undefined is what is not of the type. */
const TYPES: Record<string, (value: unknown) => unknown> = {
	boolean: (value) => ({ true: true, false: false })[String(value).toLowerCase()],
	json: (value) => (typeof value === 'string' ? parseJson(value).value : value),
	number: (value) => (isNumeric(value) ? Number(value) : undefined),
	string: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
};

function isNumeric(value: unknown): boolean {
	return ['string', 'number'].includes(typeof value) && Number.isFinite(Number(value));
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
	const isFull = typeof body === 'object' && body !== null && Object.keys(body).length > 0;
	if (isFull) return json;
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
