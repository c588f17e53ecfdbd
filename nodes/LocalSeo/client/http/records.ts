import { createHash } from 'node:crypto';

import type { HttpResponse, JsonObject } from '../ports';
import { fillPath, type ServiceRequest } from '../request';
import { headerText } from '../textOf';

export function isRecord(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if a body is the service's envelope (dev/sandbox/openapi.yaml: it has a member `data`). */
export function isEnvelope(body: unknown): body is JsonObject & { data: unknown } {
	return isRecord(body) && 'data' in body;
}

/** The interface knows `id` alone; other services also use these names. */
const ID_NAMES = ['id', '_id', 'uuid'];

/** The ID of a record, or undefined if it has none. MongoDB's is an object with the text in `$oid`. */
export function idOf(record: unknown): string | undefined {
	if (!isRecord(record)) return undefined;
	const named = ID_NAMES.map((name) => record[name]).find((id) => id !== undefined && id !== null);
	const id = isRecord(named) ? named.$oid : named;
	// Larger numbers have lost their last digits, so several records would share an ID.
	if (typeof id === 'number')
		return Number.isInteger(id) && !Number.isSafeInteger(id) ? undefined : String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** A short text that is the same for the same JSON value. */
export function hashOf(value: unknown): string {
	return createHash('sha256')
		.update(JSON.stringify(value) ?? '')
		.digest('base64');
}

/** Tells a record from others: its ID or, if it has none, a hash of all that it contains. */
export function recordKey(record: unknown): string {
	return idOf(record) ?? hashOf(record);
}

/** True if the record has an ID by which it can be found again. */
export function isIdentified(value: unknown): value is JsonObject {
	return isRecord(value) && idOf(value) !== undefined;
}

/** The deepest nesting that is accepted (levels); records have a few. */
const MAX_DEPTH = 200;

/** True if a JSON value is nested so deeply that recursive functions would fail on it. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}

/** True if a body reports a failure, whatever the status: at its top level or within `data`. */
export function deniesSuccess(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const { success, ok, status, code, error, errors, data } = body;
	if (success === false || ok === false) return true;
	// A record may have a status, a code and errors of its own.
	if (idOf(body) !== undefined) return false;
	if (saysSomething(error) || saysSomething(errors)) return true;
	return isBad(status) || (isBad(code) && !saysSomething(data)) || deniesSuccess(data);
}

/**
 * Does the same for the response to a read: if it has data, `errors` may be the name of a metric, and
 * `status` may belong to the record.
 */
export function deniesReading(body: unknown): boolean {
	return deniesSuccess(body) && !hasData(body);
}

/** Members that describe the outcome, beside the data or in its place. */
const ABOUT =
	/^(success|ok|status(_?code)?|code|errors?|message|msg|details?|title|type|(error_)?description|meta|links|request|extensions|trace|debug)$/i;

function hasData(body: unknown): boolean {
	if (!isRecord(body)) return false;
	if (!isEnvelope(body)) return body.success !== false && body.ok !== false && holdsData(body);
	return isRecord(body.data) ? holdsData(body.data) : saysSomething(body.data);
}

/** Texts do not count: beside an error they describe it, such as its time or a request ID. */
function holdsData(record: JsonObject): boolean {
	return Object.entries(record).some(([name, value]) => {
		const isDatum =
			typeof value === 'number' || (typeof value === 'object' && saysSomething(value));
		return isDatum && !ABOUT.test(name);
	});
}

/** An HTTP error, also with further digits of the service's own: `422`, `40003`, but not `20000`. */
const HTTP_ERROR = /^[45]\d\d(\d{2,3})?$/;

/** `status: "error"`, `code: 422`, `code: "invalid_title"` */
function isBad(value: unknown): boolean {
	if (typeof value === 'number') return HTTP_ERROR.test(String(value));
	return typeof value === 'string' && /^(error|fail|invalid|denied)|_error$/i.test(value);
}

/** Some successes carry `errors: {}` or `error: { code: 0, message: "" }`, which say nothing. */
function saysSomething(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0;
	return isRecord(value) ? Object.values(value).some(Boolean) : Boolean(value);
}

/** HTTP status of a request that is accepted and will be processed later. */
const ACCEPTED = 202;

/**
 * The record that a create has made, as the response shows it: `data`, its only element, or the body
 * without an envelope. A receipt that repeats nothing of what was sent is merged into the sent fields.
 * A record without an ID gets the one from the `Location` header.
 */
export function createdItem(
	sent: JsonObject,
	response: HttpResponse,
	request: ServiceRequest,
): JsonObject {
	const shown = shownIn(response, sent);
	const id = idOf(shown) === undefined ? idInLocation(response, request) : undefined;
	const item = showsAny(shown, sent) ? shown : { ...sent, ...shown };
	return id === undefined ? item : { ...item, id };
}

/**
 * The record that an update has changed, always with the ID that was asked for. If the update was only
 * accepted, the item has the sent fields and the service's receipt as `job`.
 */
export function changedItem(id: string, sent: JsonObject, response: HttpResponse): JsonObject {
	const shown = shownIn(response, sent);
	const isOther = idOf(shown) !== undefined && idOf(shown) !== id;
	const isOwn = idOf(shown) === id;
	const isJob = !isOwn && (response.status === ACCEPTED || (isOther && !showsAny(shown, sent)));
	if (isJob) return { ...sent, id, ...(Object.keys(shown).length > 0 && { job: shown }) };
	return isOwn || isOther ? shown : { ...sent, ...shown, id };
}

/** The deleted record: its ID, and its fields if the response shows them. */
export function deletedItem(id: string, response: HttpResponse): JsonObject {
	const shown = shownIn(response, {});
	return { ...(idOf(shown) === id && shown), id, deleted: true };
}

function shownIn({ status, body }: HttpResponse, sent: JsonObject): JsonObject {
	const payload = isEnvelope(body) ? body.data : body;
	const record: unknown = Array.isArray(payload) && payload.length === 1 ? payload[0] : payload;
	if (!isRecord(record)) return {};
	// `{ post: { … } }` holds the record one level down; after a 202, the inner object may be a job.
	const [inner, ...others] = Object.values(record);
	if (others.length > 0 || !isRecord(inner)) return record;
	const isIdentified = status !== ACCEPTED && idOf(inner) !== undefined;
	return isIdentified || showsAny(inner, sent) ? inner : record;
}

function showsAny(record: JsonObject, sent: JsonObject): boolean {
	return Object.keys(sent).some((name) => name !== 'status' && Object.hasOwn(record, name));
}

/**
 * The ID in a `Location` header: the segment after the name of the list that was added to, as in
 * `/posts/post_1`. The `Location` of a 303 is a page about the outcome, so it is not read.
 */
function idInLocation({ status, headers }: HttpResponse, request: ServiceRequest) {
	const [path] = headerText(headers.location).split(/[?#]/);
	const [last = '', list] = path.replace(/\/+$/, '').split('/').reverse();
	const isBelow = list === fillPath(request).split('/').pop();
	return status === 303 || last === '' || !isBelow ? undefined : last;
}
