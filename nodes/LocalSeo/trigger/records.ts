import { createdAt, hashOf, idOf, isIdentified, type JsonObject } from '../client';

/** The records of a list that can be recognized; one without an ID can't be compared with anything. */
export function identified(records: unknown[]): JsonObject[] {
	return records.filter(isIdentified);
}

/** The ID of such a record. */
export function keyOf(record: JsonObject): string {
	return String(idOf(record));
}

export function newestFirst(records: JsonObject[]): JsonObject[] {
	return [...records].sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0));
}

/** What is remembered of a value: the value itself if it is short, otherwise a digest. */
type Fingerprint = boolean | number | string | null;

/** Fingerprints of the watched fields of a record, by name. */
export type Fingerprints = Record<string, Fingerprint>;

/** Texts up to this length are remembered as they are; a time in ISO 8601 is one of them. */
const MAX_TEXT = 24;
/** Prefix of every digest, so text that begins with it is stored as a digest, too. */
const DIGEST_PREFIX = '#';
/** Characters of a digest, six bits each. */
const DIGEST_LENGTH = 6;
/** They never change, so they are not worth remembering. */
const CONSTANT_FIELDS = ['id', 'created_at'];

/** @param wanted names of fields; empty: all that may change */
export function watchedFields(record: JsonObject, wanted: string[] = []): string[] {
	return wanted.length > 0
		? wanted.filter((name) => Object.hasOwn(record, name))
		: Object.keys(record).filter((name) => !CONSTANT_FIELDS.includes(name));
}

export function fingerprintsOf(record: JsonObject, wanted?: string[]): Fingerprints {
	const names = watchedFields(record, wanted);
	return Object.fromEntries(names.map((name) => [name, fingerprintOf(record[name])]));
}

/** Fields that the service has added to all its records: none had them before, and now all have. */
export function addedFields(before: Fingerprints[], now: Fingerprints[]): Set<string> {
	const known = new Set(before.flatMap((one) => Object.keys(one)));
	const names = Object.keys(now[0] ?? {}).filter((name) => !known.has(name));
	return new Set(names.filter((name) => now.every((one) => Object.hasOwn(one, name))));
}

/** What changed in a record, and the earlier values as far as they are remembered. */
export interface Difference {
	changed: string[];
	before: JsonObject;
}

/** @param added fields in which a record does not differ from an earlier one that lacks them */
export function differenceOf(
	earlier: Fingerprints,
	now: Fingerprints,
	added: Set<string>,
): Difference {
	const valueOf = (one: Fingerprints, name: string) =>
		Object.hasOwn(one, name) ? one[name] : null;
	const names = new Set([...Object.keys(earlier), ...Object.keys(now)]);
	const changed = [...names].filter(
		(name) => !added.has(name) && valueOf(earlier, name) !== valueOf(now, name),
	);
	const before = changed
		.map((name): [string, Fingerprint] => [name, valueOf(earlier, name)])
		.filter(([, value]) => !isDigest(value));
	return { changed, before: Object.fromEntries(before) };
}

function fingerprintOf(value: unknown): Fingerprint {
	if (value === undefined || value === null) return null;
	if (typeof value === 'number' || typeof value === 'boolean') return value;
	if (typeof value === 'string' && value.length <= MAX_TEXT && !isDigest(value)) return value;
	return DIGEST_PREFIX + digestOf(value);
}

function isDigest(value: Fingerprint): boolean {
	return typeof value === 'string' && value.startsWith(DIGEST_PREFIX);
}

/** A short text that is the same for the same JSON value. */
export function digestOf(value: unknown): string {
	return hashOf(withoutSignatures(value)).slice(0, DIGEST_LENGTH);
}

/** Parameters of an address that is valid for a while only. */
const SIGNATURE = /[?&](x-[a-z]+-signature|signature|sig|hmac|expires?|exp|oe)=/i;

/** As JSON: the same file has another signature in each response. */
function withoutSignatures(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => {
		const isSigned = typeof part === 'string' && /^https?:/i.test(part) && SIGNATURE.test(part);
		return isSigned ? part.slice(0, part.indexOf('?')) : part;
	});
}
