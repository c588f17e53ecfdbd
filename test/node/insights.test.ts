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
		const { days } = service.sandbox.account.insightOf(id);
		return days.map(({ date, ...counts }) => {
			return { date, location_id: id, location_name: name, ...counts };
		});
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
			const meta = { current_page: page, per_page: 15, total: 40, last_page: 3 };
			return { data: days.slice((page - 1) * 15, page * 15), meta };
		},
	});
	const [{ id, name }] = locations(1);
	const { json } = await run(insights(), { rows: locations(1) });
	expect(json).toEqual(
		days.map(({ date, views }) => ({ date, location_id: id, location_name: name, views })),
	);
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

test('other locations do not change the columns of one', async () => {
	const [first, second] = locations(2);
	const click = (device: string, clicks: number) => ({ date: '2026-03-01', device, clicks });
	const columnsOfFirst = async (other: unknown) => {
		service.sandbox.faults.clear();
		service.sandbox.faults.add({
			when: { path: '/locations/*/insights' },
			transform: (_, { path }) => ({
				data: path.includes(first.id)
					? [click('mobile', 1)]
					: path.includes(second.id)
						? other
						: [],
			}),
		});
		const { json } = await run(insights('rows', { allLocations: true }));
		return json.filter((row) => row.location_id === first.id);
	};
	const alone = await columnsOfFirst([]);
	expect(alone).toMatchObject([click('mobile', 1)]);
	expect(await columnsOfFirst([click('mobile', 3), click('desktop', 2)])).toEqual(alone);
	expect(await columnsOfFirst({ views: [{ date: '2026-03-01', value: 1 }] })).toEqual(alone);
});

describe('the option Days', () => {
	const report = { list: [{ at: { start: 1_772_323_200 }, views: 3 }] };
	const ofDays = (read: object) => insights('rows', { options: { days: { read } } });

	test('says where the days are', async () => {
		respond({ report });
		const read = { list: "={{ 'report.list' }}", date: 'at.start', format: 'seconds' };
		const { json, hints } = await run(ofDays(read), { rows: locations(1) });
		expect(json).toMatchObject([{ date: '2026-03-01', report_list_views: 3 }]);
		expect(hints).toEqual([]);
	});

	test('without it, one row has everything, and a hint names it', async () => {
		const { json, hints } = await rowsOf({ report });
		expect(json).toMatchObject([{ date: null, report_list: JSON.stringify(report.list) }]);
		expect(hints).toEqual([
			expect.stringMatching(
				/^No dates were recognized for .* say in the option 'Days' where it is/,
			),
		]);
	});

	test('a format that makes no day is refused before anything is read', async () => {
		const { error } = await run(ofDays({ format: 'MMM d' }), { rows: locations(1) });
		expect(error?.message).toBe(`The format "MMM d" in 'Days' has no year, month and day`);
		expect(error?.description).toMatch(/^Enter auto, seconds, milliseconds, or a format of Luxon/);
		expect(requests()).toEqual([]);
	});
});

describe('the option Period', () => {
	const DAY = 86_400_000;
	const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
	const ofPeriod = (days: object, more = {}) =>
		insights('rows', { options: { period: { days }, ...more } });
	const inUtc = (count: number) => ({ timezone: 'UTC', rows: locations(count) });
	const datesIn = ({ json }: { json: IDataObject[] }) => [...new Set(json.map(({ date }) => date))];

	test('keeps the last seven days of each location, and changes nothing else', async () => {
		const result = await run(ofPeriod({ range: 'last7Days' }), inUtc(2));
		expect(datesIn(result)).toEqual([7, 6, 5, 4, 3, 2, 1].map(ago));
		expect(result.hints).toEqual([]);
		const all = await run(insights(), inUtc(2));
		expect(all.json).toEqual(expect.arrayContaining(result.json));
		expect((await run(ofPeriod({ range: 'allDays' }), inUtc(2))).json).toEqual(all.json);
	});

	test('names the days that are missing, by location', async () => {
		const [first, second] = locations(2);
		for (const [{ id }, missing] of [
			[first, 3],
			[second, 5],
		] as const) {
			const { days } = service.sandbox.account.insightOf(id);
			days.splice(
				days.findIndex(({ date }) => date === ago(missing)),
				1,
			);
		}
		const { hints, json } = await run(ofPeriod({ range: 'last7Days' }), inUtc(2));
		expect(json).toHaveLength(12);
		expect(hints).toEqual([
			`Some days of the period are missing: ${first.name} (${ago(3)}); ${second.name} (${ago(5)}). If the service takes a period, e.g. as from and to, add them under 'Query Parameters'.`,
		]);
	});

	test('a period of which the service has nothing is no row, with the reason', async () => {
		const days = { range: 'fromTo', from: ago(90), to: ago(60) };
		const { json, hints, error } = await run(ofPeriod(days), inUtc(1));
		expect(error).toBeUndefined();
		expect(json).toEqual([]);
		expect(hints).toEqual([expect.stringContaining(`(${ago(90)} to ${ago(60)})`)]);
	});

	test('with the parameters that the service has for it, all days are there', async () => {
		const [from, to] = [ago(90), ago(60)];
		const parameters = [
			{ name: 'from', value: from },
			{ name: 'to', value: to },
		];
		const asked = Array.from({ length: 31 }, (_, nth) => ({ date: ago(90 - nth), views: 1 }));
		service.sandbox.faults.add({
			transform: (envelope, { query }) =>
				query.from === from && query.to === to ? { data: { days: asked } } : envelope,
		});
		const days = { range: 'fromTo', from, to };
		const result = await run(ofPeriod(days, { queryParameters: { parameters } }), inUtc(1));
		expect(datesIn(result)).toHaveLength(31);
		expect(result.hints).toEqual([]);
	});

	test('one that can not be read is refused', async () => {
		const days = { range: 'fromTo', from: '03/04/2027', to: '' };
		const { error } = await run(ofPeriod(days), inUtc(1));
		expect(error?.message).toBe("'From' of 'Period' is not a day");
	});
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
