import { idOf, isEnvelope, isRecord, listIn } from '../http/records';
import { fieldsOf, type ServiceRequest } from '../http/request';
import type { HttpResponse, JsonObject } from '../ports';

/** The status with which a service accepts what it will do later. */
const ACCEPTED = 202;

/**
 * The record that a create has made: as the response shows it (`data`, its only element, or the body
 * without an envelope). A receipt that shows nothing of what was sent stands beside what was sent, with
 * the ID from a `Location` header where it has none.
 */
export function createdItem(request: ServiceRequest, response: HttpResponse): JsonObject {
	const sent = fieldsOf(request);
	const shown = shownIn(response, sent);
	const id = idOf(shown) === undefined ? idInLocation(response) : undefined;
	const item = showsAny(shown, sent) ? shown : { ...sent, ...shown };
	return id === undefined ? item : { ...item, id };
}

/**
 * The record that an update has changed, always with the ID that was asked for. The job of one that is
 * only accepted stands beside what was sent.
 */
export function changedItem(request: ServiceRequest, response: HttpResponse): JsonObject {
	const sent = fieldsOf(request);
	const shown = shownIn(response, sent);
	const id = askedId(request);
	const isOther = idOf(shown) !== undefined && idOf(shown) !== id;
	const isOwn = idOf(shown) === id;
	const isJob = !isOwn && (response.status === ACCEPTED || (isOther && !showsAny(shown, sent)));
	if (isJob) return { ...sent, id, ...(Object.keys(shown).length > 0 && { job: shown }) };
	return isOwn || isOther ? shown : { ...sent, ...shown, id };
}

/** What was deleted: by its ID, with its own fields where the response shows them. */
export function deletedItem(request: ServiceRequest, response: HttpResponse): JsonObject {
	const shown = shownIn(response, {});
	const id = askedId(request);
	return { ...(idOf(shown) === id && shown), id, deleted: true };
}

function askedId({ ids }: ServiceRequest): string {
	return Object.values(ids)[0];
}

function shownIn({ status, body }: HttpResponse, sent: JsonObject): JsonObject {
	const payload = isEnvelope(body) ? body.data : body;
	const list = listIn(payload);
	const record = list ? (list.length === 1 ? list[0] : undefined) : payload;
	if (!isRecord(record)) return {};
	// `{ post: { … } }`; that of what is only accepted may be a job.
	const [inner, ...others] = Object.values(record);
	if (others.length > 0 || !isRecord(inner)) return record;
	const isIdentified = status !== ACCEPTED && idOf(inner) !== undefined;
	return isIdentified || showsAny(inner, sent) ? inner : record;
}

function showsAny(record: JsonObject, sent: JsonObject): boolean {
	return Object.keys(sent).some((name) => name !== 'status' && name in record);
}

function idInLocation({ headers: { location } }: HttpResponse): string | undefined {
	const [path] = String(location ?? '').split(/[?#]/);
	const last = path.replace(/\/+$/, '').split('/').pop();
	return last === '' ? undefined : last;
}
