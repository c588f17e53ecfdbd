import {
	idOf,
	isEnvelope,
	isIdentified,
	isTooDeep,
} from '../../../nodes/LocalSeo/client/http/records';

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

test('a number that has lost its last digits is no ID', () => {
	expect(idOf({ id: 2 ** 53 + 2 })).toBeUndefined();
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
