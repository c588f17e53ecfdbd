import type { Fields, Switches } from './backend';

// The forms in which services say what they have created.

/** Bodies that show the record itself. */
export const WHOLE: Record<string, (record: Fields) => unknown> = {
	'{ data: record }': (data) => ({ data }),
	record: (record) => record,
	'{ data: [record] }': (record) => ({ data: [record] }),
	'[record]': (record) => [record],
	'{ success, data: record }': (data) => ({ success: true, data }),
	'{ status, code, message, errors, data: record }': (data) => ({
		...{ status: 'success', code: 201, message: 'Created', errors: [], data },
	}),
	'{ data: record, meta }': (data) => ({ data, meta: { request_id: 'r-1' } }),
	'{ data: { post: record } }': (post) => ({ data: { post } }),
	'{ post: record }': (post) => ({ post }),
};

/** Bodies that say something else, by the ID of the record; undefined: no body. */
export const RECEIPTS: Array<(id: unknown) => unknown> = [
	(id) => ({ data: { id } }),
	(id) => ({ id }),
	(id) => ({ data: { id, status: 'queued' } }),
	(id) => ({ id, status: 'pending_review' }),
	() => ({ data: { job_id: 'job_7', state: 'waiting' } }),
	() => ({ job_id: 'job_7' }),
	() => ({ message: 'Accepted' }),
	() => ({ data: { message: 'queued' } }),
	() => ({}),
	() => ({ data: {} }),
	() => ({ data: null }),
	() => ({ data: [] }),
	() => [],
	() => null,
	() => ({ success: true }),
	() => ({ data: true }),
	() => undefined,
	() => '',
];

/** The fields of a receipt. */
export function receiptIn(body: unknown): Fields {
	const { data = body } = (body ?? {}) as { data?: unknown };
	return typeof data === 'object' && !Array.isArray(data) ? { ...data } : {};
}

const hex = (number: number, length: number) => number.toString(16).padStart(length, '0');
const uuid = (number: number) => `0190a6c2-7b1e-7c3d-8e4f-${hex(number, 12)}`;

/** How services name and write the ID of a record. */
export const IDS: Record<string, Switches['id']> = {
	'a text': (number) => ({ id: `post_${hex(number, 8)}` }),
	'a number': (number) => ({ id: number }),
	'a number as text': (number) => ({ id: String(number) }),
	'a UUID': (number) => ({ id: uuid(number) }),
	'14 digits': (number) => ({ id: 10_000_000_000_000 + number }),
	_id: (number) => ({ _id: hex(number, 24) }),
	'_id.$oid': (number) => ({ _id: { $oid: hex(number, 24) } }),
	'id.$oid': (number) => ({ id: { $oid: hex(number, 24) } }),
	uuid: (number) => ({ uuid: uuid(number) }),
	post_id: (number) => ({ post_id: number }),
	'@id': (number) => ({ '@id': `/api/posts/${number}`, id: number }),
	none: () => ({}),
};
