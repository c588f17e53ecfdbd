import { byId, useSandbox } from '../support/fixture';

const service = useSandbox({ locations: 20, pageSize: 5 });
const { run, requests } = service;

const of = (resource: string, operation: string, more = {}) => ({
	resource,
	operation,
	allLocations: true,
	...more,
});
const locations = () => service.sandbox.account.locations;

test('the insights of all locations come out of one item, as daily rows with ID and name', async () => {
	const { json } = await run(of('insight', 'get', { output: 'rows' }));
	const { insightOf } = service.sandbox.account;
	expect(
		json.map(({ location_id, location_name, date }) => [location_id, location_name, date]),
	).toEqual(
		locations().flatMap(({ id, name }) =>
			insightOf.call(service.sandbox.account, id).days.map(({ date }) => [id, name, date]),
		),
	);
	// The list of locations has four pages.
	expect(requests().filter((one) => !one.endsWith('/insights'))).toHaveLength(4);
});

test.each([
	['summary', { location_id: expect.any(String), location_name: expect.any(String) }],
	['raw', { location_id: expect.any(String), location_name: expect.any(String) }],
])('the same as %s: one item per location', async (output, item) => {
	const { json } = await run(of('insight', 'get', { output }));
	expect(json).toHaveLength(locations().length);
	for (const one of json) expect(one).toMatchObject(item);
});

test.each(['keyword', 'post'])('%ss of all locations, each with its location', async (resource) => {
	const { account } = service.sandbox;
	const { json } = await run(of(resource, 'getAll', { returnAll: true }));
	expect(json.map(({ id, location_name }) => [id, location_name])).toEqual(
		locations().flatMap(({ id, name }) => {
			const records = resource === 'keyword' ? account.keywordsOf(id) : account.postsOf(id);
			return records.map((record) => [record.id, name]);
		}),
	);
});

test('a limit holds for all of them together, in the order of the locations', async () => {
	const all = await run(of('keyword', 'getAll', { returnAll: true }));
	const { json } = await run(of('keyword', 'getAll', { returnAll: false, limit: 7 }));
	expect(json).toEqual(all.json.slice(0, 7));
});

describe('a location that fails while others work', () => {
	const ofAll = of('insight', 'get', { output: 'summary' });
	const respondTo = ({ id }: { id: string }, status: number) =>
		service.sandbox.faults.add({
			when: { path: `/locations/${id}/insights` },
			response: { status },
		});

	test.each([403, 422, 501])(
		'stops the node (%i), which says how to go on without it',
		async (status) => {
			const [first] = locations();
			respondTo(first, status);
			const { json, error } = await run(ofAll);
			expect(json).toEqual([]);
			expect(error?.message).toContain(`1 of 20 locations failed: ${first.name} (`);
			expect(error?.description).toContain("set 'On Error' to Continue (using error output)");
		},
	);

	test('leaves by the error output, with its name and the reason', async () => {
		const [, { id, name }] = locations();
		respondTo({ id }, 403);
		const settings = { onError: 'continueErrorOutput' as const };
		const parameters = { ...ofAll, options: { includeInputFields: true } };
		const { outputs, hints, error } = await run(parameters, { settings, rows: [{ week: 47 }] });
		expect(error).toBeUndefined();
		const [done, failed] = outputs.map((items) => items.map(({ json }) => json));
		expect(done).toHaveLength(19);
		const reason = `This API key is not allowed to get the insights of location "${id}"`;
		expect(failed).toMatchObject([
			{
				error: {
					message: `${name}: ${reason}`,
					httpCode: '403',
					location_id: id,
					location_name: name,
				},
			},
		]);
		expect(hints).toEqual([`1 location failed: ${name} (${reason}).`]);
	});

	test('is a failed item too if its insights are one page of several', async () => {
		const [{ id, name }] = locations();
		service.sandbox.faults.add({
			when: { path: `/locations/${id}/insights` },
			transform: () => ({ data: { days: [], has_more: true } }),
		});
		const { json } = await run(ofAll, { settings: { onError: 'continueRegularOutput' } });
		expect(json.filter(({ error }) => error)).toMatchObject([
			{ location_name: name, error: { message: expect.stringContaining('one page of several') } },
		]);
	});

	test('of which the service has nothing (404) is left out, with a hint', async () => {
		const [{ id, name }] = locations();
		respondTo({ id }, 404);
		const { json, hints, error } = await run(ofAll);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(19);
		expect(hints).toEqual([expect.stringMatching(`^1 location was left out: ${name} \\(`)]);
	});
});

test.each([
	[403, 'This API key is not allowed to get the insights'],
	[404, 'There is no location with the ID'],
	[501, 'The service was unable to get the insights'],
])(
	'where all locations fail (%i), the node does, and nothing is left out in silence',
	async (status, message) => {
		service.sandbox.faults.add({ when: { path: '/locations/*/insights' }, response: { status } });
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const { json, error } = await run(of('insight', 'get', { output: 'rows' }), {
				settings: { onError },
			});
			const failure = onError === 'stopWorkflow' ? error : (json[0].error as Error);
			expect(failure?.message).toContain(message);
			expect(json).toHaveLength(onError === 'stopWorkflow' ? 0 : 1);
		}
	},
);

test('query parameters go to what is read of each location, and not to their list', async () => {
	const parameters = [{ name: 'from', value: '2026-11-16' }];
	await run(of('insight', 'get', { output: 'raw', options: { queryParameters: { parameters } } }));
	const isSent = (request: string) => request.includes('from=2026-11-16');
	expect(requests().filter(isSent)).toEqual(requests().filter((one) => one.includes('/insights')));
});

test('an operation of one location is not of all, whatever the panel has kept', async () => {
	const { error } = await run(
		of('keyword', 'create', { fields: { mappingMode: 'autoMapInputData', value: null } }),
		{
			rows: [{ keyword: 'x' }],
		},
	);
	expect(error?.message).toBe('No location is chosen');
	expect(requests().every((request) => request.startsWith('GET'))).toBe(true);
});

describe('several items that would all read the same', () => {
	const ONCE = 'Read once for all 3 items, because no parameter depends on the item.';
	const rows = [{ order: 1 }, { order: 2 }, { order: 3 }];
	const fixed = { parameters: [{ name: 'from', value: '={{ $now.toISODate() }}' }] };

	test.each<[string, object]>([
		['insights', of('insight', 'get', { output: 'summary' })],
		['posts', of('post', 'getAll', { returnAll: true })],
		['with an expression for the period', { options: { queryParameters: fixed } }],
		['from another step', { returnAll: "={{ $('Rows').first().json.all ?? true }}" }],
	])('%s are read once, with a hint', async (_, more) => {
		const parameters = of('post', 'getAll', { returnAll: true, ...more });
		const one = await run(parameters);
		const count = requests().length;
		const { json, items, hints } = await run(parameters, { rows });
		expect(json).toEqual(one.json);
		expect(requests()).toHaveLength(2 * count);
		expect(hints).toEqual([ONCE]);
		expect(new Set(items.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(
			new Set(['{"item":0}']),
		);
	});

	test.each<[string, object, object?]>([
		['a parameter that reads the item', { options: { maxWait: '={{ $json.order * 10 }}' } }],
		['the columns of the item beside the result', { options: { includeInputFields: true } }],
		['the number of the item', { limit: '={{ $itemIndex + 1 }}', returnAll: false }],
		[
			'an item of another step, beside its first one',
			{ options: { maxWait: "={{ $('Rows').item.json.order + $('Rows').first().json.order }}" } },
		],
	])('with %s, they are read for each', async (_, more) => {
		const parameters = of('keyword', 'getAll', { returnAll: true, ...more });
		const { items, hints } = await run(parameters, { rows });
		expect(new Set(items.map(({ pairedItem }) => JSON.stringify(pairedItem))).size).toBe(3);
		expect(hints).not.toContain(ONCE);
	});

	test('a single record comes out for each: what goes on needs as many items', async () => {
		const parameters = {
			resource: 'location',
			operation: 'get',
			locationId: byId(locations()[0].id),
		};
		const { json, hints } = await run(parameters, { rows });
		expect(json).toHaveLength(3);
		expect(hints).toEqual([]);
	});
});
