import keyBy from 'lodash/keyBy';
import mapValues from 'lodash/mapValues';

import { readDays } from '../../nodes/LocalSeo/insights';
import { dailyRows, summaryRows } from '../../nodes/LocalSeo/insights/rows';
import { InputError } from '../../nodes/LocalSeo/text/inputError';
import { oddBodies, oddJson } from '../support/oddJson';
import { fc } from '../support/random';

const location = { id: 'loc_1', name: 'Corner Bakery' };

/** Rows without the location's ID and name. */
function table(rowsOf: typeof dailyRows, data: unknown, days: object = {}) {
	const { rows, notes } = rowsOf({ location, data }, readDays({ read: days }));
	const own = rows.map(({ location_id, location_name, ...more }) => {
		expect([location_id, location_name]).toEqual([location.id, location.name]);
		return more;
	});
	return { rows: own, hints: notes.map(({ say, of = '' }) => say(of, 1)) };
}
const daily = (data: unknown, days?: object) => table(dailyRows, data, days);
const summary = (data: unknown) => table(summaryRows, data);

// Two days, and what services say of them.
const [A, B] = ['2026-03-01', '2026-03-02'];
const both = <T extends object>(make: (at: number) => T) =>
	[A, B].map((date, at) => ({ date, ...make(at) }));
const DAYS = both((views) => ({ views }));
const METRICS = both((views) => ({ views, calls: 5 }));
const VIEWS = both((value) => ({ value }));
const CALLS = both(() => ({ value: 5 }));
const series = (...all: object[][]) =>
	all.map((values, at) => ({ name: ['views', 'calls'][at], values }));
const BY_DATE = { [A]: 0, [B]: 1 };
const PAID = { calls: { paid: 1, free: { value: 2 } }, none: [] };
const COSTS = { labels: [A, B], cost: ['1.50', null], colors: ['#fff', '#000'] };
const JSON_OF = ['A column holds a list as JSON: tags.'];

test.each<[string, unknown, rows?: object[], hints?: string[]]>([
	['a list of days', DAYS],
	['days in another order', [...DAYS].reverse()],
	['days within names that only hold others', { data: { days: DAYS } }],
	['a date one level down', DAYS.map(({ date, views }) => ({ at: { date }, views }))],
	['members that are called by dates', { [A]: { views: 0 }, [B]: { views: 1 } }],
	['values that are called by dates', { views: BY_DATE }],
	['a single series', [{ name: 'views', unit: 'count', values: VIEWS }]],
	['series of values by date', [{ metric: 'views', ...BY_DATE }]],
	['a series without days', series(VIEWS, [])],
	['lists side by side', { labels: [A, B], views: [0, 1], calls: [5, 5] }, METRICS],
	['a list for each metric', { views: VIEWS, calls: CALLS }, METRICS],
	['series', series(VIEWS, CALLS), METRICS],
	['days within other names', { report: { of: DAYS } }, both((at) => ({ report_of_views: at }))],
	['objects in an entry', both(() => PAID), both(() => ({ calls_paid: 1, calls_free: 2 }))],
	// No other texts count as numbers.
	['numbers as text, and a missing one', COSTS, both((at) => ({ cost: ['1.50', null][at] }))],
	['a list in an entry, as JSON', [{ day: A, tags: [1] }], [{ date: A, tags: '[1]' }], JSON_OF],
	// They would be a column each.
	['days in an entry', [{ day: A, tags: { [B]: 1 } }], [{ date: A, tags: `{"${B}":1}` }], JSON_OF],
	[
		'a date that comes several times, also where another list has it once',
		{ devices: [1, 2].map((views) => ({ date: A, views })), calls: [{ date: A, value: 3 }] },
		[1, 2].map((views) => ({ date: A, devices_views: views, ...(views === 1 && { calls: 3 }) })),
		['Some dates have several rows, told apart by other columns: Corner Bakery.'],
	],
	['the location itself, once', [{ date: A, location_name: 'Corner Bakery' }], [{ date: A }]],
])('names become columns, entries become rows: %s', (_, data, rows = DAYS, hints = []) => {
	expect(daily(data)).toEqual({ rows, hints });
});

test('where two columns would be called the same, or like one of ours, both keep their whole path', () => {
	const one = [{ date: A, views: 1, location_name: 'East' }];
	const { rows } = daily({ days: one, daily: one });
	expect(rows.map((row) => Object.keys(row).sort().join(' '))).toEqual([
		'data_daily_location_name data_daily_views data_days_location_name data_days_views date',
	]);
	expect(Object.keys(daily({ a: { b_c: one }, a_b: { c: one } }).rows[0])).toHaveLength(5);
});

test.each<[string, (names: string[]) => unknown]>([
	['entries', (names) => names.map((device) => ({ date: A, device, views: 1 }))],
	['series', (names) => names.map((device) => ({ device, views: BY_DATE }))],
	['lists', (names) => mapValues(keyBy(names), () => VIEWS)],
	['days', (names) => names.map((_, at) => ({ ...DAYS[at] }))],
	['lists side by side', (names) => ({ labels: [A], ...mapValues(keyBy(names), () => [5]) })],
])('one more of %s adds rows or columns, and renames none', (_, make) => {
	const [few, many] = [['mobile'], ['mobile', 'desktop']].map((names) => daily(make(names)).rows);
	expect(JSON.stringify(many).length).toBeGreaterThan(JSON.stringify(few).length);
	for (const row of few) expect(many).toContainEqual(expect.objectContaining(row));
});

const NO_DAYS = [
	...['2026-02-30', '2026-13', '2026-W54', '2026-03-01T25:00:00Z', '3/1/2026', '01.03.2026'],
	...[{ year: 2026, month: 3 }, '2026', 1_772_323_200, [A], null],
];
test.each<[unknown, string | null, string?]>([
	[A, A],
	['2026-03-01T00:00:00Z', A],
	['2026-03-01 00:00', A],
	['2026-03-01T00:00:00.000+01:00', A],
	['2026-03-01 00:00:00 UTC', A],
	// Midnights of another zone stay times.
	['2026-10-25T23:00:00Z', '2026-10-25T23:00:00Z'],
	['2026-03-01 09:30', '2026-03-01 09:30'],
	['2026-03', '2026-03'],
	['2026-W09', '2026-W09'],
	[20_260_301, A],
	['20260301', A, 'day'],
	[{ year: 2026, month: 3, day: 1 }, A],
	[{ year: 2026, month: 3, day: 0 }, null],
	['20260301', null, 'week'],
	...NO_DAYS.map((value): [unknown, null] => [value, null]),
])('a date is a day only where it is written as one: %j is %j', (value, date, name = 'date') => {
	const { rows } = daily({ days: [{ [name]: value, views: 1 }] });
	expect(rows[0].date).toBe(date);
	if (date !== null) expect(rows).toEqual([{ date, views: 1 }]);
});

const LIST = `["${A}"]`;
test.each<[string, unknown, object]>([
	['texts and switches', { rating: 'good', verified: true }, { rating: 'good', verified: true }],
	['a list of one entry without a date', [{ views: 3 }], { views: 3 }],
	['a list of several', [{ a: 1 }, { a: 2 }], { data: '[{"a":1},{"a":2}]' }],
	['a value', 5, { data: 5 }],
	['a date of another name', { days: [{ when: A }, 1] }, { days: `[{"when":"${A}"},1]` }],
	['an entry without a date', [{ date: A }, { date: 1 }], { data: `[{"date":"${A}"},{"date":1}]` }],
	// The numbers may belong to either.
	['two lists of dates', { dates: [A], to: [A], n: [1] }, { dates: LIST, to: LIST, n: '[1]' }],
	['a date that is no list of days', { date: A, views: 1 }, { data_date: A, views: 1 }],
])('what is not certain is asked, in one row that holds everything: %s', (_, data, row) => {
	expect(daily(data)).toEqual({
		rows: [{ date: null, ...row }],
		hints: [expect.stringMatching(/^No dates were recognized for Corner Bakery\. .*'Days' where/)],
	});
});

test('series that can not be told apart are refused', () => {
	const data = [1, 2].map(() => ({ type: 'line', data: [{ date: A, value: 1 }] }));
	expect(() => daily(data)).toThrow(
		'2 series that can\'t be told apart: several are called "line"',
	);
	expect(() => summary(data)).toThrow(InputError);
	expect(() => daily(data.map((one) => ({ data: one.data })))).toThrow('apart: they have no name');
});

test.each([
	...[null, [], {}, { days: [] }, { views: [], totals: { views: 5 } }],
	...[[{ name: 'views', values: [] }], { labels: [], datasets: [{ label: 'Calls', data: [] }] }],
])('no data is no row: %j', (data) => {
	expect(daily(data)).toEqual({ rows: [], hints: [] });
});

const ONLY_DAYS = expect.stringContaining('returned only days and no totals for Corner Bakery');
test.each<[string, unknown, object[], unknown[]?]>([
	[
		'totals, texts, switches and zeros, and no days',
		{ period: { from: A }, totals: { views: 0, calls: 12 }, verified: true, daily: DAYS },
		[{ period_from: A, views: 0, calls: 12, verified: true }],
	],
	[
		'of a series, its own',
		[{ name: 'views', total: 5, days: { [A]: 5 } }],
		[{ views_name: 'views', views_total: 5 }],
	],
	['without the location itself', { location_id: 'loc_1', total: 1 }, [{ total: 1 }]],
	['with a hint if there are only days', DAYS, [{}], [ONLY_DAYS]],
	['no row without data', { days: [], period: { from: A } }, []],
	['totals beside empty lists', { days: [], totals: { views: 0 } }, [{ views: 0 }]],
])('one row per location has what has no date: %s', (_, data, rows, hints = []) => {
	expect(summary(data)).toEqual({ rows, hints });
});

describe('the option Days says where the days are', () => {
	test.each<[unknown, string, string]>([
		[1_772_323_200, 'seconds', A],
		['1772323200', 'seconds', A],
		[1_772_323_200_000, 'milliseconds', A],
		[1_772_319_600, 'seconds', '2026-02-28T23:00:00Z'],
		['3/1/2026', 'M/d/yyyy', A],
		['01.03.2026 00:00', 'dd.MM.yyyy HH:mm', A],
		['01.03.2026 09:00', 'dd.MM.yyyy HH:mm', '2026-03-01T09:00:00'],
		['01.03.2026 09:00 +02:00', 'dd.MM.yyyy HH:mm ZZ', '2026-03-01T09:00:00+02:00'],
		['20260301', 'auto', A],
	])('%j as %s is %s', (at, format, date) => {
		const days = { list: 'days', date: 'at', format };
		expect(daily({ days: [{ at, views: 1 }] }, days).rows).toEqual([{ date, views: 1 }]);
	});

	test.each<[unknown, string]>([
		[1_772_323_200_000, 'seconds'],
		[12, 'milliseconds'],
		['13/1/2026', 'M/d/yyyy'],
	])('%j is no date as %s: asked', (at, format) => {
		const { rows, hints } = daily([{ at }], { date: 'at', format });
		expect(rows[0].date).toBeNull();
		expect(hints).toEqual([expect.stringMatching(/, the date and the format in .*'Days'/)]);
	});

	test.each(['MMM d', 'MM/yyyy', 'HH:mm', 'yesterday'])('the format %j makes no day', (format) => {
		expect(() => readDays({ read: { format } })).toThrow(/has no year, month and day/);
	});

	const SET_TO_NOTHING = { read: { list: '', date: '', format: 'auto' } };
	test.each([undefined, null, {}, SET_TO_NOTHING])('as %j, it changes nothing', (option) => {
		const { rows } = dailyRows({ location, data: DAYS }, readDays(option));
		expect(rows).toEqual(dailyRows({ location, data: DAYS }).rows);
	});

	test('the date may be a place in a list, of which the rest is kept; the list may be within series', () => {
		const rows = [{ keys: [A, 'mobile'], clicks: 1 }];
		const kept = [{ date: A, keys: '["mobile"]', clicks: 1 }];
		expect(daily({ rows }, { date: 'keys.0' }).rows).toEqual(kept);
		const days = [{ date: A, value: 1 }];
		const report = [{ name: 'views', days, before: days }];
		const read = daily({ report }, { list: 'report.days' }).rows;
		expect(read).toEqual([{ date: A, report_views: 1 }]);
	});
});

test('whatever a service sends, rows or a clear message come of it', () => {
	const ordinary = { totals: { views: 3 }, days: [{ date: A, views: 3, calls: null }] };
	const property = fc.property(fc.oneof(oddBodies(ordinary), oddJson), (data) => {
		for (const rowsOf of [dailyRows, summaryRows]) {
			try {
				const { rows } = rowsOf({ location, data });
				expect(rows.every((row) => row.location_id === 'loc_1')).toBe(true);
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
			}
		}
	});
	fc.assert(property);
});
