import type { INodeParameters } from 'n8n-workflow';

import type { HttpResponse, JsonObject } from '../../nodes/LocalSeo/client';
import { namesInRun, readLocationName } from '../../nodes/LocalSeo/rows/locationName';
import { nameByWhichFound, withRealIds } from '../../nodes/LocalSeo/rows/realIds';
import { tableOf } from '../../nodes/LocalSeo/rows/table';
import { readService, type Shown } from '../support/readService';
import { type RowOptions, rowContext } from '../support/rowContext';
import { VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const east = { id: 'loc_1', name: 'Bakery East' };
const west = { id: 'loc_2', name: 'Bakery West' };
const LIST = 'GET /locations';
const EAST = 'GET /locations/loc_1';

type More = Partial<RowOptions> & { locationId?: object; output?: string; resource?: string };

/** Runs at a service that shows this; of each row, what it is about, and what was asked for. */
function runsAt(shown: Shown, perPage?: number) {
	const { connection, asked } = readService(clock, shown, perPage);
	const contextOf = ({ locationId, output, resource = 'insight', ...more }: More) => {
		const parameters = { resource, operation: 'get', options: {}, locationId, output };
		return rowContext({
			parameters: parameters as unknown as INodeParameters,
			execution: 'run',
			...more,
		});
	};
	const request = (locationId?: string) => ({
		method: 'GET' as const,
		path: '/locations/{locationId}/insights',
		ids: locationId === undefined ? ({} as Record<string, string>) : { locationId },
		query: {},
		noun: 'insight',
	});
	return {
		asked,
		connection,
		nameOf: async (id: string, more: More = {}) =>
			await clock.run(readLocationName(contextOf(more), connection, id)),
		names: async (more: More) => await clock.run(namesInRun(contextOf(more), connection)),
		find: async (given: string | undefined, more: More = {}) => {
			const found = withRealIds(contextOf(more), connection, request(given));
			return (await clock.run(found)).ids;
		},
		foundBy: async (id: string, more: More = {}) =>
			await clock.run(nameByWhichFound(contextOf(more), connection, id)),
		table: async (records: JsonObject[], more: More) =>
			await clock.run(tableOf(contextOf(more), connection, request('loc_1'), records)),
	};
}

const byName = { locationId: { mode: 'name', value: '' } };
const byId = { locationId: { mode: 'id', value: 'loc_1' } };
const two = { rows: [{}, {}] };

describe('the name of a location', () => {
	const both = { '/locations': [east, west], '/locations/loc_1': east };

	test('is that of the row, if the row is the location, or holds it as an item of the trigger does', async () => {
		const { nameOf, asked } = runsAt(both);
		expect(await nameOf('loc_1', { rows: [{ id: 'loc_1', name: 'Own' }] })).toBe('Own');
		expect(await nameOf('loc_1', { rows: [{ location: { id: 'loc_1', name: 'In it' } }] })).toBe(
			'In it',
		);
		expect(asked).toEqual([]);
	});

	test.each<[string, object]>([
		['is another location', { id: 'loc_2', name: 'Other' }],
		['has no name', { id: 'loc_1' }],
		['has an empty name', { id: 'loc_1', name: ' ' }],
		['has a number for a name', { id: 'loc_1', name: 7 }],
	])('is asked for where the row %s', async (_, row) => {
		const { nameOf, asked } = runsAt(both);
		expect(await nameOf('loc_1', { rows: [row] })).toBe('Bakery East');
		expect(asked).toEqual([EAST]);
	});

	test('is the one in the list that the location was found in by its name', async () => {
		const { nameOf, find, asked } = runsAt(both);
		await find('bakery east', byName);
		expect(await nameOf('loc_1', byName)).toBe('Bakery East');
		expect(asked).toEqual([LIST]);
	});

	test('is read from the list once, by a run with many rows', async () => {
		const { nameOf, asked } = runsAt(both);
		expect(await nameOf('loc_1', { ...two, index: 0 })).toBe('Bakery East');
		expect(await nameOf('loc_2', { ...two, index: 1 })).toBe('Bakery West');
		expect(await nameOf('loc_3', { ...two, index: 1 })).toBeUndefined();
		expect(new Set(asked)).toEqual(new Set([LIST]));
		const before = asked.length;
		await nameOf('loc_1', { ...two, execution: 'another run' });
		expect(asked.length).toBeGreaterThan(before);
	});

	test('is read from the location by a run with one row, and outside of executions', async () => {
		const { nameOf, asked } = runsAt(both);
		expect(await nameOf('loc_1')).toBe('Bakery East');
		expect(await nameOf('loc_1', { ...two, execution: undefined })).toBe('Bakery East');
		expect(asked).toEqual([EAST, EAST]);
	});

	test('is not known where the location cannot be read', async () => {
		expect(await runsAt({}).nameOf('loc_1')).toBeUndefined();
		expect(await runsAt({ '/locations/loc_1': {} }).nameOf('loc_1')).toBeUndefined();
	});

	test.each<[string, More]>([
		['the location', {}],
		['the list', two],
	])('is not said to be unknown where the execution is stopped while %s is read', async (_, of) => {
		const { nameOf, connection } = runsAt({ '/locations': [east], '/locations/loc_1': [east] });
		const { transport } = connection;
		// A list that says that it is longer is read again after a second.
		connection.transport = async (request) => {
			const response = (await transport(request)) as HttpResponse;
			Object.assign((response.body as { meta: object }).meta, { total: 2 });
			return response;
		};
		const stop = new AbortController();
		connection.signal = stop.signal;
		void clock.sleep(500).then(() => stop.abort(new Error('Stopped')));
		await expect(nameOf('loc_1', of)).rejects.toThrow('Stopped');
	});
});

describe('the names of all locations', () => {
	test('are those of the list, without what has no ID or no name', async () => {
		const list = [east, west, { id: 'loc_3' }, { name: 'Without an ID' }, 'text'];
		expect([...(await runsAt({ '/locations': list }).names(two))!]).toEqual([
			['loc_1', 'Bakery East'],
			['loc_2', 'Bakery West'],
		]);
	});

	test.each([
		[2, false],
		[3, true],
	])('of a list of three pages are read by a run of %d rows: %p', async (count, isRead) => {
		const all = [1, 2, 3, 4, 5, 6].map((id) => ({ id: `loc_${id}`, name: `Bakery ${id}` }));
		const { names } = runsAt({ '/locations': all }, 2);
		const found = await names({ rows: Array.from({ length: count }, () => ({})) });
		expect(found?.size).toBe(isRead ? 6 : undefined);
	});

	test('of a list that shows its first page for every page are not known, and each location is asked for', async () => {
		const shown = { '/locations': [east, west], '/locations/loc_2': west };
		const { nameOf, names, connection } = runsAt(shown, 1);
		const { transport } = connection;
		connection.transport = async (request) => {
			const response = (await transport(request)) as HttpResponse;
			if (request.path === '/locations') (response.body as JsonObject).data = [east];
			return response;
		};
		expect(await names({ rows: Array.from({ length: 200 }, () => ({})) })).toBeUndefined();
		expect(await nameOf('loc_2', two)).toBe('Bakery West');
	});

	test('are not kept where they would take too much memory', async () => {
		const huge = { id: 'loc_1', name: 'x'.repeat(17 * 1024 * 1024) };
		expect(await runsAt({ '/locations': [huge] }).names(two)).toBeUndefined();
	});

	test('are not asked for outside of executions, or by a run with one row', async () => {
		const { names, asked } = runsAt({ '/locations': [east] });
		expect(await names({ ...two, execution: undefined })).toBeUndefined();
		expect(await names({ rows: [{}] })).toBeUndefined();
		expect(asked).toEqual([]);
	});

	test('are none where the list is refused, so that no row asks again', async () => {
		const { names, nameOf, asked } = runsAt({ '/locations': 403, '/locations/loc_1': east });
		expect([...(await names(two))!]).toEqual([]);
		expect(await nameOf('loc_1', two)).toBeUndefined();
		expect(asked).toEqual([LIST]);
	});
});

describe('a location that is given by its name', () => {
	const shown = { '/locations': [east, west] };

	test('stands with its ID in the request, and all else as it was', async () => {
		const { find } = runsAt(shown);
		expect(await find('bakery west', byName)).toEqual({ locationId: 'loc_2' });
	});

	test('is not looked for where the ID is given, or where none is needed', async () => {
		const { find, asked } = runsAt(shown);
		expect(await find('Bakery East', byId)).toEqual({ locationId: 'Bakery East' });
		expect(await find(undefined, byName)).toEqual({});
		expect(asked).toEqual([]);
	});

	test('is looked for in one list by all runs of a node in an execution', async () => {
		const { find, asked } = runsAt(shown);
		for (const runIndex of [0, 1]) await find('Bakery East', { ...byName, runIndex });
		expect(asked).toEqual([LIST]);
		await find('Bakery East', { ...byName, nodeId: 'another node' });
		expect(asked).toEqual([LIST, LIST]);
		await find('Bakery East', { ...byName, execution: 'another execution' });
		expect(asked).toEqual([LIST, LIST, LIST]);
	});

	test('that the run did not find is not looked for again at once', async () => {
		const { find, asked } = runsAt(shown);
		for (const name of ['Mill', 'Mall']) {
			await expect(find(name, byName)).rejects.toThrow(`No location is called "${name}"`);
		}
		expect(asked).toEqual([LIST]);
		await expect(find('Mill', { ...byName, runIndex: 1 })).rejects.toThrow('No location');
		expect(asked).toEqual([LIST, LIST]);
	});

	test('is looked for anew a minute later, outside of executions', async () => {
		const { find, asked } = runsAt(shown);
		const outside = { ...byName, execution: undefined };
		await find('Bakery East', outside);
		await clock.run(clock.sleep(59_000));
		await find('Bakery East', outside);
		expect(asked).toEqual([LIST]);
		await clock.run(clock.sleep(2_000));
		await find('Bakery East', outside);
		expect(asked).toEqual([LIST, LIST]);
	});

	test('is called as the list calls it, which is not read for that', async () => {
		const { find, foundBy, asked } = runsAt(shown);
		expect(await foundBy('loc_1', byName)).toBeUndefined();
		expect(asked).toEqual([]);
		await find('bakery east', byName);
		expect(await foundBy('loc_1', byName)).toBe('Bakery East');
		expect(await foundBy('loc_1', byId)).toBeUndefined();
		expect(await foundBy('loc_1', { ...byName, execution: 'another execution' })).toBeUndefined();
	});
});

describe('insights', () => {
	const days = { days: [{ date: '2026-01-01', views: 1 }] };
	const shown = { '/locations/loc_1': east };
	const row = { date: '2026-01-01', location_id: 'loc_1', views: 1 };

	test('are a table with the location that was asked for, and its name', async () => {
		const { table, asked } = runsAt(shown);
		expect(await table([days], { output: 'rows' })).toEqual([
			{ ...row, location_name: 'Bakery East' },
		]);
		expect(asked).toEqual([EAST]);
	});

	test('have the name that the response has, without a request', async () => {
		const { table, asked } = runsAt(shown);
		const [first] = await table([{ ...days, location_name: 'In the response' }], {
			output: 'rows',
		});
		expect(first.location_name).toBe('In the response');
		expect(asked).toEqual([]);
	});

	test('have none where it cannot be read', async () => {
		const { table } = runsAt({});
		expect(await table([days], { output: 'rows' })).toEqual([{ ...row, location_name: null }]);
	});

	test('are left as they are where the resource has no table', async () => {
		const { table } = runsAt(shown);
		expect(await table([days], { output: 'rows', resource: 'post' })).toEqual([days]);
	});

	test.each<[string, JsonObject[], string]>([
		['raw', [days], 'raw'],
		['in a form that is not known', [days], 'other'],
		['that are none', [], 'rows'],
	])('%s are left as they are, without a request', async (_, records, output) => {
		const { table, asked } = runsAt(shown);
		expect(await table(records, { output })).toBe(records);
		expect(asked).toEqual([]);
	});
});
