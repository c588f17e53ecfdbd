import { isRecord, textOf } from '../../client';
import { readSwitch } from '../../text/parameterValues';

type ReadValue = (value: unknown) => unknown;

/** The name of each type in messages, and how a value is read; undefined for a value of another type. */
const TYPES: Record<string, { name: string; read: ReadValue }> = {
	array: { name: 'a list', read: asList },
	boolean: { name: 'true or false', read: readSwitch },
	dateTime: { name: 'a date', read: (value) => value },
	json: { name: 'valid JSON', read: readJson },
	number: { name: 'a number', read: asNumber },
	object: { name: 'an object', read: asRecord },
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

function asList(value: unknown): unknown {
	const list = readJson(value);
	return Array.isArray(list) ? list : undefined;
}

function asRecord(value: unknown): unknown {
	const record = readJson(value);
	return isRecord(record) ? record : undefined;
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
