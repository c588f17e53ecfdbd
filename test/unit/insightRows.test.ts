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
		'lists and objects inside an entry',
		{ days: [{ date: '2026-01-01', by: { phone: 1 }, hours: [1, 2] }] },
		[{ date: '2026-01-01', by_phone: 1, hours: '[1,2]' }],
	],
	[
		'null, false and 0 are values',
		{ days: [{ date: '2026-01-01', a: null, b: false, c: 0 }] },
		[{ date: '2026-01-01', a: null, b: false, c: 0 }],
	],
])('%s', (_, record, rows) => {
	expect(insightRows(record)).toEqual(rows);
});

/** Every scalar value in a response, at any depth. */
function scalars(value: unknown): string[] {
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(scalars)
		: [JSON.stringify(value) ?? 'undefined'];
}

test('whatever the shape, rows are flat and no value is dropped', () => {
	const shape = fc.letrec((tie) => ({
		value: fc.oneof(
			{ depthSize: 'small' },
			fc.integer(),
			fc.string(),
			fc.boolean(),
			fc.constant('2026-01-01'),
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(fc.constantFrom('a', 'b', 'a_b', 'date', '2026-01-01'), tie('value'), {
				maxKeys: 4,
			}),
		),
	})).value;
	const record = fc.dictionary(fc.constantFrom('a', 'b', 'a_b', 'list', 'date'), shape, {
		maxKeys: 4,
	});
	fc.assert(
		fc.property(record, (response) => {
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
