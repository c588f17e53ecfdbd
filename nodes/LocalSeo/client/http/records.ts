import type { HttpResponse, JsonObject } from '../ports';
import { hashOf } from './hashOf';
import { instantOf, timeOf } from './time';

export function isRecord(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a body is the service's envelope (api/openapi.yaml: a `data` member). */
export function isEnvelope(body: unknown): body is JsonObject & { data: unknown } {
	return isRecord(body) && 'data' in body;
}

/** Names of IDs, and of the text in one of MongoDB's; the interface knows `id` alone. */
const ID_NAMES = ['id', '_id', 'uuid'];

/** The ID of a record, or undefined where it has none. */
export function idOf(record: unknown): string | undefined {
	if (!isRecord(record)) return undefined;
	const named = ID_NAMES.map((name) => record[name]).find((id) => id !== undefined && id !== null);
	const id = isRecord(named) ? named.$oid : named;
	// Larger numbers have lost their last digits: several records would have the same.
	if (typeof id === 'number')
		return Number.isInteger(id) && !Number.isSafeInteger(id) ? undefined : String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** What tells a record from others: its ID, or all that it holds where it has none. */
export function nameOf(record: unknown): string {
	return idOf(record) ?? hashOf(record);
}

/** A record that can be found again. */
export function isIdentified(value: unknown): value is JsonObject {
	return isRecord(value) && idOf(value) !== undefined;
}

/** When a record was created: known for locations, assumed for the others; undefined if not known. */
export function createdAt(record: unknown): number | undefined {
	return isRecord(record) ? timeOf(record.created_at) : undefined;
}

/** The same, to be compared with a clock; undefined also where the zone is not known. */
export function createdAtByClock(record: unknown): number | undefined {
	return isRecord(record) ? instantOf(record.created_at) : undefined;
}

/** Levels of a value that are nested in each other; records have a few. */
const MAX_DEPTH = 200;

/** Whether a JSON value is nested so deeply that functions that call themselves fail on it. */
export function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) return true;
		const next: unknown[] = [];
		for (const one of level) {
			if (typeof one !== 'object' || one === null) continue;
			for (const inner of Object.values(one)) {
				if (typeof inner === 'object' && inner !== null) next.push(inner);
			}
		}
		level = next;
	}
	return false;
}

/** Whether a body says that something went wrong, whatever the status: itself, or within `data`. */
export function deniesSuccess(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const { success, ok, status, code, error, errors, data } = body;
	if (success === false || ok === false) return true;
	// A record may have a status, a code and errors of its own.
	if (idOf(body) !== undefined) return false;
	if (saysSomething(error) || saysSomething(errors)) return true;
	const hasData = saysSomething(data);
	return isBad(status) || (!hasData && isBad(code)) || deniesSuccess(data);
}

/** `status: "error"`, `code: 422`, `code: 40003`, `code: "invalid_title"` */
function isBad(value: unknown): boolean {
	if (typeof value === 'number') return value >= 400;
	return typeof value === 'string' && /^(error|fail|invalid|denied)|_error$/i.test(value);
}

/** Some successes carry `errors: {}` or `error: { code: 0, message: "" }`. */
function saysSomething(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0;
	return isRecord(value) ? Object.values(value).some(Boolean) : Boolean(value);
}

/**
 * The records of a list: as an array, or, as PHP writes one from which some were filtered out, as an
 * object with their numbers as keys. Undefined for what is no list.
 */
export function listIn(data: unknown): unknown[] | undefined {
	if (Array.isArray(data)) return data as unknown[];
	const entries = isRecord(data) ? Object.entries(data) : [];
	const isNumbered = entries.every(([key, value]) => /^\d+$/.test(key) && isIdentified(value));
	return entries.length > 0 && isNumbered ? entries.map(([, value]) => value) : undefined;
}

/** The records of a response: under `data`, as the interface says, or bare. */
export function recordsIn({ body }: HttpResponse): JsonObject[] {
	const payload = isEnvelope(body) ? body.data : body;
	return (listIn(payload) ?? [payload]).filter(isRecord);
}
