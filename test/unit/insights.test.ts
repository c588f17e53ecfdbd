import type { JsonObject } from '../../nodes/LocalSeo/client';
import {
	dailyRows,
	rawItems,
	readDates,
	settled,
	summaryRow,
	type Table,
} from '../../nodes/LocalSeo/insights';
import { InputError } from '../../nodes/LocalSeo/text/inputError';

const location = { id: 'loc_1', name: 'Corner Bakery' };

interface More {
	beside?: JsonObject;
	dates?: object;
	acceptsIncomplete?: boolean;
	isWhole?: boolean;
}

function tableOf(form: typeof dailyRows, data: unknown, more: More = {}): Table {
	const { beside = {}, dates, acceptsIncomplete = false, isWhole = false } = more;
	const reading = { dates: readDates({ read: dates }), acceptsIncomplete };
	return form({ location, data, beside, isWhole }, reading);
}

/** Rows without the location's ID and name, and hints; the words of an error. */
function seen(form: typeof dailyRows, data: unknown, more?: More) {
	try {
		const { rows, hints, noDays } = tableOf(form, data, more);
		if (noDays) return noDays.message;
		const own = (rows as JsonObject[]).map(({ location_id, location_name, ...row }) => {
			expect([location_id, location_name]).toEqual([location.id, location.name]);
			return row;
		});
		return { rows: own, hints };
	} catch (error) {
		if (error instanceof InputError) return error.message;
		throw error;
	}
}
const daily = (data: unknown, more?: More) => seen(dailyRows, data, more);
const summary = (data: unknown, more?: More) => seen(summaryRow, data, more);
const rows = (...rows: object[]) => ({ rows, hints: [] });

const [A, B] = ['2026-03-01', '2026-03-02'];
const DAYS = [A, B].map((date, at) => ({ date, views: at }));

test.each<[string, unknown, object[]]>([
	['a list', DAYS, DAYS],
	[
		'the first of several names that can be read',
		[{ week: '2026-W09', day: A }],
		[{ date: A, week: '2026-W09' }],
	],
	[
		'a list within objects',
		{ report: { of: [DAYS[0]] } },
		[{ date: A, list: 'report.of', views: 0 }],
	],
	[
		'two lists',
		{ views: [{ date: A, value: 1 }], calls: [{ date: A, value: 2 }] },
		[
			{ date: A, list: 'views', value: 1 },
			{ date: A, list: 'calls', value: 2 },
		],
	],
	[
		'a list for each metric',
		[
			{ metric: 'views', days: [{ date: A, value: 1 }] },
			{ metric: 'calls', days: [{ date: A, value: 2 }] },
		],
		[
			{ date: A, list: 'days', metric: 'views', value: 1 },
			{ date: A, list: 'days', metric: 'calls', value: 2 },
		],
	],
	['names that are dates', { [A]: { views: 1 }, [B]: [] }, [{ date: A, views: 1 }]],
	[
		'names that are dates, of values',
		{ views: { [A]: 1, [B]: null } },
		[
			{ date: A, list: 'views', value: 1 },
			{ date: B, list: 'views', value: null },
		],
	],
	[
		'objects in an entry',
		[{ date: A, calls: { paid: 1, free: { value: 2 } }, none: [] }],
		[{ date: A, calls_paid: 1, calls_free_value: 2 }],
	],
	[
		'lists in a list',
		[[DAYS[0]], [DAYS[1]]],
		[
			{ list: '0', ...DAYS[0] },
			{ list: '1', ...DAYS[1] },
		].map(({ date, list, views }) => ({ date, list, views })),
	],
	[
		'the location itself, by another key, too',
		[
			{ date: A, location_id: 'loc_1', location_name: 'West', views: 1 },
			{ date: B, location_id: 17, views: 2 },
		],
		[
			{ date: A, views: 1 },
			{ date: B, views: 2 },
		],
	],
	[
		'objects on the way to a list',
		[{ id: 17, attributes: { name: 'views', unit: null, days: [{ date: A, value: 1 }] } }],
		[{ date: A, list: 'attributes.days', id: 17, name: 'views', unit: null, value: 1 }],
	],
	[
		'other members called date and list',
		[{ date: 'Mon', day: A, list: 'vip' }],
		[{ date: A, entry_date: 'Mon', entry_list: 'vip' }],
	],
])('an entry with a date is a row: %s', (_, data, expected) => {
	expect(daily(data)).toEqual(rows(...expected));
});

describe('no column is called after a value', () => {
	test('numbers and switches of an entry tell its lists apart', () => {
		const data = [339, 340].map((site_engine_id) => ({
			site_engine_id,
			live: true,
			days: [DAYS[0]],
		}));
		const labels = { date: A, list: 'days', live: true };
		expect(daily(data)).toEqual(
			rows(
				{ ...labels, site_engine_id: 339, views: 0 },
				{ ...labels, site_engine_id: 340, views: 0 },
			),
		);
	});

	test('lists that nothing tells apart are refused, but for other dates', () => {
		const data = [
			{ by: { id: 1 }, days: [DAYS[0]] },
			{ by: { id: 2 }, days: [DAYS[0]] },
		];
		expect(daily(data)).toBe(
			`Several lists "days" have the date ${A}, and nothing directly around them tells them apart`,
		);
		expect(daily([{ days: [DAYS[0]] }, { days: [DAYS[1]] }])).toMatchObject({ rows: DAYS });
	});

	test('what an entry says in a name that its days have, too, is called by its list', () => {
		const data = { shops: [{ name: 'A', date: 'May', days: [{ date: A, name: 'views' }] }] };
		expect(daily(data)).toEqual(
			rows({ date: A, list: 'shops.days', shops_name: 'A', shops_date: 'May', name: 'views' }),
		);
		const levels = [{ id: 1, metrics: [{ id: 2, days: [{ date: A }] }] }];
		expect(daily(levels)).toEqual(rows({ date: A, list: 'metrics.days', data_id: 1, id: 2 }));
	});
});

const TOTAL = { date: 'Total', views: 1 };
test.each<[string, unknown, string]>([
	[
		'an entry without a date',
		{ days: [...DAYS, TOTAL] },
		'The list "days" has an entry without a date that can be read: {"date":"Total","views":1}',
	],
	[
		'a null among days',
		[DAYS[0], null],
		'The list "data" has an entry without a date that can be read: null',
	],
	[
		'days in another form beside days',
		{ days: DAYS, old: [{ date: 'Mar 1' }] },
		'The list "old" has an entry without a date that can be read: {"date":"Mar 1"}',
	],
	[
		'columns of one name',
		[{ date: A, a_b: 1, a: { b: 2 } }],
		'Two columns of "data" would be called "a_b"',
	],
	[
		'two other locations',
		[
			{ date: A, location_id: 17 },
			{ date: B, location_id: 18 },
		],
		'These insights of loc_1 are of another location: location_id is "18"',
	],
	[
		'another location',
		[{ date: A, location_id: 'loc_2' }],
		'These insights of loc_1 are of another location: location_id is "loc_2"',
	],
	[
		'no list of days',
		{ views: 5, top: [{ a: 1 }], none: [] },
		'No dates were recognized in these insights. Their lists: "top" with {"a":1}; "none", which is empty',
	],
])('is refused: %s', (_, data, message) => {
	expect(daily(data)).toBe(message);
});

test('a list within an entry is JSON; days in it are no rows of their own', () => {
	const hints = ['Lists come as JSON in tags, by'];
	expect(daily([{ date: A, tags: [1], by: { [A]: 1 } }])).toEqual({
		rows: [{ date: A, tags: '[1]', by: `{"${A}":1}` }],
		hints,
	});
	expect(daily([{ date: A, posts: [{ date: A }] }])).toMatchObject({
		rows: [{ date: A, posts: `[{"date":"${A}"}]` }],
	});
});

test.each([null, [], {}, { views: null }, { views: [], calls: {} }])('%j is no data', (data) => {
	for (const form of [dailyRows, summaryRow]) {
		expect(tableOf(form, data)).toEqual({ rows: [], hints: [], isEmpty: true });
	}
});

test('a location without days is a hint beside one that has some, and an error alone', () => {
	const [shop, opened, empty] = [DAYS, { totals: { views: 0 } }, []].map((data) =>
		tableOf(dailyRows, data),
	);
	expect(settled([opened, empty])).toEqual([opened, empty]);
	expect(opened.noDays?.description).toMatch(/'Dates'.*'One Row per Location'.*Raw/);
	const hint = { rows: [], hints: ['No days were recognized'] };
	expect(settled([shop, opened, empty])).toEqual([shop, hint, empty]);
});

test.each<[string, unknown, object, string[]?]>([
	[
		'all that has no date, by its path',
		{ period: { from: A }, totals: { views: 0 }, verified: true, days: DAYS },
		{ period_from: A, totals_views: 0, verified: true },
	],
	[
		'what entries around days say',
		[{ name: 'views', total: 5, days: DAYS }],
		{ name: 'views', total: 5 },
	],
	[
		'entries without a date',
		{ of: [...DAYS, TOTAL] },
		{ of: '[{"date":"Total","views":1}]' },
		['Lists come as JSON in of'],
	],
	['a value', 5, { data: 5 }],
	['no totals', [{ days: DAYS, by: {} }], {}, ['There are only days, and no totals']],
])('One Row per Location: %s', (_, data, row, hints = []) => {
	expect(summary(data)).toEqual({ rows: [row], hints });
});

test.each<[unknown, unknown[]]>([
	[DAYS, DAYS],
	[{ days: DAYS }, [{ days: DAYS }]],
	[5, [5]],
	[{}, []],
	[null, []],
])('Raw: %j', (data, items) => {
	expect(tableOf(rawItems, data).rows).toEqual(items);
});

const NO_DATES = [
	...['2026-02-30', '2026-13', '2026-W54', '2026-03-01T25:00:00Z', '3/1/2026', '01.03.2026'],
	...[{ year: 2026, month: 3 }, { year: 2026, month: 3, day: 1, hour: 9 }, '2026', 20_260_301, [A]],
];
test.each<[unknown, string | null, string?]>([
	[A, A],
	['2026-03-01T00:00:00Z', A],
	['2026-03-01 00:00', A],
	['2026-03-01 00:00:00 UTC', A],
	// Midnights of another zone stay times.
	['2026-10-25T23:00:00Z', '2026-10-25T23:00:00Z'],
	['2026-03-01 09:30', '2026-03-01 09:30'],
	['2026-03', '2026-03'],
	['2026-W09', '2026-W09'],
	['2026-10', null, 'week'],
	[{ year: 2026, month: 3, day: 1 }, A],
	...NO_DATES.map((value): [unknown, null] => [value, null]),
])('%j is the date %j', (value, date, name = 'date') => {
	const table = daily([{ [name]: value, views: 1 }]);
	if (date === null) expect(table).toContain('No dates were recognized');
	else expect(table).toEqual(rows({ date, views: 1 }));
});

test.each<[string, string[], string[]?]>([
	[
		'days of two zones',
		['2026-03-29 00:00+01:00', '2026-03-30T00:00+02:00'],
		['2026-03-29', '2026-03-30'],
	],
	[
		'days written in two ways',
		['2026-03-29T00:00:00Z', '2026-03-29'],
		['2026-03-29', '2026-03-29'],
	],
	['hours', ['2026-03-01T23:00:00Z', '2026-03-02T00:00:00Z', '2026-03-02T01:00:00Z']],
])('midnight is the day, but in a list of hours: %s', (_, dates, read = dates) => {
	const { rows: all } = tableOf(
		dailyRows,
		dates.map((date) => ({ date })),
	);
	expect(all.map((row) => (row as JsonObject).date)).toEqual(read);
});

describe('the option Dates', () => {
	test.each<[unknown, string, string | null]>([
		[1_772_323_200, 'seconds', A],
		['1772323200000', 'milliseconds', A],
		[1_772_319_600, 'seconds', '2026-02-28T23:00:00Z'],
		[1_772_323_200, 'milliseconds', null],
		['3/1/2026', 'M/d/yyyy', A],
		['13/1/2026', 'M/d/yyyy', null],
		['01.03.2026 09:00', 'dd.MM.yyyy HH:mm', '2026-03-01T09:00:00'],
		['01.03.2026 09:00 +02:00', 'dd.MM.yyyy HH:mm ZZ', '2026-03-01T09:00:00+02:00'],
		['20260301', 'auto', A],
		[20_260_301, 'auto', A],
	])('%j as %s is %j', (at, format, date) => {
		const table = daily([{ at, views: 1 }], { dates: { field: 'at', format } });
		expect(table).toEqual(date ? rows({ date, views: 1 }) : expect.stringContaining('No dates'));
	});

	test('a field may be within an entry, whose other values stay', () => {
		const entry = { start: { date: A, hour: 9 }, keys: [B, 'x'], 'a.b': '2026-03-03' };
		const of = (field: string) => daily([entry], { dates: { field } });
		expect(of('start.date')).toMatchObject({
			rows: [{ date: A, start_hour: 9, 'a.b': '2026-03-03' }],
		});
		expect(of('keys.0')).toMatchObject({ rows: [{ date: B, keys_1: 'x', start_date: A }] });
		expect(of('a.b')).toMatchObject({ rows: [{ date: '2026-03-03' }] });
		expect(daily([[A, 5]], { dates: { field: '0' } })).toEqual(rows({ date: A, n_1: 5 }));
	});

	test('entries without the field are left out with a hint, and a day around days is a column', () => {
		expect(daily([...DAYS, TOTAL], { dates: { field: 'date' } })).toEqual({
			rows: DAYS,
			hints: ['Entries of "data" without a date were left out'],
		});
		const months = [{ month: '2026-03', days: [DAYS[0]] }];
		expect(daily(months, { dates: { field: 'date' } })).toEqual(
			rows({ date: A, list: 'days', month: '2026-03', views: 0 }),
		);
	});

	test('without a field, a format is that of names, too', () => {
		const dates = { format: 'M/d/yyyy' };
		expect(daily({ '3/1/2026': 5 }, { dates })).toEqual(rows({ date: A, value: 5 }));
	});

	test.each(['MMM d', 'MM/yyyy', 'HH:mm', 'yesterday'])('the format %j makes no day', (format) => {
		expect(() => readDates({ read: { format } })).toThrow(/has no year, month and day/);
	});
});

describe('one page of several is refused', () => {
	const SIGNS: object[] = [
		{ next_page_url: 'x' },
		{ nextPageToken: 'x' },
		{ has_more: true },
		{ has_next: 1 },
		{ links: { next: { href: '/x' } } },
		{ pageInfo: { hasNextPage: 'true' } },
		{ current_page: 1, last_page: 2 },
		{ page: '0', pages: 2 },
		{ current_page: '1', per_page: '3', total: '90' },
		{ per_page: 2 },
		{ page: 1, limit: 2, total: 3 },
		{ page: 1, pageCount: 3 },
	];
	const NONE: object[] = [
		{ total_pages: 48 },
		{ pages: 7, total: 90 },
		{ page: { views: 1 }, total_pages: 48 },
		{ next_page_url: null, next_cursor: '', has_more: false },
		{ links: { next: null } },
		{ page: 0, total_pages: 1 },
		{ current_page: 30, per_page: 3, total: 90 },
		{ per_page: 2, total: 2 },
		{ limit: 2 },
	];
	/** Where a response may say it: beside `data`, around the list of days, and in their objects. */
	const PLACES: Array<(said: object) => [data: object, beside: object]> = [
		(said) => [DAYS, { meta: said }],
		(said) => [DAYS, said],
		(said) => [{ days: DAYS, ...said }, {}],
		(said) => [{ days: DAYS, pagination: said }, {}],
		(said) => [[{ metric: 'views', days: DAYS, ...said }], {}],
	];
	const isRefused = (said: object) =>
		PLACES.map((place) => {
			const [data, beside] = place(said);
			return typeof daily(data, { beside: beside as JsonObject }) === 'string';
		});

	test.each(SIGNS)('%j', (said) => expect(isRefused(said)).toEqual(PLACES.map(() => true)));
	test.each(NONE)('but not %j', (said) => expect(isRefused(said)).toEqual(PLACES.map(() => false)));

	test('in each output, unless incomplete lists are accepted', () => {
		const data = { current_page: 1, last_page: 2, data: DAYS };
		for (const form of [dailyRows, summaryRow, rawItems]) {
			expect(() => tableOf(form, data)).toThrow('These insights are one page of several');
			const { hints } = tableOf(form, data, { acceptsIncomplete: true });
			expect(hints).toContain('These insights are one page of several');
		}
		expect(daily(DAYS, { beside: { meta: { has_more: true } }, isWhole: true })).toEqual(
			rows(...DAYS),
		);
	});
});

test('what stands beside data is named, but for pages and flags', () => {
	const meta = {
		first_incomplete_date: B,
		sampled: true,
		current_page: 1,
		lastPage: 1,
		path: '/x',
	};
	const beside = { totals: { views: 1 }, meta, links: { self: '/' }, success: true, none: [] };
	expect(daily(DAYS, { beside })).toEqual({
		rows: DAYS,
		hints: ["The response also has totals, meta.first_incomplete_date, meta.sampled beside 'data'"],
	});
});
