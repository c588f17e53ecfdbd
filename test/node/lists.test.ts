import { getLocations, searchLocations } from '../../nodes/LocalSeo/editor/pickList';
import { editorOf, Poller } from '../support/engine';
import { byId } from '../support/fixture';
import { postSheet } from '../support/sheet';
import { type Fields, metaOf, rowsFor, saidIn, type Service, textsOf, useBackend } from './backend';

// What a run says of lists: as many pages as needed, and a hint where they are empty, cut or incomplete.
// How lists are read, in all their forms: simulation/list.

const backend = useBackend();
const many = (resource: string, more: Fields = {}) => ({ resource, operation: 'getAll', ...more });
const postsOf = (service: Service, more: Fields = {}) => ({
	...many('post', { returnAll: true, locationId: byId(service.location()) }),
	...more,
});

test.each([0, -1, 2.5, 'many'])(
	'a limit of %p is refused before anything is sent',
	async (limit) => {
		const service = backend();
		const { error } = await service.run(many('location', { limit }));
		expect(error?.message).toBe("'Limit' must be a whole number of 1 or more");
		expect(service.requests).toEqual([]);
	},
);

test('an empty Page Parameter: each list is whole after one request, also for pickers and the trigger', async () => {
	const service = backend({ page: ({ all }) => ({ body: { data: all } }) });
	const posts = service.addPosts(...textsOf(15, 'Old'));
	const credential = { ...service.credential, hasOwnPaging: true, pageParameter: '' };
	const list = await service.run(postsOf(service), { credential });
	expect([list.json, ...saidIn(list)]).toEqual([posts]);
	expect(service.requests).toHaveLength(1);
	const created = await service.run(postSheet, { rows: rowsFor(service), credential });
	expect([created.records, created.error]).toEqual([service.all('posts').slice(15), undefined]);
	const editor = editorOf({ credential, parameters: many('location') });
	expect((await searchLocations.call(editor)).results).toHaveLength(2);
	expect(await getLocations.call(editor)).toHaveLength(2);
	const poller = new Poller({ credential, parameters: { events: ['postAdded'] } });
	expect(await poller.poll()).toEqual([]);
	service.addPosts({ title: 'New' });
	expect(await poller.poll()).toMatchObject([{ record: { title: 'New' } }]);
	expect(service.requests.filter((request) => request.includes('page'))).toEqual([]);
});

test('without a list to compare with, nothing is sent, and the message says how to create anyway', async () => {
	const service = backend({ page: () => ({ body: 'Down for maintenance' }) });
	const { error } = await service.run(postSheet, { rows: rowsFor(service, 1) });
	expect(error?.message).toContain("The response has no list in 'data', but: Down for");
	expect(error?.description).toContain("set 'If It Already Exists' to 'Create Another One'");
	expect(service.sent('POST')).toEqual([]);
});

test('an incomplete list is an error; who accepts it gets what came, and a hint', async () => {
	const service = backend({
		pageSize: 5,
		page: (page) => ({ body: { data: page.number === 1 ? page.data : [], meta: metaOf(page) } }),
	});
	service.addPosts(...textsOf(12, 'Old'));
	const rows = rowsFor(service, 1);
	const says = 'Incomplete list: the service returned 5 of 12 content posts';
	for (const parameters of [postsOf(service), postSheet]) {
		const { error, json } = await service.run(parameters, { rows });
		expect([json, error?.message]).toEqual([[], expect.stringContaining(says)]);
		expect(error?.description).toContain("'Accept Incomplete Lists'");
	}
	expect(service.sent('POST')).toEqual([]);
	const accepting = { options: { acceptIncomplete: true } };
	const list = await service.run(postsOf(service, accepting));
	expect(list.json).toHaveLength(5);
	expect(list.hints).toEqual(['The list is incomplete: these are 5 of 12 content posts.']);
	const repeating = backend({ page: ({ all }) => ({ body: { data: all } }) });
	repeating.addPosts(...textsOf(3));
	const { hints } = await repeating.run(postsOf(repeating, accepting));
	expect(hints).toEqual(['The list is incomplete: these are 3 content posts.']);
	const dry = await service.run({ ...postSheet, ...accepting, dryRun: true }, { rows });
	expect(dry.hints.join()).toContain('1 would be created (1 with a warning: item 1');
	const sheet = await service.run({ ...postSheet, ...accepting }, { rows });
	const warning = expect.stringContaining('The list of content posts is incomplete');
	const made = service.all('posts').slice(12);
	expect(sheet.records).toEqual(made.map((record) => ({ ...record, warning })));
	expect(sheet.hints.join()).toContain('The list of content posts is incomplete: not all');
});

describe('nothing is found: a hint says what to check', () => {
	test.each([
		['post', 'No content posts were found. Check the location, or create a post for it first.'],
		['keyword', 'No keywords were found. Check the location, or add a keyword to it first.'],
		['rankScan', 'No rank scans were found. Check the keyword: it may not have been scanned yet.'],
	])('%s', async (resource, hint) => {
		const service = backend();
		const keyword = service.add('keywords', { location_id: service.location(), keyword: 'new' });
		const ids = { locationId: byId(service.location(1)), keywordId: byId(keyword.id) };
		const { json, hints } = await service.run(many(resource, ids));
		expect([json, hints]).toEqual([[], [hint]]);
	});

	test('for some rows, and with query parameters, which may be why', async () => {
		const service = backend();
		service.addPosts(...textsOf(1));
		const rows = [1, 0, 1].map((index) => ({ id: service.location(index) }));
		const posts = many('post', { locationId: byId('={{ $json.id }}') });
		expect((await service.run(posts, { rows })).hints).toEqual([
			expect.stringContaining('No content posts were found for items 1, 3.'),
		]);
		const queryParameters = { parameters: [{ name: 'status', value: 'draft' }] };
		const filtered = { ...posts, options: { queryParameters } };
		expect((await service.run(filtered, { rows: [rows[0]] })).hints).toEqual([
			'No content posts were found. The query parameters may have filtered them out.',
		]);
		const asTool = await service.run(filtered, { rows: [rows[0]], isTool: true });
		expect(asTool.json).toEqual([{ note: expect.stringContaining('may have filtered them out') }]);
	});
});
