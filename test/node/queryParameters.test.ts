import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, useSandbox } from '../support/fixture';

// Query parameters are sent as they are written, or refused by name.

const service = useSandbox({ locations: 3 });
const queries = () => service.sandbox.requests.map(({ query }) => query);

describe.each([false, true])('by the routing of n8n: %p', (isRoutedByHost) => {
	const run = async (
		parameters: Array<{ name?: unknown; value?: unknown }>,
		more: object = {},
		paging: object = {},
	) => {
		const { baseUrl, keys } = service.sandbox;
		const list = { resource: 'location', operation: 'getAll', ...more };
		const credential = { baseUrl, apiKey: keys.write, ...paging };
		const own = { ...list, options: { queryParameters: { parameters } } } as INodeParameters;
		return (await service.run(own, { isRoutedByHost, credential })).error;
	};

	test('any name is sent, also several times', async () => {
		const names = ['a b', 'filter[city]', 'a&b=c', '#%+?/', 'Größe', 'toString', 'page[number]'];
		await run(names.map((name) => ({ name, value: 'x' })));
		const tags = ['a', 'b', ['c', 4]].map((value) => ({ name: 'tag', value }));
		await run([{ name: 'sort', value: 'name' }, ...tags]);
		expect(queries()).toEqual([
			Object.fromEntries(names.map((name) => [name, 'x'])),
			{ sort: 'name', tag: 'a,b,c,4' },
		]);
	});

	test.each([
		[7, '7'],
		[false, 'false'],
		['', ''],
		[' a&b=c#d?e%20+[]"ü\n', ' a&b=c#d?e%20+[]"ü\n'],
		[['a', 1, false, ''], 'a,1,false,'],
	])('the value %j is sent as %j', async (value, sent) => {
		expect(await run([{ name: 'q', value }])).toBeUndefined();
		expect(queries()).toEqual([{ q: sent }]);
	});

	test.each<[unknown, unknown, string]>([
		['q', '={{ undefined }}', 'value that can be sent'],
		['q', '={{ [] }}', 'value that can be sent'],
		['q', '={{ ({ a: 1 }) }}', 'value that can be sent'],
		['q', '={{ [[1]] }}', 'value that can be sent'],
		['', 'x', 'name'],
		['={{ null }}', 'x', 'name'],
	])('the name %j with the value %j is refused', async (name, value, missing) => {
		const error = await run([{ name, value }]);
		expect(error?.message).toMatch(/^The query parameter "q?" has no /);
		expect(error?.message).toContain(missing);
		expect(error?.description).toMatch(/\w/);
		expect(queries()).toEqual([]);
	});

	test('one that asks for a page does not hide the others: the list is incomplete', async () => {
		expect((await run([{ name: 'page', value: '2' }]))?.message).toMatch(/^Incomplete list/);
		service.sandbox.requests.length = 0;
		const paging = { hasOwnPaging: true, pageParameter: 'p', pageSizeParameter: 'n', pageSize: 50 };
		await run([{ name: 'page', value: 'home' }], {}, paging);
		expect(queries()).toEqual([{ page: 'home', n: '50' }]);
	});

	test('none is sent with a write, though one was entered for a read before', async () => {
		const locationId = byId(service.sandbox.account.locations[0].id);
		const update = { operation: 'update', locationId, fields: columns({ city: 'Ulm' }) };
		await run([{ name: 'notify', value: 'no' }], update);
		// The fields of locations are read before the update.
		expect(queries()).toEqual([{}, {}]);
	});
});
