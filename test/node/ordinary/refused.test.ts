import { byId, columns } from '../../support/fixture';
import { useShortWatch } from '../../support/shortWatch';
import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, useBackend } from './backend';
import { READS_OF_NEW_ACCOUNT, rowsFor } from './rows';

// What a service refuses is said at once, in its own words, after one request, and without a doubt.

useShortWatch();
const backend = useBackend();

const CAUSE = 'The daily quota of posts is used up';
const DOUBT = /may have|could not confirm|not created|Unexpected response/i;

function expectWords(error?: { message: string; description?: unknown }) {
	const said = `${error?.message} ${error?.description}`;
	expect(said).toContain(CAUSE);
	expect(said).not.toMatch(DOUBT);
}

/** A success without data that denies itself. */
const DENIALS: Record<string, unknown> = {
	'{ success: false, message }': { success: false, message: CAUSE },
	'{ success: false, error }': { success: false, error: CAUSE },
	'{ success: false, data: null }': { success: false, data: null, message: CAUSE },
	'{ success: false, data: [] }': { success: false, data: [], message: CAUSE },
	'{ success: false, data: {} }': { success: false, data: {}, message: CAUSE },
	'{ success: false, errors }': { success: false, errors: [{ message: CAUSE }] },
	'{ error }': { error: CAUSE },
	'{ error: { message } }': { error: { code: 'quota', message: CAUSE } },
	'{ error, data: null }': { error: { message: CAUSE }, data: null },
	'{ errors: [text] }': { errors: [CAUSE] },
	'{ errors: [{ detail }] }': { errors: [{ status: '422', detail: CAUSE }] },
	'{ errors: { field } }': { errors: { title: [CAUSE] } },
};

const location = (locationId: string) => ({
	...{ resource: 'location', operation: 'update', locationId: byId(locationId) },
	fields: columns({ city: 'York' }),
});

describe.each(Object.keys(DENIALS))('200 that denies itself: %s', (name) => {
	const body = DENIALS[name];

	test.each([200, 201])('a create (%i)', async (status) => {
		const service = backend({ created: () => ({ status, body }) });
		const { error } = await service.run(createPosts, rowsFor(service, 1));
		expectWords(error);
		expect(service.requests).toHaveLength(1 + READS_OF_NEW_ACCOUNT);
	});

	test('an update and a deletion', async () => {
		const service = backend({ updated: () => ({ body }), deleted: () => ({ body }) });
		const { id } = service.add('keywords', { location_id: service.location(), keyword: 'a' });
		const remove = { resource: 'keyword', operation: 'delete', keywordId: byId(id) };
		for (const parameters of [location(service.location()), remove]) {
			expectWords((await service.run(parameters)).error);
		}
		expect(service.requests).toEqual([
			'GET /locations',
			`PATCH /locations/${service.location()}`,
			`DELETE /keywords/${String(id)}`,
		]);
	});

	test('a reading', async () => {
		const service = backend({ instead: () => ({ body }) });
		const one = { resource: 'location', locationId: byId('loc_1'), returnAll: true };
		for (const operation of ['get', 'getAll']) {
			expectWords((await service.run({ ...one, operation })).error);
		}
		expect(service.requests).toHaveLength(2);
	});
});

/** Of what was read, words such as `errors` may be the names of metrics. */
test.each<[string, { data: unknown }]>([
	['metrics', { data: { views: 120, errors: 3 } }],
	['metrics by their errors', { data: { errors: { count: 3 }, calls: { count: 5 } } }],
	['days and what was left out', { data: [{ date: '2026-01-01' }], ...{ errors: ['1 left out'] } }],
	['a record with a status', { data: { id: 'loc_1', status: 'error', code: 422, success: false } }],
	['a code beside them', { data: { views: 120 }, ...{ code: 20_000, success: false } }],
])('%s are read', async (_, body) => {
	const service = backend({ instead: () => ({ body }) });
	const insights = { resource: 'insight', operation: 'get', output: 'raw' };
	const { json, error } = await service.run({ ...insights, locationId: byId('loc_1') });
	expect([json, error]).toEqual([[body.data].flat(), undefined]);
});

const typed = (type: string, body: unknown): Answer => ({
	body,
	headers: { 'Content-Type': type },
});
const ERRORS: Record<string, Answer> = {
	'{ message }': { body: { message: CAUSE } },
	'{ error }': { body: { error: CAUSE } },
	'{ error: { message } }': { body: { error: { message: CAUSE, type: 'invalid' } } },
	'{ detail } (Django, FastAPI)': { body: { detail: CAUSE } },
	'{ detail: [{ loc, msg }] } (FastAPI)': { body: { detail: [{ loc: ['body'], msg: CAUSE }] } },
	'{ message, errors } (Laravel)': {
		body: { message: 'The given data was invalid.', errors: { title: [CAUSE] } },
	},
	'{ errors: [text] } (Rails)': { body: { errors: [CAUSE] } },
	'{ title: [text] } (Rails, Django)': { body: { title: [CAUSE] } },
	'{ errors: [{ title, detail }] } (JSON:API)': {
		body: { errors: [{ title: 'Invalid', detail: CAUSE }] },
	},
	'{ timestamp, status, error, message } (Spring)': {
		body: { timestamp: '2026-11-21T12:00:00Z', status: 422, error: 'Bad Request', message: CAUSE },
	},
	'problem+json (ASP.NET)': typed('application/problem+json', {
		...{ type: 'about:blank', title: 'Invalid', status: 422, detail: CAUSE },
	}),
	'problem+json with a title': typed('application/problem+json', { title: CAUSE, status: 422 }),
	'problem+json with errors (ASP.NET)': typed('application/problem+json', {
		...{ title: 'One or more validation errors', status: 422, errors: { Title: [CAUSE] } },
	}),
	'{ data: { message } }': { body: { data: { message: CAUSE } } },
	'a text': typed('text/plain', CAUSE),
	'a text in JSON': { body: JSON.stringify(CAUSE) },
	'[text]': { body: [CAUSE] },
	'a page': typed(
		'text/html',
		`<!doctype html><html><head><title>${CAUSE}</title></head><body></body></html>`,
	),
};

describe.each([400, 409, 422])('%i is said in the words of the service', (status) => {
	test.each(Object.keys(ERRORS))('%s', async (name) => {
		const service = backend({ created: () => ({ ...ERRORS[name], status }) });
		const { error } = await service.run(createPosts, rowsFor(service, 1));
		expectWords(error);
		expect(service.requests).toHaveLength(1 + READS_OF_NEW_ACCOUNT);
	});
});

test('the words of a service are cut, and shown without the key', async () => {
	const service: ReturnType<typeof backend> = backend({
		created: () => ({
			status: 422,
			body: { message: `${service.credential.apiKey}: ${'too long '.repeat(1_000)}` },
		}),
	});
	const { error } = await service.run(createPosts, rowsFor(service, 1));
	const said = `${error?.message} ${error?.description}`;
	expect(said).toContain('…: too long too long');
	expect(said).not.toContain(service.credential.apiKey);
	expect(said.length).toBeLessThan(1_500);
});

test.each([400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 418, 422, 451, 501, 505])(
	'%i without a body: each row once, at once',
	async (status) => {
		const service = backend({
			instead: ({ method }) => (method === 'POST' ? { status } : undefined),
		});
		const { error } = await service.run(createPosts, rowsFor(service, 3));
		expect(error?.message).toMatch(/^All 3 items failed/);
		expect(`${error?.message} ${error?.description}`).not.toMatch(DOUBT);
		// Once a key is refused, it is not used for the other rows.
		expect(service.countOf('POST')).toBeLessThanOrEqual(3);
		expect(service.countOf('GET')).toBe(READS_OF_NEW_ACCOUNT);
	},
);

test.each([
	[409, 'The title has already been taken', 0],
	// The service may have made the post before it failed: the list is looked at, and nothing is sent again.
	[500, 'Undefined index: title', 3],
])('%i for one of three rows: the others are created', async (status, message, looks) => {
	const service = backend({
		instead: ({ method, fields }) =>
			method === 'POST' && String(fields.title).endsWith('2')
				? { status, body: { message } }
				: undefined,
	});
	const settings = { onError: 'continueRegularOutput' } as const;
	const { error, json } = await service.run(postSheet, rowsFor(service), { settings });
	expect(error).toBeUndefined();
	const words = JSON.stringify(json[1].error);
	expect(words).toContain(message);
	expect(words.includes('a repeat looks first')).toBe(status === 500);
	expect([json[0], json[2]]).toEqual(service.records.posts);
	expect(service.countOf('POST')).toBe(3);
	// A busy machine may be late for one of the looks.
	const looked = service.countOf('GET') - READS_OF_NEW_ACCOUNT;
	expect(looked).toBeLessThanOrEqual(looks);
	expect(looked > 0).toBe(looks > 0);
});
