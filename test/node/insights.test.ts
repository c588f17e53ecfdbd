import { systemClock } from '../../nodes/LocalSeo/client';
import { byId, goOn, useSandbox } from '../support/fixture';

// Insights as rows. The forms in which services give them: insightsCorpus/, and unit/insights.

const service = useSandbox();
const { account, run, requests } = service;

const insights = (output?: string, options = {}) => ({
	...{ resource: 'insight', operation: 'get', options },
	locationId: byId('={{ $json.location_id ?? $json.id }}'),
	...(output !== undefined && { output }),
});
const locations = (count: number) => account().locations.slice(0, count);
const idsOf = (count: number) => locations(count).map(({ id }) => ({ location_id: id }));
const respond = (body: object) =>
	service.sandbox.faults.add({ when: { path: '/locations/*/insights' }, transform: () => body });
/** Requests that are not for insights. */
const others = () => requests().filter((request) => !request.endsWith('/insights'));

const expectedDays = (count: number) =>
	locations(count).flatMap(({ id, name }) =>
		account()
			.insightOf(id)
			.days.map((day) => ({ ...day, location_id: id, location_name: name, list: 'days' })),
	);

test.each([undefined, 'rows'])(
	'daily rows (%j) are one item per day, with location, name and date first and without totals',
	async (output) => {
		const { json, items, hints } = await run(insights(output), { rows: locations(2) });
		expect(json).toEqual(expectedDays(2));
		const columns = new Set(json.map((row) => Object.keys(row).join()));
		const [, ...counts] = Object.keys(account().insightOf(locations(1)[0].id).days[0]);
		const inFront = ['location_id', 'location_name', 'date', 'list'];
		expect([...columns]).toEqual([[...inFront, ...counts].join()]);
		const places = [items[0], items.at(-1)].map((item) => item?.pairedItem);
		expect(places).toEqual([{ item: 0 }, { item: 1 }]);
		expect(hints).toEqual([]);
	},
);

test.each([false, true])('no output is refused (all locations: %p)', async (allLocations) => {
	// n8n takes an expression there for its text.
	const { json, error } = await run({ ...insights('=daily'), allLocations }, { rows: idsOf(1) });
	expect([json, error?.message]).toEqual([[], 'There is no output "daily"']);
	expect(error?.description).toMatch(/^Choose one of the list under 'Output', .*: rows, summary/);
	expect(requests()).toEqual([]);
});

describe("the location's name", () => {
	const namesFor = async (rows: object[]) => [
		...new Set((await run(insights(), { rows })).json.map((row) => row.location_name)),
	];
	const namesOf = (count: number) => locations(count).map(({ name }) => name);

	test('is the one of the account, whatever the response or another location is called', async () => {
		const [{ name, city }, other] = locations(2);
		account().updateLocation(other, { name });
		const days = [{ date: '2026-01-01', location_name: 'West' }];
		respond({ data: { location: { name: 'East' }, days } });
		expect(await namesFor(idsOf(2))).toEqual([name]);
		// With so many, and by name, it is read from their list.
		expect((await namesFor(idsOf(21))).slice(0, 1)).toEqual([name]);
		const locationId = { mode: 'name', value: `${name}, ${city}` };
		const { json } = await run({ ...insights(), locationId });
		expect(json).toMatchObject([{ location_name: name }]);
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
		account().updateLocation(locations(1)[0], { name: ' ' });
		expect(await namesFor(idsOf(1))).toEqual([null]);
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

test('Dates and Period are read for the outputs that show them, by the clock on the wall', async () => {
	respond({ data: { total: 5, days: DAYS.map(({ date, views }) => ({ at: date, views })) } });
	const dates = { read: { field: 'at', format: 'auto' } };
	const period = { days: { range: 'last7Days' } };
	// The computer slept: other clocks of it are behind.
	const today = Date.parse('2026-03-03T12:00:00Z');
	const wall = jest.spyOn(systemClock, 'wall').mockImplementation(() => today);
	const of = async (output: string) =>
		(await run(insights(output, { dates, period }), { rows: locations(1) })).json;
	expect(await of('rows')).toMatchObject([DAYS[0], DAYS[1]]);
	expect(await of('summary')).toMatchObject([{ total: 5 }]);
	expect(await of('raw')).toMatchObject([{ days: [{ at: '2026-03-01' }, {}, {}] }]);
	wall.mockRestore();
});

describe.each(['by ID', 'of all'])('locations %s', (how) => {
	const get = async (settings = {}) => {
		const parameters = how === 'of all' ? { ...insights(), allLocations: true } : insights();
		return await run(parameters, { rows: how === 'of all' ? [{}] : locations(3), ...settings });
	};
	const opened = (...ids: string[]) => {
		const transform = () => ({ data: { totals: { views: 0 } } });
		for (const id of ids)
			service.sandbox.faults.add({ when: { path: `/locations/${id}/insights` }, transform });
	};

	test('one without days is named in a hint beside others that have days', async () => {
		const [{ id, name }] = locations(1);
		opened(id);
		const { json, error, hints } = await get();
		expect(error).toBeUndefined();
		expect(json.some(({ location_id }) => location_id === id)).toBe(false);
		expect(json.length).toBeGreaterThan(0);
		expect(hints).toEqual([`No days were recognized: ${name}.`]);
	});

	test('if none has days, that is an error with the ways out', async () => {
		opened('*');
		const { json, error } = await get();
		expect(json).toEqual([]);
		expect(error?.message).toContain('No dates were recognized in these insights');
		expect(error?.description).toMatch(/'Dates'.*'One Row per Location'.*Raw/);
		const failed = await get(goOn);
		expect(failed.json.every((item) => item.error)).toBe(true);
	});
});
