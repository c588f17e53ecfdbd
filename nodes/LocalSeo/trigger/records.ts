import { createdAt, hashOf, idOf, type JsonObject } from '../client';

/** The longest ID, name or other text that is remembered unchanged (characters). */
const MAX_REMEMBERED = 64;
/** The length of the hash that replaces the rest (characters; 132 bits). */
const HASH_LENGTH = 22;

/** The ID of a record that is known to have one (`identified`). */
export function idIn(record: JsonObject): string {
	return String(idOf(record));
}

/** The ID of a record in the form in which it is remembered. */
export function memoryKey(record: JsonObject): string {
	return remembered(idIn(record));
}

/** Shortens a text so that it stays recognizable: a long one is its beginning and a hash. */
export function remembered(text: string): string {
	if (text.length <= MAX_REMEMBERED) return text;
	return `${firstCharacters(text, MAX_REMEMBERED - HASH_LENGTH - 1)}…${hashOf(text).slice(0, HASH_LENGTH)}`;
}

/** Shortens a text that is remembered only to be shown. */
export function rememberedWords(text: string): string {
	return text.length <= MAX_REMEMBERED ? text : `${firstCharacters(text, MAX_REMEMBERED - 1)}…`;
}

/** The first characters of a text, without half of an emoji at the end. */
function firstCharacters(text: string, length: number): string {
	return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** A number, which may come as text; undefined for anything else. */
export function numberIn(value: unknown): number | undefined {
	const isNumber = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value);
	const number = isNumber ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The difference of two numbers, with as many decimals as they have: 70.5 - 69.2 is 1.3. */
export function subtractExactly(a: number, b: number): number {
	return Number((a - b).toFixed(Math.min(100, Math.max(decimalsOf(a), decimalsOf(b)))));
}

function decimalsOf(number: number): number {
	const [mantissa, exponent = '0'] = String(number).split('e');
	return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
}

export function newestFirst(records: JsonObject[]): JsonObject[] {
	return [...records].sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0));
}

/** The memory of a record's fields, by shortened name: short values, and hashes of longer ones. */
export type KnownFields = Record<string, boolean | number | string | null>;

/** The longest value that is remembered unchanged (characters): a time in ISO 8601 fits. Hashes are longer. */
const MAX_LENGTH = 24;
/** Fields that never change are not remembered. */
const CONSTANT_FIELDS = ['id', 'created_at'];

/** @param wanted names of fields; empty: all that may change */
export function rememberedFields(record: JsonObject, wanted: string[] = []): KnownFields {
	const names =
		wanted.length > 0
			? wanted.filter((name) => Object.hasOwn(record, name))
			: Object.keys(record).filter((name) => !CONSTANT_FIELDS.includes(name));
	return Object.fromEntries(names.map((name) => [remembered(name), rememberedValue(record[name])]));
}

function rememberedValue(value: unknown = null): KnownFields[string] {
	const isPlain = typeof value !== 'object' || value === null;
	if (isPlain && String(value).length <= MAX_LENGTH) return value as KnownFields[string];
	return hashOf(JSON.stringify(value, withoutSignature)).slice(0, MAX_LENGTH + 1);
}

/** Query parameters of an address that is only valid for a while. */
const SIGNATURE = /[?&](x-[a-z]+-signature|signature|sig|hmac|expires?|exp|oe)=/i;

/** Removes the signature of an address, because the same file gets a new one in each response. */
function withoutSignature(_: string, value: unknown): unknown {
	const isSigned = typeof value === 'string' && /^https?:/i.test(value) && SIGNATURE.test(value);
	return isSigned ? value.slice(0, value.indexOf('?')) : value;
}

/**
 * Fields that the service has added to all its records, by shortened name: no record had them before,
 * and all have them now.
 */
export function addedFields(
	earlier: Array<KnownFields | undefined>,
	records: JsonObject[],
): string[] {
	// One record alone does not show whether it is the service's doing.
	if (records.length < 2) return [];
	const before = new Set(earlier.flatMap((fields) => Object.keys(fields ?? {})));
	return Object.keys(records[0] ?? {})
		.filter((name) => records.every((record) => Object.hasOwn(record, name)))
		.map(remembered)
		.filter((name) => !before.has(name));
}

/**
 * The names of the changed fields, and those earlier values that were remembered unchanged.
 *
 * @param ignored names of fields
 */
export function diffFields(
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
