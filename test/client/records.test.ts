import {
	createdAt,
	idOf,
	instantOf,
	isEnvelope,
	isIdentified,
	isTooDeep,
	timeOf,
} from '../../nodes/LocalSeo/client/http/records';

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

const NOON = Date.UTC(2026, 10, 21, 12);

test.each([
	['2026-11-21T12:00:00Z', NOON, NOON],
	['2026-11-21T13:00:00+01:00', NOON, NOON],
	['2026-11-21T07:00-0500', NOON, NOON],
	['2026-11-21t12:00:00.1234z', NOON + 123, NOON + 123],
	['2026-11-21T07:00:00-05', NOON, NOON],
	['2026-11-21 12:00:00.123+00', NOON + 123, NOON + 123],
	['2026-11-21T12:00:00', NOON, undefined],
	['at 2026-11-21T12:00:00Z', undefined, undefined],
	['2026-11-21 12:00', NOON, undefined],
	['2026-11-21', NOON - 12 * 3_600_000, undefined],
	['Sale 12 10:00 GMT', expect.anything(), undefined],
	['soon', undefined, undefined],
	[NOON, undefined, undefined],
	[null, undefined, undefined],
])('the time %p counts for a clock only with its time zone', (created_at, time, instant) => {
	expect([timeOf(created_at), createdAt({ created_at })]).toEqual([time, time]);
	expect(instantOf(created_at)).toBe(instant);
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
