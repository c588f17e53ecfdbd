import { columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, type Call, type Fields, useBackend } from './backend';
import { rowsFor, SAME_ID, saidIn, sentOf } from './rows';

// Mocks answer everything with an example. What they say is done; a hint says what several share.

const backend = useBackend();

const POST = { id: 'post_1', title: 'An example', content: 'Text', status: 'published' };
const LOCATION = { id: 'loc_1', name: 'Example', address: '1 Example Road', city: 'Leeds' };
const KEYWORD = { id: 'kw_1', keyword: 'example' };

const exampleFor = ({ path }: Call): Fields =>
	path.includes('posts') ? POST : path.includes('keywords') ? KEYWORD : LOCATION;
const isList = ({ method, path }: Call) =>
	method === 'GET' && /(locations|posts|keywords|scans)$/.test(path);

/** What the mock puts beside a list. */
const LISTS: Record<string, Fields> = {
	'one example': {},
	'an exact meta': { meta: { current_page: 1, per_page: 15, total: 1 } },
	'texts in meta': { meta: { current_page: 'string', per_page: 'string', total: 'string' } },
};
const mock = (beside: Fields, write: (example: Fields) => Answer) =>
	backend({
		instead: (call) => {
			const example = exampleFor(call);
			if (isList(call)) return { body: { data: [example], ...beside } };
			if (call.method === 'DELETE') return { status: 204 };
			return call.method === 'GET' ? { body: { data: example } } : write(example);
		},
	});
const example = (status: number) => (data: Fields) => ({ status, body: { data } });
describe.each(Object.keys(LISTS))('a mock with %s', (name) => {
	const beside = LISTS[name];

	test.each([200, 201, 202])('three creates, %i: three items and a hint', async (status) => {
		for (const parameters of [createPosts, postSheet]) {
			const service = mock(beside, example(status));
			const { json, hints, error } = await service.run(parameters, rowsFor(service));
			const warning =
				'The service keeps another title and content than was sent: a repeat would not recognize it';
			expect([json, error]).toEqual([Array(3).fill({ ...POST, warning }), undefined]);
			expect(hints.join().match(SAME_ID)?.[1]).toBe('3');
			expect(service.countOf('POST')).toBe(3);
			// A page for the fields or, where rows are compared, the whole list.
			const isRead = parameters === postSheet && name !== 'an exact meta';
			expect(service.countOf('GET')).toBe(isRead ? 2 : 1);
		}
	});

	test('the same sheet once more', async () => {
		const service = mock(beside, example(201));
		const rows = rowsFor(service, 2);
		await service.run(postSheet, rows);
		const { error, json } = await service.run(postSheet, rows);
		const skipped = { id: 'post_1', skipped: true };
		expect([json, error]).toMatchObject([[skipped, skipped], undefined]);
		expect(service.countOf('POST')).toBe(2);
	});

	test('Create or Update', async () => {
		const service = mock(beside, example(200));
		const fields = columns({ name: 'Example', address: '1 Example Road', city: 'York' });
		const upsert = { resource: 'location', operation: 'upsert', fields };
		const { json, error } = await service.run(upsert);
		expect(error).toBeUndefined();
		expect(json).toEqual([{ ...LOCATION, city: 'York', updated: true }]);
		expect(service.countOf('PATCH')).toBe(1);
	});

	test('the trigger', async () => {
		const service = mock(beside, example(200));
		const poller = service.poller({ events: ['postAdded', 'locationAdded', 'keywordAdded'] });
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
		expect(service.requests).toContain('GET /locations');
		expect(service.requests).toContain('GET /locations/loc_1/posts');
	});
});

test('creates that are answered without data: what was sent', async () => {
	const service = mock({}, () => ({ status: 201, body: { id: 101 } }));
	const rows = rowsFor(service);
	const { json, ...said } = await service.run(createPosts, rows);
	expect([saidIn(said), json]).toEqual([[], rows.map(sentOf)]);
	expect(service.requests).toHaveLength(4);
});

describe('rows with a time at a mock', () => {
	const scheduled = (service: ReturnType<typeof backend>) =>
		rowsFor(service).map((row) => ({ ...row, publish_at: '2099-12-24T10:00:00Z' }));
	const mockOf = (post: Fields) =>
		backend({
			instead: (call) => {
				if (isList(call))
					return { body: { data: [call.path.endsWith('posts') ? post : LOCATION] } };
				return { status: 201, body: { data: post } };
			},
		});

	test.each([createPosts, postSheet])(
		'stop after the first, whose time is not kept',
		async (how) => {
			const withTime = { ...POST, publish_at: '2026-01-05T09:30:00Z' };
			const service = mockOf(withTime);
			const settings = { onError: 'continueRegularOutput' } as const;
			const { json } = await service.run(how, scheduled(service), { settings });
			expect(service.countOf('POST')).toBe(1);
			expect(json[0].warning).toMatch(
				/^1 content post went out, and its time, .*2099.*, is not to be/,
			);
			const reasons = json.slice(1).map(({ error }) => (error as { message: string }).message);
			expect(reasons).toEqual([2, 3].map((item) => `Item ${item}: ${String(json[0].warning)}`));
			const stopped = await mockOf(withTime).run(how, scheduled(service));
			expect(stopped.error?.message).toMatch(/^1 content post went out/);
			expect(stopped.error?.description).toContain('The rows after it were not sent.');
		},
	);

	test('with Create Another One: the first would be posted twice by a repeat, which is said', async () => {
		const service = mockOf({ ...POST, publish_at: '2026-01-05T09:30:00Z' });
		const { error } = await service.run(createPosts, scheduled(service));
		expect(error?.message).toMatch(/^1 content post went out/);
		expect(error?.description).toMatch(/twice|remove|Run only/i);
		expect(error?.description).toContain('post_1');
	});

	test.each([createPosts, postSheet])('are asked about if its example has none', async (how) => {
		const service = mockOf(POST);
		const sheet = { ...how, whenToPublish: 'scheduled' };
		const { error } = await service.run(sheet, scheduled(service));
		expect(error?.message).toContain('The only content post read does not show a field publish_at');
		expect(error?.description).toContain("'Publish Time Field'");
		expect(service.countOf('POST')).toBe(0);
	});
});
