import type { IDataObject } from 'n8n-workflow';

import { byId, useSandbox } from '../support/fixture';

// Insights as rows. The forms in which services give them: insightsCorpus/, and unit/insights.

const service = useSandbox();
const { run, requests } = service;
const account = () => service.sandbox.account;

const insights = (output?: string, options = {}) => ({
	...{ resource: 'insight', operation: 'get', options },
	locationId: byId('={{ $json.location_id ?? $json.id }}'),
	...(output !== undefined && { output }),
});
const locations = (count: number) => account().locations.slice(0, count);
const idsOf = (count: number) => locations(count).map(({ id }) => ({ location_id: id }));
const respond = (data: unknown) =>
	service.sandbox.faults.add({
		when: { path: '/locations/*/insights' },
		transform: () => ({ data: data as IDataObject }),
	});
/** Requests that are not for insights. */
const others = () => requests().filter((request) => !request.endsWith('/insights'));

/** The daily rows of the first locations. */
const expectedDays = (count: number) =>
	locations(count).flatMap(({ id, name }) =>
		account()
			.insightOf(id)
			.days.map(({ date, ...counts }) => ({
				...{ date, location_id: id, location_name: name, ...counts },
			})),
	);

test.each([undefined, 'rows'])(
	'daily rows (%j) are one item per day, with date, location and name first and without totals',
	async (output) => {
		const { json, items, hints } = await run(insights(output), { rows: locations(2) });
		expect(json).toEqual(expectedDays(2));
		const [columns, ...more] = json.map((row) => Object.keys(row));
		expect(columns.slice(0, 4)).toEqual(['date', 'location_id', 'location_name', 'views']);
		for (const one of more) expect(one).toEqual(columns);
		const places = [items[0], items.at(-1)].map((item) => item?.pairedItem);
		expect(places).toEqual([{ item: 0 }, { item: 1 }]);
		expect(hints).toEqual([]);
	},
);

test('the summary has the totals of the daily rows', async () => {
	const { json: days } = await run(insights('rows'), { rows: locations(1) });
	const { json } = await run(insights('summary'), { rows: locations(2) });
	const views = days.reduce((sum, day) => sum + Number(day.views), 0);
	expect(json).toHaveLength(2);
	const [{ id, name }] = locations(1);
	expect(json[0]).toMatchObject({ location_id: id, location_name: name, views });
	expect(Object.keys(json[0]).slice(0, 2)).toEqual(['location_id', 'location_name']);
});

test.each(['daily', 'Rows', ''])('no output is refused: %j', async (output) => {
	for (const allLocations of [false, true]) {
		// n8n takes an expression there for its text.
		const parameters = { ...insights(`=${output}`), locationId: byId('loc_1'), allLocations };
		const { json, error } = await run(parameters);
		expect(json).toEqual([]);
		expect(error?.message).toBe(`There is no output ${JSON.stringify(output)}`);
		expect(error?.description).toMatch(
			/^Choose one of the list under 'Output', .*: rows, summary or raw/,
		);
	}
	expect(requests()).toEqual([]);
});

describe("the location's name", () => {
	const namesFor = async (rows: object[]) => [
		...new Set((await run(insights(), { rows })).json.map((row) => row.location_name)),
	];
	const namesOf = (count: number) => locations(count).map(({ name }) => name);

	test('is taken from a row that is a location, without another request', async () => {
		expect(await namesFor(locations(3))).toEqual(namesOf(3));
		const events = locations(3).map((location) => ({ location, location_id: location.id }));
		expect(await namesFor(events)).toEqual(namesOf(3));
		expect(others()).toEqual([]);
	});

	test('is taken from the response where that has it', async () => {
		respond({ location: { name: 'Bakery East' }, days: [{ date: '2026-01-01' }] });
		expect(await namesFor(idsOf(2))).toEqual(['Bakery East']);
		expect(others()).toEqual([]);
	});

	test('is read from the list of locations, once a run', async () => {
		expect(await namesFor(idsOf(64))).toEqual(namesOf(64));
		expect(others()).toHaveLength(Math.ceil(64 / 15));
		// Another run may find other names.
		account().updateLocation(locations(1)[0], { name: 'Renamed' });
		expect((await namesFor(idsOf(64)))[0]).toBe('Renamed');
	});

	test('of few locations is read once from each: their list may have many pages', async () => {
		expect(await namesFor([...idsOf(2), ...idsOf(2)])).toEqual(namesOf(2));
		const each = idsOf(2).map(({ location_id }) => `GET /locations/${location_id}`);
		expect(others().sort()).toEqual(each.sort());
	});

	test('is empty where it can not be read', async () => {
		service.sandbox.faults.add({ when: { path: '/locations/*' }, response: { status: 403 } });
		const { json, error, hints } = await run(insights(), { rows: idsOf(2) });
		expect(error).toBeUndefined();
		expect(json).toEqual(expectedDays(2).map((day) => ({ ...day, location_name: null })));
		const refused = locations(2).map(
			({ id }) => `${id} (This API key is not allowed to get location "${id}")`,
		);
		expect(hints).toEqual([
			`location_name is empty where the name could not be read: ${refused.join('; ')}.`,
		]);
	});
});

const DAYS = [1, 2, 3].map((day) => ({ date: `2026-03-0${day}`, views: day }));

test.each([
	{ current_page: 1, data: DAYS, last_page: 2, next_page_url: '/insights?page=2', per_page: 3 },
	{ days: DAYS, pagination: { current_page: 1, last_page: 2 } },
])('insights that go on are not taken for whole: %j in data', async (data) => {
	respond(data);
	const { json, error } = await run(insights(), { rows: locations(1) });
	expect(json).toEqual([]);
	expect(error?.message).toMatch(/These insights are one page of several/);
	const taken = await run(insights('rows', { acceptIncomplete: true }), { rows: locations(1) });
	expect(taken.json).toMatchObject(DAYS);
});

test('the option Days names the list and the date; a format that makes no day is refused', async () => {
	const ofDays = async (read: object) =>
		await run(insights('rows', { days: { read } }), { rows: locations(1) });
	const { error } = await ofDays({ format: 'MMM d' });
	expect(error?.message).toBe(`The format "MMM d" in 'Days' has no year, month and day`);
	expect(error?.description).toMatch(/^Enter auto, seconds, milliseconds, or a format of Luxon/);
	expect(requests()).toEqual([]);
	respond({ report: { list: [{ at: { start: 1_772_323_200 }, views: 3 }] } });
	const read = { list: "={{ 'report.list' }}", date: 'at.start', format: 'seconds' };
	const { json, hints } = await ofDays(read);
	expect(json).toMatchObject([{ date: '2026-03-01', report_list_views: 3 }]);
	expect(hints).toEqual([]);
});

// In unit/insightsPeriod: which days a period has, and what is said of days that are missing.
describe('the option Period', () => {
	const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
	const ofPeriod = async (days: object, more = {}) =>
		await run(insights('rows', { period: { days }, ...more }), {
			timezone: 'UTC',
			rows: locations(2),
		});

	test('keeps the last seven days of each location, and changes nothing else', async () => {
		const { json, hints } = await ofPeriod({ range: 'last7Days' });
		expect(new Set(json.map(({ date }) => date))).toEqual(new Set([7, 6, 5, 4, 3, 2, 1].map(ago)));
		expect(hints).toEqual([]);
		const all = await ofPeriod({ range: 'allDays' });
		expect(all.json).toEqual(expect.arrayContaining(json));
	});
});
