import { byId, columns, incomingRow, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { ledgerOf, NOTHING_WRONG } from '../../harness/ledger';
import { createPosts, postSheet, sheetOf } from '../support/sheet';

// What a service may do where the interface says nothing: nothing is lost or done twice for it.

useShortWatch();
const service = useSandbox();
const { run, requests } = service;

const lost = { when: { method: 'POST' }, times: 1, actFirst: true, dropConnection: true } as const;
const posts = () => requests().filter((request) => request.startsWith('POST')).length;
const titles = () =>
	service.sandbox.account.locations
		.flatMap(({ id }) => service.sandbox.account.postsOf(id))
		.map(({ title }) => title)
		.filter((title) => title.startsWith('Offer number'))
		.sort();

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

	test('and the outcome is unclear: sending the same again soon returns that record', async () => {
		service.sandbox.faults.add(lost);
		service.sandbox.faults.add({ when: { method: 'GET' }, response: { status: 403 } });
		const rows = sheetOf(service.sandbox, 1);
		const first = await run(createPosts, { rows });
		service.sandbox.faults.clear();
		expect(first.error?.message).toMatch(/Could not confirm whether/);
		const second = await run(createPosts, { rows });
		expect(ledgerOf(service.sandbox, rows, second.json)).toEqual(NOTHING_WRONG);
		expect(posts()).toBe(1);
		// That was it: from then on the same content is another post.
		await run(createPosts, { rows });
		expect(posts()).toBe(2);
	});

	test('and the service uses different page parameters', async () => {
		const [{ location_id }] = sheetOf(service.sandbox, 1);
		const { account } = service.sandbox;
		const location = account.locations.find(({ id }) => id === location_id)!;
		for (let index = 0; index < 20; index++) {
			account.addPost(location, { title: `Older ${index}`, content: 'x' });
		}
		service.sandbox.faults.add(lost);
		await run(
			{ ...createPosts, options: { pageParameter: 'p' } },
			{ rows: sheetOf(service.sandbox, 1) },
		);
		expect(requests().some((request) => request.endsWith('posts?p=2'))).toBe(true);
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

describe('a look at what exists', () => {
	test('takes a list of fields', async () => {
		const [row] = sheetOf(service.sandbox, 1);
		const matchFields = "={{ ['title'] }}";
		const rows = [row, { ...row, content: 'Other' }];
		const { json } = await run({ ...postSheet, options: { matchFields } }, { rows });
		expect(json.map(({ skipped }) => skipped)).toEqual([undefined, true]);
	});

	test('keeps different rows apart if a match field is mistyped and there are no posts yet', async () => {
		const { id } = service.sandbox.account.addLocation({ name: 'Brand-new shop' });
		const rows = ['Offer number 1', 'Offer number 2', 'Offer number 2'].map((title) => ({
			location_id: id,
			title,
			content: 'The same',
		}));
		const mistyped = { matchFields: 'titel, content' };
		const { json } = await run({ ...postSheet, options: mistyped }, { rows });
		expect(json.map(({ skipped }) => skipped)).toEqual([undefined, undefined, true]);
		expect(titles()).toHaveLength(2);
	});

	test('names each row once if all fail because of the same list', async () => {
		service.sandbox.faults.add({ when: { method: 'GET' }, response: { status: 403 } });
		const [row] = sheetOf(service.sandbox, 1);
		const rows = [1, 2, 3].map((number) => ({ ...row, title: `Number ${number}` }));
		const { json } = await run(postSheet, { rows, settings: { onError: 'continueRegularOutput' } });
		const messages = json.map(({ error }) => (error as { message: string }).message);
		for (const [index, message] of messages.entries()) {
			expect(message.match(/Row \d of 3: /g)).toEqual([`Row ${index + 1} of 3: `]);
		}
		const { error } = await run(postSheet, { rows });
		expect(error?.message).toMatch(/^All 3 rows failed for the same reason: (?!Row)/);
	});
});

describe('input', () => {
	test('an invalid proxy fails the rows, also with Continue', async () => {
		const { json } = await run(
			{ ...createPosts, requestOptions: { proxy: 'myproxy' } },
			{ rows: sheetOf(service.sandbox, 2), settings: { onError: 'continueRegularOutput' } },
		);
		const message = expect.stringMatching(/The proxy is not a valid URL/);
		expect(json.map(({ error }) => error)).toEqual(
			[1, 2].map(() => expect.objectContaining({ message })),
		);
	});

	test('a JSON body that is a list is rejected', async () => {
		const { error } = await run({
			resource: 'location',
			operation: 'create',
			dataToSend: 'json',
			jsonBody: '[{ "name": "A" }]',
		});
		expect(error?.message).toBe('The JSON body must be a non-empty object');
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
		expect(service.sandbox.requests[0].body).toEqual({ name: 'A' });
	});

	test.each([46_387, 2026, '2026-12-31T18:00:00Z[UTC]'])('%p is not a date', async (date) => {
		const schema = [{ id: 'opened', displayName: 'Opened', type: 'dateTime' }];
		const { error } = await run({
			resource: 'location',
			operation: 'create',
			fields: { mappingMode: 'defineBelow', value: { opened: date }, schema } as never,
		});
		expect(error?.message).toMatch(/The field "Opened" is not a date/);
		expect(requests()).toEqual([]);
	});

	test('a column that is not empty is not reported as empty', async () => {
		const { error } = await run(
			{ resource: 'location', operation: 'get', locationId: byId('={{ $json.a.b }}') },
			{ rows: [{ a: { c: 1 } }] },
		);
		expect(error?.message).toBe('The location ID is empty');
		expect(error?.description).not.toMatch(/column/);
	});
});

describe('responses', () => {
	test('a key in a text is not shown', async () => {
		const text = `You sent Bearer ${service.sandbox.keys.write}, thank you`;
		service.sandbox.faults.add({ response: { status: 200, body: text } });
		const { error } = await run({ resource: 'location', operation: 'getAll' });
		expect(error?.description).toContain('You sent Bearer …, thank you');
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

	test.each([
		[{ detail: [{ loc: ['body', 'title'], msg: 'is too long' }] }, /\(body\.title: is too long\)/],
		[{ title: ['is too long'] }, /\(title: is too long\)/],
		[{ violations: [{ propertyPath: 'title', message: 'is too long' }] }, /\(title: is too long\)/],
		[[{ field: 'title', message: 'is too long' }], /\(title: is too long\)/],
		[{ message: ['title is too long'], error: 'Bad Request' }, /\(title is too long\)/],
	])('%j says what is wrong with which field', async (body, message) => {
		service.sandbox.faults.add({ response: { status: 422, body } });
		const { error } = await run(
			{ ...createPosts, fields: incomingRow },
			{ rows: sheetOf(service.sandbox, 1) },
		);
		expect(error?.message).toMatch(message);
	});
});
