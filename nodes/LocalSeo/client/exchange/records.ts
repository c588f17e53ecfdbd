import type { HttpResponse, JsonObject } from '../ports';
import { instantOf, timeOf } from './time';

/** The `meta` of a list; a number is absent if the service does not state it, or not as a count. */
export interface Meta {
	currentPage?: number;
	total?: number;
}

export function isRecord(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a body is the service's envelope (api/openapi.yaml: a `data` member). */
export function isEnvelope(body: unknown): body is JsonObject & { data: unknown } {
	return isRecord(body) && 'data' in body;
}

/** Reads `meta` of a list; numbers may come as text. */
export function readMeta(body: unknown): Meta {
	const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {};
	return { currentPage: wholeNumber(meta.current_page), total: wholeNumber(meta.total) };
}

function wholeNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return Number.isInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
}

/** The id of a record, or undefined where it has none. */
export function idOf(record: unknown): string | undefined {
	const id = isRecord(record) ? record.id : undefined;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
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

/** The records of a response: under `data`, as the interface says, or bare. */
export function recordsIn({ body }: HttpResponse): JsonObject[] {
	const payload = isEnvelope(body) ? body.data : body;
	return [payload].flat().filter(isRecord);
}
