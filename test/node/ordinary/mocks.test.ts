import { byId, columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, type Call, type Fields, useBackend } from './backend';
import { rowsFor, SAME_ID, saidIn, sentOf } from './rows';

// Mocks answer everything with an example. What they say is done; a hint says what several share.
// Those that answer with nothing: created, updated and skipped.

const backend = useBackend();

const POST = { id: 'post_1', title: 'An example', content: 'Text', status: 'published' };
const LOCATION = { id: 'loc_1', name: 'Example', address: '1 Example Road', city: 'Leeds' };
const KEYWORD = { id: 'kw_1', keyword: 'example' };

const exampleFor = ({ path }: Call): Fields =>
	path.includes('posts') ? POST : path.includes('keywords') ? KEYWORD : LOCATION;
const isList = ({ method, path }: Call) =>
	method === 'GET' && /(locations|posts|keywords|scans)$/.test(path);

/** What the mock puts beside a list. */
const LISTS: Record<string, (example: Fields) => unknown> = {
	'one example': (one) => ({ data: [one] }),
	'meta of zeros': (one) => ({ data: [one], meta: { current_page: 0, per_page: 0, total: 0 } }),
	'an exact meta': (one) => ({ data: [one], meta: { current_page: 1, per_page: 15, total: 1 } }),
	'texts in meta': (one) => ({
		data: [one],
		meta: { current_page: 'string', per_page: 'string', total: 'string' },
	}),
	'a bare array': (one) => [one],
};
/** The same with a meta that speaks of more. */
const MORE: Record<string, Fields> = {
	'total: 42': { meta: { current_page: 1, per_page: 15, total: 42 } },
	'total: 42 and per_page: 1': { meta: { current_page: 1, per_page: 1, total: 42 } },
	'current_page: 2': { meta: { current_page: 2, per_page: 15, total: 42 } },
	'last_page: 5': { meta: { current_page: 1, last_page: 5, per_page: 15, total: 42 } },
	'links.next': {
		links: { next: 'https://api.example.com/posts?page=2' },
		meta: { current_page: 1, last_page: 3, per_page: 15, total: 42 },
	},
};
const mock = (list: (example: Fields) => unknown, write: (example: Fields) => Answer) =>
	backend({
		instead: (call) => {
			const example = exampleFor(call);
			if (isList(call)) return { body: list(example) };
			if (call.method === 'DELETE') return { status: 204 };
			return call.method === 'GET' ? { body: { data: example } } : write(example);
		},
	});
const example = (status: number) => (data: Fields) => ({ status, body: { data } });

describe.each(Object.keys(LISTS))('a mock with %s', (name) => {
	test.each([200, 201, 202])('three creates, %i: three items and a hint', async (status) => {
		for (const parameters of [createPosts, postSheet]) {
			const service = mock(LISTS[name], example(status));
			const { json, hints, error } = await service.run(parameters, rowsFor(service));
			expect([json, error]).toEqual([[POST, POST, POST], undefined]);
			expect(hints.join().match(SAME_ID)?.[1]).toBe('3');
			expect(service.countOf('POST')).toBe(3);
			expect(service.countOf('GET')).toBeLessThanOrEqual(parameters === postSheet ? 2 : 0);
		}
	});

	test('creates with an ID alone', async () => {
		const service = mock(LISTS[name], () => ({ status: 201, body: { id: 101 } }));
		const rows = rowsFor(service);
		const { json, hints, error } = await service.run(createPosts, rows);
		expect(error).toBeUndefined();
		expect(json).toMatchObject(rows.map((row) => ({ ...sentOf(row), id: 101 })));
		expect(hints.join().match(SAME_ID)?.[1]).toBe('3');
		expect(service.requests).toHaveLength(3);
	});

	test('the same sheet once more', async () => {
		const service = mock(LISTS[name], example(201));
		const rows = rowsFor(service, 2);
		await service.run(postSheet, rows);
		const { error, json } = await service.run(postSheet, rows);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ id: 'post_1', skipped: true },
			{ id: 'post_1', skipped: true },
		]);
		expect(service.countOf('POST')).toBe(2);
	});

	test.each([true, false])('Get Many, Return All %p: the example', async (returnAll) => {
		const service = mock(LISTS[name], example(200));
		for (const [resource, record] of [
			['post', POST],
			['keyword', KEYWORD],
		] as const) {
			const list = { resource, operation: 'getAll', returnAll, limit: 50 };
			const { json, ...said } = await service.run({ ...list, locationId: byId('loc_1') });
			expect(saidIn(said)).toEqual([]);
			expect(json).toEqual([record]);
		}
		expect(service.requests.length).toBeLessThanOrEqual(4);
	});

	test('Create or Update', async () => {
		const service = mock(LISTS[name], example(200));
		const fields = columns({ name: 'Example', address: '1 Example Road', city: 'York' });
		const upsert = { resource: 'location', operation: 'upsert', fields };
		const { json, error } = await service.run(upsert);
		expect(error).toBeUndefined();
		expect(json).toEqual([{ ...LOCATION, updated: true }]);
		expect(service.countOf('PATCH')).toBe(1);
	});

	test('the trigger', async () => {
		const service = mock(LISTS[name], example(200));
		const poller = service.poller({ events: ['postAdded', 'locationAdded', 'keywordAdded'] });
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
		expect(service.requests).toContain('GET /locations');
		expect(service.requests).toContain('GET /locations/loc_1/posts');
	});
});

describe.each(Object.keys(MORE))('a mock with one example and %s', (name) => {
	const more = (one: Fields) => ({ data: [one], ...MORE[name] });
	const getMany = { resource: 'post', operation: 'getAll', locationId: byId('loc_1') };

	test.each([1, 50])('a limit of %i: the record', async (limit) => {
		const service = mock(more, example(201));
		const { json, error } = await service.run({ ...getMany, limit });
		expect([json, error]).toEqual([[POST], undefined]);
	});

	test('Return All: Incomplete list', async () => {
		const service = mock(more, example(201));
		const { error, waited } = await service.run({ ...getMany, returnAll: true });
		expect(error?.message).toMatch(/Incomplete list.* 1 of 42/);
		expect(waited).toBe(false);
	});

	test('Skip the Row: created, with a hint that not all could be compared', async () => {
		const service = mock(more, example(201));
		const { json, hints, error } = await service.run(postSheet, rowsFor(service));
		expect([json, error]).toEqual([[POST, POST, POST], undefined]);
		expect(hints.join()).toMatch(SAME_ID);
		expect(service.countOf('POST')).toBe(3);
	});
});

test.each(['current_page: 2', 'links.next'])('the trigger, with %s', async (name) => {
	const service = mock((one) => ({ data: [one], ...MORE[name] }), example(201));
	const poller = service.poller({ events: ['postAdded'], locationIds: ['loc_1'] });
	expect(await poller.poll()).toEqual([]);
	expect(await poller.poll()).toEqual([]);
	expect(service.requests).toContain('GET /locations/loc_1/posts');
});
