import { DateTime } from 'luxon';

import { byId, columns, useSandbox } from '../support/fixture';
import { has } from '../support/hostFeatures';

const service = useSandbox({ locations: 3 });

/** As values of parameters, in a host that keeps them. */
const DATES: Array<[string, unknown, string]> = [
	['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
	['a DateTime', DateTime.fromMillis(0, { zone: 'utc' }), '1970-01-01T00:00:00.000Z'],
];

describe.each([
	['run by the node itself', false],
	["run by n8n's routing", true],
])('query parameters %s', (_, isRoutedByHost) => {
	const run = async (
		parameters: Array<{ name?: unknown; value?: unknown }>,
		more: object = {},
		paging: object = {},
	) => {
		const { baseUrl, keys } = service.sandbox;
		const list = { resource: 'location', operation: 'getAll', ...more };
		const credential = { baseUrl, apiKey: keys.write, ...paging };
		const options = { queryParameters: { parameters } };
		return await service.run({ ...list, options } as never, { isRoutedByHost, credential });
	};
	const queries = () => service.sandbox.requests.map(({ query }) => query);

	test.each(['a b', 'filter[city]', 'a&b=c', '#%+?/', 'Größe', 'toString', 'page[number]'])(
		'the name %p is sent',
		async (name) => {
			await run([{ name, value: 'x' }]);
			expect(queries()).toEqual([{ [name]: 'x' }]);
		},
	);

	test('one name may come several times, among others', async () => {
		await run([
			{ name: 'tag', value: 'a' },
			{ name: 'sort', value: 'name' },
			{ name: 'tag', value: 'b' },
			{ name: 'tag', value: ['c', 4] },
		]);
		expect(queries()).toEqual([{ tag: 'a,b,c,4', sort: 'name' }]);
	});

	test.each([
		['a number', 7, '7'],
		['false', false, 'false'],
		['an empty text', '', ''],
		['special characters', ' a&b=c#d?e%20+[]"ü\n', ' a&b=c#d?e%20+[]"ü\n'],
		...(has.dates ? DATES : []),
		['the text of a date', '={{ new Date(0) }}', '1970-01-01T00:00:00.000Z'],
		['a list', ['a', 1, false, ''], 'a,1,false,'],
	])('%s is sent as a value', async (_name, value, sent) => {
		const { error } = await run([{ name: 'q', value }]);
		expect(error).toBeUndefined();
		expect(queries()).toEqual([{ q: sent }]);
	});

	test.each([
		['nothing', '={{ undefined }}', 'The query parameter "q" has no value'],
		['a column that is missing', '={{ $json.none }}', 'The query parameter "q" has no value'],
		['an empty list', '={{ [] }}', 'The query parameter "q" has no value'],
		['an object', '={{ { a: 1 } }}', 'The query parameter "q" is an object'],
		['a list in a list', '={{ [["a"]] }}', 'The query parameter "q" contains a list'],
		[
			'an invalid date',
			'={{ new Date("x") }}',
			'query parameter "q": an invalid date stands in place of a value',
		],
	])('%s is refused as a value', async (_name, value, message) => {
		const { error } = await run([{ name: 'q', value }]);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/\w/);
		expect(queries()).toEqual([]);
	});

	test.each<[string | null, string]>([
		['', 'A query parameter has no name'],
		[null, 'A query parameter has no name'],
		// n8n leaves these out: a filter would be lost in silence.
		...['__proto__', 'constructor', 'prototype', ' constructor '].map((name): [string, string] => [
			name,
			`n8n can't send a query parameter "${name.trim()}"`,
		]),
	])('the name %p is refused', async (name, message) => {
		const { error } = await run([{ name, value: 'x' }]);
		expect(error?.message).toBe(message);
		expect(queries()).toEqual([]);
	});

	test.each([
		['page', {}, 'selects the page', "set 'Limit' or 'Return All'"],
		['p', { hasOwnPaging: true, pageParameter: 'p' }, 'selects the page', "set 'Limit'"],
		['per_page', {}, 'sets the page size', "set 'Page Size' in the credential"],
		[
			'size',
			{ hasOwnPaging: true, pageSizeParameter: 'size' },
			'sets the page size',
			"set 'Page Size' in the credential",
		],
	])('%p is refused where it selects pages (%p)', async (name, paging, what, instead) => {
		const { error } = await run([{ name, value: '2' }], {}, paging);
		expect(error?.message).toContain(`The query parameter "${name}" ${what}`);
		expect(error?.description).toContain(instead);
		expect(error?.description).toContain(
			"turn on 'Own Page Parameters' in the credential, or ask its owner",
		);
		expect(queries()).toEqual([]);
	});

	test('a name of pages is free where it is set to another one, and for a write', async () => {
		const paging = { hasOwnPaging: true, pageParameter: 'p' };
		await run([{ name: 'page', value: 'home' }], {}, paging);
		const locationId = byId(service.sandbox.account.locations[0].id);
		const update = { operation: 'update', locationId, fields: columns({ city: 'Ulm' }) };
		await run([{ name: 'page', value: '2' }], update);
		// The fields of locations are read before the update.
		expect(queries()).toEqual([{ page: 'home' }, {}, { page: '2' }]);
	});
});
