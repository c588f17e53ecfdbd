import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { byId, useSandbox } from '../support/fixture';

const EXAMPLE = join(__dirname, '..', '..', 'examples', 'insights-export.json');

const service = useSandbox();
const { run, requests } = service;

const insights = (output?: string, more = {}) => ({
	resource: 'insight',
	operation: 'get',
	locationId: byId('={{ $json.location_id ?? $json.id }}'),
	...(output && { output }),
	...more,
});
const locations = (count: number) => service.sandbox.account.locations.slice(0, count);
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
	locations(count).flatMap(({ id, name }) => {
		const { period, days } = service.sandbox.account.insightOf(id);
		return days.map(({ date, ...counts }) => ({
			date,
			location_id: id,
			location_name: name,
			...counts,
			period_from: period.from,
			period_to: period.to,
		}));
	});

test('raw returns the response unchanged, one item per location', async () => {
	const { json } = await run(insights('raw'), { rows: locations(2) });
	expect(json).toEqual(locations(2).map(({ id }) => service.sandbox.account.insightOf(id)));
	expect(others()).toEqual([]);
});

test.each([undefined, 'rows'])(
	'daily rows (%j) are one item per day, with date, location and name first and without totals',
	async (output) => {
		const { json, items, hints } = await run(insights(output), { rows: locations(2) });
		expect(json).toEqual(expectedDays(2));
		const [columns, ...more] = json.map((row) => Object.keys(row));
		expect(columns.slice(0, 4)).toEqual(['date', 'location_id', 'location_name', 'views']);
		for (const others of more) expect(others).toEqual(columns);
		expect([items[0], items.at(-1)].map((item) => item?.pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
		expect(hints).toEqual([]);
	},
);

test('a sum over the daily rows is the total, which the summary has', async () => {
	const { json: days } = await run(insights('rows'), { rows: locations(1) });
	const { json, hints } = await run(insights('summary'), { rows: locations(2) });
	const sum = days.reduce((views, day) => views + Number(day.views), 0);
	expect(json).toHaveLength(2);
	expect(json[0].views).toBe(sum);
	const [{ id, name }] = locations(1);
	expect(Object.entries(json[0]).slice(0, 2)).toEqual([
		['location_id', id],
		['location_name', name],
	]);
	expect(hints).toEqual([]);
});

describe("the location's name", () => {
	const names = ({ json }: { json: IDataObject[] }) => [
		...new Set(json.map(({ location_name }) => location_name)),
	];
	const namesOf = (count: number) => locations(count).map(({ name }) => name);

	test('is taken from a row that is a location, without another request', async () => {
		expect(names(await run(insights(), { rows: locations(3) }))).toEqual(namesOf(3));
		const events = locations(3).map((location) => ({ location, location_id: location.id }));
		expect(names(await run(insights(), { rows: events }))).toEqual(namesOf(3));
		expect(others()).toEqual([]);
	});

	test('is taken from the response where that has it', async () => {
		respond({ location: { name: 'Bakery East' }, days: [{ date: '2026-01-01' }] });
		expect(names(await run(insights(), { rows: idsOf(2) }))).toEqual(['Bakery East']);
		expect(others()).toEqual([]);
	});

	test('is read from the list of locations, once a run', async () => {
		const count = service.sandbox.account.locations.length;
		const first = await run(insights(), { rows: idsOf(count) });
		expect(names(first)).toEqual(namesOf(count));
		const pages = Math.ceil(count / 15);
		expect(others()).toHaveLength(pages);
		// Another run may find other names.
		service.sandbox.account.updateLocation(locations(1)[0], { name: 'Renamed' });
		const [renamed] = names(await run(insights(), { rows: idsOf(count) }));
		expect(renamed).toBe('Renamed');
	});

	test('of few locations is read once from each: their list may have many pages', async () => {
		const rows = [...idsOf(2), ...idsOf(2)];
		expect(names(await run(insights(), { rows }))).toEqual(namesOf(2));
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

test('insights that come as a paged list of days are read to the end', async () => {
	const days = Array.from({ length: 40 }, (_, day) => ({
		date: new Date(Date.UTC(2026, 0, 10 + day)).toISOString().slice(0, 10),
		views: day,
	}));
	service.sandbox.faults.add({
		transform: (_, { query }) => {
			const page = Number(query.page ?? 1);
			const meta = { current_page: page, per_page: 15, total: 40 };
			return { data: days.slice((page - 1) * 15, page * 15), meta };
		},
	});
	const [{ id, name }] = locations(1);
	const { json } = await run(insights(), { rows: locations(1) });
	expect(json).toEqual(
		days.map(({ date, views }) => ({ date, location_id: id, location_name: name, views })),
	);
	const summary = await run(insights('summary'), { rows: locations(1) });
	expect(summary.json).toEqual([{ location_id: id, location_name: name }]);
});

test('no insights at all are no rows', async () => {
	respond([]);
	const { json, hints } = await run(insights(), { rows: idsOf(1) });
	expect(json).toEqual([]);
	const [{ id, name }] = locations(1);
	expect(hints).toEqual([`No insights were found for ${name}.`]);
	expect(others()).toEqual([`GET /locations/${id}`]);
});

test('of exports that overlap, the columns that the example compares identify a day', async () => {
	const { nodes } = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as {
		nodes: Array<{ name: string; parameters: IDataObject }>;
	};
	const { parameters } = nodes.find(({ name }) => name === 'Each day once')!;
	const columns = String(parameters.fieldsToCompare).split(', ');
	const keysOf = ({ json }: { json: IDataObject[] }) =>
		json.map((row) => JSON.stringify(columns.map((column) => row[column])));
	const first = keysOf(await run(insights(), { rows: locations(2) }));
	for (const { id } of locations(2)) {
		const { days } = service.sandbox.account.insightOf(id);
		days.push(...days.splice(0, 7).map((day, nth) => ({ ...day, date: `2099-01-0${nth + 1}` })));
	}
	const second = keysOf(await run(insights(), { rows: locations(2) }));
	expect(second).toHaveLength(first.length);
	expect(new Set([...first, ...second]).size).toBe(first.length + 2 * 7);
});

/** The rows of the first location, whose insights are these. */
async function rowsOf(data: unknown, output = 'rows') {
	respond(data);
	return await run(insights(output), { rows: locations(1) });
}

const FORTY = Array.from({ length: 40 }, (_, at) => ({
	date: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
	views: at,
}));

test('a link to the next period is no further page', async () => {
	const { json, error } = await (async () => {
		service.sandbox.faults.add({
			when: { path: '/locations/*/insights' },
			transform: () => ({
				data: FORTY,
				paging: { next: 'https://seo.example/insights?since=1772611200&until=1772870400' },
			}),
		});
		return await run(insights(), { rows: locations(1) });
	})();
	expect(error).toBeUndefined();
	expect(json).toHaveLength(40);
});

const DAYS = [1, 2, 3].map((day) => ({ date: `2026-03-0${day}`, views: day }));

test.each<[string, object]>([
	[
		'pages as Laravel has them',
		{ current_page: 1, data: DAYS, last_page: 2, next_page_url: '/insights?page=2', per_page: 3 },
	],
	['a token for the rest', { days: DAYS, nextPageToken: 'abc' }],
	['pages in an object', { days: DAYS, pagination: { current_page: 1, last_page: 2 } }],
])('insights that go on are not taken for whole: %s in data', async (_, data) => {
	const { json, error } = await rowsOf(data);
	expect(json).toEqual([]);
	expect(error?.message).toMatch(/These insights are one page of several/);
	const accepted = { options: { acceptIncomplete: true } };
	const taken = await run(insights('rows', accepted), { rows: locations(1) });
	expect(taken.json).toMatchObject(DAYS);
});

describe('all locations have the same columns', () => {
	/** All Locations, of which the first two have these insights and no others have any. */
	async function ofTwo(one: unknown, other: unknown, output = 'rows') {
		const [first, second] = locations(2);
		service.sandbox.faults.add({
			when: { path: '/locations/*/insights' },
			transform: (_, { path }) => {
				const data = path.includes(first.id) ? one : path.includes(second.id) ? other : [];
				return { data: data as IDataObject };
			},
		});
		const { json, hints } = await run(insights(output, { allLocations: true }));
		const columnsOf = ({ id, name }: typeof first) =>
			json
				.filter((row) => row.location_id === id && row.location_name === name)
				.map((row) =>
					Object.fromEntries(Object.entries(row).filter(([key]) => !/^location_/.test(key))),
				);
		return { first: columnsOf(first), second: columnsOf(second), hints };
	}
	const clicks = (day: number, device: string, count: number) => ({
		...{ date: `2026-03-0${day}`, device, clicks: count },
	});

	test('where a date repeats in one of them', async () => {
		const one = [clicks(1, 'mobile', 1), clicks(2, 'mobile', 2)];
		const other = [1, 2].flatMap((day) => [
			clicks(day, 'mobile', 10 * day),
			clicks(day, 'desktop', 20 * day),
		]);
		const expected = {
			few: [
				{ date: '2026-03-01', mobile_clicks: 1 },
				{ date: '2026-03-02', mobile_clicks: 2 },
			],
			many: [
				{ date: '2026-03-01', mobile_clicks: 10, desktop_clicks: 20 },
				{ date: '2026-03-02', mobile_clicks: 20, desktop_clicks: 40 },
			],
		};
		expect(await ofTwo(one, other)).toMatchObject({ first: expected.few, second: expected.many });
		expect(await ofTwo(other, one)).toMatchObject({ first: expected.few, second: expected.many });
	});

	test('where one has more than columns are made of, a hint says so', async () => {
		const one = [clicks(1, 'mobile', 1), clicks(1, 'desktop', 2)];
		const letters = [...'abcdefghijklmnopqrstuvwxy'];
		const other = letters.map((letter, at) => clicks(1, letter, at));
		const { first, second, hints } = await ofTwo(one, other);
		expect(first).toEqual([{ date: '2026-03-01', mobile_clicks: 1, desktop_clicks: 2 }]);
		expect(second).toEqual(other);
		expect(hints).toEqual(
			expect.arrayContaining([expect.stringMatching(/^Some dates have several rows/)]),
		);
	});

	test('where one has a single list, and another several', async () => {
		const list = [{ date: '2026-03-01', total: 1 }];
		const { first, second } = await ofTwo(
			{ views_per_day: list },
			{ views_per_day: list, calls_per_day: list },
		);
		expect(first).toEqual([{ date: '2026-03-01', views_per_day_total: 1 }]);
		expect(second).toEqual([
			{ date: '2026-03-01', views_per_day_total: 1, calls_per_day_total: 1 },
		]);
	});
});

test('days without totals, as one row per location: a hint says where they are', async () => {
	const { json, hints } = await rowsOf(DAYS, 'summary');
	const [{ id, name }] = locations(1);
	expect(json).toEqual([{ location_id: id, location_name: name }]);
	expect(hints).toEqual([
		`The service returned only days and no totals for ${name}. To get the days, set 'Output' to 'Daily Rows'.`,
	]);
});

test.each(['daily', 'Rows', ''])('no output is refused: %j', async (output) => {
	for (const more of [{ locationId: byId('loc_1') }, { allLocations: true }]) {
		// n8n takes an expression there for its text.
		const { json, error } = await run(insights('rows', { ...more, output: `=${output}` }));
		expect(json).toEqual([]);
		expect(error?.message).toBe(`There is no output ${JSON.stringify(output)}`);
		expect(error?.description).toMatch(
			/^Choose one of the list under 'Output', .*: rows, summary or raw/,
		);
	}
	expect(requests()).toEqual([]);
});

test('an output by expression is that output, or refused where n8n hands over its text', async () => {
	const [{ id }] = locations(1);
	const parameters = insights('rows', { locationId: byId(id), output: "={{ 'summary' }}" });
	const { json, error } = await run(parameters);
	if (error) expect(error.message).toBe(`There is no output "{{ 'summary' }}"`);
	else expect(json).toMatchObject([{ location_id: id }]);
});
