import type { INodeParameters, NodeApiError } from 'n8n-workflow';

import type { Fault } from '../../dev/sandbox';
import type { RunOptions, RunResult } from '../support/engine';
import { goOn, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { locationWithPosts, operationCases } from '../support/operations';
import { createPosts } from '../support/sheet';

// Each operation does the same in a workflow and as a tool. Certificates and proxies: route.test.ts.

useShortWatch();
// The same account each time, so that what both ways give can be compared to the letter.
const service = useSandbox({ locations: 6, now: () => new Date('2026-03-02T09:00:00Z') });

/** What a workflow sees of a run, and what the service does. A new record gets an ID of its own. */
function seen({ outputs, error }: RunResult) {
	const { message, description } = (error ?? {}) as NodeApiError;
	// n8n's routing makes a NodeApiError of each error, with "none" where there is no status.
	const httpCode = (error as NodeApiError | undefined)?.httpCode ?? 'none';
	const { failure } = (error ?? {}) as { failure?: object };
	for (const { json } of outputs.flat()) if (json.outcome === 'created') json.id = 'new';
	// What a hint says in a workflow (allLocations.test.ts).
	for (const { json } of outputs.flat()) delete json.note;
	// How long a run waited, and is to wait, is its own.
	const said = JSON.stringify({ message, description, httpCode, failure });
	return {
		outputs,
		json: outputs.flat().map(({ json }) => json),
		error: error && JSON.parse(said.replace(/[\d.]+ s\b|(?<=retryAfterMs":)\d+/g, '0')),
		requests: service.sandbox.requests.map(({ method, path, query, body }) => {
			return { method, path, query, body };
		}),
	};
}

/** Runs by our own runner, as in workflows, and by n8n's routing, as a tool. */
async function bothWays(
	{ options = {}, ...parameters }: INodeParameters,
	more: Partial<RunOptions> = {},
	fault?: Fault,
) {
	const runs = [];
	for (const isRoutedByHost of [false, true]) {
		const { sandbox } = service;
		sandbox.reset();
		if (fault) sandbox.faults.add(fault);
		// Keys of their own: the pace of one says nothing about the other.
		const apiKey = isRoutedByHost ? sandbox.keys.admin : sandbox.keys.write;
		const credential = { baseUrl: sandbox.baseUrl, apiKey };
		const own = { ...parameters, options: { maxWait: 0, ...(options as object) } };
		const run = await service.run(own, { credential, ...more, isRoutedByHost });
		runs.push(seen(run));
	}
	const [inWorkflow, asTool] = runs;
	expect(asTool).toEqual(inWorkflow);
	return inWorkflow;
}

describe.each(operationCases(service))('$operation', (row) => {
	const [resource, operation] = row.operation;
	const set = () => ({ resource, operation, ...row.parameters() });

	test('sends one request, after a page for the fields, and returns the records', async () => {
		const [sent, given] = [row.sends(), row.gives()];
		const { outputs, json, error, requests } = await bothWays(set());
		expect(error).toBeUndefined();
		const list = resource === 'location' ? '/locations' : sent.split(' ')[1];
		const asked = requests.map(({ method, path }) => `${method} ${path}`);
		const reads = row.body ? [`GET ${list}`] : [];
		expect(asked).toEqual([...reads, sent]);
		expect(requests.at(-1)?.body).toEqual(row.body);
		const [{ headers }] = service.sandbox.requests;
		expect(headers).toMatchObject({ accept: 'application/json' });
		const ids = (given as object[]).map((one) => ('id' in one ? one : { ...one, id: 'new' }));
		expect(json).toMatchObject(resource === 'insight' ? given : ids);
		expect(outputs.flat().every(({ pairedItem }) => pairedItem)).toBe(true);
	});

	test('stops both with the same words, and fails its item alike where they are to continue', async () => {
		for (const response of [
			{ status: 401 },
			{ status: 409, body: { message: 'Not like this' } },
			{ status: 200, body: '<html><title>Hello</title></html>' },
			// It is kept from then on.
			{ status: 429, headers: { 'retry-after': '7' } },
		]) {
			const { error, outputs } = await bothWays(set(), {}, { response });
			expect([error?.message, outputs]).toEqual([expect.stringMatching(/\w/), []]);
			if (response.status === 429) continue;
			const { json } = await bothWays(set(), goOn, { response });
			expect(json[0].error).toHaveProperty('message');
		}
	});
});

test('a dry run, a location by its name and the columns of the row come out alike', async () => {
	const { id, name, city } = locationWithPosts(service);
	const row = { shop: `${name}, ${city}`, title: 'A', content: 'a', row_number: 7 };
	const locationId = { mode: 'name', value: '={{ $json.shop }}' };
	const parameters = { ...createPosts, locationId, options: { includeInputFields: true } };
	const { json } = await bothWays({ ...parameters, dryRun: true }, { rows: [row] });
	expect(json).toMatchObject([{ action: 'create', location_id: id, row_number: 7 }]);
});

test('only as a tool, insights are one row for each location unless another output is chosen', async () => {
	const ofAll = { resource: 'insight', operation: 'get', allLocations: true };
	const { json } = await service.run(ofAll, { isTool: true });
	expect(json).toHaveLength(6);
	expect(json[0]).toHaveProperty('totals_views');
	const { json: chosen } = await service.run({ ...ofAll, output: 'rows' }, { isTool: true });
	expect(chosen).toHaveLength(6 * 30);
	expect((await service.run(ofAll)).json).toHaveLength(6 * 30);
});
