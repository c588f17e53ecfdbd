import { isRecord, type JsonObject, textOf } from '../../client';
import { convert, longNumberIn } from '../../host/fieldTypes';
import {
	isSchedule,
	isTime,
	isTimeForSure,
	isUpsert,
	type Operation,
	type Resource,
} from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import { type Problem, unreadFields } from '../item';
import { unitOf } from '../tell/items';
import { isBlank, isNoTime, wholeCell, withAllLetters } from './cells';
import { type ColumnMap, isWrittenBack, type Mapping } from './mapping';
import { columnsRead, type Options, plainValue } from './parameters';
import type { NotingProblem } from './request';
import { refuseUnseparated, type Sheet, whereElse } from './sheet';
import type { Source } from './source';
import { readTime } from './times';

/** The sources from which the body of a row is read. */
interface Given extends Pick<Source, 'parameter' | 'panel' | 'columns' | 'rows' | 'zone'> {
	resource: Resource;
	operation: Operation;
	mapping: Mapping & { given: ColumnMap };
	options: Options;
	sheet: Sheet;
	notingProblem: NotingProblem;
	/** The problems that were noted so far. */
	problems: Problem[];
}

/**
 * The body of a write: an object of fields, or JSON text as the user wrote it.
 *
 * Fields come from the incoming row (automatic mapping) or from the columns that the user filled in,
 * with the option Additional Fields on top. Values of a row keep their types (`fitted` gives them those of
 * the account), values that the user filled in get the type of their column. Blank values are left
 * out; `0`, `false` and lists are sent; dates are sent as their ISO text, and those that say when something
 * is to happen as instants.
 *
 * @throws InputError for invalid JSON, for a value that is not of its type, not certainly a time, or that
 * JSON can't express, for an expression that comes out empty where it should not, and when there is
 * nothing to send
 */
export function readBody(given: Given): JsonObject | string {
	const { mapping, sheet } = given;
	if (mapping.kind === 'json') return readJsonBody(given);
	refuseUnseparated(sheet);
	const additional = readAdditionalFields(given);
	const read = mapping.kind === 'automatic' ? readHeadings : readMapped;
	const body = { ...read(given, (name) => Object.hasOwn(additional, name)), ...additional };
	// A field that can't be read is not empty.
	if (Object.keys(body).length > 0 || unreadFields(given).length > 0) return body;
	throw new InputError(
		'There is nothing to send: every field is empty',
		"Fill a field, or map the incoming data to the fields. Columns named in the option 'Exclude Columns' are not sent.",
	);
}

/** @param isReplaced whether a field is filled elsewhere */
function readHeadings(given: Given, isReplaced: (name: string) => boolean): JsonObject {
	const { columns: row, mapping, notingProblem } = given;
	const fields: JsonObject = {};
	for (const [name, heading] of mapping.names) {
		const value = row[heading];
		const isLeftOut = mapping.excluded.has(heading) || isWrittenBack(name, value);
		const isEmpty = isTimeForSure(name) ? isNoTime(value) : isBlank(value);
		if (isLeftOut || isEmpty || isReplaced(name)) continue;
		const what = `field "${name}"`;
		const read = notingProblem(() => {
			const own = wholeCell(what, plainValue(what, value));
			if (!isTimeForSure(name)) return own;
			return readTime(given, { label: name, value: own, columns: [heading], takesDays: false });
		}, name);
		if (read !== undefined) fields[name] = read;
	}
	return fields;
}

/** n8n does not convert these values, although it knows the type of each column. */
function readMapped(given: Given, isReplaced: (name: string) => boolean): JsonObject {
	const { mapping, panel, notingProblem } = given;
	const { value, schema } = mapping.given;
	const columns = new Map(schema?.map((column) => [column.id, column]));
	const { value: expressions } = (panel.fields ?? {}) as ColumnMap;
	const fields: JsonObject = {};
	for (const [id, entry] of Object.entries(value ?? {})) {
		const column = columns.get(id);
		if (column?.removed || isReplaced(id)) continue;
		const expression = expressions?.[id];
		const label = mapping.labelOf(id);
		const cell = { name: id, label, kind: 'field', type: column?.type, expression };
		const read = notingProblem(() => readFilledIn(given, cell, entry), id);
		if (read !== undefined) fields[id] = read;
	}
	return fields;
}

/** Fields that the user added by hand: a text that is blank is left out, a JSON null is sent. */
function readAdditionalFields(given: Given): JsonObject {
	const { options, panel, notingProblem } = given;
	const { additionalFields: inPanel } = (panel.options ?? {}) as Options;
	const fields: JsonObject = {};
	for (const [index, one] of (options.additionalFields?.fields ?? []).entries()) {
		const { name = '', type, value } = one;
		const expression = inPanel?.fields?.[index]?.value;
		const cell = { name, label: name, kind: 'additional field', type, expression };
		const read = notingProblem(() => readFilledIn(given, cell, value), name);
		if (read !== undefined) fields[name] = read;
	}
	return fields;
}

/** A value that the user has filled in, for a field. */
interface FilledIn {
	name: string;
	label: string;
	/** The kind that messages name: "additional field". */
	kind: string;
	/** As chosen in the panel; absent: any. */
	type?: string;
	/** As it stands in the panel. */
	expression: unknown;
}

/** The types of the panel that leave it to the name whether a field is a time. */
const OF_TEXT = [undefined, 'string'];

function isTimeCell({ name, type }: FilledIn): boolean {
	return (
		type === 'dateTime' ||
		(OF_TEXT.includes(type) && isTimeForSure(name)) ||
		(!type && isTime(name))
	);
}

/**
 * Whether there is a value to send.
 *
 * @throws InputError for an expression that comes out empty, or with a piece missing, because it reads
 * a column that no row has, or that it can't read
 */
function isFilled(given: Given, cell: FilledIn, value: unknown): boolean {
	const [piece] = typeof value === 'string' ? (/\b(undefined|null|NaN)\b/.exec(value) ?? []) : [];
	const isWithoutPiece = piece !== undefined;
	if (!isBlank(value) && !isWithoutPiece) return true;
	const { sheet, rows, columns: row, resource } = given;
	const columns = columnsRead(cell.expression);
	const [missing] = columns.filter((column) => !sheet.has(column));
	// `{{ $json.publish_at ?? '' }}` says what an empty cell means.
	const isMeant = /\?\?|\|\||\?\.|\?[^:]*:|\$if\(/.test(String(cell.expression));
	const areAllMissing = columns.length > 0 && columns.every((column) => !sheet.has(column));
	const isGap = (column: string) => row[column] == null || Number.isNaN(row[column]);
	const isNeeded = isTimeCell(cell) || isIdentifying(given, cell.name);
	if (
		isWithoutPiece
			? missing !== undefined
			: areAllMissing && !isMeant && (isNeeded || sheet.like(missing)[0])
	) {
		throw new InputError(
			`No ${unitOf(rows)} has a column "${missing}"`,
			`The field "${cell.label}" reads it. ${whereElse(sheet, missing)}Nothing was sent. Correct the expression. If the name is right and all cells of the column may be empty, say so: {{ $json[${JSON.stringify(missing)}] ?? '' }}.`,
		);
	}
	// The word may be one of the text itself.
	const isMade = isWithoutPiece && !String(cell.expression).includes(piece);
	const gap = isMade ? columns.find(isGap) : undefined;
	if (gap !== undefined) {
		throw new InputError(
			`The field "${cell.label}" has a gap: ${asValue(value)}`,
			`Its column "${gap}" is empty. Nothing was sent. Fill the cell, or have the expression say what stands there without it.`,
		);
	}
	if (isWithoutPiece) return true;
	const filled = columns.find((column) => !isBlank(row[column]));
	if (filled === undefined || !isTimeCell(cell)) return false;
	const outcome = isSchedule(cell.name) ? `: this ${resource.noun} would go live at once` : '';
	throw new InputError(
		`The field "${cell.label}" came out empty${outcome}`,
		`Its column "${filled}" has the value ${asValue(row[filled])}. Nothing was sent. Map the column itself, without a conversion: the node reads dates as people write them.`,
	);
}

/** Whether a new record can't be without a field; an update leaves out what is empty. */
function isIdentifying({ resource, operation }: Given, name: string): boolean {
	const { matchFields = [] } = resource;
	return operation.value !== 'update' && matchFields.includes(name);
}

/** The value to send; undefined where there is none. */
function readFilledIn(given: Given, cell: FilledIn, value: unknown): unknown {
	if (!isFilled(given, cell, value)) return undefined;
	const { name, label, kind, type, expression } = cell;
	if (name === '') {
		throw new InputError('An additional field has no name', 'Enter its name, or remove it.');
	}
	const field = `${kind} "${label}"`;
	const own = plainValue(field, value);
	// The JSON text `null` is a value.
	const plain = type === 'json' ? withAllLetters(field, own) : wholeCell(field, own);
	if (isTimeCell(cell)) {
		const takesDays = !isTime(name) || /(_|^)(date|day)$/i.test(name);
		return readTime(given, { label, value: plain, columns: columnsRead(expression), takesDays });
	}
	const result = convert(type, plain);
	if ('value' in result) return result.value;
	throw new InputError(
		`The ${field} ${result.flaw}`,
		`Its value is ${asValue(plain)}. Nothing was sent. Change the value.`,
	);
}

function readJsonBody({ parameter, panel, operation }: Given): string {
	const value = parameter('jsonBody', '');
	const json =
		typeof value === 'string' ? unfenced(value) : JSON.stringify(plainValue('JSON body', value));
	const { value: body, flaw } = parseJson(json);
	if (flaw) {
		throw new InputError(
			'The JSON body is not valid JSON',
			`${flaw}. ${hasQuotedExpression(panel.jsonBody) ? QUOTED_EXPRESSION : 'Use double quotes around names and text, and no comma after the last value.'}`,
		);
	}
	if (isRecord(body) && Object.keys(body).length > 0)
		return isUpsert(operation) ? exact(json) : json;
	throw new InputError(
		'The JSON body must be a non-empty object',
		'Enter an object with the fields to send, e.g. { "title": "Open on Sunday" }',
	);
}

/** Only what differs is sent: a number with more digits than JavaScript keeps would become another one. */
function exact(json: string): string {
	const long = longNumberIn(json);
	if (long === undefined) return json;
	throw new InputError(
		`The number ${long} is too long to be compared`,
		'Nothing was sent. Write it as a text, between double quotes.',
	);
}

/** A model often puts its JSON into a block of Markdown. */
function unfenced(text: string): string {
	const [, inner] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(text) ?? [];
	return (inner ?? text).trim();
}

const QUOTED_EXPRESSION =
	"A text with quotes or line breaks breaks the JSON around it: write {{ JSON.stringify($json.content) }} without quotes around it, or set 'Body' to From Fields.";

/** Whether an expression stands between quotes: `{ "content": "{{ $json.content }}" }`. */
function hasQuotedExpression(json: unknown): boolean {
	return /"[^"{}]*\{\{(?!\s*JSON\.stringify)/.test(textOf(json));
}

/** The parsed value, or why the text is not valid JSON. */
function parseJson(json: string): { value?: unknown; flaw?: string } {
	try {
		return { value: JSON.parse(json) };
	} catch (error) {
		return { flaw: (error as Error).message };
	}
}
