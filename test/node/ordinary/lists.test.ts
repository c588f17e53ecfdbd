import { postSheet } from '../../support/sheet';
import { type Answer, type Fields, metaOf, type Page, useBackend } from './backend';
import { rowsFor, saidIn } from './rows';

// What a run says of lists. How they are read, in all their forms, is shown by test/simulation/list.

const backend = useBackend();

const getMany = (more = {}) => ({
	...{ resource: 'post', operation: 'getAll', returnAll: true },
	...{ locationId: postSheet.locationId, ...more },
});
const accepting = { options: { acceptIncomplete: true } };
const idsOf = (records: Fields[]) => records.map(({ id }) => id);

/** How an ordinary service says what page it is, and how many requests more than pages that costs. */
const META: Array<[string, (page: Page) => Fields, { firstPage?: number; more?: number }?]> = [
	['the interface', (page) => ({ meta: metaOf(page) })],
	[
		'numbers as texts (older Laravel)',
		({ number, all, size }) => ({
			meta: { current_page: `${number}`, per_page: `${size}`, total: `${all.length}` },
		}),
	],
	['pages from 0', (page) => ({ meta: metaOf(page) }), { firstPage: 0 }],
	[
		"Laravel's resources",
		(page) => ({
			links: { first: '/posts?page=1', last: `/posts?page=${page.last}`, prev: null, next: null },
			meta: { ...metaOf(page), from: 1, last_page: page.last, to: page.size, path: '/posts' },
		}),
	],
	['only a total', ({ all }) => ({ meta: { total: all.length } })],
	['null for none (Go)', ({ data }) => (data.length === 0 ? { data: null } : {}), { more: 1 }],
	['no meta', () => ({}), { more: 1 }],
];

test.each(META)('pages with %s: all, a few, and once to compare', async (_, page, how = {}) => {
	const { firstPage = 1, more = 0 } = how;
	const service = backend({
		...{ pageSize: 15, firstPage },
		page: (one) => ({ body: { data: one.data, ...page(one) } }),
	});
	const posts = service.addPosts(40);
	const all = await service.run(getMany(), rowsFor(service, 1));
	expect([idsOf(all.json), ...saidIn(all)]).toEqual([idsOf(posts)]);
	expect(service.requests).toHaveLength(3 + more);
	const few = await service.run(getMany({ returnAll: false, limit: 16 }), rowsFor(service, 1));
	expect(idsOf(few.json)).toEqual(idsOf(posts).slice(0, 16));
	const count = more === 0 ? '16 of 40 content posts' : '16 content posts, and there are more';
	expect(saidIn(few)).toEqual([`${count}. To get all of them, turn on 'Return All'.`]);
	service.requests.length = 0;
	const sheet = await service.run(postSheet, rowsFor(service));
	expect([sheet.json, ...saidIn(sheet)]).toEqual([service.records.posts.slice(40)]);
	expect(service.requests).toHaveLength(3 + more + 3);
});

test('a list without meta that gives the same page for every page: its records, and a hint', async () => {
	const service = backend({ page: ({ all }) => ({ body: { data: all } }) });
	const posts = service.addPosts(15);
	const { json, hints, error } = await service.run(getMany(), rowsFor(service, 1));
	expect([json, error]).toEqual([posts, undefined]);
	expect(hints.join()).toMatch(/a page of content posts again.*'Own Page Parameters'/);
	const created = await service.run(postSheet, rowsFor(service));
	expect([created.json, created.error]).toEqual([service.records.posts.slice(15), undefined]);
});

test.each<[Answer, string]>([
	[{}, 'nothing'],
	[{ body: { items: [], total: 0 } }, '{"items":[],"total":0}'],
	[{ body: 'Down for maintenance' }, 'Down for maintenance'],
])('%j is no list: an error that says so, and nothing is sent', async (answer, came) => {
	const service = backend({ page: () => answer });
	const says = `The response has no list in 'data', but: ${came}`;
	for (const parameters of [getMany(), getMany({ returnAll: false }), postSheet]) {
		const { json, error } = await service.run(parameters, rowsFor(service, 1));
		expect([json, error?.message]).toEqual([[], expect.stringContaining(says)]);
		if (parameters !== postSheet) continue;
		expect(error?.description).toContain("set 'If It Already Exists' to 'Create Another One'");
	}
	expect(service.requests).toEqual(Array(3).fill(expect.stringMatching(/^GET /)));
});

test.each([
	['location', 'get', { items: [] }, "no 'data'"],
	['location', 'get', { data: [] }, 'no record'],
	['insight', 'get', { views: 120 }, "no 'data'"],
])('%s, %s: %j is an error that says what came', async (resource, operation, body, says) => {
	const service = backend({ instead: () => ({ body }) });
	const one = { ...{ resource, operation, output: 'raw' }, locationId: postSheet.locationId };
	const { json, error } = await service.run(one, rowsFor(service, 1));
	expect([json, error?.message]).toEqual([[], expect.stringContaining(`The response has ${says}`)]);
});

test('an incomplete list is an error; who accepts it gets what came, and a hint', async () => {
	const service = backend({
		pageSize: 5,
		page: ({ all, ...page }) => ({
			body: { data: page.number === 1 ? all.slice(0, 5) : [], meta: metaOf({ all, ...page }) },
		}),
	});
	service.addPosts(12);
	const [row] = rowsFor(service, 1);
	const says = 'Incomplete list: the service returned 5 of 12 content posts';
	for (const parameters of [getMany(), postSheet]) {
		const { error, json } = await service.run(parameters, [row]);
		expect([json, error?.message]).toEqual([[], expect.stringContaining(says)]);
		expect(error?.description).toContain("'Accept Incomplete Lists'");
	}
	expect(service.countOf('POST')).toBe(0);
	const list = await service.run(getMany(accepting), [row]);
	expect([list.json.length, list.hints.join()]).toEqual([
		5,
		expect.stringContaining('The list is incomplete: these are 5'),
	]);
	const dry = await service.run({ ...postSheet, ...accepting, dryRun: true }, [row]);
	expect(dry.hints.join()).toContain('1 would be created (1 with a warning: item 1)');
	const sheet = await service.run({ ...postSheet, ...accepting }, [row]);
	expect([sheet.json, sheet.hints.join()]).toEqual([
		service.records.posts.slice(12),
		expect.stringContaining('The list of content posts is incomplete: not all'),
	]);
});
