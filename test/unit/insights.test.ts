import { readDays } from '../../nodes/LocalSeo/insights';
import { dailyRows, summaryRows } from '../../nodes/LocalSeo/insights/rows';
import { InputError } from '../../nodes/LocalSeo/text/inputError';
import { counted, expectInProportion } from '../support/growth';
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

const DATES = ['2026-03-01', '2026-03-02'];
const both = <T extends object>(make: (date: string, at: number) => T) => DATES.map(make);

describe('names become columns, entries become rows', () => {
	const days = both((date, at) => ({ date, views: at }));
	const byMetric = both((date, at) => ({ date, views: at, calls: 5 }));

	test.each<[string, unknown, object[]]>([
		['a list of days', days, days],
		['days within names that only hold others', { data: { days } }, days],
		[
			'days within other names',
			{ report: { views: days } },
			both((date, at) => ({ date, report_views_views: at })),
		],
		['a date one level down', days.map(({ date, views }) => ({ at: { date }, views })), days],
		[
			'objects in an entry',
			both((date) => ({ date, calls: { paid: 1, free: { value: 2 } } })),
			[...both((date) => ({ date, calls_paid: 1, calls_free: 2 }))],
		],
		[
			'members that are called by dates',
			{ [DATES[0]]: { views: 0 }, [DATES[1]]: { views: 1 } },
			days,
		],
		['values that are called by dates', { views: { [DATES[0]]: 0, [DATES[1]]: 1 } }, days],
		[
			'a list of dates beside lists of numbers',
			{ labels: DATES, views: [0, 1], calls: [5, 5] },
			byMetric,
		],
		[
			'a missing number in such a list',
			{ labels: DATES, views: [null, 1] },
			both((date, at) => ({ date, views: [null, 1][at] })),
		],
		[
			'numbers as text in such a list, and no other texts',
			{ labels: DATES, cost: ['1.50', null], colors: ['#fff', '#000'] },
			both((date, at) => ({ date, cost: ['1.50', null][at] })),
		],
		[
			'a list for each metric',
			{
				views: both((date, at) => ({ date, value: at })),
				calls: both((date) => ({ date, value: 5 })),
			},
			byMetric,
		],
		[
			'series',
			['views', 'calls'].map((name) => ({
				name,
				values: both((date, at) => ({ date, value: name === 'views' ? at : 5 })),
			})),
			byMetric,
		],
		[
			'a single series',
			[{ name: 'views', unit: 'count', values: both((date, at) => ({ date, value: at })) }],
			days,
		],
		['series of values by date', [{ metric: 'views', [DATES[0]]: 0, [DATES[1]]: 1 }], days],
		[
			'a series without days beside one with them',
			[
				{ name: 'views', values: both((date, at) => ({ date, value: at })) },
				{ name: 'calls', values: [] },
			],
			days,
		],
	])('%s', (_, data, rows) => {
		expect(daily(data)).toEqual({ rows, hints: [] });
	});

	test('a date that comes several times stays several rows, also where another list has it once', () => {
		const devices = ['mobile', 'desktop'].map((device) => ({ date: DATES[0], device, views: 1 }));
		expect(daily({ devices, calls: [{ date: DATES[0], value: 3 }] })).toEqual({
			rows: [
				{ date: DATES[0], devices_device: 'mobile', devices_views: 1, calls: 3 },
				{ date: DATES[0], devices_device: 'desktop', devices_views: 1 },
			],
			hints: ['Some dates have several rows, told apart by other columns: Corner Bakery.'],
		});
	});

	test('a list within an entry is kept as JSON, and a hint names its column', () => {
		const data = both((date) => ({ date, tags: ['a', 'b'], none: [] }));
		expect(daily(data)).toEqual({
			rows: both((date) => ({ date, tags: '["a","b"]' })),
			hints: ['A column holds a list as JSON: tags.'],
		});
	});

	test('so are days within an entry, which would be a column each', () => {
		const months = [{ month: '2026-03', days: { [DATES[0]]: 1 } }];
		expect(daily(months)).toEqual({
			rows: [{ date: '2026-03', days: `{"${DATES[0]}":1}` }],
			hints: ['A column holds a list as JSON: days.'],
		});
	});

	test('where two columns would be called the same, or like one of ours, both keep their whole path', () => {
		const one = [{ date: DATES[0], views: 1, location_name: 'East' }];
		expect(daily({ days: one, daily: one }).rows).toEqual([
			{
				...{ date: DATES[0], data_days_views: 1, data_daily_views: 1 },
				...{ data_days_location_name: 'East', data_daily_location_name: 'East' },
			},
		]);
		expect(daily({ a: { b_c: one }, a_b: { c: one } }).rows).toHaveLength(1);
		expect(Object.keys(daily({ a: { b_c: one }, a_b: { c: one } }).rows[0])).toHaveLength(5);
	});

	test('the ID and the name of the location are there once', () => {
		const data = {
			location_id: 'loc_1',
			days: [{ date: DATES[0], location_name: 'Corner Bakery' }],
		};
		expect(daily(data).rows).toEqual([{ date: DATES[0] }]);
		expect(summary({ ...data, total: 1 }).rows).toEqual([{ total: 1 }]);
	});

	test('a column may have any name', () => {
		const days: unknown = JSON.parse('{"days":[{"date":"2026-03-01","__proto__":1,"toString":3}]}');
		expect(JSON.stringify(daily(days).rows)).toBe(
			'[{"date":"2026-03-01","__proto__":1,"toString":3}]',
		);
	});

	test('rows come in the order of their dates', () => {
		const dates = ['2026-03-02', '2026-03-01', '2026-02-28'];
		const { rows } = daily(dates.map((date) => ({ date })));
		expect(rows).toEqual([...dates].reverse().map((date) => ({ date })));
	});
});

describe('one more device, list, day or series adds rows or columns, and renames none', () => {
	const names = fc.uniqueArray(fc.constantFrom('views', 'calls', 'clicks', 'saves'), {
		minLength: 1,
	});
	const dates = fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { minLength: 1, maxLength: 5 });
	const devices = fc.uniqueArray(fc.constantFrom('mobile', 'desktop', 'tablet'), { minLength: 1 });
	const dayOf = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;

	interface Drawn {
		names: string[];
		dates: number[];
		devices: string[];
	}
	type Form = (drawn: Drawn) => unknown;
	const FORMS: Record<string, Form> = {
		'entries of devices': ({ names: metrics, dates: days, devices: kinds }) => ({
			rows: days.flatMap((day) =>
				kinds.map((device) => ({
					...{ date: dayOf(day), device },
					...Object.fromEntries(metrics.map((name) => [name, day])),
				})),
			),
		}),
		'a list for each metric': ({ names: metrics, dates: days }) =>
			Object.fromEntries(
				metrics.map((name) => [name, days.map((day) => ({ date: dayOf(day), value: day }))]),
			),
		'series of devices': ({ names: metrics, dates: days, devices: kinds }) =>
			kinds.map((device) => ({
				device,
				...Object.fromEntries(
					metrics.map((name) => [name, Object.fromEntries(days.map((day) => [dayOf(day), day]))]),
				),
			})),
		'lists side by side': ({ names: metrics, dates: days }) => ({
			labels: days.map(dayOf),
			...Object.fromEntries(metrics.map((name) => [name, days])),
		}),
	};

	test.each(Object.entries(FORMS))('%s', (_, form) => {
		const drawn = fc.record({ names, dates, devices });
		const larger = fc.tuple(drawn, drawn).map(([one, more]) => [
			one,
			{
				names: [...new Set([...one.names, ...more.names])],
				dates: [...new Set([...one.dates, ...more.dates])],
				devices: [...new Set([...one.devices, ...more.devices])],
			},
		]);
		const check = ([one, more]: Drawn[]) => {
			const [few, many] = [one, more].map((each) => daily(form(each)).rows);
			for (const row of few) expect(many).toContainEqual(expect.objectContaining(row));
		};
		fc.assert(fc.property(larger, check));
	});
});

describe('a date is a day only where it is written as one', () => {
	test.each<[unknown, string | undefined, string?]>([
		['2026-03-01', '2026-03-01'],
		['2026-03-01T00:00:00Z', '2026-03-01'],
		['2026-03-01 00:00', '2026-03-01'],
		['2026-03-01T00:00:00.000+01:00', '2026-03-01'],
		['2026-03-01 00:00:00 UTC', '2026-03-01'],
		['2026-10-25T23:00:00Z', '2026-10-25T23:00:00Z'],
		['2026-03-01 09:30', '2026-03-01 09:30'],
		['2026-03', '2026-03'],
		['2026-W09', '2026-W09'],
		[20_260_301, '2026-03-01'],
		['20260301', '2026-03-01', 'day'],
		[{ year: 2026, month: 3, day: 1 }, '2026-03-01'],
		[{ year: 2026, month: 3, day: 0 }, undefined],
		['20260301', undefined, 'week'],
		['2026-02-30', undefined],
		['2026-13', undefined],
		['2026-W54', undefined],
		['2026-03-01T25:00:00Z', undefined],
		['3/1/2026', undefined],
		['01.03.2026', undefined],
		['Mar 1, 2026', undefined],
		['2026', undefined],
		[1_772_323_200, undefined],
		[['2026-03-01'], undefined],
		[null, undefined],
	])('%j is %j', (value, date, name = 'date') => {
		const { rows } = daily({ days: [{ [name]: value, views: 1 }] });
		expect(rows[0].date).toBe(date ?? null);
		if (date !== undefined) expect(rows).toEqual([{ date, views: 1 }]);
	});

	test('midnights of another zone stay times, over a change of clocks too', () => {
		const times = ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'];
		expect(daily(times.map((date) => ({ date }))).rows).toEqual(times.map((date) => ({ date })));
	});
});

describe('what is not certain is asked, in one row that holds everything', () => {
	const QUESTION =
		"No dates were recognized for Corner Bakery. If these insights have a list of days, say in the option 'Days' where it is and which field is the date; else take 'Output': Raw and n8n's Edit Fields.";

	test.each<[string, unknown, object]>([
		['texts and switches', { rating: 'good', verified: true }, { rating: 'good', verified: true }],
		['totals that are all zero', { totals: { views: 0 } }, { views: 0 }],
		['a list of one entry without a date', [{ views: 3 }], { views: 3 }],
		['a list of several', [{ a: 1 }, { a: 2 }], { data: '[{"a":1},{"a":2}]' }],
		['a value', 5, { data: 5 }],
		[
			'a date of another name',
			{ days: [{ when: DATES[0], views: 1 }] },
			{ days: `[{"when":"${DATES[0]}","views":1}]` },
		],
		[
			'an entry without a date among others',
			[{ date: DATES[0] }, { date: 'Total' }],
			{ data: `[{"date":"${DATES[0]}"},{"date":"Total"}]` },
		],
		[
			'two lists of dates, which the numbers may belong to',
			{ dates: DATES, before: DATES, views: [1, 2] },
			{ dates: JSON.stringify(DATES), before: JSON.stringify(DATES), views: '[1,2]' },
		],
		[
			'a date that is no list of days',
			{ date: DATES[0], views: 1 },
			{ data_date: DATES[0], views: 1 },
		],
	])('%s', (_, data, row) => {
		expect(daily(data)).toEqual({ rows: [{ date: null, ...row }], hints: [QUESTION] });
	});

	test.each<[string, unknown, string]>([
		[
			'of one name',
			['a', 'b'].map(() => ({ type: 'line', data: [{ date: DATES[0], value: 1 }] })),
			`2 series that can't be told apart: several are called "line"`,
		],
		[
			'without names',
			[1, 2].map((id) => ({ id, data: [{ date: DATES[0], value: 1 }] })),
			`2 series that can't be told apart: they have no name`,
		],
	])('several series %s are refused', (_, data, message) => {
		expect(() => daily(data)).toThrow(message);
		expect(() => summary(data)).toThrow(InputError);
	});

	test.each([
		...[null, [], {}, { days: [] }, { views: [], totals: { views: 5 } }],
		...[[{ name: 'views', values: [] }], { labels: [], datasets: [{ label: 'Calls', data: [] }] }],
	])('no data is no row: %j', (data) => {
		expect(daily(data)).toEqual({ rows: [], hints: [] });
	});
});

describe('one row per location has what has no date', () => {
	test('totals, texts, switches and zeros, and no days', () => {
		const data = {
			period: { from: '2026-03-01' },
			totals: { views: 0, calls: 12 },
			verified: true,
			daily: [{ date: DATES[0], views: 140 }],
		};
		const row = { period_from: '2026-03-01', views: 0, calls: 12, verified: true };
		expect(summary(data)).toEqual({ rows: [row], hints: [] });
		// And the days have nothing else.
		expect(daily(data).rows).toEqual([{ date: DATES[0], views: 140 }]);
	});

	test('of a series, its own', () => {
		const series = { name: 'views', total: 5, days: { [DATES[0]]: 5 } };
		expect(summary([series]).rows).toEqual([{ views_name: 'views', views_total: 5 }]);
	});

	test('a hint says if there are only days', () => {
		expect(summary([{ date: DATES[0], views: 1 }])).toEqual({
			rows: [{}],
			hints: [
				"The service returned only days and no totals for Corner Bakery. To get the days, set 'Output' to 'Daily Rows'.",
			],
		});
	});

	test('no data is no row, and totals beside empty lists are one', () => {
		expect(summary({ days: [], period: { from: DATES[0] } }).rows).toEqual([]);
		expect(summary({ days: [], totals: { views: 0 } }).rows).toEqual([{ views: 0 }]);
	});
});

describe('the option Days says where the days are', () => {
	const at = (value: unknown, path: string, format: string) =>
		daily({ days: [{ at: value, views: 1 }] }, { list: 'days', date: path, format }).rows[0].date;

	test.each<[unknown, string, string]>([
		[1_772_323_200, 'seconds', '2026-03-01'],
		['1772323200', 'seconds', '2026-03-01'],
		[1_772_323_200_000, 'milliseconds', '2026-03-01'],
		[1_772_319_600, 'seconds', '2026-02-28T23:00:00Z'],
		['3/1/2026', 'M/d/yyyy', '2026-03-01'],
		['01.03.2026 00:00', 'dd.MM.yyyy HH:mm', '2026-03-01'],
		['01.03.2026 09:00', 'dd.MM.yyyy HH:mm', '2026-03-01T09:00:00'],
		['01.03.2026 09:00 +02:00', 'dd.MM.yyyy HH:mm ZZ', '2026-03-01T09:00:00+02:00'],
		['20260301', 'auto', '2026-03-01'],
	])('%j as %s is %s', (value, format, date) => {
		expect(at(value, 'at', format)).toBe(date);
	});

	test.each<[unknown, string]>([
		[1_772_323_200_000, 'seconds'],
		[12, 'milliseconds'],
		['13/1/2026', 'M/d/yyyy'],
	])('%j is no date as %s: asked', (value, format) => {
		expect(at(value, 'at', format)).toBeNull();
		const { hints } = daily([{ at: value }], { date: 'at', format });
		expect(hints).toEqual([
			"No dates were recognized for Corner Bakery, with the list, the date and the format in the option 'Days'. Compare them with 'Output': Raw.",
		]);
	});

	test.each(['MMM d', 'MM/yyyy', 'HH:mm', 'yesterday'])('the format %j makes no day', (format) => {
		expect(() => readDays({ read: { format } })).toThrow(/has no year, month and day/);
	});

	test.each([undefined, null, {}, { read: { list: '', date: '', format: 'auto' } }])(
		'left as it is (%j), it changes nothing',
		(option) => {
			const data = { days: [{ date: DATES[0], views: 1 }] };
			expect(dailyRows({ location, data }, readDays(option))).toEqual(
				dailyRows({ location, data }),
			);
		},
	);

	test('the date may be a place in a list, of which the rest is kept', () => {
		const rows = [{ keys: [DATES[0], 'mobile'], clicks: 1 }];
		expect(daily({ rows }, { date: 'keys.0' }).rows).toEqual([
			{ date: DATES[0], keys: '["mobile"]', clicks: 1 },
		]);
	});

	test('only the list that is named is read, and it may be within series', () => {
		const days = [{ date: DATES[0], value: 1 }];
		const data = { report: [{ name: 'views', days, before: days }] };
		expect(daily(data, { list: 'report.days' }).rows).toEqual([
			{ date: DATES[0], report_views: 1 },
		]);
	});
});

test('whatever a service sends, rows or a clear message come of it', () => {
	const ordinary = { totals: { views: 3 }, days: [{ date: '2026-01-05', views: 3, calls: null }] };
	const read = (data: unknown) => {
		for (const rowsOf of [dailyRows, summaryRows]) {
			try {
				const { rows } = rowsOf({ location, data });
				expect(rows.every((row) => row.location_id === 'loc_1')).toBe(true);
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
			}
		}
	};
	fc.assert(fc.property(oddBodies(ordinary), read));
	fc.assert(fc.property(oddJson, read));
});

describe('twice the insights are at most 2.5 times the work', () => {
	const many = <T>(count: number, make: (at: number) => T) =>
		Array.from({ length: count }, (_, at) => make(at));
	const dayAt = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
	const byDate = (count: number) => Object.fromEntries(many(count, (at) => [dayAt(at), at]));
	const shapes: Record<string, (count: number) => unknown> = {
		days: (count) => ({ days: many(count, (at) => ({ date: dayAt(at), views: at, calls: 1 })) }),
		'rows of one day': (count) => many(count, (at) => ({ date: dayAt(0), page: at })),
		'another key in each day': (count) => ({
			days: many(count, (at) => ({ date: dayAt(at), [`metric_${at}`]: at })),
		}),
		'another key in each entry without dates': (count) =>
			many(count, (at) => ({ [`m_${at}`]: at })),
		'many paths to one name of a column': (count) =>
			Object.fromEntries(many(count, (at) => [`m${at % 7}_${at}`, { data: { values: at } }])),
		'values by date': (count) => ({ views: byDate(count) }),
		series: (count) => many(count, (at) => ({ name: `page ${at}`, views: byDate(2) })),
		'lists side by side': (count) => ({ labels: many(count, dayAt), views: many(count, Number) }),
	};

	test.each(Object.keys(shapes))('%s', (name) => {
		for (const rowsOf of [dailyRows, summaryRows]) {
			expectInProportion((count) => {
				const response = counted(shapes[name](count));
				rowsOf({ location, data: response.value });
				return response.count;
			});
			// What comes out, too.
			expectInProportion((count) => {
				return JSON.stringify(rowsOf({ location, data: shapes[name](count) }).rows).length;
			});
		}
	});
});
