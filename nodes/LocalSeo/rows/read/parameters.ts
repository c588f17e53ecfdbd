import { isEmpty, isRecord, type JsonObject, type Paging } from '../../client';
import {
	isSwitchedOn,
	type PageOptions,
	readPageOptions,
	readSwitch,
} from '../../host/requestSettings';
import { isUpsert, type Operation, type Resource, takes } from '../../resources';
import { InputError } from '../../text/inputError';
import type { Source } from './source';

/** Seconds. */
const DEFAULT_MAX_WAIT = 300;

/** The choice for a row whose record exists already. */
export type IfExists = 'create' | 'skip' | 'update';

/** The `options` collection as n8n provides it; every option may be absent. */
export interface Options extends PageOptions {
	acceptIncomplete?: unknown;
	additionalFields?: { fields?: Array<{ name?: string; type?: string; value?: unknown }> };
	dryRun?: unknown;
	excludeColumns?: unknown;
	includeInputFields?: unknown;
	matchFields?: unknown;
	/** Seconds. */
	maxWait?: number;
	period?: unknown;
	queryParameters?: { parameters?: Array<{ name?: string; value?: unknown }> };
	simplify?: unknown;
}

/**
 * Decides what is done with a row whose record already exists: as the operation says or, where that leaves it
 * open, the parameter If It Already Exists; only the value that says so creates without looking.
 */
export function ifExistsOf(source: Source, operation: Operation): IfExists {
	if (isUpsert(operation)) return 'update';
	return source.parameter('ifExists', 'skip') === 'create' ? 'create' : 'skip';
}

/** The option Dry Run: where its expression gives anything but a clear no, nothing is sent. */
export function isDryRun(options: Options): boolean {
	return 'dryRun' in options && readSwitch(options.dryRun) !== false;
}

/** Whether something is read of all locations of the account. */
export function isOfAllLocations(source: Source, operation: Operation): boolean {
	if (!takes('allLocations')(operation)) return false;
	return isSwitchedOn('All Locations', source.parameter('allLocations', false));
}

/** How many records of a list to get, and how to ask for its pages. */
export function readPaging(source: Source, operation: Operation, options: Options): Paging {
	if (options.pageSize) wholeNumber('Page Size', options.pageSize);
	const isLimited =
		operation.value === 'getAll' &&
		!isSwitchedOn('Return All', source.parameter('returnAll', false));
	const limit = isLimited ? wholeNumber('Limit', source.parameter('limit')) : undefined;
	return { ...readPageOptions(options), limit };
}

function wholeNumber(label: string, value: unknown): number {
	if (Number.isInteger(Number(value)) && Number(value) >= 1) return Number(value);
	throw new InputError(
		`'${label}' must be a whole number of 1 or more`,
		`The current value is ${JSON.stringify(value)}.`,
	);
}

/** The option Max Wait in milliseconds; an invalid value counts as not set. */
export function readPatience(options: Options): number {
	const maxWait = isEmpty(options.maxWait) ? NaN : Number(options.maxWait);
	return 1000 * (maxWait >= 0 ? maxWait : DEFAULT_MAX_WAIT);
}

/** `$json.city`, `$json["City Name"]`, `$json?.city`, and the same of `$input.item`. */
const COLUMN =
	/\$(?:json|input\.item\.json)(?:\??\.([\p{L}_$][\p{L}\p{N}_$]*)|(?:\?\.)?\[(["'`])(.+?)\2\])/gu;

/** The columns of the row that an expression reads, in their order; none, where it is a fixed value. */
export function columnsRead(expression: unknown): string[] {
	const text = String(expression);
	if (!text.startsWith('=')) return [];
	return [...text.matchAll(COLUMN)].map(([, dotted, , quoted]) => dotted ?? quoted);
}

/** The value or expression that picks a record, as it stands in the panel. */
export function expressionOf({ panel }: Source, name: string): unknown {
	const parameter = panel[name];
	return isRecord(parameter) ? parameter.value : parameter;
}

/** Whether the name of a record is given in place of its ID. */
export function isByName({ panel }: Source, name: string): boolean {
	const parameter = panel[name];
	return isRecord(parameter) && parameter.mode === 'name';
}

/** An expression reads the item with all that begins with `$` but what is the same for all items. */
const OF_ITEM =
	/\$(?!(?:now|today|vars|env|secrets|execution|workflow|runIndex|if|ifEmpty|min|max|jmespath)\b)/;
/** `$('Settings').first()` and `$input.all()` are also the same for all. */
const OF_ALL = /\$(?:\((["'`])(?:(?!\1).)*\1\)|input|items)\.(?:first|last|all)\(/g;

/**
 * Whether several items would read the same: lists and insights, where no parameter is taken from the
 * item and the item's columns do not come out beside them. It is the parameters that decide, not the
 * data: what works for one item would else change with a second one.
 */
export function isSameForAll(
	panel: JsonObject,
	{ tables }: Resource,
	{ value, routing }: Operation,
): boolean {
	const { includeInputFields } = (panel.options ?? {}) as Options;
	const isList = routing.request.method === 'GET' && (value === 'getAll' || tables !== undefined);
	return isList && !includeInputFields && !dependsOnItem(panel);
}

function dependsOnItem(parameter: unknown): boolean {
	if (typeof parameter !== 'object' || parameter === null) {
		const text = String(parameter);
		return text.startsWith('=') && OF_ITEM.test(text.replace(OF_ALL, ''));
	}
	return Object.values(parameter).some(dependsOnItem);
}

/** A value as it appears in a URL; that of a list with one; empty for anything but text, numbers and booleans. */
export function textInUrl(value: unknown): string {
	const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
	return ['string', 'number', 'boolean'].includes(typeof one) ? String(one).trim() : '';
}

/** The text that n8n's expressions make of an invalid DateTime. */
const INVALID_DATE = 'Invalid DateTime';

/**
 * A value of a row as it is sent: its JSON, with dates (`Date`, and luxon's `DateTime` as in `$now`) as
 * their ISO text, at any depth.
 *
 * @param name of the value in messages: `field "title"`
 * @throws InputError for what JSON would change to null: an invalid date, a number that is not finite
 */
export function plainValue(name: string, value: unknown): unknown {
	if (typeof value === 'string' && value !== INVALID_DATE) return value;
	const replace = function (this: JsonObject, key: string, json: unknown) {
		const isOfDate = json === null && this[key] !== null;
		const isNumber = typeof json !== 'number' || Number.isFinite(json);
		if (isNumber && !isOfDate && json !== INVALID_DATE) return json;
		throw new InputError(
			`The ${name} ${key === '' ? 'is' : 'contains'} ${isNumber ? 'an invalid date' : String(json)}`,
			'Nothing was sent. Use text, a number, true or false, a date, or a list or an object of these.',
		);
	};
	return JSON.parse(JSON.stringify(value, replace) ?? 'null') as unknown;
}
