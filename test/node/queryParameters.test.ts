import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, useSandbox } from '../support/fixture';
import { has } from '../support/hostFeatures';

// Query parameters are sent as they are written, or refused by name.

const service = useSandbox({ locations: 3 });
const queries = () => service.sandbox.requests.map(({ query }) => query);

/** Values of parameters in a host that keeps dates. */
const DATES: Array<[unknown, string]> = [
	[new Date(0), '1970-01-01T00:00:00.000Z'],
	[DateTime.fromMillis(0, { zone: 'utc' }), '1970-01-01T00:00:00.000Z'],
];

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
		...(has.dates ? DATES : []),
		['={{ new Date(0) }}', '1970-01-01T00:00:00.000Z'],
		[['a', 1, false, ''], 'a,1,false,'],
	])('the value %j is sent as %j', async (value, sent) => {
		expect(await run([{ name: 'q', value }])).toBeUndefined();
		expect(queries()).toEqual([{ q: sent }]);
	});

	const DROPPED = ['__proto__', 'constructor', 'prototype', ' constructor '];
	test.each<[unknown, unknown, string]>([
		['q', '={{ undefined }}', 'The query parameter "q" has no value'],
		['q', '={{ [] }}', 'The query parameter "q" has no value'],
		[
			'q',
			'={{ new Date("x") }}',
			'query parameter "q": an invalid date stands in place of a value',
		],
		['', 'x', 'A query parameter has no name'],
		['={{ null }}', 'x', 'A query parameter has no name'],
		['q', '={{ ({ a: 1 }) }}', 'The query parameter "q" is an object'],
		['q', '={{ [[1]] }}', 'The query parameter "q" contains a list'],
		// n8n leaves these out: a filter would be lost in silence.
		...DROPPED.map((name): [string, string, string] => [
			...([name, 'x', `n8n can't send a query parameter "${name.trim()}"`] as const),
		]),
	])('the name %j with the value %j is refused', async (name, value, message) => {
		const error = await run([{ name, value }]);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/\w/);
		expect(queries()).toEqual([]);
	});

	test.each([
		['page', {}, 'selects the page', "set 'Limit' or 'Return All'"],
		['per_page', {}, 'sets the page size', "set 'Page Size' in the credential"],
		['n', { hasOwnPaging: true, pageSizeParameter: 'n' }, 'sets the page size', "set 'Page Size'"],
	])('%p is refused where it selects pages (%p)', async (name, paging, what, instead) => {
		const error = await run([{ name, value: '2' }], {}, paging);
		expect(error?.message).toContain(`The query parameter "${name}" ${what}`);
		expect(error?.description).toContain(instead);
		expect(error?.description).toContain("turn on 'Own Page Parameters' in the credential");
		expect(queries()).toEqual([]);
	});

	test('a name of pages is free where it is set to another one, and for a write', async () => {
		const paging = { hasOwnPaging: true, pageParameter: 'p', pageSizeParameter: 'n', pageSize: 50 };
		await run([{ name: 'page', value: 'home' }], {}, paging);
		const locationId = byId(service.sandbox.account.locations[0].id);
		const update = { operation: 'update', locationId, fields: columns({ city: 'Ulm' }) };
		await run([{ name: 'page', value: '2' }], update);
		// The fields of locations are read before the update.
		expect(queries()).toEqual([{ page: 'home', n: '50' }, {}, { page: '2' }]);
	});
});
