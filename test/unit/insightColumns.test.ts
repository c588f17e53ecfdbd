import type { JsonObject } from '../../nodes/LocalSeo/client';
import { dailyRows, summaryRows } from '../../nodes/LocalSeo/insights/rows';

const location = { id: 'loc_1', name: 'Bakery East' };
const tableOf = (table: typeof dailyRows, data: unknown) => {
	const { rows, notes } = table({ location, data });
	return {
		rows: rows.map(({ location_id, location_name, ...row }) => {
			expect([location_id, location_name]).toEqual(Object.values(location));
			return row;
		}),
		says: notes.map((say) => say('Bakery East', 1)),
	};
};
const daily = (data: unknown) => tableOf(dailyRows, data).rows;
const summary = (data: unknown) => tableOf(summaryRows, data);

const on = (day: number) => `2026-03-0${day}`;
const few = [1, 2, 3];
/** Three days of one list, and two of another. */
const totals = few.map((day) => ({ date: on(day), total: day }));
const others = [2, 4].map((day) => ({ date: on(day), total: 10 * day }));
const byDate = (list: typeof totals) =>
	Object.fromEntries(list.map(({ date, total }) => [date, { total }]));
const chart = (list: typeof totals) => ({
	labels: list.map(({ date }) => date),
	data: list.map(({ total }) => total),
});

describe('two lists never share a column, whatever they are called', () => {
	/** The rows of both, with the columns that each has. */
	const both = (one: string, other: string) => [
		{ date: on(1), [one]: 1 },
		{ date: on(2), [one]: 2, [other]: 20 },
		{ date: on(3), [one]: 3 },
		{ date: on(4), [other]: 40 },
	];

	test.each<[string, object, string, string]>([
		[
			'lists by day',
			{ views_per_day: totals, calls_per_day: others },
			...(['views_per_day_total', 'calls_per_day_total'] as const),
		],
		[
			'_stats',
			{ search_stats: totals, maps_stats: others },
			...(['search_stats_total', 'maps_stats_total'] as const),
		],
		[
			'_data, as objects by date',
			{ mobile_data: byDate(totals), desktop_data: byDate(others) },
			...(['mobile_data_total', 'desktop_data_total'] as const),
		],
		[
			'_counts',
			{ view_counts: totals, call_counts: others },
			...(['view_counts_total', 'call_counts_total'] as const),
		],
		[
			'_history',
			{ views_history: totals, calls_history: others },
			...(['views_history_total', 'calls_history_total'] as const),
		],
		[
			'camel case',
			{ viewsDaily: totals, callsDaily: others },
			...(['viewsDaily_total', 'callsDaily_total'] as const),
		],
		[
			'within objects',
			{ search_insights: { daily: totals }, maps_insights: { daily: others } },
			...(['search_insights_total', 'maps_insights_total'] as const),
		],
		[
			'charts',
			{ views_chart: chart(totals), calls_chart: chart(others) },
			...(['views_chart', 'calls_chart'] as const),
		],
		[
			'below a name of both, which says nothing',
			{ stats: { views_per_day: totals, calls_per_day: others } },
			...(['views_per_day_total', 'calls_per_day_total'] as const),
		],
		[
			'names of which none says anything',
			{ history: totals, data: { points: others } },
			...(['history_total', 'data_points_total'] as const),
		],
	])('%s', (_, response, one, other) => {
		expect(daily(response)).toEqual(both(one, other));
	});

	test('the columns are the same where one of the lists is empty, or has other names', () => {
		expect(daily({ views_per_day: totals, calls_per_day: [] })).toEqual(
			few.map((day) => ({ date: on(day), views_per_day_total: day })),
		);
		const calls_per_day = [{ date: on(1), count: 7 }];
		expect(daily({ views_per_day: totals, calls_per_day })[0]).toEqual({
			...{ date: on(1), views_per_day_total: 1, calls_per_day_count: 7 },
		});
	});

	test('a list that is called like its value says it once', () => {
		const views = few.map((day) => ({ date: on(day), views: day, clicks: 0 }));
		expect(daily({ views })[0]).toEqual({ date: on(1), views: 1, views_clicks: 0 });
	});

	test('a single list keeps its short names', () => {
		const rows = few.map((day) => ({ date: on(day), total: day }));
		expect(daily({ views_per_day: totals })).toEqual(rows);
		expect(daily({ stats: { days: totals, errors: [], alerts_history: [] } })).toEqual(rows);
		expect(daily({ daily_metrics: totals, hourly_data: [] })).toEqual(rows);
	});

	test('a text beside the days never takes the column of a value that only some days have', () => {
		const days = [{ date: on(1), note: 'Holiday' }, { date: on(2), n: 2 }, { date: on(3) }];
		expect(daily({ note: 'all', days })).toEqual([
			{ date: on(1), note: 'Holiday', insight_note: 'all' },
			{ date: on(2), n: 2, insight_note: 'all' },
			{ date: on(3), insight_note: 'all' },
		]);
	});
});

describe('metrics that are told by their type', () => {
	test('are columns, as a list within each day', () => {
		const days = [
			{ date: on(1), metrics: [{ type: 'views', value: 1 }] },
			{
				date: on(2),
				metrics: [
					{ type: 'views', value: 2 },
					{ type: 'calls', value: 3 },
				],
			},
		];
		expect(daily({ days })).toEqual([
			{ date: on(1), views: 1 },
			{ date: on(2), views: 2, calls: 3 },
		]);
	});

	test('are the same columns, whether or not two of them came on one day', () => {
		const views = few.map((day) => ({ date: on(day), type: 'views', value: day }));
		const rows = few.map((day): JsonObject => ({ date: on(day), views: day }));
		expect(daily(views)).toEqual(rows);
		expect(daily([...views, { date: on(3), type: 'calls', value: 9 }])).toEqual([
			...rows.slice(0, 2),
			{ ...rows[2], calls: 9 },
		]);
	});

	test('the type of a day is a text like any other, beside values with names', () => {
		const days = few.map((day) => ({ date: on(day), type: 'organic', views: day }));
		expect(daily({ days })).toEqual(days);
	});
});

describe('the order of days', () => {
	test('is that of their dates, where several lists have different ones', () => {
		const views = [1, 3].map((day) => ({ date: on(day), value: day }));
		const calls = [{ date: on(2), value: 2 }];
		expect(daily({ views, calls }).map(({ date }) => date)).toEqual(few.map(on));
	});

	test('is that of the service where it is one: the latest first', () => {
		const days = [...totals].reverse();
		expect(daily({ days })).toEqual(days);
	});
});

describe('one row per location', () => {
	const days = few.map((day) => ({ date: on(day), views: day }));
	const onlyDays =
		"The service returned only days and no totals for Bakery East. To get the days, set 'Output' to 'Daily Rows'.";

	test.each<[string, unknown, object]>([
		['days alone', days, {}],
		['days in a list', { days }, {}],
		['values by date', { views: Object.fromEntries(few.map((day) => [on(day), day])) }, {}],
		['days beside texts', { currency: 'EUR', days, errors: [] }, { currency: 'EUR' }],
	])('of days without totals says what to choose: %s', (_, data, row) => {
		expect(summary(data)).toEqual({ rows: [row], says: [onlyDays] });
	});

	test.each<[string, unknown]>([
		['totals beside the days', { totals: { views: 6 }, days }],
		['a total as text', { total: '1,204', days }],
		['a list beside the days', { top: [{ keyword: 'bread', n: 5 }], days }],
		['nothing', {}],
		['no days', { days: [] }],
	])('says nothing of it where there is %s', (_, data) => {
		expect(summary(data).says).toEqual([]);
	});

	const metrics = [
		{ name: 'views', value: 5 },
		{ name: 'calls', value: null },
	];
	test.each<[string, unknown, object]>([
		['a list of metrics', { metrics }, { views: 5, calls: null }],
		['the same alone', metrics, { views: 5, calls: null }],
		['the same in totals', { totals: metrics }, { views: 5, calls: null }],
		[
			'beside a value of that name',
			{ views: 7, metrics },
			{ views: 7, metrics_views: 5, calls: null },
		],
		['by their type', { data: { metrics: [{ type: 'views', value: 5 }] } }, { views: 5 }],
		[
			'with more than a name and a value: a cell as it is',
			{ metrics: metrics.map((one) => ({ ...one, change: 1 })) },
			{ metrics: JSON.stringify(metrics.map((one) => ({ ...one, change: 1 }))) },
		],
		[
			'of keywords, by their list: a cell as it is',
			{ top_keywords: [{ name: 'bread', value: 5 }] },
			{ top_keywords: '[{"name":"bread","value":5}]' },
		],
		[
			'of titles with their views: a cell as it is',
			{ top: few.map((n) => ({ title: `Post ${n}`, views: n })) },
			{ top: JSON.stringify(few.map((n) => ({ title: `Post ${n}`, views: n }))) },
		],
	])('has a column for each metric: %s', (_, data, row) => {
		expect(summary(data)).toEqual({ rows: [row], says: [] });
	});
});
