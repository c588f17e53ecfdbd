import {
	createdAt,
	createdAtByClock,
	deniesSuccess,
	idOf,
	isEnvelope,
	isIdentified,
	isTooDeep,
	recordsIn,
} from '../../nodes/LocalSeo/client/http/records';

const response = (body: unknown) => ({ status: 200, headers: {}, body });

test.each<[string, unknown, unknown[]]>([
	['a list under data', { data: [{ id: 1 }, { id: 2 }] }, [{ id: 1 }, { id: 2 }]],
	['one record under data', { data: { id: 1 } }, [{ id: 1 }]],
	['a bare record', { id: 1 }, [{ id: 1 }]],
	['a bare list', [{ id: 1 }], [{ id: 1 }]],
	['a list with entries that are no records', { data: [{ id: 1 }, 7, null, ['x']] }, [{ id: 1 }]],
	[
		'a list with numbers for keys',
		{ data: { 3: { id: 1 }, 7: { id: 2 } } },
		[{ id: 1 }, { id: 2 }],
	],
	['nothing under data', { data: null }, []],
	['an empty body', '', []],
])('the records of %s', (_, body, records) => {
	expect(recordsIn(response(body))).toEqual(records);
});

test('an object with data is an envelope, whatever data is', () => {
	expect(isEnvelope({ data: undefined })).toBe(true);
	expect([{}, [], 'data', null].map(isEnvelope)).toEqual([false, false, false, false]);
});

test('an ID is text or a number; a record with another one can not be found again', () => {
	expect([{ id: 'a' }, { id: 0 }].map(idOf)).toEqual(['a', '0']);
	const others = [{}, { id: '' }, { id: null }, { id: { key: 1 } }, 'a', null];
	expect(others.map(idOf)).toEqual(others.map(() => undefined));
	expect(others.some(isIdentified)).toBe(false);
	expect([{ id: 'a' }, { id: 0 }].every(isIdentified)).toBe(true);
});

test('a record has a date of creation, which counts for a clock only with its time zone', () => {
	const created_at = '2026-11-21T12:00:00';
	const time = Date.UTC(2026, 10, 21, 12);
	expect([createdAt({ created_at }), createdAtByClock({ created_at })]).toEqual([time, undefined]);
	expect(createdAtByClock({ created_at: `${created_at}Z` })).toBe(time);
	for (const other of [{}, 7, null, created_at]) {
		expect([createdAt(other), createdAtByClock(other)]).toEqual([undefined, undefined]);
	}
});

test('a number that has lost its last digits is no ID', () => {
	expect(idOf({ id: 2 ** 53 + 2 })).toBeUndefined();
});

describe('a body denies success', () => {
	test.each([
		{ success: false },
		{ ok: false },
		{ id: 'loc_1', success: false },
		{ error: 'No' },
		{ errors: ['No'] },
		{ errors: { title: 'too long' } },
		{ error: { code: 7 } },
		{ status: 'error' },
		{ status: 'Failed' },
		{ data: { status: 'fail' } },
		{ data: { data: { ok: false } } },
	])('with %j', (body) => expect(deniesSuccess(body)).toBe(true));

	test.each([
		{},
		{ success: true, ok: true },
		{ success: 0, ok: null },
		{ error: null, errors: [] },
		{ error: '', errors: {} },
		{ error: { code: 0, message: '' } },
		{ status: 'active' },
		{ status: 'no error' },
		{ status: ['error'] },
		{ id: 'post_1', status: 'failed', error: 'No' },
		{ data: { id: 'post_1', status: 'failed' } },
		{ data: [{ success: false }] },
		'error',
		null,
	])('not with %j', (body) => expect(deniesSuccess(body)).toBe(false));
});

test('a value is too deep from 202 levels on, however wide it is', () => {
	const nested = (levels: number, wrap: (inner: unknown) => unknown) => {
		let value: unknown = 7;
		for (let level = 0; level < levels; level++) value = wrap(value);
		return value;
	};
	for (const wrap of [(a: unknown) => [a], (a: unknown) => ({ a, b: null, c: 'text' })]) {
		expect(isTooDeep(nested(201, wrap))).toBe(false);
		expect(isTooDeep(nested(202, wrap))).toBe(true);
	}
	expect([7, null, 'text', undefined].some(isTooDeep)).toBe(false);
	expect(isTooDeep(Array.from({ length: 5_000 }, () => [[]]))).toBe(false);
});
