import { byId } from '../../support/fixture';
import { type Fields, useBackend } from './backend';
import { saidIn } from './rows';

// The interface does not show the form of insights: in all that charts and tables use, they are daily rows.

const backend = useBackend();

const DATES = ['2026-11-01', '2026-11-02', '2026-11-03'];
const VIEWS = [120, 95, 143];
const CLICKS = [12, 7, 0];
const DAYS = DATES.map((date, at) => ({ date, views: VIEWS[at], clicks: CLICKS[at] }));
const pairs = (values: number[]) => DATES.map((date, at) => [date, values[at]]);
const points = (values: number[], x = 'date', y = 'value') =>
	DATES.map((date, at) => ({ [x]: date, [y]: values[at] }));

const FORMS: Record<string, unknown> = {
	'a list of days': DAYS,
	'days under a name': { days: DAYS },
	'days and totals': { totals: { views: 358, clicks: 19 }, daily: DAYS },
	'days by date': Object.fromEntries(DAYS.map(({ date, ...day }) => [date, day])),
	'a list for each metric': { views: points(VIEWS), clicks: points(CLICKS) },
	'values by date for each metric': {
		views: Object.fromEntries(pairs(VIEWS)) as Fields,
		clicks: Object.fromEntries(pairs(CLICKS)) as Fields,
	},
	'series of points': {
		series: [
			{ name: 'views', data: points(VIEWS) },
			{ name: 'clicks', data: points(CLICKS) },
		],
	},
	'series of pairs (Highcharts)': {
		series: [
			{ name: 'views', data: pairs(VIEWS) },
			{ name: 'clicks', data: pairs(CLICKS) },
		],
	},
	'a list of series': [
		{ metric: 'views', values: points(VIEWS) },
		{ metric: 'clicks', values: points(CLICKS) },
	],
	'labels with datasets (Chart.js)': {
		labels: DATES,
		datasets: [
			{ label: 'views', data: VIEWS },
			{ label: 'clicks', data: CLICKS },
		],
	},
	'categories with series (ApexCharts)': {
		categories: DATES,
		series: [
			{ name: 'views', data: VIEWS },
			{ name: 'clicks', data: CLICKS },
		],
	},
	'columns with rows': {
		columns: ['date', 'views', 'clicks'],
		rows: DAYS.map(({ date, views, clicks }) => [date, views, clicks]),
	},
	'columns with names, and rows': {
		columns: [{ name: 'date' }, { name: 'views' }, { name: 'clicks' }],
		rows: DAYS.map(({ date, views, clicks }) => [date, views, clicks]),
	},
	'arrays side by side': { dates: DATES, views: VIEWS, clicks: CLICKS },
	'arrays side by side, in metrics': { dates: DATES, metrics: { views: VIEWS, clicks: CLICKS } },
	'pairs for each metric': { views: pairs(VIEWS), clicks: pairs(CLICKS) },
};

describe.each(Object.keys(FORMS))('insights as %s', (name) => {
	test.each([
		['{ data }', (data: unknown) => ({ data })],
		['with a period around', (data: unknown) => ({ data: around(data) })],
	])('%s: daily rows', async (_, envelope) => {
		const service = backend({
			instead: ({ kind }) => (kind === 'insights' ? { body: envelope(FORMS[name]) } : undefined),
		});
		const id = service.location();
		const get = { resource: 'insight', operation: 'get', locationId: byId(id) };
		const { json, ...said } = await service.run(get);
		expect(saidIn(said)).toEqual([]);
		const lead = { location_id: id, location_name: 'Corner Bakery' };
		expect(json).toMatchObject(DAYS.map((day) => ({ ...lead, ...day })));
		expect(Object.keys(json[0]).slice(0, 3)).toEqual(['date', 'location_id', 'location_name']);
		// The insights, the name of the location, and what may be another page of a list.
		expect(service.requests.length).toBeLessThanOrEqual(3);
	});
});

/** Insights are often an object with more beside the days. */
function around(data: unknown): unknown {
	return Array.isArray(data)
		? { location: { name: 'Corner Bakery' }, currency: 'EUR', days: data }
		: { currency: 'EUR', ...(data as Fields) };
}

test.each([
	['{}', {}],
	['[]', []],
	['null', null],
])('no insights: %s', async (_, data) => {
	const service = backend({
		instead: ({ kind }) => (kind === 'insights' ? { body: { data } } : undefined),
	});
	const locationId = byId(service.location());
	const { error } = await service.run({ resource: 'insight', operation: 'get', locationId });
	expect(error).toBeUndefined();
});
