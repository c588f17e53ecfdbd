import type { INodeParameters, NodeApiError } from 'n8n-workflow';

import type { Fault, Sandbox } from '../../dev/sandbox';
import type { RunOptions, RunResult } from '../support/engine';
import { byId, columns, incomingRow, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { locationWithPosts, operationCases } from '../support/operations';

// The same account each time, so that what both ways give can be compared to the letter.
useShortWatch();
const service = useSandbox({ locations: 6, now: () => new Date('2026-03-02T09:00:00Z') });

/** What a workflow sees of a run, and what the service does. A new record gets an ID of its own. */
function seen({ outputs, error }: RunResult, known: Set<unknown>, isOfWrites: boolean) {
	const { message, description } = (error ?? {}) as NodeApiError;
	// n8n's routing makes a NodeApiError of each error, with "none" where there is no status.
	const httpCode = (error as NodeApiError | undefined)?.httpCode ?? 'none';
	const failure = (error as { failure?: unknown } | undefined)?.failure;
	for (const { json } of outputs.flat()) if ('id' in json && !known.has(json.id)) json.id = 'new';
	return {
		outputs,
		error: error && { message, description, httpCode, failure },
		requests: service.sandbox.requests
			.filter(({ method }) => !isOfWrites || method !== 'GET')
			.map(({ method, path, query, body }) => ({ method, path, query, body })),
	};
}

/**
 * Runs by our own runner, as in workflows, and by n8n's routing, as a tool.
 *
 * @param isOfWrites true for several rows that write: the routing hands over each by itself, which then
 * reads for itself
 */
async function bothWays(
	parameters: INodeParameters,
	more: Partial<RunOptions> = {},
	fault?: Fault,
	isOfWrites = false,
) {
	const runs = [];
	for (const isRoutedByHost of [false, true]) {
		const { sandbox } = service;
		sandbox.reset();
		if (fault) sandbox.faults.add(fault);
		const known = idsIn(sandbox);
		// Keys of their own: the pace of one says nothing about the other.
		const apiKey = isRoutedByHost ? sandbox.keys.admin : sandbox.keys.write;
		const credential = { baseUrl: sandbox.baseUrl, apiKey };
		const run = await service.run(parameters, { credential, ...more, isRoutedByHost });
		runs.push(seen(run, known, isOfWrites));
	}
	const [inWorkflow, asTool] = runs;
	expect(asTool).toEqual(inWorkflow);
	return inWorkflow;
}

function idsIn({ account }: Sandbox): Set<unknown> {
	const ids = account.locations.map(({ id }) => id);
	const keywords = ids.flatMap((id) => account.keywordsOf(id).map((keyword) => keyword.id));
	const posts = ids.flatMap((id) => account.postsOf(id).map((post) => post.id));
	const scans = keywords.flatMap((id) => account.scansOf(id).map((scan) => scan.id));
	return new Set([...ids, ...keywords, ...posts, ...scans]);
}

describe.each(operationCases(service))('$operation', ({ operation: named, parameters }) => {
	const [resource, operation] = named;
	const set = () => ({ resource, operation, ...parameters(), options: { maxWait: 0 } });

	test('gives the same items with the same requests', async () => {
		const { outputs, error, requests } = await bothWays(set());
		expect(error).toBeUndefined();
		expect(outputs[0].length).toBeGreaterThan(0);
		expect(requests.length).toBeGreaterThan(0);
	});

	const faults: Array<[string, Fault]> = [
		['a key that is not accepted', { response: { status: 401 } }],
		['a rejection with words', { response: { status: 409, body: { message: 'Not like this' } } }],
		['a rate limit', { response: { status: 429, headers: { 'retry-after': '7' } } }],
		['a web page', { response: { status: 200, body: '<html><title>Hello</title></html>' } }],
	];

	test.each(faults)('%s stops both with the same words', async (_, fault) => {
		const { error, outputs } = await bothWays(set(), {}, fault);
		expect(error?.message).toMatch(/\w/);
		expect(outputs).toEqual([]);
	});

	test.each(faults)('%s comes out the same where they are to continue', async (_, fault) => {
		const settings = { onError: 'continueRegularOutput' as const };
		const { error, outputs } = await bothWays(set(), { settings }, fault);
		expect(error).toBeUndefined();
		expect(outputs[0][0].json.error).toHaveProperty('message');
	});
});

const post = () => ({
	resource: 'post',
	operation: 'create',
	locationId: byId('={{ $json.location_id }}'),
	fields: incomingRow,
	ifExists: 'create',
	options: { maxWait: 0 },
});
const rows = () => [
	{ location_id: locationWithPosts(service).id, title: 'A', content: 'a' },
	{ location_id: '', title: 'B', content: 'b' },
	{ location_id: 'loc_nowhere', title: 'C', content: 'c' },
];

test.each([
	['On Error is set to Continue', { onError: 'continueRegularOutput' as const }],
	['On Error uses the error output', { onError: 'continueErrorOutput' as const }],
])('rows that fail are named alike where %s', async (_, settings) => {
	const { outputs, requests } = await bothWays(post(), { rows: rows(), settings }, undefined, true);
	expect(outputs.flat()).toHaveLength(3);
	expect(requests).toHaveLength(2);
});

test.each(['rows', 'summary', 'raw'])('insights come out alike: %s', async (output) => {
	const insights = { resource: 'insight', operation: 'get', output, options: { maxWait: 0 } };
	const rows = [0, 5, 3].map((index) => ({ id: service.sandbox.account.locations[index].id }));
	const locationId = byId('={{ $json.id }}');
	const { outputs, error } = await bothWays({ ...insights, locationId }, { rows });
	expect(error).toBeUndefined();
	expect(outputs[0].length).toBeGreaterThanOrEqual(3);
	expect(outputs[0].every(({ json }) => json.location_name !== null)).toBe(true);
});

test('what exists is skipped alike', async () => {
	const { id } = locationWithPosts(service);
	const { title, content } = service.sandbox.account.postsOf(id)[0];
	const row = { location_id: id, title, content };
	const { outputs, requests } = await bothWays({ ...post(), ifExists: 'skip' }, { rows: [row] });
	expect(outputs.flat().map(({ json }) => json)).toMatchObject([{ title, skipped: true }]);
	expect(requests.map(({ method }) => method)).toEqual(['GET']);
});

test('locations are created, updated and left alike', async () => {
	const [{ name, address, city }] = service.sandbox.account.locations;
	const options = { maxWait: 0 };
	const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow, options };
	for (const [row, methods, mark] of [
		[{ name, address, city }, [], 'unchanged'],
		[{ name, address, city: 'Ulm' }, ['PATCH'], 'updated'],
		[{ name, address: 'Markt 1' }, ['POST'], 'created'],
	] as const) {
		const { outputs, requests } = await bothWays(upsert, { rows: [row] });
		expect(outputs.flat().map(({ json }) => json)).toMatchObject([{ ...row, [mark]: true }]);
		expect(requests.map(({ method }) => method)).toEqual(['GET', ...methods]);
	}
});

test('a dry run, a location by its name and the columns of the row come out alike', async () => {
	const { id, name, city } = locationWithPosts(service);
	const row = { shop: `${name}, ${city}`, title: 'A', content: 'a', row_number: 7 };
	const locationId = { mode: 'name', value: '={{ $json.shop }}' };
	const options = { maxWait: 0, includeInputFields: true };
	const parameters = { ...post(), locationId, options, dryRun: true };
	const { outputs } = await bothWays(parameters, { rows: [row] });
	const expected = { action: 'create', location_id: id, row_number: 7 };
	expect(outputs.flat().map(({ json }) => json)).toMatchObject([expected]);
});

// A tool is run for one item; where it is run for several, n8n's routing throws the first error as it is.
test.each([
	[false, /^2 of 3 items failed; 1 was posted\. Item 2: The location ID is empty/],
	[true, /^Item 2: The location ID is empty/],
])(
	'where n8n stops, the message names the row (as a tool: %p)',
	async (isRoutedByHost, message) => {
		const { error } = await service.run(post(), { rows: rows(), isRoutedByHost });
		expect(error?.message).toMatch(message);
		const sent = service.requests().filter((request) => request.startsWith('POST'));
		expect(sent).toHaveLength(2);
	},
);

// Proxy and Ignore SSL Issues: route.test.ts.
describe("n8n's own settings are kept alike", () => {
	const create = { resource: 'location', operation: 'create', fields: columns({ name: 'A' }) };
	test('Timeout', async () => {
		const { error } = await bothWays(
			{
				resource: 'location',
				operation: 'getAll',
				options: { maxWait: 0 },
				requestOptions: { timeout: 500 },
			},
			{},
			{ delayMs: 5_000 },
		);
		expect(error?.message).toBe('The service did not respond in time');
	});

	test('Batching: so many rows at a time, with a pause between them', async () => {
		for (const isRoutedByHost of [false, true]) {
			service.sandbox.reset();
			const startedAt = Date.now();
			const { error } = await service.run(
				{
					...create,
					// What was created here a moment ago is not created again, also where it is gone.
					fields: columns({ name: isRoutedByHost ? 'A' : 'B', address: '1 High Street' }),
					requestOptions: { batching: { batch: { batchSize: 2, batchInterval: 300 } } },
				},
				{ rows: [{}, {}, {}, {}, {}], isRoutedByHost },
			);
			expect(error).toBeUndefined();
			// At least: a busy machine makes a pause longer, never shorter.
			expect(Date.now() - startedAt).toBeGreaterThanOrEqual(600);
		}
	});
});
