import type { FieldType } from 'n8n-workflow';
import { validateFieldType } from 'n8n-workflow';

import { isDate, isEmpty, type JsonObject, textOf } from '../client';

type Reader = (value: unknown) => unknown;

/** What messages call a type, and how to read a value of it; undefined if the value is not of this type. */
const TYPES: Record<string, { name: string; read: Reader }> = {
	array: { name: 'a list', read: byHost('array') },
	boolean: { name: 'true or false', read: byHost('boolean') },
	dateTime: { name: 'a date', read: (value) => (isDate(value) ? value : undefined) },
	json: { name: 'valid JSON', read: readJson },
	number: { name: 'a number', read: readNumber },
	object: { name: 'an object', read: byHost('object') },
	/** A list of texts to choose from; an expression may give another one. */
	options: { name: 'text', read: textOf },
	string: { name: 'text', read: textOf },
};

/** The value, converted to the type that was chosen for it, or what is wrong with it, for a message. */
export function convert(
	type: string | undefined,
	value: unknown,
): { value: unknown } | { flaw: string } {
	const known = TYPES[type ?? ''];
	if (!known) return { value };
	const read = known.read(value);
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

function readJson(value: unknown): unknown {
	try {
		return typeof value === 'string' ? JSON.parse(value) : value;
	} catch {
		return undefined;
	}
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
	if (isDate(value)) return 'dateTime';
	const type = typeof value;
	return type === 'number' || type === 'boolean' || type === 'object' ? type : 'string';
}
