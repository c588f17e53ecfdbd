import type { FieldType } from 'n8n-workflow';
import { validateFieldType } from 'n8n-workflow';

import { instantOfIso, isEmpty, type JsonObject, textOf } from '../client';

/** A type of a field, as n8n's column mapper names it. */
export type FieldTypeName = FieldType;

type ReadValue = (value: unknown) => unknown;

/** The name of each type in messages, and how a value is read; undefined for a value of another type. */
const TYPES: Record<string, { name: string; read: ReadValue }> = {
	array: { name: 'a list', read: byHost('array') },
	boolean: { name: 'true or false', read: byHost('boolean') },
	dateTime: { name: 'a date', read: (value) => value },
	json: { name: 'valid JSON', read: readJson },
	number: { name: 'a number', read: asNumber },
	object: { name: 'an object', read: byHost('object') },
	/** A choice from a list of texts; an expression may give another text. */
	options: { name: 'text', read: textOf },
	string: { name: 'text', read: asText },
};

/** Converts a value to the type that was chosen for it, or says what is wrong with it, for a message. */
export function convert(
	type: string | undefined,
	value: unknown,
): { value: unknown } | { flaw: string } {
	const known = TYPES[type ?? ''];
	if (!known) return { value };
	if (type === 'number' || type === 'json') {
		const isLong = typeof value === 'string' && longNumberIn(value) !== undefined;
		if (isLong) return { flaw: 'has a number with more digits than can be kept: make it a text' };
	}
	const read = known.read(value);
	return read === undefined ? { flaw: `is not ${known.name}` } : { value: read };
}

/** The name of a type in messages: "a number". */
export function nameOfType(type: string): string | undefined {
	return TYPES[type]?.name;
}

/** Reads a value as n8n's column mapper does. */
function byHost(type: 'array' | 'boolean' | 'object'): ReadValue {
	return (value) => {
		const result = validateFieldType('', value, type);
		return result.valid ? result.newValue : undefined;
	};
}

function asNumber(value: unknown): number | undefined {
	const isText = typeof value === 'string' && value.trim() !== '';
	const number = isText || typeof value === 'number' ? Number(value) : NaN;
	return Number.isFinite(number) && !/^\s*0x/i.test(String(value)) ? number : undefined;
}

/** The first number of a JSON text that has more digits than JavaScript keeps. */
function longNumberIn(json: string): string | undefined {
	const [long] = /\d{16,}/.exec(json.replace(/"(?:[^"\\]|\\.)*"/g, '""')) ?? [];
	return long === undefined || Number.isSafeInteger(Number(long)) ? undefined : long;
}

/** A list or an object is no text, even with one entry. */
function asText(value: unknown): string | undefined {
	return Object(value) === value && !(value instanceof Date) ? undefined : textOf(value);
}

function readJson(value: unknown): unknown {
	try {
		return typeof value === 'string' ? JSON.parse(value) : value;
	} catch {
		return undefined;
	}
}

/** The common type of the values of a field in some records; undefined if they differ, or it has none. */
export function typeIn(records: JsonObject[], field: string): FieldType | undefined {
	const values = records.map((record) => record[field]).filter((value) => !isEmpty(value));
	const types = new Set(values.map(typeOf));
	return types.size === 1 ? [...types][0] : undefined;
}

/** The type of a value that is not empty. */
export function typeOf(value: unknown): FieldType {
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'string' && instantOfIso(value) !== undefined) return 'dateTime';
	const type = typeof value;
	return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}
