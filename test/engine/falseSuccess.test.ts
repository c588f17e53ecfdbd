import { byId, columns, useSandbox } from '../support/fixture';

// A success that is none, for what can be repeated: an update and a deletion.

const service = useSandbox();
const { run, requests } = service;

const first = () => service.sandbox.account.locations[0];
const update = async () =>
	await run({
		resource: 'location',
		operation: 'update',
		locationId: byId(first().id),
		fields: columns({ name: 'Another name' }),
	});
const answered = (method: string, body: unknown, more: object = {}) =>
	service.sandbox.faults.add({ when: { method }, response: { status: 200, body }, ...more });

test.each([
	['denies itself', { success: false }],
	['denies itself within', { data: { ok: false } }],
	['has errors', { errors: [{ message: 'no' }] }],
	['says so in its status', { status: 'error', message: 'no' }],
	['is a web page', '<html><title>Sign in</title></html>'],
])('an update or a deletion whose success %s is none', async (_, body) => {
	const [keyword] = service.sandbox.account.keywordsOf(first().id);
	answered('PATCH', body);
	answered('DELETE', body);
	const remove = { resource: 'keyword', operation: 'delete', keywordId: byId(keyword.id) };
	for (const { json, error } of [await update(), await run(remove)]) {
		expect(json).toEqual([]);
		const isPage = typeof body === 'string';
		expect(error?.message).toMatch(
			isPage ? /^Unexpected response/ : /^The service reports that it could not (update|delete) /,
		);
		expect(error?.description).toMatch(/may or may not have taken effect/);
		expect(error?.description?.includes('Base URL')).toBe(isPage);
	}
});

describe('an update whose success shows no record', () => {
	test('is done if the record has what was sent', async () => {
		answered('PATCH', {}, { actFirst: true });
		const { json, error } = await update();
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: first().id, name: 'Another name' }]);
		expect(requests()).toEqual([`PATCH /locations/${first().id}`, `GET /locations/${first().id}`]);
	});

	test('is not done if the record has not', async () => {
		answered('PATCH', { data: null });
		const { json, error } = await update();
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/^Unexpected response/);
	});

	test('is taken at its word with 204', async () => {
		service.sandbox.faults.add({
			when: { method: 'PATCH' },
			actFirst: true,
			response: { status: 204 },
		});
		expect((await update()).json).toEqual([{ name: 'Another name' }]);
	});
});

test('an update that is refused after one that may have been done is not called a failure without effect', async () => {
	service.sandbox.faults.add({
		when: { method: 'PATCH' },
		times: 1,
		actFirst: true,
		dropConnection: true,
	});
	service.sandbox.faults.add({
		when: { method: 'PATCH' },
		times: 1,
		response: { status: 400, body: { message: 'no' } },
	});
	const { error } = await update();
	expect(first().name).toBe('Another name');
	expect(error?.description).toMatch(/An attempt may have taken effect/);
	expect(error?.description).not.toMatch(/Nothing was saved/);
});
