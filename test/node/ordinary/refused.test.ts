import { byId, columns } from '../../support/fixture';
import { createPosts } from '../../support/sheet';
import { type Answer, READS_OF_NEW_ACCOUNT, rowsFor, useBackend } from '../backend';

// What a service refuses is said at once, in its own words, after one request, and without a doubt.

const backend = useBackend();

const CAUSE = 'The daily quota of posts is used up';
const DOUBT = /may have|could not confirm|not created|Unexpected response/i;

function expectWords(error?: { message: string; description?: unknown }) {
	const said = `${error?.message} ${error?.description}`;
	expect(said).toContain(CAUSE);
	expect(said).not.toMatch(DOUBT);
}

test.each([
	{ success: false, message: CAUSE },
	{ success: false, data: [], error: CAUSE },
	{ error: { code: 'quota', message: CAUSE }, data: null },
	{ errors: { title: [CAUSE] }, data: {} },
	{ success: false, data: { message: CAUSE } },
	{ status: 'error', message: CAUSE },
	{ status: 'fail', data: { title: CAUSE } },
	{ ok: false, error: CAUSE, data: [{ title: 'A' }] },
])('a success that denies itself: %j', async (body) => {
	const service = backend({ instead: () => ({ body }) });
	const id = service.location();
	const location = { resource: 'location', locationId: byId(id) };
	const post = { resource: 'post', operation: 'create', locationId: byId(id), ifExists: 'create' };
	for (const [parameters, request] of [
		[{ ...location, operation: 'get' }, `GET /locations/${id}`],
		[{ ...location, operation: 'getAll' }, 'GET /locations'],
		[
			{ resource: 'keyword', operation: 'delete', keywordId: byId('kw_1') },
			'DELETE /keywords/kw_1',
		],
	] as const) {
		expectWords((await service.run(parameters)).error);
		expect(service.requests.at(-1)).toBe(request);
	}
	expect(service.requests).toHaveLength(3);
	const writes = backend({ created: () => ({ body }), updated: () => ({ body }) });
	const own = byId(writes.location());
	for (const parameters of [
		{ ...location, locationId: own, operation: 'update', fields: columns({ city: 'York' }) },
		{ ...post, locationId: own, fields: columns({ title: 'A', content: 'B' }) },
	]) {
		expectWords((await writes.run(parameters)).error);
	}
	expect([writes.sent('PATCH').length, writes.sent('POST').length]).toEqual([1, 1]);
});

test('false alone is refused: it is shown, and nothing counts as done', async () => {
	const service = backend({ deleted: () => ({ body: false }), created: () => ({ body: false }) });
	const keyword = service.add('keywords', { location_id: service.location(), keyword: 'a' });
	const remove = { resource: 'keyword', operation: 'delete', keywordId: byId(keyword.id) };
	for (const parameters of [remove, createPosts]) {
		const { error, json } = await service.run(parameters, { rows: rowsFor(service, 1) });
		expect([json, error?.description]).toEqual([[], expect.stringContaining('said: "false"')]);
	}
});

test('a create that reports a failure beside the ID of its record is done', async () => {
	const data = { id: 'post_9', status: 'failed', title: 'Offer number 1' };
	const service = backend({ created: () => ({ body: { success: false, error: CAUSE, data } }) });
	const { error, json } = await service.run(createPosts, { rows: rowsFor(service, 1) });
	expect([error, json]).toEqual([undefined, [expect.objectContaining(data)]]);
});

test.each(['../locations/loc_9', 'a/b', 'a\\b', '...'])(
	'the ID %j can not stand in a path: nothing is sent',
	async (id) => {
		const service = backend();
		const remove = { resource: 'keyword', operation: 'delete', keywordId: byId(id) };
		const { error } = await service.run(remove);
		expect(error?.message).toContain(`"${id}" is not a valid keyword ID: it `);
		expect(service.requests).toEqual([]);
	},
);

const typed = (type: string, body: unknown): Answer => ({
	body,
	headers: { 'Content-Type': type },
});
const page = `<!doctype html><html><head><title>${CAUSE}</title></head><body></body></html>`;

// What is read of a body of JSON: unit/client/serviceWords.
test.each<[string, Answer]>([
	['problem+json', typed('application/problem+json', { title: 'Invalid', detail: CAUSE })],
	['a text', typed('text/plain', CAUSE)],
	['a text in JSON', { body: JSON.stringify(CAUSE) }],
	['a page', typed('text/html', page)],
])('422 is said in the words of the service: %s', async (_, answer) => {
	const service = backend({ created: () => ({ ...answer, status: 422 }) });
	const { error } = await service.run(createPosts, { rows: rowsFor(service, 1) });
	expectWords(error);
	expect(service.requests).toHaveLength(1 + READS_OF_NEW_ACCOUNT);
});
