import type { IExecutePaginationFunctions, ResourceMapperValue } from 'n8n-workflow';

import { isDate, isEmpty, isRecord, type JsonObject, nounOfId } from '../client';
import { InputError } from '../host/errors';
import { convert, inTimeZone } from '../host/fieldTypes';
import { asValue } from '../host/words';
import { namesIn } from '../host/requestSettings';
import { isScheduledTime } from '../service';
import { dateAdvice } from './dates';
import {
	columnsIn,
	columnsRead,
	isByName,
	plainValue,
	readOptions,
	textInUrl,
	withAllLetters,
} from './row';

type Context = IExecutePaginationFunctions;
type Ids = Record<string, string>;

/**
 * The body of a write: an object of fields, or JSON text as the user wrote it.
 *
 * Fields come from the incoming row (automatic mapping) or from the columns that the user filled in,
 * with the option Additional Fields on top. Values of a row keep their types, values that the user
 * filled in get the type of their column. Empty values (`''`, null) are left out; `0`, `false` and
 * lists are sent; dates are sent as their ISO text, and those that say when something is to happen
 * as instants, since a service may take a day for its midnight in UTC.
 *
 * @param ids those in the request's path, by name: columns that hold them are no fields of the record
 * @throws InputError for invalid JSON, for a value that is not of its type or that JSON can't express,
 * and when there is nothing to send
 */
export function readBody(context: Context, ids: Ids): JsonObject | string {
	if (isJson(context)) return readJsonBody(context);
	const fields = { ...readFields(context, ids), ...readAdditionalFields(context) };
	const body = Object.entries(fields).map(([name, value]) => [
		name,
		isDate(value) && isScheduledTime(name) ? inTimeZone(context, value) : value,
	]);
	if (body.length > 0) return Object.fromEntries(body) as JsonObject;
	throw new InputError(
		'There is nothing to send: every field is empty',
		"Fill a field, or map the incoming data to the fields. Columns named in the option 'Exclude Columns' are not sent.",
	);
}

function readFields(context: Context, ids: Ids): JsonObject {
	const fields = readMapping(context);
	// After a switch from manual mapping `value` may be stale (docs/dev/n8n-facts.md, section 4).
	if (!isAutomatic(fields)) return readColumns(context, fields);
	const { json: row } = context.getInputData();
	const excluded = new Set(excludedColumns(context, ids));
	const sent = Object.entries(row).filter(
		([column]) => !excluded.has(column) && !excluded.has(column.trim()),
	);
	// A heading may end with a space, which nobody sees in a spreadsheet: no service knows such a field.
	const seen = Object.keys(row).map((column) => column.trim());
	const isOnlyOne = (name: string) => seen.indexOf(name) === seen.lastIndexOf(name);
	const named = sent.map(([column, value]) => [
		isOnlyOne(column.trim()) ? column.trim() : column,
		value,
	]);
	return mapFilled(Object.fromEntries(named), (value, column) =>
		withAllLetters(`field "${column}"`, plainValue(`field "${column}"`, value)),
	);
}

/** How columns of the row become fields; not used where the body is JSON. */
export function readMapping(context: Context): Partial<ResourceMapperValue> {
	return context.getNodeParameter('fields', {}) as Partial<ResourceMapperValue>;
}

/** What a field is called in the panel, where it was mapped there; else by its name in the row. */
export function labelOfField(context: Context, id: string): string {
	const { schema, mappingMode } = readMapping(context);
	const column = schema?.find((one) => one.id === id);
	if (!column || isAutomatic({ mappingMode }) || isJson(context)) return id;
	return column.displayName.replace(/ \(assumed\)$/, '');
}

/** The column of the row from which a field gets its value, if it is one alone. */
export function columnOf(context: Context, id: string): string | undefined {
	if (isJson(context)) return undefined;
	if (isAutomatic(readMapping(context))) return id;
	// Unresolved, as in the panel.
	const mapping = context.getNode().parameters.fields as Partial<ResourceMapperValue> | undefined;
	const columns = columnsIn(mapping?.value?.[id]);
	return columns.length === 1 ? columns[0] : undefined;
}

/** Whether the body is written as JSON. */
function isJson(context: Context): boolean {
	return context.getNodeParameter('dataToSend') === 'json';
}

export function isAutomatic({ mappingMode }: Partial<ResourceMapperValue>): boolean {
	return mappingMode === 'autoMapInputData';
}

/** n8n does not convert these values, although it knows the type of each column. */
function readColumns(context: Context, { value, schema }: Partial<ResourceMapperValue>) {
	const columns = new Map(schema?.map((column) => [column.id, column]));
	const used = Object.entries(value ?? {}).filter(([id]) => !columns.get(id)?.removed);
	return mapFilled(Object.fromEntries(used), (entry, id) => {
		const type = columns.get(id)?.type;
		const field = `field "${labelOfField(context, id)}"`;
		const advice = () =>
			type === 'dateTime' ? dateAdvice(context, entry, columnOf(context, id)) : 'Change the value.';
		return readTyped(context, field, type, entry, advice);
	});
}

function readTyped(
	context: Context,
	field: string,
	type: string | undefined,
	value: unknown,
	advice: () => string,
) {
	const plain = withAllLetters(field, plainValue(field, value));
	const result = convert(context, type, plain);
	if ('value' in result) return result.value;
	throw new InputError(
		`The ${field} ${result.flaw}`,
		`Its value is ${asValue(plain)}. Nothing was sent. ${advice()}`,
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
 * any other one if it holds that ID and is called `id`, or is where the ID was read from. A name may be
 * read from several: "Bakery East, Boston".
 */
function columnsOfId(context: Context, name: string, ids: Ids): string[] {
	const { json: row } = context.getInputData();
	const holders = isByName(context, name)
		? columnsRead(context, name)
		: ['id', ...columnsRead(context, name)];
	const isGiven = (text: string) =>
		isByName(context, name) ? text !== '' && ids[name].includes(text) : text === ids[name];
	return [
		name,
		`${nounOfId(name)}_id`,
		...holders.filter((column) => isGiven(textInUrl(row[column]))),
	];
}

/** Fields that the user added by hand: empty text is left out, a JSON null is sent. */
function readAdditionalFields(context: Context): JsonObject {
	const { additionalFields } = readOptions(context);
	const fields = (additionalFields?.fields ?? []).filter(({ value }) => !isEmpty(value));
	return Object.fromEntries(
		fields.map(({ name, type, value }) => {
			if (!name) {
				throw new InputError('An additional field has no name', 'Enter its name, or remove it.');
			}
			const field = `additional field "${name}"`;
			return [name, readTyped(context, field, type, value, () => 'Change the value or the type.')];
		}),
	);
}

function readJsonBody(context: Context): string {
	const value = context.getNodeParameter('jsonBody', '');
	const json =
		typeof value === 'string' ? value.trim() : JSON.stringify(plainValue('JSON body', value));
	const { value: body, flaw } = parseJson(json);
	if (flaw) {
		throw new InputError(
			'The JSON body is not valid JSON',
			`${flaw}. Use double quotes around names and text, and no comma after the last value.`,
		);
	}
	if (isRecord(body) && Object.keys(body).length > 0) return json;
	throw new InputError(
		'The JSON body must be a non-empty object',
		'Enter an object with the fields to send, e.g. { "title": "Open on Sunday" }',
	);
}

/** The parsed value, or why the text is not valid JSON. */
function parseJson(json: string): { value?: unknown; flaw?: string } {
	try {
		return { value: JSON.parse(json) };
	} catch (error) {
		return { flaw: (error as Error).message };
	}
}

/** The values that are not empty, each changed by `change`. */
function mapFilled(record: object, change: (value: unknown, name: string) => unknown): JsonObject {
	const filled = Object.entries(record).filter(([, value]) => !isEmpty(value));
	return Object.fromEntries(filled.map(([name, value]) => [name, change(value, name)]));
}
