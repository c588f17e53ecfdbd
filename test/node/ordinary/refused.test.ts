import { byId, columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, useBackend } from './backend';
import { rowsFor, saidIn } from './rows';

// What a service refuses is said at once, in its own words, after one request, and without a doubt.

const backend = useBackend();

const CAUSE = 'The daily quota of posts is used up';
const DOUBT = /may have|could not confirm|not created|Unexpected response/i;

/** A success that denies itself. */
const DENIALS: Record<string, unknown> = {
	'{ success: false, message }': { success: false, message: CAUSE },
	'{ success: false, error }': { success: false, error: CAUSE },
	'{ success: false, data }': { success: false, data: null, message: CAUSE },
	'{ success: false, errors }': { success: false, errors: [{ message: CAUSE }] },
	'{ ok: false, error }': { ok: false, error: CAUSE },
	'{ error }': { error: CAUSE },
	'{ error: { message } }': { error: { code: 'quota', message: CAUSE } },
	'{ error, data: null }': { error: { message: CAUSE }, data: null },
	'{ errors: [text] }': { errors: [CAUSE] },
	'{ errors: [{ detail }] }': { errors: [{ status: '422', detail: CAUSE }] },
	'{ errors: { field } }': { errors: { title: [CAUSE] } },
	'{ status: error }': { status: 'error', message: CAUSE },
	'{ status: fail, data }': { status: 'fail', data: { message: CAUSE } },
	'{ status: failed }': { status: 'failed', message: CAUSE },
	'{ code: 422 }': { code: 422, message: CAUSE },
	'{ code: 42201 }': { code: 42_201, message: CAUSE, data: null },
	'{ status: 422 }': { status: 422, message: CAUSE },
	'{ data: { success: false } }': { data: { success: false, message: CAUSE } },
	'{ data: { error } }': { data: { error: CAUSE } },
};

const location = (locationId: string) => ({
	...{ resource: 'location', operation: 'update', locationId: byId(locationId) },
	fields: columns({ city: 'York' }),
});

describe.each([200, 201])('%i that denies itself', (status) => {
	test.each(Object.keys(DENIALS))('POST, %s', async (name) => {
		const answer: Answer = { status, body: DENIALS[name] };
		const service = backend({ instead: ({ method }) => (method === 'POST' ? answer : undefined) });
		const { error } = await service.run(createPosts, rowsFor(service, 1));
		expect(`${error?.message} ${error?.description}`).toContain(CAUSE);
		expect(`${error?.message} ${error?.description}`).not.toMatch(DOUBT);
		expect(service.requests).toHaveLength(1);
	});
});

test.each(Object.keys(DENIALS))('PATCH and DELETE 200, %s', async (name) => {
	const answer = () => ({ body: DENIALS[name] });
	const service = backend({ updated: answer, deleted: answer });
	const { id } = service.add('keywords', { location_id: service.location(), keyword: 'a' });
	const remove = { resource: 'keyword', operation: 'delete', keywordId: byId(id) };
	for (const parameters of [location(service.location()), remove]) {
		const { error } = await service.run(parameters);
		expect(`${error?.message} ${error?.description}`).toContain(CAUSE);
		expect(`${error?.message} ${error?.description}`).not.toMatch(DOUBT);
	}
	expect(service.requests).toHaveLength(2);
});

test.each(Object.keys(DENIALS))('a reading, %s', async (name) => {
	const service = backend({ instead: () => ({ body: DENIALS[name] }) });
	for (const operation of ['get', 'getAll']) {
		const one = { resource: 'location', operation, locationId: byId('loc_1'), returnAll: true };
		const { error } = await service.run(one);
		expect(`${error?.message} ${error?.description}`).toContain(CAUSE);
	}
	expect(service.requests).toHaveLength(2);
});

/** Of what was read, words such as `errors` may be the names of metrics. */
test.each<[string, object]>([
	['metrics', { data: { views: 120, errors: 3 } }],
	['metrics without an envelope', { views: 120, errors: 3 }],
	['metrics by their errors', { data: { errors: { count: 3 }, calls: { count: 5 } } }],
	[
		'days and what was left out',
		{ data: [{ date: '2026-01-01', views: 1 }], errors: ['1 left out'] },
	],
	['a record with a status', { data: { id: 'loc_1', status: 'error', code: 422 } }],
	['a code of its own', { code: 20_000, data: { views: 120 } }],
])('%s are read', async (_, body) => {
	const service = backend({ instead: () => ({ body }) });
	const insights = {
		resource: 'insight',
		operation: 'get',
		locationId: byId('loc_1'),
		output: 'raw',
	};
	const { json, error } = await service.run(insights);
	expect(error).toBeUndefined();
	const data: unknown = 'data' in body ? body.data : body;
	expect(json).toEqual([data].flat());
});

/** What is a record, or says that nothing went wrong, is no denial. */
test.each<[string, object]>([
	['a post whose status is "error"', { id: 'p', title: 'A', status: 'error' }],
	['a post that has failed elsewhere', { id: 'p', title: 'A', errors: ['Not on Facebook'] }],
	['a post with an error of null', { id: 'p', title: 'A', error: null }],
	['errors: []', { data: { id: 'p', title: 'A' }, errors: [] }],
	['errors: {}', { data: { id: 'p', title: 'A' }, errors: {} }],
	['error: null', { data: { id: 'p', title: 'A' }, error: null }],
	['error: false', { error: false, data: { id: 'p', title: 'A' } }],
	['error: ""', { error: '', data: { id: 'p', title: 'A' } }],
	['error: 0', { error: 0, data: { id: 'p', title: 'A' } }],
	['error: { code: 0 }', { error: { code: 0, message: '' }, data: { id: 'p', title: 'A' } }],
	['code: 0', { code: 0, message: 'ok', data: { id: 'p', title: 'A' } }],
	['code: 20000', { code: 20_000, data: { id: 'p', title: 'A' } }],
	['code: 200', { code: 200, data: { id: 'p', title: 'A' } }],
	['status: 201', { status: 201, data: { id: 'p', title: 'A' } }],
	['status: true', { status: true, data: { id: 'p', title: 'A' } }],
	['status: "success"', { status: 'success', data: { id: 'p', title: 'A' } }],
	['status: "OK"', { status: 'OK', data: { id: 'p', title: 'A' } }],
])('%s is a success', async (_, body) => {
	const service = backend({ created: () => ({ status: 201, body }) });
	const { json, ...said } = await service.run(createPosts, rowsFor(service, 1));
	expect(saidIn(said)).toEqual([]);
	expect(json).toEqual(['data' in body ? body.data : body]);
	expect(service.requests).toHaveLength(1);
});

const PROBLEM = 'application/problem+json';
const ERRORS: Record<string, Answer> = {
	'{ message }': { body: { message: CAUSE } },
	'{ error }': { body: { error: CAUSE } },
	'{ error: { message } }': { body: { error: { message: CAUSE, type: 'invalid' } } },
	'{ error, error_description }': { body: { error: 'invalid', error_description: CAUSE } },
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
	'{ statusCode, message: [text] } (Nest)': {
		body: { statusCode: 422, message: [CAUSE], error: 'Unprocessable Entity' },
	},
	'{ timestamp, status, error, message } (Spring)': {
		body: { timestamp: '2026-11-21T12:00:00Z', status: 422, error: 'Bad Request', message: CAUSE },
	},
	'problem+json (ASP.NET)': {
		body: { type: 'about:blank', title: 'Invalid', status: 422, detail: CAUSE },
		headers: { 'Content-Type': PROBLEM },
	},
	'problem+json with errors (ASP.NET)': {
		body: { title: 'One or more validation errors', status: 422, errors: { Title: [CAUSE] } },
		headers: { 'Content-Type': PROBLEM },
	},
	'{ data: { message } }': { body: { data: { message: CAUSE } } },
	'{ data: { error } }': { body: { data: { error: CAUSE } } },
	'{ data: { errors: { field } } }': { body: { data: { errors: { title: [CAUSE] } } } },
	'{ success: false, data: { message } }': { body: { success: false, data: { message: CAUSE } } },
	'{ code, msg }': { body: { code: 10_042, msg: CAUSE } },
	'a text': { body: CAUSE, headers: { 'Content-Type': 'text/plain' } },
	'a text in JSON': { body: JSON.stringify(CAUSE) },
	'[text]': { body: [CAUSE] },
	'a page': {
		body: `<!doctype html><html><head><title>${CAUSE}</title></head><body></body></html>`,
		headers: { 'Content-Type': 'text/html' },
	},
};

describe.each([400, 409, 422])('%i is said in the words of the service', (status) => {
	test.each(Object.keys(ERRORS))('%s', async (name) => {
		const answer = { ...ERRORS[name], status };
		const service = backend({
			instead: ({ method }) => (method === 'POST' ? answer : undefined),
		});
		const { error } = await service.run(createPosts, rowsFor(service, 1));
		expect(`${error?.message} ${error?.description}`).toContain(CAUSE);
		expect(`${error?.message} ${error?.description}`).not.toMatch(DOUBT);
		expect(service.requests).toHaveLength(1);
	});
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
		expect(service.countOf('GET')).toBe(0);
	},
);

test.each([501, 505])('%i of an update and a deletion: once', async (status) => {
	const service = backend({ instead: () => ({ status, body: { message: CAUSE } }) });
	const { error } = await service.run(location(service.location()));
	expect(`${error?.message} ${error?.description}`).toContain(CAUSE);
	expect(service.requests).toHaveLength(1);
});

test('409 for one of three rows: the others are created', async () => {
	const service = backend({
		instead: ({ method, fields }) =>
			method === 'POST' && String(fields.title).endsWith('2')
				? { status: 409, body: { message: 'The title has already been taken' } }
				: undefined,
	});
	const { error, json } = await service.run(postSheet, rowsFor(service), {
		settings: { onError: 'continueRegularOutput' },
	});
	expect(error).toBeUndefined();
	expect(JSON.stringify(json[1].error)).toContain('already been taken');
	expect([json[0], json[2]]).toEqual(service.records.posts);
	expect([service.countOf('POST'), service.countOf('GET')]).toEqual([3, 1]);
});

test('500 for one bad row, always: a few requests, and the others are created at once', async () => {
	const service = backend({
		instead: ({ method, fields }) =>
			method === 'POST' && String(fields.title).endsWith('2')
				? { status: 500, body: { message: 'Undefined index: title' } }
				: undefined,
	});
	const { error, json } = await service.run(postSheet, rowsFor(service), {
		settings: { onError: 'continueRegularOutput' },
		signal: AbortSignal.timeout(40_000),
	});
	expect(error).toBeUndefined();
	expect(JSON.stringify(json[1].error)).toContain('Undefined index');
	expect([json[0], json[2]]).toEqual(service.records.posts);
	const ofBadRow = service.sent('POST').filter(({ title }) => String(title).endsWith('2'));
	expect(ofBadRow.length).toBeLessThanOrEqual(6);
	expect(service.records.posts).toHaveLength(2);
}, 60_000);
