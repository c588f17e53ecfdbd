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

describe('the option Days', () => {
	const report = { list: [{ at: { start: 1_772_323_200 }, views: 3 }] };
	const ofDays = (read: object) => insights('rows', { options: { days: { read } } });

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
