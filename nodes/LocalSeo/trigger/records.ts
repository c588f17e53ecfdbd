import { createdAt, hashOf, idOf, type JsonObject } from '../client';

/** Characters of an ID, a name or another text that is remembered as it is. */
const MAX_REMEMBERED = 64;
/** Characters of the hash that takes the place of the rest (132 bits). */
const HASH_LENGTH = 22;

/** The ID of a record that has one; others can't be compared with anything. */
export function idIn(record: JsonObject): string {
	return String(idOf(record));
}

/** The same as it is remembered. */
export function keyOf(record: JsonObject): string {
	return remembered(idIn(record));
}

/** A text as it is remembered: a long one by its beginning and a hash. */
export function remembered(text: string): string {
	if (text.length <= MAX_REMEMBERED) return text;
	return `${beginningOf(text, MAX_REMEMBERED - HASH_LENGTH - 1)}…${hashOf(text).slice(0, HASH_LENGTH)}`;
}

/** A text that is remembered to be shown: a long one is cut. */
export function rememberedWords(text: string): string {
	return text.length <= MAX_REMEMBERED ? text : `${beginningOf(text, MAX_REMEMBERED - 1)}…`;
}

/** The first characters of a text, without half of an emoji at the end. */
function beginningOf(text: string, length: number): string {
	return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** A number, also as text; undefined for anything else. */
export function numberIn(value: unknown): number | undefined {
	const isNumber = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value);
	const number = isNumber ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The difference of two numbers, with as many decimals as they have: 70.5 - 69.2 is 1.3. */
export function difference(a: number, b: number): number {
	return Number((a - b).toFixed(Math.min(100, Math.max(decimalsOf(a), decimalsOf(b)))));
}

function decimalsOf(number: number): number {
	const [mantissa, exponent = '0'] = String(number).split('e');
	return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
}

export function newestFirst(records: JsonObject[]): JsonObject[] {
	return [...records].sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0));
}

/** What is remembered of the fields of a record, by remembered name: short values, hashes of longer ones. */
export type KnownFields = Record<string, boolean | number | string | null>;

/** Characters of a value that is remembered as it is (a time in ISO 8601 is one); hashes have more. */
const MAX_LENGTH = 24;
/** They never change, so they are not worth remembering. */
const CONSTANT_FIELDS = ['id', 'created_at'];

/** @param wanted names of fields; empty: all that may change */
export function knownFields(record: JsonObject, wanted: string[] = []): KnownFields {
	const names =
		wanted.length > 0
			? wanted.filter((name) => Object.hasOwn(record, name))
			: Object.keys(record).filter((name) => !CONSTANT_FIELDS.includes(name));
	return Object.fromEntries(names.map((name) => [remembered(name), knownValue(record[name])]));
}

function knownValue(value: unknown = null): KnownFields[string] {
	const isPlain = typeof value !== 'object' || value === null;
	if (isPlain && String(value).length <= MAX_LENGTH) return value as KnownFields[string];
	return hashOf(JSON.stringify(value, withoutSignature)).slice(0, MAX_LENGTH + 1);
}

/** Parameters of an address that is valid for a while only. */
const SIGNATURE = /[?&](x-[a-z]+-signature|signature|sig|hmac|expires?|exp|oe)=/i;

/** The same file has another signature in each response. */
function withoutSignature(_: string, value: unknown): unknown {
	const isSigned = typeof value === 'string' && /^https?:/i.test(value) && SIGNATURE.test(value);
	return isSigned ? value.slice(0, value.indexOf('?')) : value;
}

/**
 * Fields that the service has added to all its records, by remembered name: none had them before, and
 * now all have.
 */
export function addedFields(
	earlier: Array<KnownFields | undefined>,
	records: JsonObject[],
): string[] {
	const before = new Set(earlier.flatMap((fields) => Object.keys(fields ?? {})));
	return Object.keys(records[0] ?? {})
		.filter((name) => records.every((record) => Object.hasOwn(record, name)))
		.map(remembered)
		.filter((name) => !before.has(name));
}

/**
 * The fields that changed in a record, and the earlier values that are remembered as they were.
 *
 * @param ignored names of fields
 */
export function differenceOf(
	earlier: KnownFields,
	now: KnownFields,
	ignored: string[] = [],
): { changed: string[]; before: JsonObject } {
	const valueOf = (fields: KnownFields, name: string) =>
		Object.hasOwn(fields, name) ? fields[name] : null;
	const changed = Object.keys({ ...earlier, ...now }).filter(
		(name) => !ignored.includes(name) && valueOf(earlier, name) !== valueOf(now, name),
	);
	const before = changed
		.map((name) => [name, valueOf(earlier, name)] as const)
		.filter(([, value]) => String(value).length <= MAX_LENGTH);
	return { changed, before: Object.fromEntries(before) };
}
