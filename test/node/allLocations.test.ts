import omit from 'lodash/omit';

import { byId, goOn, incomingRow, useSandbox } from '../support/fixture';

// Reads of all locations come out of one item, complete or with what is missing.

const service = useSandbox({ locations: 20, pageSize: 5 });
const { account, run, requests } = service;
const locations = () => account().locations;

const of = (resource: string, operation: string, more = {}) => ({
	...{ resource, operation, allLocations: true },
	...more,
});
const ofAll = of('insight', 'get', { output: 'summary' });
const respondTo = (id: string, status: number) =>
	service.sandbox.faults.add({ when: { path: `/locations/${id}/insights` }, response: { status } });

test.each<[string, string, object, (id: string) => unknown[]]>([
	['insight', 'get', { output: 'rows' }, (id) => account().insightOf(id).days],
	['insight', 'get', { output: 'summary' }, () => [1]],
	['insight', 'get', { output: 'raw' }, () => [1]],
	['keyword', 'getAll', { returnAll: true }, (id) => account().keywordsOf(id)],
	['post', 'getAll', { returnAll: true }, (id) => account().postsOf(id)],
])(
	'%s %s, %j: each item has its location, in their order',
	async (resource, operation, more, own) => {
		const { json } = await run(of(resource, operation, more));
		expect(json.map(({ location_id, location_name }) => [location_id, location_name])).toEqual(
			locations().flatMap(({ id, name }) => own(id).map(() => [id, name])),
		);
		// The list of locations has four pages, and is read once.
		const lists = requests().filter((request) => /^GET \/locations(\?|$)/.test(request));
		expect(lists).toHaveLength(4);
	},
);

test('a limit holds for all of them together, one after the other', async () => {
	const all = await run(of('keyword', 'getAll', { returnAll: true }));
	const before = requests().length;
	const { json, hints } = await run(of('keyword', 'getAll', { returnAll: false, limit: 7 }));
	expect(json).toEqual(all.json.slice(0, 7));
	const more = "7 keywords, and there may be more. To get all of them, turn on 'Return All'.";
	expect(hints).toEqual([more]);
	const places = new Set(
		json.map(({ location_id }) => `GET /locations/${String(location_id)}/keywords`),
	);
	const read = requests()
		.slice(before)
		.filter((one) => one.includes('/keywords'));
	expect(new Set(read.map((one) => one.replace(/\?.*/, '')))).toEqual(places);
});

test('a limit that the last list of all cuts says how many there are', async () => {
	const all = await run(of('keyword', 'getAll', { returnAll: true }));
	const limit = all.json.length - 1;
	const { hints } = await run(of('keyword', 'getAll', { returnAll: false, limit }));
	expect(hints.join()).toContain(`${limit} of ${all.json.length} keywords`);
});

test('what each item says of its location is what the account says, whatever records say', async () => {
	const [one, other] = locations();
	account().updateLocation(other, { name: one.name });
	const transform = ({ data, ...more }: { data: object[] }) => ({
		...more,
		data: data.map((record) => ({ ...record, location_id: null, location_name: 'West' })),
	});
	service.sandbox.faults.add({ when: { path: '/locations/*/keywords' }, transform });
	const { json } = await run(of('keyword', 'getAll', { returnAll: true }));
	const names = [
		...new Set(json.map((item) => `${String(item.location_id)} ${String(item.location_name)}`)),
	];
	expect(names).toEqual(locations().map(({ id, name }) => `${id} ${name}`));
});

test.each([{}, { id: 2 ** 53 }])(
	'a location with %j as its ID comes out as a failed item',
	async (id) => {
		const transform = ({ data, ...more }: { data: object[] }) => ({
			...more,
			data: data.map((record, at) => {
				const own = omit(record as { name: string }, 'id');
				return own.name === 'Odd' && at === 0 ? { ...own, ...id } : record;
			}),
		});
		account().updateLocation(locations()[0], { name: 'Odd' });
		service.sandbox.faults.add({ when: { path: '/locations' }, transform });
		const others = await run(ofAll, goOn);
		expect(others.json).toHaveLength(20);
		const error = expect.objectContaining({ message: 'Odd: The location ID is empty' });
		expect(others.json.at(-1)).toEqual({ location_id: null, location_name: 'Odd', error });
	},
);

describe('as a tool, an item says in its note what a hint would say', () => {
	const noteOf = async (parameters: object, more = {}) => {
		const { json } = await run({ ...ofAll, ...parameters }, { isTool: true, ...more });
		const notes = json.flatMap(({ note }) => (note === undefined ? [] : [String(note)]));
		expect(notes.length).toBeLessThanOrEqual(1);
		return { json, note: notes[0] };
	};

	test('of a location that was left out, of the rest of a list, and of totals that are missing', async () => {
		const [{ id, name }] = locations();
		respondTo(id, 404);
		const left = await noteOf({});
		expect(left.json).toHaveLength(19);
		expect(left.note).toContain(
			`Left out, because the service has nothing of them (404): ${name}.`,
		);
		const many = { resource: 'location', operation: 'getAll', limit: 3 };
		expect((await noteOf(many)).note).toMatch(/^3 of 20 locations\. To get all/);
		const few = of('keyword', 'getAll', { limit: 3 });
		expect((await noteOf(few)).note).toMatch(/^3 keywords, and there may be more\./);
		service.sandbox.faults.clear();
		const days = [{ date: '2026-03-01', views: 1 }];
		const transform = () => ({ data: days });
		service.sandbox.faults.add({ when: { path: '/locations/*/insights' }, transform });
		expect((await noteOf({})).note).toMatch(/^There are only days, and no totals: /);
	});

	test('there is none where nothing is to be said, and none in a workflow', async () => {
		expect((await noteOf({})).note).toBeUndefined();
		respondTo(locations()[0].id, 404);
		expect((await run(ofAll)).json.some(({ note }) => note)).toBe(false);
	});
});

describe('a location that fails while others work', () => {
	test('stops the node, which says how to go on, or stands among the others', async () => {
		const [{ id, name }] = locations();
		const transform = ({ data }: { data: object }) => ({ data: { ...data, has_more: true } });
		service.sandbox.faults.add({ when: { path: `/locations/${id}/insights` }, transform });
		const { json, error } = await run(ofAll);
		expect(json).toEqual([]);
		const reason = 'These insights are one page of several, ';
		expect(error?.message).toContain(`1 of 20 locations failed: ${name} (${reason}`);
		expect(error?.description).toContain("set 'On Error' to Continue (using error output)");
		const others = await run(ofAll, goOn);
		const said = { message: expect.stringContaining(reason), description: expect.any(String) };
		expect(others.json.at(-1)).toEqual({ location_id: id, location_name: name, error: said });
	});

	test('leaves by the error output, with its name and the reason', async () => {
		const [, { id, name }] = locations();
		respondTo(id, 403);
		const settings = { onError: 'continueErrorOutput' as const };
		const parameters = { ...ofAll, options: { includeInputFields: true } };
		const { outputs, hints } = await run(parameters, { settings, rows: [{ week: 47 }] });
		expect(outputs[0]).toHaveLength(19);
		const reason = `This API key is not allowed to get the insights of location "${id}"`;
		const where = { location_id: id, location_name: name };
		const error = { message: `${name}: ${reason}`, httpCode: '403', ...where };
		expect(outputs[1]).toMatchObject([{ json: { error } }]);
		expect(hints).toEqual([`These locations failed: ${name}.`]);
	});

	test('is left out with a hint if the service has nothing of it (404)', async () => {
		const [{ id, name }] = locations();
		respondTo(id, 404);
		const { json, hints } = await run(ofAll);
		expect(json).toHaveLength(19);
		expect(hints).toEqual([`Left out, because the service has nothing of them (404): ${name}.`]);
	});
});

test.each([
	[403, 'This API key is not allowed to get the insights'],
	[404, 'There is no location with the ID'],
	[501, 'The service was unable to get the insights'],
])('where all locations fail (%i), the node does', async (status, message) => {
	respondTo('*', status);
	const stopped = await run(ofAll);
	expect([stopped.json, stopped.error?.message]).toEqual([[], expect.stringContaining(message)]);
	const { json } = await run(ofAll, goOn);
	expect(json).toMatchObject([{ error: { message: expect.stringContaining(message) } }]);
});

test('an incomplete list of locations is an error; who accepts it gets what came, and a hint', async () => {
	const transform = ({ data }: { data: object[] }) => ({ data, meta: { total: 25 } });
	service.sandbox.faults.add({ when: { path: '/locations' }, transform });
	const { error } = await run(ofAll);
	expect(error?.message).toContain('Incomplete list: the service returned 20 of 25 locations');
	const { json, hints } = await run({ ...ofAll, options: { acceptIncomplete: true } });
	expect([json.length, hints.join()]).toEqual([20, expect.stringMatching(/20 of (the )?25/)]);
});

test('query parameters go to what is read of each location, and not to their list', async () => {
	const parameters = [{ name: 'from', value: '2026-11-16' }];
	await run({ ...ofAll, options: { queryParameters: { parameters } } });
	const isSent = (request: string) => request.includes('from=2026-11-16');
	expect(requests().filter(isSent)).toEqual(requests().filter((one) => one.includes('/insights')));
});

test('an operation of one location is not of all, whatever the panel has kept', async () => {
	const create = of('keyword', 'create', { fields: incomingRow });
	const { error } = await run(create, { rows: [{ keyword: 'x' }] });
	expect(error?.message).toBe('No location is chosen');
	expect(requests().every((request) => request.startsWith('GET'))).toBe(true);
});

describe('several items that would all read the same', () => {
	const ONCE = 'Read once for all 3 items, because no parameter has an expression.';
	const rows = [{ order: 1 }, { order: 2 }, { order: 3 }];
	const placesOf = ({ items }: Awaited<ReturnType<typeof run>>) =>
		new Set(items.map(({ pairedItem }) => JSON.stringify(pairedItem)));
	const posts = of('post', 'getAll', { returnAll: true });

	test('are read once, with a hint', async () => {
		const one = await run(ofAll);
		const count = requests().length;
		const result = await run(ofAll, { rows });
		expect([result.json, result.hints]).toEqual([one.json, [ONCE]]);
		expect(requests()).toHaveLength(2 * count);
		expect([...placesOf(result)]).toEqual(['{"item":0}']);
	});

	const OF_STEP = "={{ $('Rows').item.json.order + $('Rows').first().json.order }}";
	test.each<[string, object]>([
		['a parameter reads the item', { ...posts, options: { maxWait: '={{ $json.order * 10 }}' } }],
		['its columns come along', { ...posts, options: { includeInputFields: true } }],
		['its number counts', { ...posts, limit: '={{ $itemIndex + 1 }}', returnAll: false }],
		['a parameter has any expression', { ...posts, options: { maxWait: '={{ 10 }}' } }],
		['an item of another step is read', { ...posts, options: { maxWait: OF_STEP } }],
		// What goes on needs as many items.
		['a single record comes out', { resource: 'location', operation: 'get' }],
	])('are read for each if %s', async (_, parameters) => {
		const locationId = byId(locations()[0].id);
		const result = await run({ locationId, ...parameters }, { rows });
		expect(placesOf(result).size).toBe(3);
		expect(result.hints).not.toContain(ONCE);
	});
});
