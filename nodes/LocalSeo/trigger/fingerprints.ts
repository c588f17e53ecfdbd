import { createHash } from 'node:crypto';

import { isRecord, type JsonObject } from '../client';

/** What is remembered of a value: the value itself if it is short, otherwise a digest. */
export type Fingerprint = boolean | number | string | null;

/** Texts up to this length are remembered as they are; a time in ISO 8601 is one of them. */
const MAX_TEXT = 24;
/** Prefix of every digest, so text that begins with it is stored as a digest, too. */
const DIGEST_PREFIX = '#';
const DIGEST_LENGTH = 6;
/** More fields than this are not watched: what is remembered must not grow without end. */
const MAX_FIELDS = 200;
/** They never change, so they are not worth remembering. */
const CONSTANT_FIELDS = ['id', 'created_at'];

/** The fields that are compared. A record's fingerprints stand in the order of their names. */
export interface Fields {
	names: string[];
	/** Those that appeared later, and not in every record: without a fingerprint they were empty. */
	late: string[];
}

export const NO_FIELDS: Fields = { names: [], late: [] };

/** What changed in a record, and the earlier values as far as they are remembered. */
export interface Difference {
	changed: string[];
	before: JsonObject;
}

/**
 * The fields, plus those that the records have in addition.
 *
 * @param wanted names of fields, also within others (`address.city`); empty: all but those that never
 * change
 */
export function withFieldsOf(fields: Fields, records: JsonObject[], wanted: string[] = []): Fields {
	const has = (record: JsonObject, name: string) => fieldOf(record, name) !== undefined;
	const found =
		wanted.length > 0
			? wanted.filter((name) => records.some((record) => has(record, name)))
			: records
					.flatMap((record) => Object.keys(record))
					.filter((name) => !CONSTANT_FIELDS.includes(name));
	const added = [...new Set(found)]
		.filter((name) => !fields.names.includes(name))
		.slice(0, Math.max(0, MAX_FIELDS - fields.names.length));
	if (added.length === 0) return fields;
	const late = added.filter((name) => !records.every((record) => has(record, name)));
	return { names: [...fields.names, ...added], late: [...fields.late, ...late] };
}

export function fingerprintsOf(record: JsonObject, { names }: Fields): Fingerprint[] {
	return names.map((name) => fingerprintOf(fieldOf(record, name)));
}

/**
 * Compares a record with the fingerprints of an earlier one. A field without a fingerprint is one
 * that the service has added to all its records: that is no change.
 */
export function differenceOf(
	record: JsonObject,
	{ names, late }: Fields,
	fingerprints: Fingerprint[],
): Difference {
	const changed: string[] = [];
	const before: Array<[string, Fingerprint]> = [];
	names.forEach((name, index) => {
		const isKnown = index < fingerprints.length;
		if (!isKnown && !late.includes(name)) return;
		const earlier = isKnown ? fingerprints[index] : null;
		if (earlier === fingerprintOf(fieldOf(record, name))) return;
		changed.push(name);
		if (!isDigest(earlier)) before.push([name, earlier]);
	});
	return { changed, before: Object.fromEntries(before) };
}

/**
 * The value of a field, also of one within another (`address.city`): what a record has itself, since a
 * field may be called `constructor` or `__proto__`.
 */
export function fieldOf(record: JsonObject, name: string): unknown {
	if (Object.hasOwn(record, name)) return record[name];
	const [outer, ...inner] = name.split('.');
	const value = inner.length > 0 && Object.hasOwn(record, outer) ? record[outer] : undefined;
	return isRecord(value) ? fieldOf(value, inner.join('.')) : undefined;
}

function fingerprintOf(value: unknown): Fingerprint {
	if (value === undefined || value === null) return null;
	if (typeof value === 'number' || typeof value === 'boolean') return value;
	if (typeof value === 'string' && value.length <= MAX_TEXT && !isDigest(value)) return value;
	return DIGEST_PREFIX + digest(canonicalJson(value, withoutSignature), DIGEST_LENGTH);
}

/** Parameters of an address that is valid for a while only. */
const SIGNATURE = /[?&](x-[a-z]+-signature|signature|sig|hmac|expires?|exp|oe)=/i;

/** The same file has another signature in each response. */
function withoutSignature(value: unknown): unknown {
	const isSigned = typeof value === 'string' && /^https?:/i.test(value) && SIGNATURE.test(value);
	return isSigned ? value.slice(0, value.indexOf('?')) : value;
}

/**
 * The keys of an object may come in another order in each response.
 *
 * @param read gives what a value within it stands for
 */
export function canonicalJson(value: unknown, read = (part: unknown) => part): string {
	return JSON.stringify(value, (_, part: unknown) =>
		isRecord(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : read(part),
	);
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
	return a < b ? -1 : 1;
}

function isDigest(fingerprint: Fingerprint): boolean {
	return typeof fingerprint === 'string' && fingerprint.startsWith(DIGEST_PREFIX);
}

/** Six bits a character. */
export function digest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64').slice(0, length);
}
