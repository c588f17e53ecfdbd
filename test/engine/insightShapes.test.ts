import type { IDataObject } from 'n8n-workflow';

import { byId, useSandbox } from '../support/fixture';

const service = useSandbox();
const { run } = service;

/** The rows of the first location, whose insights are these. */
async function rowsOf(data: unknown, output = 'rows') {
	service.sandbox.faults.add({
		when: { path: '/locations/*/insights' },
		transform: () => ({ data: data as IDataObject }),
	});
	const [{ id }] = service.sandbox.account.locations;
	return await run({ resource: 'insight', operation: 'get', locationId: byId(id), output });
}

const DAYS = [1, 2, 3].map((day) => ({ date: `2026-03-0${day}`, views: day }));
const dates = (json: IDataObject[]) => json.map(({ date }) => date);

test.each<[string, object]>([
	['the same in all', { updated_at: '2026-03-09T04:00:00Z' }],
	['a time of its own in each', {}],
])('the date of a day is not when its row was written: %s', async (_, more) => {
	const rows = DAYS.map(({ date, views }, index) => ({
		id: index,
		created_at: `2026-03-09T04:00:0${index}Z`,
		...more,
		metric_date: date,
		views,
	}));
	const { json } = await rowsOf({ rows });
	expect(dates(json)).toEqual(DAYS.map(({ date }) => date));
	expect(json[0]).toMatchObject({ created_at: '2026-03-09T04:00:00Z', views: 1 });
});

test('an object by date with a total among its dates gives a row a day; the total is a summary', async () => {
	const data = {
		...Object.fromEntries(DAYS.map(({ date, views }) => [date, { views }])),
		total: { views: 6 },
	};
	const { json, hints } = await rowsOf(data);
	expect(json.map(({ date, views }) => ({ date, views }))).toEqual(DAYS);
	expect(hints).toEqual([]);
	const summary = await rowsOf(data, 'summary');
	expect(summary.json).toEqual([expect.objectContaining({ total_views: 6 })]);
});

test('a hint says that location and date do not identify a row', async () => {
	const series = (metric: string) => ({ metric, series: DAYS.map(({ date }) => ({ date, n: 1 })) });
	const { json, hints } = await rowsOf([series('views'), series('calls')]);
	expect(json).toHaveLength(6);
	expect(hints).toEqual([
		expect.stringMatching(/^Several rows have the same location_id and date/),
	]);
});
