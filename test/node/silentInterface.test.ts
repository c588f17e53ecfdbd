import { byId, columns, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { ledgerOf, NOTHING_WRONG } from '../../dev/n8n/ledger';
import { createPosts, postSheet, sheetOf } from '../support/sheet';

// What a service may do where the interface says nothing: nothing is lost or done twice for it.

useShortWatch();
const service = useSandbox();
const { run, requests } = service;

const lost = { when: { method: 'POST' }, times: 1, actFirst: true, dropConnection: true } as const;
const posts = () => requests().filter((request) => request.startsWith('POST')).length;

describe('a response is lost', () => {
	test('and the query of the create would filter the list: the whole list is checked', async () => {
		service.sandbox.faults.add({ when: { method: 'POST' }, response: { status: 504 } });
		const rows = sheetOf(service.sandbox, 1);
		const queryParameters = { parameters: [{ name: 'status', value: 'published' }] };
		await run({ ...postSheet, options: { queryParameters } }, { rows });
		const lists = requests().filter((request) => request.startsWith('GET'));
		expect(lists.length).toBeGreaterThan(2);
		expect(lists.filter((request) => request.includes('?'))).toEqual([]);
	});

	test('and the list was not read before: the same content is not sent again soon', async () => {
		service.sandbox.faults.add(lost);
		const rows = sheetOf(service.sandbox, 1);
		for (const parameters of [createPosts, createPosts]) {
			const { error } = await run(parameters, { rows });
			expect(error?.message).toMatch(/^Could not confirm whether the content post was created/);
		}
		expect(posts()).toBe(1);
		const { json } = await run(postSheet, { rows });
		expect(ledgerOf(service.sandbox, rows, json)).toEqual(NOTHING_WRONG);
		expect(posts()).toBe(1);
	});
});

test('a tool of an MCP server changes back what it has changed before', async () => {
	const [{ id }] = service.sandbox.account.locations;
	for (const name of ['Alpha', 'Beta', 'Alpha']) {
		const fields = columns({ name });
		const parameters = { resource: 'location', operation: 'update', locationId: byId(id), fields };
		await run(parameters, { isOutsideOfExecutions: true });
		expect(service.sandbox.account.locations[0].name).toBe(name);
	}
});

test('if all rows fail because of the same list, each is named once', async () => {
	service.sandbox.faults.add({ when: { method: 'GET' }, response: { status: 403 } });
	const [row] = sheetOf(service.sandbox, 1);
	const rows = [1, 2, 3].map((number) => ({ ...row, title: `Number ${number}` }));
	const { json } = await run(postSheet, { rows, settings: { onError: 'continueRegularOutput' } });
	const messages = json.map(({ error }) => (error as { message: string }).message);
	for (const [index, message] of messages.entries()) {
		expect(message.match(/Item \d: /g)).toEqual([`Item ${index + 1}: `]);
	}
	const { error } = await run(postSheet, { rows });
	expect(error?.message).toMatch(/^All 3 items failed for the same reason: (?!Item)/);
});

test('a column that was removed from the mapping is not sent', async () => {
	const schema = [
		{ id: 'name', displayName: 'Name', type: 'string', removed: false },
		{ id: 'city', displayName: 'City', type: 'string', removed: true },
	];
	const value = { name: 'A', city: 'B' };
	await run({
		resource: 'location',
		operation: 'create',
		ifExists: 'create',
		fields: { mappingMode: 'defineBelow', value, schema } as never,
	});
	expect(service.sandbox.requests.at(-1)?.body).toEqual({ name: 'A' });
});

test('no response for longer than Max Wait: no retry', async () => {
	service.sandbox.faults.add({ delayMs: 60_000 });
	const { error } = await run({
		resource: 'location',
		operation: 'getAll',
		options: { maxWait: 1 },
		requestOptions: { timeout: 2_000 },
	});
	expect(error?.message).toBe('The service did not respond in time');
	expect(requests()).toHaveLength(1);
});
