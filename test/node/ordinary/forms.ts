import type { Fields, Switches } from './backend';

// The forms in which services say what they have created or changed.

/** Bodies whose `data` is the record. */
export const WHOLE: Record<string, (record: Fields) => unknown> = {
	'{ data: record }': (data) => ({ data }),
	'{ data: [record] }': (record) => ({ data: [record] }),
	'{ success, data: record }': (data) => ({ success: true, data }),
	'{ status, code, message, errors, data: record }': (data) => ({
		...{ status: 'success', code: 45_012, message: 'Created', errors: [], data },
	}),
	'{ data: record, meta }': (data) => ({ data, meta: { request_id: 'r-1' } }),
};

/** Bodies without an object in `data`; undefined: no body. */
export const WITHOUT: unknown[] = [
	...[{ data: null }, { data: [] }, { data: {} }, { data: true }, { success: true }, {}, [], null],
	...[{ id: 'job_7' }, { message: 'Accepted' }, 1, 'Done', '"Done"', '', undefined],
];
export const named = (bodies: unknown[]) =>
	bodies.map((body) => [JSON.stringify(body) ?? 'no body', body] as const);

const hex = (number: number, length: number) => number.toString(16).padStart(length, '0');

/** How services write the ID of a record. */
export const IDS: Record<string, Switches['id']> = {
	'a text': (number) => ({ id: `post_${hex(number, 8)}` }),
	'a number': (number) => ({ id: number }),
	'a number as text': (number) => ({ id: String(number) }),
	'a UUID': (number) => ({ id: `0190a6c2-7b1e-7c3d-8e4f-${hex(number, 12)}` }),
	'an address': (number) => ({ id: `gid://shop/Post ${number}?v=1#ä` }),
	'16 digits': (number) => ({ id: 1_000_000_000_000_000 + number }),
	none: () => ({}),
};
