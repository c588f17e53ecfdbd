import type { FieldType, IExecutePaginationFunctions } from 'n8n-workflow';
import { validateFieldType } from 'n8n-workflow';

import { isEmpty, type JsonObject, textOf } from '../client';

type Context = Pick<IExecutePaginationFunctions, 'getTimezone'>;
type Reader = (value: unknown, context: Context) => unknown;

/** The part of luxon's DateTime, n8n's type for dates, that is used here. */
interface DateTime {
	setZone(zone: string, options: { keepLocalTime: boolean }): DateTime;
	toISO(): string;
}

/** Text that is a date; n8n itself would also accept "offer 12", and numbers. */
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const WITH_ZONE = /:\S*(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** What messages call a type, and how to read a value of it; undefined if the value is not of this type. */
const TYPES: Record<string, { name: string; read: Reader }> = {
	array: { name: 'a list', read: byHost('array') },
	boolean: { name: 'true or false', read: byHost('boolean') },
	dateTime: { name: 'a date, such as 2026-12-31 or 2026-12-31T18:00', read: readDate },
	json: { name: 'valid JSON', read: readJson },
	number: { name: 'a number', read: readNumber },
	object: { name: 'an object', read: byHost('object') },
	/** A list of texts to choose from; an expression may give another one. */
	options: { name: 'text', read: textOf },
	string: { name: 'text', read: textOf },
};

/** The value, converted to the type that was chosen for it, or what is wrong with it, for a message. */
export function convert(
	context: Context,
	type: string | undefined,
	value: unknown,
): { value: unknown } | { flaw: string } {
	const known = TYPES[type ?? ''];
	if (!known) return { value };
	const read = known.read(value, context);
	return read === undefined ? { flaw: `is not ${known.name}` } : { value: read };
}

/** What messages call a type: "a number". */
export function nameOfType(type: string): string | undefined {
	return TYPES[type]?.name;
}

/** Reads a value as n8n's column mapper does. */
function byHost(type: 'array' | 'boolean' | 'object'): Reader {
	return (value) => {
		const result = validateFieldType('', value, type);
		return result.valid ? result.newValue : undefined;
	};
}

function readNumber(value: unknown): number | undefined {
	const isText = typeof value === 'string' && value.trim() !== '';
	const number = isText || typeof value === 'number' ? Number(value) : NaN;
	return Number.isFinite(number) ? number : undefined;
}

/** A day stays one; a date and time without a time zone is read in the workflow's time zone. */
function readDate(value: unknown, context: Context): unknown {
	const text = typeof value === 'string' ? value.trim() : undefined;
	if (typeof value === 'number' || (text !== undefined && !DATE.test(text))) return undefined;
	const result = validateFieldType('', value, 'dateTime');
	if (!result.valid) return undefined;
	const date = result.newValue as unknown as DateTime;
	if (text === undefined) return date.toISO();
	// n8n turns February 31 into a day in March.
	if (!date.toISO().startsWith(text.slice(0, 10))) return undefined;
	return DAY.test(text) ? text : inTimeZone(context, text);
}

/**
 * A date as an instant: a day as its midnight, and a time without a time zone, in that of the workflow.
 * What is none, or has a zone, stays as it is.
 */
export function inTimeZone(context: Context, value: unknown): unknown {
	const text = typeof value === 'string' ? value.trim() : '';
	if (!DATE.test(text) || WITH_ZONE.test(text)) return value;
	const { newValue } = validateFieldType('', text, 'dateTime') as { newValue?: unknown };
	const date = newValue as DateTime | undefined;
	return date?.setZone(context.getTimezone(), { keepLocalTime: true }).toISO() ?? value;
}

function readJson(value: unknown): unknown {
	try {
		return typeof value === 'string' ? JSON.parse(value) : value;
	} catch {
		return undefined;
	}
}

/** The values of a field that are not empty. */
export function valuesOf(records: JsonObject[], id: string): unknown[] {
	return records.map((record) => record[id]).filter((value) => !isEmpty(value));
}

/** The type that all values of a field have that are not empty, by its name; undefined if they differ. */
export function typesIn(records: JsonObject[]): Map<string, FieldType | undefined> {
	const types = new Map<string, FieldType | undefined>();
	for (const record of records) {
		for (const [name, value] of Object.entries(record)) {
			if (isEmpty(value)) continue;
			const type = typeOfValue(value);
			types.set(name, types.has(name) && types.get(name) !== type ? undefined : type);
		}
	}
	return types;
}

/** The type that all values have; undefined if they differ, or if there are none. */
export function typeOf(values: unknown[]): FieldType | undefined {
	const types = new Set(values.map(typeOfValue));
	const [type] = types;
	return types.size === 1 ? type : undefined;
}

function typeOfValue(value: unknown): FieldType {
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'string' && DATE.test(value)) return 'dateTime';
	const type = typeof value;
	return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}
