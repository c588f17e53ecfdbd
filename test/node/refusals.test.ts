import type { NodeApiError } from 'n8n-workflow';

import { byId, columns, useSandbox } from '../support/fixture';
import { failure } from '../support/hostFeatures';
import { createPosts, sheetOf } from '../support/sheet';
import { useShortWatch } from '../support/shortWatch';

useShortWatch();
const service = useSandbox();
const { run, requests } = service;

/** What is refused for good is said at once. */
const options = { maxWait: 0 };
const list = { resource: 'location', operation: 'getAll', options };
const newPost = (locationId: unknown = service.sandbox.account.locations[0].id) => ({
	options,
	resource: 'post',
	operation: 'create',
	ifExists: 'create',
	locationId: byId(locationId),
	fields: columns({ title: 'Open on Sunday', content: 'From 8 to 12.' }),
});
const response = (status: number, body?: unknown, headers?: Record<string, string>) =>
	service.sandbox.faults.add({ response: { status, body, headers } });
const responseToPosts = (status: number, body: unknown) =>
	service.sandbox.faults.add({ when: { method: 'POST' }, response: { status, body } });

// The words: test/unit/errors.test.ts.
test.each([
	[302, /redirect/],
	[400, /Invalid data/],
	[401, /API key/],
	[403, /not allowed/],
	[404, /no location with/],
	[409, /rejected/],
	[422, /Invalid data/],
	[429, /Rate limit/],
	[500, /Could not confirm/],
	[501, /was unable to/],
	[503, /Could not confirm/],
])('%i is said at once, with the words of the service', async (status, message) => {
	responseToPosts(status, { message: 'Words of the service' });
	const error = (await run(newPost())).error as NodeApiError;
	expect(error).toMatchObject({ name: 'NodeApiError', httpCode: String(status) });
	expect(error.message).toMatch(message);
	expect(error.description).toContain('The service said: "Words of the service"');
	expect(requests().filter((request) => request.startsWith('POST'))).toHaveLength(1);
});

describe("the service's own message", () => {
	// Its forms: test/unit/client/serviceWords.test.ts.
	test('what is said of a field is not said twice', async () => {
		const message = 'The title field is required.';
		response(422, { message, errors: { title: [message] } });
		const { error } = await run(newPost());
		expect(error?.message).toMatch(/\(title: The title field is required\.\)$/);
		expect(error?.description).not.toContain('The service said');
		service.sandbox.faults.clear();
		response(422, { message: 'Check your input', errors: { title: [message] } });
		expect((await run(newPost())).error?.description).toContain(
			'The service said: "Check your input"',
		);
	});
});

test('a wrong key has a message of its own', async () => {
	const credential = { baseUrl: service.sandbox.baseUrl, apiKey: 'sk_wrong' };
	const { error } = await run(list, { credential });
	expect(error).toMatchObject({ httpCode: '401', ...failure({ cause: 'credential-invalid' }) });
});

test('newer versions of n8n learn the cause, and how long the service asks to wait', async () => {
	response(429, { message: 'Slow down' }, { 'retry-after': '7' });
	const { error } = await run(list);
	expect(error).toMatchObject(failure({ cause: 'rate-limited', retryAfterMs: 7000 }));
});

describe('no response', () => {
	test('if a response is lost and the list cannot be read, the message says that the post may exist', async () => {
		service.sandbox.faults.add({ when: { method: 'POST' }, dropConnection: true, actFirst: true });
		service.sandbox.faults.add({ when: { method: 'GET' }, response: { status: 403 } });
		const { error } = await run(newPost());
		expect(error?.message).toBe('Could not confirm whether the content post was created');
		expect(error?.description).toMatch(/^Connection lost before .*Check location "loc_\w+" before/);
		expect(error).toMatchObject(failure({ cause: 'temporarily-unavailable' }));
		expect(requests().filter((request) => request.startsWith('POST'))).toHaveLength(1);
	});
});

const limit = (seconds: string) => ({
	when: { method: 'POST' },
	times: 1,
	response: {
		status: 403,
		headers: { 'retry-after': seconds },
		body: { message: 'Out of call volume quota.' },
	},
});

test('a rate limit that a gateway reports with 403 and a wait is waited for', async () => {
	const rows = sheetOf(service.sandbox, 2);
	service.sandbox.faults.add(limit('1'));
	const { json } = await run(createPosts, { rows });
	expect(json.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
	expect(requests().filter((request) => request.startsWith('POST'))).toHaveLength(3);
});

test('one that is longer than Max Wait is not taken for a scope of the key', async () => {
	const rows = sheetOf(service.sandbox, 1);
	service.sandbox.faults.add(limit('86400'));
	const { error } = await run(createPosts, { rows });
	expect(error?.message).toMatch(/^Rate limit reached: could not create a content post/);
	expect(error?.description).toMatch(/Out of call volume quota/);
	expect(error?.description).not.toMatch(/scope/);
});
