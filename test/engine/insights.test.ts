import { byId, useSandbox } from '../support/fixture';

const service = useSandbox();
const { run } = service;

const insights = (output?: string) => ({
	resource: 'insight',
	operation: 'get',
	locationId: byId('={{ $json.id }}'),
	options: output ? { output } : {},
});
const twoLocations = () => service.sandbox.account.locations.slice(0, 2);

test('raw returns the response unchanged, one item per location', async () => {
	for (const output of [undefined, 'raw']) {
		const { json } = await run(insights(output), { rows: twoLocations() });
		expect(json).toEqual(twoLocations().map(({ id }) => service.sandbox.account.insightOf(id)));
	}
});

test('rows returns one item per day, with the location and the totals in each', async () => {
	const { json, items } = await run(insights('rows'), { rows: twoLocations() });
	const expected = twoLocations().flatMap(({ id }) => {
		const { period, totals, days } = service.sandbox.account.insightOf(id);
		return days.map((day) => ({
			location_id: id,
			period_from: period.from,
			period_to: period.to,
			...Object.fromEntries(
				Object.entries(totals).map(([name, count]) => [`totals_${name}`, count]),
			),
			...day,
		}));
	});
	expect(json).toEqual(expected);
	expect(new Set(json.map((row) => Object.keys(row).join())).size).toBe(1);
	expect(items[0].pairedItem).toEqual({ item: 0 });
	expect(items[json.length - 1].pairedItem).toEqual({ item: 1 });
});

test('the location stands in every row, also where the service does not repeat it', async () => {
	const data = { days: [{ date: '2026-01-01', views: 1 }] };
	service.sandbox.faults.add({ transform: () => ({ data }) });
	const [location] = twoLocations();
	const { json } = await run(insights('rows'), { rows: [location] });
	expect(json).toEqual([{ location_id: location.id, date: '2026-01-01', views: 1 }]);
});

test.each([
	['another location', 'loc_2'],
	['a number', 5],
	['nothing', null],
])('a value called location_id that is %s does not replace it', async (_, location_id) => {
	service.sandbox.faults.add({
		transform: () => ({ data: { location_id, insight_location_id: 1 } }),
	});
	const [location] = twoLocations();
	const { json } = await run(insights('rows'), { rows: [location] });
	expect(json).toEqual([
		{
			location_id: location.id,
			insight_location_id: location_id,
			insight_insight_location_id: 1,
		},
	]);
});

test('insights that come as a paged list of days are read to the end', async () => {
	const days = Array.from({ length: 40 }, (_, day) => ({
		date: `2026-01-${day + 10}`,
		views: day,
	}));
	service.sandbox.faults.add({
		transform: (_, { query }) => {
			const page = Number(query.page ?? 1);
			const meta = { current_page: page, per_page: 15, total: 40 };
			return { data: days.slice((page - 1) * 15, page * 15), meta };
		},
	});
	const [location] = twoLocations();
	const { json } = await run(insights('rows'), { rows: [location] });
	expect(json).toEqual(days.map((day) => ({ location_id: location.id, ...day })));
});

test('a failed location does not become a row of insights', async () => {
	const { json } = await run(insights('rows'), {
		rows: [{ id: 'loc_nowhere' }],
		settings: { onError: 'continueRegularOutput' },
	});
	expect(json).toEqual([
		{ id: 'loc_nowhere', error: expect.objectContaining({ httpCode: '404' }) },
	]);
});
