import { hash } from 'node:crypto';

import type { HttpResponse, JsonObject } from '../ports';

export function isRecord(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if a body is the service's envelope (interface, section 1). */
export function isEnvelope(body: unknown): body is JsonObject & { data: unknown } {
	return isRecord(body) && body.data !== undefined;
}

/**
 * The ID of a record: a text, or a whole number that JavaScript can keep. A larger number has lost its
 * last digits, so several records would share it: it counts as none.
 */
export function idOf(record: unknown): string | undefined {
	if (!isRecord(record)) return undefined;
	const { id } = record;
	if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined;
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** True if the record has an ID by which it can be found again. */
export function isIdentified(value: unknown): value is JsonObject {
	return idOf(value) !== undefined;
}

/** A short text that is the same for the same JSON value. */
export function hashOf(value: unknown): string {
	return hash('sha256', JSON.stringify(value), 'base64');
}

/** True for everything but nothing, an empty text, list or object, `false` and 0. */
function isFilled(value: unknown): boolean {
	return typeof value === 'object' && value !== null
		? Object.keys(value).length > 0
		: Boolean(value);
}

/** True if the body of a success says that the request failed. What a record in `data` says is its own. */
export function deniesSuccess(body: unknown): boolean {
	if (!isRecord(body)) return body === false;
	const { success, ok, status, error, errors } = body;
	// JSend calls a failure `fail` or `error`.
	const isFailure = success === false || ok === false || status === 'fail' || status === 'error';
	return isFailure || isFilled(error) || isFilled(errors);
}

/** The record in `data`, also as the only entry of a list; undefined if there is none. */
export function recordIn({ body }: HttpResponse): JsonObject | undefined {
	const data = isEnvelope(body) ? body.data : undefined;
	const one: unknown = Array.isArray(data) && data.length === 1 ? data[0] : data;
	return isRecord(one) && isFilled(one) ? one : undefined;
}
