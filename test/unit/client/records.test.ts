import {
	deniesSuccess,
	idOf,
	isEnvelope,
	isIdentified,
	isTooDeep,
	recordIn,
} from '../../../nodes/LocalSeo/client/http/records';

test('an object with data is an envelope, whatever data is', () => {
	expect([null, [], {}, 0, ''].every((data) => isEnvelope({ data }))).toBe(true);
	expect([{}, [], 'data', null].map(isEnvelope)).toEqual([false, false, false, false]);
});

test('an ID is text or a number; a record with another one can not be found again', () => {
	expect([{ id: 'a' }, { id: 0 }].map(idOf)).toEqual(['a', '0']);
	const others = [{}, { id: '' }, { id: null }, { id: { key: 1 } }, 'a', null];
	expect(others.map(idOf)).toEqual(others.map(() => undefined));
	expect(others.some(isIdentified)).toBe(false);
	expect([{ id: 'a' }, { id: 0 }].every(isIdentified)).toBe(true);
});

test('a number that JavaScript can not keep is no ID: several records would share it', () => {
	expect(idOf({ id: 2 ** 53 + 1 })).toBeUndefined();
	const ids = ['9223372036854775231', '9223372036854775232'];
	const records = ids.map((id) => JSON.parse(`{"id":${id}}`) as object);
	expect(records.map(idOf)).toEqual([undefined, undefined]);
	expect(ids.map((id) => idOf({ id }))).toEqual(ids);
	expect(idOf({ id: 2 ** 53 - 1 })).toBe('9007199254740991');
	expect([1.5, -0.1, NaN, Infinity].map((id) => idOf({ id }))).toEqual(Array(4).fill(undefined));
});

describe('a success denies itself', () => {
	test.each([
		{ success: false },
		{ success: false, data: [] },
		{ success: false, data: null },
		{ success: false, data: {}, message: 'No' },
		{ error: 'No' },
		{ error: { message: 'No' }, data: null },
		{ errors: ['No'] },
		{ errors: { title: ['No'] }, data: [] },
	])('where it has no data and reports a failure: %j', (body) => {
		expect(deniesSuccess(body)).toBe(true);
	});

	test.each([
		{},
		{ data: null },
		{ message: 'Scheduled maintenance' },
		{ success: true, data: [] },
		{ error: null, errors: [], data: [] },
		{ error: '', errors: {}, data: [] },
		{ success: false, data: { id: 'post_1' } },
		{ errors: ['An image is too small'], data: [{ id: 'post_1' }] },
		{ data: { id: 'post_1', status: 'failed', errors: ['No'], error: 'No', code: 45012 } },
		'No',
		null,
		['No'],
	])('and in no other case: %j', (body) => {
		expect(deniesSuccess(body)).toBe(false);
	});
});

test('the record in data may be the only entry of a list; anything else shows none', () => {
	const shown = (data: unknown) => recordIn({ status: 201, headers: {}, body: { data } });
	const record = { id: 'post_1' };
	expect([record, [record]].map(shown)).toEqual([record, record]);
	const others = [null, {}, [], [{}], [record, record], 'post_1', 7];
	expect(others.map(shown)).toEqual(others.map(() => undefined));
	expect(recordIn({ status: 201, headers: {}, body: record })).toBeUndefined();
	expect(recordIn({ status: 204, headers: {}, body: '' })).toBeUndefined();
});

test('a value is too deep from 201 levels on, however wide it is', () => {
	const nested = (levels: number, wrap: (inner: unknown) => unknown) => {
		let value: unknown = 7;
		for (let level = 0; level < levels; level++) value = wrap(value);
		return value;
	};
	for (const wrap of [(a: unknown) => [a], (a: unknown) => ({ a, b: null, c: 'text' })]) {
		expect(isTooDeep(nested(200, wrap))).toBe(false);
		expect(isTooDeep(nested(201, wrap))).toBe(true);
	}
	expect([7, null, 'text', undefined].some((value) => isTooDeep(value))).toBe(false);
	expect(isTooDeep(Array.from({ length: 5_000 }, () => [[]]))).toBe(false);
});
