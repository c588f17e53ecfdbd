import fc from 'fast-check';

import type { JsonObject } from '../../nodes/LocalSeo/client';
import { dailyRows, summaryRows } from '../../nodes/LocalSeo/insights/rows';
import { SEED } from '../support/property';

const LOCATION = { id: 'loc_1', name: 'Bakery East' };
const leading = { location_id: 'loc_1', location_name: 'Bakery East' };
const daily = (data: unknown) => dailyRows({ location: LOCATION, data }).rows;
const summary = (data: unknown) => summaryRows({ location: LOCATION, data }).rows;

/** Rows without the columns that all have. */
const ownColumns = (rows: JsonObject[]) =>
	rows.map(({ location_id, location_name, ...row }) => {
		expect({ location_id, location_name }).toEqual(leading);
		return row;
	});

// What daily rows and summaries look like as items: test/node/insights.test.ts. All shapes: test/node/ordinary.

test.each([
	...['EUR', '2026-01-01', '10:30', '5 km', true, false].map((value) => [value, true]),
	...[7, 0, null, '', '7', '1,234.50', '€ 1.234', '12.5 %', '-3', '1e5'].map((value) => [
		value,
		false,
	]),
])('%j beside the days is in the summary; repeated in each row: %p', (beside, isRepeated) => {
	const response = { beside, days: [{ date: '2026-01-01', n: 1 }] };
	expect(daily(response)[0].beside).toBe(isRepeated ? beside : undefined);
	expect(summary(response)[0].beside).toBe(beside);
});

test('numbers of a column that is not called a time are no dates, whatever they look like', () => {
	const day = { customer_id: 1_234_567_860, store: 201_204 };
	const days = [1, 2, 3].map((on) => ({ date: `2026-01-0${on}`, ...day, followers: 201_100 + on }));
	expect(ownColumns(daily({ days }))).toEqual(days);
});

test('identifiers stay texts, and words that only end like one are numbers', () => {
	const day = { id: '17', placeId: '4', zip: '89073', bid: '1.50', paid: '2', maxBid: '3' };
	const rows = daily({ days: ['01', '02'].map((on) => ({ date: `2026-01-${on}`, ...day })) });
	const numbers = { bid: 1.5, paid: 2, maxBid: 3 };
	expect(ownColumns(rows)[0]).toEqual({ date: '2026-01-01', ...day, ...numbers });
});

const metrics = (views: number, calls: number) => [
	{ name: 'views', value: views },
	{ name: 'calls', value: calls },
];

test.each([
	[
		'a list of metrics within each day',
		{
			days: [
				{ date: '2026-01-01', metrics: metrics(5, 1) },
				{ date: '2026-01-02', metrics: metrics(6, 0) },
			],
		},
		[
			{ date: '2026-01-01', views: 5, calls: 1 },
			{ date: '2026-01-02', views: 6, calls: 0 },
		],
		{},
	],
	[
		'a list of metrics within each day, of which some have one or none',
		{
			days: [
				{ date: '2026-01-01', metrics: metrics(5, 1) },
				{ date: '2026-01-02', metrics: metrics(6, 0).slice(0, 1) },
				{ date: '2026-01-03', metrics: [] },
			],
		},
		[
			{ date: '2026-01-01', views: 5, calls: 1 },
			{ date: '2026-01-02', views: 6 },
			{ date: '2026-01-03' },
		],
		{},
	],
	[
		'a day with several times: the one that is a day counts',
		{ rows: [{ created_at: '2026-03-09T04:00:00Z', on: '2026-01-01', n: 1 }] },
		[{ date: '2026-01-01', created_at: '2026-03-09T04:00:00Z', n: 1 }],
		{},
	],
	[
		'days by date, with a total and a currency among them',
		{
			'2026-01-01': { views: 5 },
			'2026-01-02': { views: 6 },
			'2026-01-03': { views: 0 },
			total: { views: 11 },
			currency: 'EUR',
		},
		[
			{ date: '2026-01-01', views: 5, currency: 'EUR' },
			{ date: '2026-01-02', views: 6, currency: 'EUR' },
			{ date: '2026-01-03', views: 0, currency: 'EUR' },
		],
		{ views: 11, currency: 'EUR' },
	],
	[
		'a total at the end of the days: no day, so it is in the summary',
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
		],
		{ days_date: null, days_n: 3 },
	],
	[
		'several lists: one row per date, with the names of the lists',
		{
			id: 'a',
			web: [
				{ date: '2026-01-01', views: 1, clicks: 2 },
				{ date: '2026-01-02', views: 3, clicks: 4 },
			],
			calls: [
				{ date: '2026-01-02', value: 5 },
				{ date: '2026-01-03', value: 6 },
			],
			routes: { '2026-01-01': 7 },
		},
		[
			{ date: '2026-01-01', web_views: 1, web_clicks: 2, routes: 7, id: 'a' },
			{ date: '2026-01-02', web_views: 3, web_clicks: 4, calls: 5, id: 'a' },
			{ date: '2026-01-03', calls: 6, id: 'a' },
		],
		{ id: 'a' },
	],
	[
		'a date that comes several times in a list: columns begin with what tells its entries apart',
		{
			days: [{ date: '2026-01-01', n: 3 }],
			devices: [
				{ date: '2026-01-01', device: 'phone', n: 1 },
				{ date: '2026-01-01', device: 'desktop', n: 2 },
			],
		},
		[{ date: '2026-01-01', n: 3, devices_phone_n: 1, devices_desktop_n: 2 }],
		{},
	],
	[
		'no list: one row with everything, and no date',
		{ id: 'a', views: 1, total: '5' },
		[{ date: null, id: 'a', views: 1, total: '5' }],
		{ id: 'a', views: 1, total: '5' },
	],
	[
		'totals by the name of their metric, unless something else has that name',
		{
			views: 7,
			totals: { views: 5, calls: 2 },
			total: { calls: 3 },
			days: [{ date: '2026-01-01' }],
		},
		[{ date: '2026-01-01' }],
		{ views: 7, totals_views: 5, calls: 2, total_calls: 3 },
	],
	[
		'a column of both: the day keeps the name',
		{ n: 'many', date: 'today', days: [{ date: '2026-01-01', n: 1 }] },
		[{ date: '2026-01-01', n: 1, insight_n: 'many', insight_date: 'today' }],
		{ n: 'many', date: 'today' },
	],
	[
		'another location in the response: neither is lost',
		{
			location_id: 'loc_2',
			location_name: 7,
			days: [{ date: '2026-01-01', location_id: 'loc_3' }],
		},
		[{ date: '2026-01-01', insight_location_id: 'loc_3', insight_location_id_2: 'loc_2' }],
		{ insight_location_id: 'loc_2', insight_location_name: 7 },
	],
] as Array<[string, object, object[], object]>)('%s', (_, record, rows, rest) => {
	expect(ownColumns(daily(record))).toEqual(rows);
	expect(ownColumns(summary(record))).toEqual([rest]);
});

/** Every scalar value in a response, at any depth. */
function scalars(value: unknown): unknown[] {
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(scalars)
		: [value];
}

/** A value as it may be in a cell: a text that is a number may be one, and a missing one null. */
function textsOf(value: unknown): string[] {
	const own = JSON.stringify(value) ?? 'undefined';
	if (typeof value !== 'string' || Number.isNaN(Number(value))) return [own];
	return [own, value.trim() === '' ? '' : String(Number(value))];
}

const NAMES = fc.constantFrom(
	...['a', 'b', 'a_b', 'insight_a', 'insight_a_b', 'date', 'location_id', 'location_name', ''],
	...['2026-01-01', '2026-01-02', 'constructor', 'toString', 'value'],
);

test('whatever the shape, rows are flat, no number is in two of them, and the two tables together drop no value', () => {
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
			const days = daily(response);
			const rows = [...days, ...summary(response)];
			const isFlat = (cell: unknown) => typeof cell !== 'object' || cell === null;
			expect(rows.flatMap(Object.values).every(isFlat)).toBe(true);
			const numbers = days.flatMap(Object.values).filter((cell) => /^#\d+#$/.test(String(cell)));
			expect(new Set(numbers).size).toBe(numbers.length);
			const cells = rows.flatMap(Object.values).flatMap((cell) => {
				const isJson = typeof cell === 'string' && cell.startsWith('[');
				return isJson ? [cell, JSON.stringify(cell)] : [JSON.stringify(cell)];
			});
			// What tells entries of one day apart is in the names of columns.
			const names = rows.flatMap(Object.keys).join('\n');
			for (const value of scalars(response)) {
				const texts = textsOf(value);
				const isThere = cells.some((cell) => texts.some((text) => cell.includes(text)));
				expect(isThere || names.includes(String(value))).toBe(true);
			}
		}),
		{ numRuns: 2_000, seed: SEED },
	);
});

test('One Row per Location: a record with a date is one of totals', () => {
	const record = { date: '2026-11-25', views: 5 };
	const { rows, notes } = summaryRows({ location: LOCATION, data: record });
	expect([ownColumns(rows), notes]).toEqual([[record], []]);
});
