import type { INodeParameters } from 'n8n-workflow';

import { getLocations, searchLocations } from '../../nodes/LocalSeo/editor/pickList';
import { editorOf, Poller } from '../support/engine';
import { byId, columns } from '../support/fixture';
import { postSheet } from '../support/sheet';
import {
	type Answer,
	type Fields,
	metaOf,
	type Page,
	rowsFor,
	saidIn,
	type Service,
	textsOf,
	useBackend,
} from './backend';

// What a run says of lists: as many pages as needed, and a hint where they are empty, cut or incomplete.
// How lists are read, in all their forms: simulation/list.

const backend = useBackend();
const many = (resource: string, more: Fields = {}) => ({ resource, operation: 'getAll', ...more });
const postsOf = (service: Service, more: Fields = {}) => ({
	...many('post', { returnAll: true, locationId: byId(service.location()) }),
	...more,
});
const idsOf = (records: Fields[]) => records.map(({ id }) => id);

/** What stands beside a list, and how many requests more than pages that costs. */
const METAS: Array<[string, (page: Page) => Fields, { more?: number }?]> = [
	['the interface', (page) => ({ meta: metaOf(page) })],
	['only a total', ({ all }) => ({ meta: { total: all.length } })],
	['null for none (Go)', ({ data }) => (data.length === 0 ? { data: null } : {}), { more: 2 }],
	['no meta', () => ({}), { more: 2 }],
];

test.each(METAS)('pages with %s: all, a few, and once to compare', async (_, page, how = {}) => {
	const { more = 0 } = how;
	const service = backend({
		pageSize: 15,
		page: (one) => ({ body: { data: one.data, ...page(one) } }),
	});
	const posts = service.addPosts(...textsOf(40, 'Old'));
	const all = await service.run(postsOf(service));
	expect([idsOf(all.json), ...saidIn(all)]).toEqual([idsOf(posts)]);
	expect(service.requests).toHaveLength(3 + more);
	expect(service.requests[0]).not.toContain('page');
	const few = await service.run(postsOf(service, { returnAll: false, limit: 16 }));
	expect(idsOf(few.json)).toEqual(idsOf(posts).slice(0, 16));
	const count = more === 0 ? '16 of 40 content posts' : '16 content posts, and there may be more';
	expect(saidIn(few)).toEqual([`${count}. To get all of them, turn on 'Return All'.`]);
	expect(service.requests).toHaveLength(3 + more + 2 + more / 2);
	const sheet = await service.run(postSheet, { rows: rowsFor(service) });
	expect([sheet.records, ...saidIn(sheet)]).toEqual([service.all('posts').slice(40)]);
	expect(service.requests).toHaveLength(2 * (3 + more) + 2 + more / 2 + 1 + 3);
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

describe('a list without meta that gives the same page for every page', () => {
	const onePage = () => backend({ page: ({ all }) => ({ body: { data: all } }) });

	test('is incomplete: nothing is created beside it, and the message says what to set', async () => {
		const service = onePage();
		const posts = service.addPosts(...textsOf(15, 'Old'));
		const rows = rowsFor(service, 1);
		const upsert = { resource: 'location', operation: 'upsert', fields: columns({ name: 'New' }) };
		const check = async (parameters: INodeParameters, count: string) => {
			const { json, error } = await service.run(parameters, { rows });
			expect([json, error?.message]).toEqual([[], expect.stringContaining(`after ${count}, the`)]);
			expect(error?.description).toMatch(/'Page Parameter' in the credential.*leave it empty/);
		};
		await Promise.all([
			check(postsOf(service), '15 content posts'),
			check(postSheet, '15 content posts'),
			check(upsert, '2 locations'),
		]);
		expect(service.sent('POST')).toEqual([]);
		const options = { acceptIncomplete: true };
		const list = await service.run(postsOf(service, { options }));
		expect([list.json, list.hints]).toEqual([
			...[posts, ['The list is incomplete: these are 15 content posts.']],
		]);
	});

	test('is whole with an empty Page Parameter: one request, also for pickers and the trigger', async () => {
		const service = onePage();
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

	test('is not compared by the trigger', async () => {
		const service = onePage();
		service.addPosts(...textsOf(2, 'Old'));
		const { credential } = service;
		const poller = new Poller({ credential, parameters: { events: ['locationAdded'] } });
		await expect(poller.poll()).rejects.toThrow(/Incomplete list: after 2 locations/);
	});
});

test('a total that counts the page: page 2 is asked for, and its records are not left out', async () => {
	const service = backend({
		page: ({ data, number, size }) => ({
			body: { data, meta: { current_page: number, per_page: size, total: data.length } },
		}),
	});
	service.addPosts(...textsOf(20, 'Old'));
	const says = 'Incomplete list: the service returned 20 content posts, but states a total of 15';
	const rows = rowsFor(service, 1);
	const check = async (parameters: INodeParameters) => {
		const { json, error } = await service.run(parameters, { rows });
		expect([json, error?.message]).toEqual([[], expect.stringContaining(says)]);
	};
	await Promise.all([check(postsOf(service)), check(postSheet)]);
	expect(service.sent('POST')).toEqual([]);
	const few = await service.run(postsOf(service, { returnAll: false, limit: 10 }));
	expect([few.json.length, few.error]).toEqual([10, undefined]);
	const options = { acceptIncomplete: true };
	const list = await service.run(postsOf(service, { options }));
	expect([list.json.length, list.hints]).toEqual([
		...[20, ['The list is incomplete: these are 20 content posts.']],
	]);
});

test.each([
	...[{ returnAll: true }, { limit: 50 }].map((limited) => ['ignored', limited] as const),
	['refused', { returnAll: true }] as const,
])(
	'the page parameter is %s (%j): the message names its setting',
	async (pageParameter, limited) => {
		const service = backend({ pageParameter });
		service.addPosts(...textsOf(64));
		const { error, json } = await service.run(postsOf(service, { returnAll: false, ...limited }));
		expect(json).toEqual([]);
		expect(error?.message).toMatch(
			pageParameter === 'ignored'
				? /^Incomplete list: the service returned 15 of 64 content posts$/
				: /^Invalid data: could not get the content posts/,
		);
		expect(error?.description).toMatch(/by "page", enter its name for that as 'Page Parameter'/);
	},
);

test.each<[Answer, string]>([
	[{}, 'nothing'],
	[{ body: { items: [], total: 0 } }, '{"items":[],"total":0}'],
	[{ body: 'Down for maintenance' }, 'Down for maintenance'],
])('%j is no list: an error that says so, and nothing is sent', async (answer, came) => {
	const service = backend({ page: () => answer });
	const says = `The response has no list in 'data', but: ${came}`;
	const [list, few] = [postsOf(service), postsOf(service, { returnAll: false })];
	for (const parameters of [list, few, postSheet]) {
		const { json, error } = await service.run(parameters, { rows: rowsFor(service, 1) });
		expect([json, error?.message]).toEqual([[], expect.stringContaining(says)]);
		if (parameters !== postSheet) continue;
		expect(error?.description).toContain("set 'If It Already Exists' to 'Create Another One'");
	}
	expect(service.requests).toEqual(Array(4).fill(expect.stringMatching(/^GET /)));
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
	expect(list.hints.join()).toContain('The list is incomplete: these are 5');
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

	test('in an account; n8n stores no resource that is the default', async () => {
		const service = backend({ shows: () => [] });
		expect((await service.run({ operation: 'getAll' })).hints).toEqual([
			'No locations were found. Check that the API key belongs to the right organization.',
		]);
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
	});
});
