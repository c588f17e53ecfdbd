import fc from 'fast-check';
import { DateTime, Duration } from 'luxon';
import { runInNewContext } from 'node:vm';

import { plainValue, withDatesAsText } from '../../nodes/LocalSeo/rows/plainValue';

const ISO = '2026-12-31T18:00:00.000Z';
const date = new Date(ISO);
const dateTime = DateTime.fromISO('2026-12-31T19:00:00+01:00', { setZone: true });
const circle: Record<string, unknown> = { a: 1 };
circle.inner = [circle];
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

test.each([
	['a Date', date, ISO],
	["n8n's DateTime", dateTime, '2026-12-31T19:00:00.000+01:00'],
	['a Date with globals of its own', runInNewContext(`new Date('${ISO}')`), ISO],
	[
		'dates in lists and objects',
		{ a: [date, { b: dateTime }] },
		{ a: [ISO, { b: dateTime.toISO() }] },
	],
	['a duration', Duration.fromObject({ hours: 2 }), 'PT2H'],
	['an address', new URL('https://example.com/a'), 'https://example.com/a'],
	['the same value twice', { a: circle.a, b: [date, date] }, { a: 1, b: [ISO, ISO] }],
])('%s is sent as JSON has it', (_, value, sent) => {
	expect(plainValue('field "a"', value)).toEqual(sent);
});

test('plain data stays as it is, names of the language included', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect(JSON.stringify(plainValue('field "a"', value))).toBe(JSON.stringify(value));
			expect(JSON.stringify(withDatesAsText(value))).toBe(JSON.stringify(value));
		}),
	);
	const odd = JSON.parse('{"__proto__":{"constructor":1},"toString":[null,0,false,""]}') as object;
	expect(JSON.stringify(plainValue('field "a"', odd))).toBe(JSON.stringify(odd));
});

test.each([
	['an invalid date', new Date(NaN)],
	['an invalid date', DateTime.fromISO('never')],
	['NaN', NaN],
	['Infinity', Infinity],
	['a BigInt', 1n],
	['a function', () => 1],
	['a symbol', Symbol('a')],
	['a Map', new Map([[1, 2]])],
	['a Set', new Set([1])],
	['a Map', runInNewContext('new Map()')],
	['binary data', Buffer.from('abc')],
	['binary data', new Float64Array(2)],
	['a circular reference', circle],
	['more than 100 levels', nested(5_000)],
])('%s is refused by the name of its field', (what, value) => {
	const refusal = (given: unknown) => {
		try {
			return plainValue('field "offer"', given);
		} catch (error) {
			return (error as Error).message;
		}
	};
	const isDeep = what === 'a circular reference' || what.startsWith('more');
	if (!isDeep) expect(refusal(value)).toBe(`The field "offer" is ${what}`);
	expect(refusal({ until: ['x', value] })).toContain(
		`The field "offer" contains ${what}, at until[1]`,
	);
});

test.each([
	['an invalid date of an expression', 'Invalid DateTime', 'is an invalid date'],
	[
		'what is below a long path',
		{ ['x'.repeat(59)]: [NaN] },
		`contains NaN, at ${'x'.repeat(59)}[…`,
	],
	['what is below one of 60', { ['x'.repeat(57)]: [NaN] }, `contains NaN, at ${'x'.repeat(57)}[0]`],
])('%s is refused in one line', (_, value, words) => {
	expect(() => plainValue('field "a"', value)).toThrow(
		expect.objectContaining({
			message: `The field "a" ${words}`,
			description:
				'Nothing was sent. Use text, a number, true or false, a date, or a list or an object of these.',
		}),
	);
});

test('a hundred levels are sent, and so is a field that is only called like a method', () => {
	expect(plainValue('field "a"', nested(100))).toEqual(nested(100));
	expect(() => plainValue('field "a"', nested(101))).toThrow('more than 100 levels');
	expect(plainValue('field "a"', { toJSON: 1 })).toEqual({ toJSON: 1 });
});

test('a row comes out with its dates as text, and with what can not be sent', () => {
	const row = { at: date, big: 1n, map: new Map(), circle, list: [dateTime] };
	expect(withDatesAsText(row)).toEqual({ ...row, at: ISO, list: [dateTime.toISO()] });
});
