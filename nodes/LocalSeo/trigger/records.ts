import { createdAt, hashOf, idOf, type JsonObject } from '../client';

/** The ID of a record that has one; others can't be compared with anything. */
export function keyOf(record: JsonObject): string {
	return String(idOf(record));
}

export function newestFirst(records: JsonObject[]): JsonObject[] {
	return [...records].sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0));
}

/** What is remembered of the fields of a record, by name: short values, and hashes of longer ones. */
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
	return Object.fromEntries(names.map((name) => [name, knownValue(record[name])]));
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

/** Fields that the service has added to all its records: none had them before, and now all have. */
export function addedFields(
	earlier: Array<KnownFields | undefined>,
	records: JsonObject[],
): string[] {
	return Object.keys(records[0] ?? {}).filter(
		(name) =>
			!earlier.some((fields) => fields && Object.hasOwn(fields, name)) &&
			records.every((record) => Object.hasOwn(record, name)),
	);
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
