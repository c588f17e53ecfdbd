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

// In all its forms: unit/client/responses, unit/client/serviceWords.
test('a success that denies itself is refused in each operation', async () => {
	const body = { errors: { title: [CAUSE] }, data: {} };
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

const typed = (type: string, body: unknown): Answer => ({
	body,
	headers: { 'Content-Type': type },
});

// What is read of a body of JSON: unit/client/serviceWords.
test.each<[string, Answer]>([
	['problem+json', typed('application/problem+json', { title: 'Invalid', detail: CAUSE })],
	['a text in JSON', { body: JSON.stringify(CAUSE) }],
])('422 is said in the words of the service: %s', async (_, answer) => {
	const service = backend({ created: () => ({ ...answer, status: 422 }) });
	const { error } = await service.run(createPosts, { rows: rowsFor(service, 1) });
	expectWords(error);
	expect(service.requests).toHaveLength(1 + READS_OF_NEW_ACCOUNT);
});
