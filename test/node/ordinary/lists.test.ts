import { postSheet } from '../../support/sheet';
import { type Answer, type Fields, metaOf, type Page, type Switches, useBackend } from './backend';
import { rowsFor, saidIn } from './rows';

// A list is read to its end with as few requests as it has pages. What breaks the interface is an error that
// says what came, and a list that is not complete is one that says so.

const backend = useBackend();

const getMany = (more = {}) => ({
	resource: 'post',
	operation: 'getAll',
	locationId: postSheet.locationId,
	returnAll: true,
	...more,
});
const accepting = { options: { acceptIncomplete: true } };
const idsOf = (records: Fields[]) => records.map(({ id }) => id);

/** How an ordinary service says what page it is, and how many requests more than pages that costs. */
const META: Record<string, { page: (page: Page) => Fields; firstPage?: number; more?: number }> = {
	'the interface': { page: (page) => ({ meta: metaOf(page) }) },
	'numbers as texts (older Laravel)': {
		page: ({ number, all, size }) => ({
			meta: { current_page: `${number}`, per_page: `${size}`, total: `${all.length}` },
		}),
	},
	'pages from 0': { page: (page) => ({ meta: metaOf(page) }), firstPage: 0 },
	'pages from 0 as texts': {
		page: ({ number, all }) => ({ meta: { current_page: `${number}`, total: `${all.length}` } }),
		firstPage: 0,
	},
	"Laravel's resources": {
		page: (page) => ({
			links: { first: '/posts?page=1', last: `/posts?page=${page.last}`, prev: null, next: null },
			meta: {
				...{ ...metaOf(page), from: 1, last_page: page.last, to: page.size, path: '/posts' },
				links: [{ url: '/posts?page=1', label: '1', active: true }],
			},
		}),
	},
	'only a total': { page: ({ all }) => ({ meta: { total: all.length } }) },
	'null for none (Go)': {
		page: (page) => ({ ...(page.data.length === 0 && { data: null }), meta: metaOf(page) }),
	},
	'null for none, and no meta': {
		page: ({ data }) => (data.length === 0 ? { data: null } : {}),
		more: 1,
	},
	'only a page size': { page: ({ size }) => ({ meta: { per_page: size } }), more: 1 },
	'no meta': { page: () => ({}), more: 1 },
};
const SIZES = [10, 15, 100];
const COUNTS = [0, 15, 47];

describe.each(Object.keys(META))('pages with %s', (name) => {
	const { page, firstPage = 1, more = 0 } = META[name];
	const withPages = (pageSize: number, switches: Partial<Switches> = {}) =>
		backend({
			...{ pageSize, firstPage, ...switches },
			page: (one) => ({ body: { data: one.data, ...page(one) } }),
		});
	// The end of an empty list is seen at once.
	const pagesOf = (count: number, size: number) =>
		Math.max(1, Math.ceil(count / size) + (count > 0 ? more : 0));

	test.each(SIZES.flatMap((size) => COUNTS.map((count) => [count, size])))(
		'%i posts in pages of %i',
		async (count, size) => {
			const service = withPages(size);
			const posts = service.addPosts(count);
			service.addPosts(2, 1);
			const { json, error } = await service.run(getMany(), rowsFor(service, 1));
			expect([idsOf(json), error]).toEqual([idsOf(posts), undefined]);
			expect(service.requests).toHaveLength(pagesOf(count, size));
		},
	);

	test('a page past the end that does not exist', async () => {
		const service = withPages(15, { pastEnd: { status: 404, body: { detail: 'Invalid page.' } } });
		const posts = service.addPosts(30);
		const { json, error } = await service.run(getMany(), rowsFor(service, 1));
		expect([idsOf(json), error]).toEqual([idsOf(posts), undefined]);
		expect(service.requests).toHaveLength(2 + more);
	});

	test.each([15, 16, 50])('a limit of %i', async (limit) => {
		const service = withPages(15);
		const posts = service.addPosts(40);
		const limited = getMany({ returnAll: false, limit });
		const { json, ...said } = await service.run(limited, rowsFor(service, 1));
		const all = "To get all of them, turn on 'Return All'.";
		const hint = [
			more === 0
				? `${limit} of 40 content posts. ${all}`
				: `${limit} content posts, and there are more. ${all}`,
		];
		expect(saidIn(said)).toEqual(limit < 40 ? hint : []);
		expect(idsOf(json)).toEqual(idsOf(posts).slice(0, limit));
		expect(service.requests).toHaveLength(limit > 40 ? 3 + more : Math.ceil(limit / 15));
	});

	test('Skip the Row reads the pages once', async () => {
		const service = withPages(15);
		service.addPosts(31);
		const { json, ...said } = await service.run(postSheet, rowsFor(service));
		expect(saidIn(said)).toEqual([]);
		expect(json).toEqual(service.records.posts.slice(31));
		expect([service.countOf('POST'), service.countOf('GET')]).toEqual([3, 3 + more]);
	});
});

describe('a list without meta that gives the same page for every page', () => {
	const samePage = () => backend({ page: ({ all }) => ({ body: { data: all } }) });

	test.each([1, 15, 40])('its %i records, and a hint', async (count) => {
		const service = samePage();
		const posts = service.addPosts(count);
		const { json, hints, error } = await service.run(getMany(), rowsFor(service, 1));
		expect([json, error]).toEqual([posts, undefined]);
		expect(hints.join()).toMatch(/a page of content posts again.*'Own Page Parameters'/);
		expect(service.requests).toHaveLength(2);
	});

	test('rows are created', async () => {
		const service = samePage();
		service.addPosts(7);
		const { json, error } = await service.run(postSheet, rowsFor(service));
		expect([json, error]).toEqual([service.records.posts.slice(7), undefined]);
	});
});

/** What breaks the interface, and what is said of it. */
const BROKEN: Array<[name: string, answer: Answer, came: string]> = [
	['no body', {}, 'nothing'],
	['a message', { body: { message: 'Scheduled maintenance' } }, '{"message":"Scheduled maint'],
	['a bare array', { body: [{ id: 'post_1' }] }, '[{"id":"post_1"}]'],
	['another envelope', { body: { items: [], total: 0 } }, '{"items":[],"total":0}'],
	['no list in data', { body: { data: { items: [] } } }, '{"data":{"items":[]}}'],
];

describe.each(BROKEN)('a response that is %s', (_name, answer, came) => {
	const says = `The response has no list in 'data', but: ${came}`;
	const broken = () => backend({ page: () => answer });

	test.each([true, false])('Get Many, Return All %p: an error that says it', async (returnAll) => {
		const service = broken();
		const { json, error } = await service.run(getMany({ returnAll }), rowsFor(service, 1));
		expect([json, error?.message]).toEqual([[], expect.stringContaining(says)]);
		expect(service.requests).toHaveLength(1);
	});

	test('Skip the Row: nothing is sent, and what to set instead is named', async () => {
		const service = broken();
		const { error } = await service.run(postSheet, rowsFor(service, 1));
		expect(error?.message).toContain(says);
		expect(error?.description).toContain("set 'If It Already Exists' to 'Create Another One'");
		expect(service.countOf('POST')).toBe(0);
	});
});

test.each([
	['location', 'get', { items: [] }, "no 'data'"],
	['location', 'get', { data: [] }, 'no record'],
	['insight', 'get', { views: 120 }, "no 'data'"],
	['insight', 'get', {}, "no 'data'"],
])('%s, %s: %j is an error that says what came', async (resource, operation, body, says) => {
	const service = backend({ instead: () => ({ body }) });
	const one = { ...{ resource, operation, output: 'raw' }, locationId: postSheet.locationId };
	const { json, error } = await service.run(one, rowsFor(service, 1));
	expect([json, error?.message]).toEqual([[], expect.stringContaining(`The response has ${says}`)]);
	expect(service.requests).toHaveLength(1);
});

/** Lists that are not what they say, in three pages of five. */
const INCOMPLETE: Record<string, Switches['page']> = {
	'a total, and no more': ({ all, ...page }) => ({
		body: {
			data: page.number === 1 ? all.slice(0, 5) : [],
			meta: metaOf({ all, ...page }),
		},
	}),
	'a total, and the first page again': (page) => ({
		body: { data: page.all.slice(0, 5), meta: { ...metaOf(page), current_page: 1 } },
	}),
	'a total, and null': ({ all }) => ({ body: { data: null, meta: { total: all.length } } }),
	'a total of zero': ({ all }) => ({ body: { data: all, meta: { total: 0 } } }),
	'pages that overlap': ({ all, number, ...page }) => ({
		// The order has ties: the last one of a page comes first on the next one, in place of another.
		body: {
			data: number === 1 ? page.data : [all[5 * number - 6], ...page.data.slice(1)],
			meta: metaOf({ all, number, ...page }),
		},
	}),
	'a record that comes twice': ({ all, ...page }) => ({
		body: { data: page.data, meta: metaOf({ all: [...all, all[0]], ...page }) },
	}),
};
const SAYS: Record<string, string> = {
	'a total, and no more': 'the service returned 5 of 12 content posts',
	'a total, and the first page again': 'the service returned 5 of 12 content posts',
	'a total, and null': 'the service returned 0 of 12 content posts',
	'a total of zero': 'the service returned 12 content posts, but states a total of 0',
	'pages that overlap': 'the service returned 10 of 12 content posts',
	'a record that comes twice': 'the service returned 12 of 13 content posts',
};

describe.each(Object.keys(INCOMPLETE))('an incomplete list: %s', (name) => {
	const start = () => {
		const service = backend({ pageSize: 5, page: INCOMPLETE[name] });
		service.addPosts(12);
		return service;
	};
	const says = `Incomplete list: ${SAYS[name]}`;
	// Where a parameter is ignored, another reading would not help.
	const readings = name.endsWith('again') ? 1 : 3;

	test.concurrent('Get Many: an error, after three readings', async () => {
		const service = start();
		const { json, error } = await service.run(getMany(), rowsFor(service, 1));
		expect([json, error?.message]).toEqual([[], expect.stringContaining(says)]);
		const firsts = service.requests.filter((line) => !line.includes('page='));
		expect(firsts).toHaveLength(readings);
	});

	test.concurrent('Get Many, Accept Incomplete Lists: what came, and a hint', async () => {
		const service = start();
		const { json, hints, error } = await service.run(getMany(accepting), rowsFor(service, 1));
		const [, count] = /returned (\d+)/.exec(says)!;
		expect([json.length, error]).toEqual([Number(count), undefined]);
		expect(hints.join()).toContain(`The list is incomplete: these are ${count}`);
	});

	test.concurrent('Skip the Row: nothing is sent', async () => {
		const service = start();
		const { error } = await service.run(postSheet, rowsFor(service, 1));
		expect(error?.message).toContain(says);
		expect(error?.description).toMatch(/'(Accept Incomplete Lists|Page Parameter Name)'/);
		expect(service.countOf('POST')).toBe(0);
	});

	test.concurrent('Skip the Row, Accept Incomplete Lists: created, with a hint', async () => {
		const service = start();
		const sheet = { ...postSheet, ...accepting };
		const { json, hints, error } = await service.run(sheet, rowsFor(service, 1));
		expect([json, error]).toEqual([service.records.posts.slice(12), undefined]);
		expect(hints.join()).toContain('The list of content posts is incomplete: not all');
	});
});

test('a page that states a larger total counts: the list grew while it was read', async () => {
	const service = backend({
		pageSize: 5,
		page: ({ data, number, ...page }) => ({
			body: {
				data,
				meta: { ...metaOf({ data, number, ...page }), total: number === 1 ? 10 : 12 },
			},
		}),
	});
	const posts = service.addPosts(12);
	const { json, error } = await service.run(getMany(), rowsFor(service, 1));
	expect([idsOf(json), error]).toEqual([idsOf(posts), undefined]);
});

test('a list that others change while it is read is read again until it is complete', async () => {
	let readings = 0;
	const service = backend({
		pageSize: 5,
		shows: (all, { query }) => (query.page === undefined && readings++ === 0 ? all.slice(1) : all),
	});
	const posts = service.addPosts(11);
	const { json, error } = await service.run(getMany(), rowsFor(service, 1));
	expect([idsOf(json), error, readings]).toEqual([idsOf(posts), undefined, 2]);
});

test('records without an ID are told apart by their content and their place', async () => {
	const service = backend({ pageSize: 5, id: () => ({}) });
	const posts = service.addPosts(5);
	const location_id = service.location();
	for (let count = 0; count < 3; count++)
		posts.push(service.add('posts', { location_id, title: 'A' }));
	const { json, error } = await service.run(getMany(), rowsFor(service, 1));
	expect([json, error]).toEqual([posts, undefined]);
});
