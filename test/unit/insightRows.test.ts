import fc from 'fast-check';

import { insightRows } from '../../nodes/LocalSeo/resources/insightRows';
import { SEED } from '../support/property';

test.each([
	[
		'one list of dated records: a row an entry, what is around it repeated',
		{
			id: 'a',
			days: [
				{ date: '2026-01-01', views: 1 },
				{ date: '2026-01-02', views: 2 },
			],
		},
		[
			{ id: 'a', date: '2026-01-01', views: 1 },
			{ id: 'a', date: '2026-01-02', views: 2 },
		],
	],
	[
		'a list further inside',
		{ id: 'a', metrics: { unit: 'clicks', daily: [{ day: '2026-01-01T00:00:00Z', n: 1 }] } },
		[{ id: 'a', metrics_unit: 'clicks', day: '2026-01-01T00:00:00Z', n: 1 }],
	],
	['months count as dates', { months: [{ month: '2026-01', n: 1 }] }, [{ month: '2026-01', n: 1 }]],
	[
		'an object keyed by dates',
		{ id: 'a', views: { '2026-01-01': 5, '2026-01-02': { total: 6, unique: 3 } } },
		[
			{ id: 'a', date: '2026-01-01', value: 5 },
			{ id: 'a', date: '2026-01-02', total: 6, unique: 3 },
		],
	],
	[
		'nothing but days',
		{ '2026-01-01': { views: 5 }, '2026-01-02': { views: 6 } },
		[
			{ date: '2026-01-01', views: 5 },
			{ date: '2026-01-02', views: 6 },
		],
	],
	[
		'an entry without its date among others that have one',
		{
			days: [
				{ date: '2026-01-01', n: 1 },
				{ date: '2026-01-02', n: 2 },
				{ date: null, n: 3 },
			],
		},
		[
			{ date: '2026-01-01', n: 1 },
			{ date: '2026-01-02', n: 2 },
			{ date: null, n: 3 },
		],
	],
	[
		'several lists: one after the other, named',
		{ id: 'a', views: [{ date: '2026-01-01', n: 1 }], calls: [{ date: '2026-01-01', n: 2 }] },
		[
			{ id: 'a', list: 'views', date: '2026-01-01', n: 1 },
			{ id: 'a', list: 'calls', date: '2026-01-01', n: 2 },
		],
	],
	[
		'several lists beside a value of that name: neither is lost',
		{ list: 'a', views: [{ date: '2026-01-01' }], calls: [{ date: '2026-01-01' }] },
		[
			{ list: 'a', insight_list: 'views', date: '2026-01-01' },
			{ list: 'a', insight_list: 'calls', date: '2026-01-01' },
		],
	],
	['no list: one row', { id: 'a', views: 1 }, [{ id: 'a', views: 1 }]],
	['nothing: one empty row', {}, [{}]],
	[
		'nested objects become columns',
		{ period: { from: { date: '2026-01-01' } }, views: 1 },
		[{ period_from_date: '2026-01-01', views: 1 }],
	],
	[
		'other lists become JSON text, empty ones nothing',
		{ queries: [{ text: 'bakery' }], tags: ['a', 1], none: [] },
		[{ queries: '[{"text":"bakery"}]', tags: '["a",1]' }],
	],
	['an empty list of days: one row of what is around it', { id: 'a', days: [] }, [{ id: 'a' }]],
	[
		'a column of both: the entry keeps the name',
		{ date: 'today', days: [{ date: '2026-01-01' }] },
		[{ insight_date: 'today', date: '2026-01-01' }],
	],
	[
		'a column of both inside: neither is lost',
		{ a: { b: 1 }, a_b: 2 },
		[{ a_b: 1, insight_a_b: 2 }],
	],
	[
		'three values for one column',
		{ a: { b: { c: 1 }, b_c: 2 }, a_b_c: 3 },
		[{ a_b_c: 1, insight_a_b_c: 2, insight_a_b_c_2: 3 }],
	],
	[
		'a number that is a name already',
		{ insight_a_b_2: 0, a: { b: 1 }, insight_a_b: 2, a_b: 3 },
		[{ insight_a_b_2: 0, a_b: 1, insight_a_b: 2, insight_a_b_3: 3 }],
	],
	[
		'an object keyed by dates whose entries have another date',
		{ views: { '2026-01-01': { date: '2026-01-01', n: 1 }, '2026-01-02': { date: 'x', n: 2 } } },
		[
			{ date: '2026-01-01', n: 1 },
			{ date: 'x', insight_date: '2026-01-02', n: 2 },
		],
	],
	[
		'names of the language',
		JSON.parse('{"constructor":1,"toString":{"valueOf":2},"__proto__":3}') as object,
		[{ constructor: 1, toString_valueOf: 2, insight___proto__: 3 }],
	],
	[
		'lists of different lengths and mixed types',
		{ dates: ['2026-01-01', '2026-01-02'], views: [1, 'NaN', null], deep: [[1], [[2]]] },
		[{ dates: '["2026-01-01","2026-01-02"]', views: '[1,"NaN",null]', deep: '[[1],[[2]]]' }],
	],
	[
		'a list with something other than records is no list of dates',
		{ days: [{ date: '2026-01-01' }, null, 7] },
		[{ days: '[{"date":"2026-01-01"},null,7]' }],
	],
	[
		'texts that look like something else stay texts',
		{ a: 'NaN', b: 'Infinity', c: '', d: 'null', e: '007' },
		[{ a: 'NaN', b: 'Infinity', c: '', d: 'null', e: '007' }],
	],
	[
		'lists and objects inside an entry',
		{ days: [{ date: '2026-01-01', by: { phone: 1 }, hours: [1, 2] }] },
		[{ date: '2026-01-01', by_phone: 1, hours: '[1,2]' }],
	],
	[
		'null, false and 0 are values',
		{ days: [{ date: '2026-01-01', a: null, b: false, c: 0 }] },
		[{ date: '2026-01-01', a: null, b: false, c: 0 }],
	],
] as Array<[string, object, object[]]>)('%s', (_, record, rows) => {
	expect(insightRows(record as never)).toEqual(rows);
});

/** Every way to nest the name `x_x_…_x`: 2^(parts - 1) values, all for the same column. */
function nestedNames(parts: number): Record<string, unknown> {
	const inner = Array.from({ length: parts }, () => ({}) as Record<string, unknown>);
	for (const [left, record] of inner.entries()) {
		for (let taken = 1; taken <= left + 1; taken++) {
			record[Array(taken).fill('x').join('_')] = taken === left + 1 ? left : inner[left - taken];
		}
	}
	return inner[parts - 1];
}

// Where each name is looked for from the start, these take hours.
describe('large data takes time in proportion to its size', () => {
	test('131,072 values for one column', () => {
		const [row] = insightRows(nestedNames(18) as never);
		expect(Object.keys(row)).toHaveLength(2 ** 17);
	});

	test('100,000 values for one column, whose numbered names are there already', () => {
		const taken = Array.from({ length: 50_000 }, (_, index) => [`insight_x_x_${index}`, index]);
		const names = Array.from({ length: 16 }, () => 'x').join('_');
		const record = { ...Object.fromEntries(taken), ...nestedNames(16), [names]: 1 };
		const [row] = insightRows(record as never);
		expect(Object.keys(row).length).toBe(50_000 + 2 ** 15);
	});

	test('100,000 days, each with names that are taken around it', () => {
		const day = { x: 1, x_x: 2, insight_x: 3, date: '2026-01-01' };
		const days = Array.from({ length: 100_000 }, () => day);
		const rows = insightRows({ x: 4, date: 5, days } as never);
		expect(rows).toHaveLength(100_000);
		expect(rows[99_999]).toEqual({ ...day, insight_x_2: 4, insight_date: 5 });
	});

	test('many days and many values around them: those get a row of their own', () => {
		const days = Array.from({ length: 20_000 }, () => ({ date: '2026-01-01' }));
		const around = Object.fromEntries(
			Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 1]),
		);
		const rows = insightRows({ ...around, days } as never);
		expect(rows).toHaveLength(20_001);
		expect(rows[0]).toEqual(around);
	});

	test('a thousand levels: the inner ones become text', () => {
		let record: object = { end: 'here' };
		for (let level = 0; level < 1_000; level++) record = { a: record, b: [level] };
		const [row] = insightRows(record as never);
		expect(Object.keys(row).length).toBeLessThan(250);
		expect(JSON.stringify(row)).toContain('here');
	});
});

/** Every scalar value in a response, at any depth. */
function scalars(value: unknown): string[] {
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(scalars)
		: [JSON.stringify(value) ?? 'undefined'];
}

const NAMES = fc.constantFrom(
	...[
		'a',
		'b',
		'a_b',
		'insight_a',
		'insight_a_b',
		'insight_a_2',
		'list',
		'date',
		'location_id',
		'',
	],
	...['2026-01-01', '2026-01-02', 'constructor', 'toString', '__proto__', 'value'],
);

test('whatever the shape, rows are flat and no value is dropped', () => {
	const shape = fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small' },
			fc.integer(),
			fc.string(),
			fc.boolean(),
			fc.constant('2026-01-01'),
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(NAMES, tie('value'), { maxKeys: 4 }),
		),
	})).value;
	const record = fc.dictionary(NAMES, shape, { maxKeys: 6, noNullPrototype: true });
	fc.assert(
		fc.property(record, (drawn) => {
			let count = 0;
			// Each number becomes a value of its own, so that none can stand for another.
			const unique = (_: string, value: unknown) =>
				typeof value === 'number' ? `#${count++}#` : value;
			const response = JSON.parse(JSON.stringify(drawn, unique)) as object;
			const rows = insightRows(response as never);
			expect(rows.flatMap(Object.values).every((cell) => typeof cell !== 'object')).toBe(true);
			const cells = rows.flatMap(Object.values).flatMap((cell) => {
				const isJson = typeof cell === 'string' && cell.startsWith('[');
				return isJson ? [cell, JSON.stringify(cell)] : [JSON.stringify(cell)];
			});
			for (const value of scalars(response)) {
				expect(cells.some((text) => text.includes(value))).toBe(true);
			}
		}),
		{ numRuns: 2_000, seed: SEED },
	);
});
