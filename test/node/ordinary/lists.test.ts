import { postSheet } from '../../support/sheet';
import { type Answer, type Fields, type Page, useBackend } from './backend';
import { rowsFor, saidIn } from './rows';

// A list is read with as many requests as it has pages. `meta` is a hint; each record comes once.

const backend = useBackend();

const getMany = (more = {}) => ({
	resource: 'post',
	operation: 'getAll',
	locationId: postSheet.locationId,
	returnAll: true,
	...more,
});
const idsOf = (records: Fields[]) => records.map(({ id }) => id);

/** How a page says where it is. */
const META: Record<string, (page: Page) => Fields> = {
	'the interface': ({ number, all, size }) => ({
		meta: { current_page: number, per_page: size, total: all.length },
	}),
	'numbers as text': ({ number, all, size }) => ({
		meta: { current_page: String(number), per_page: `${size}`, total: `${all.length}` },
	}),
	Laravel: ({ number: page, all, size, last }) => {
		return {
			links: {
				first: '/posts?page=1',
				last: `/posts?page=${last}`,
				prev: page > 1 ? `/posts?page=${page - 1}` : null,
				next: page < last ? `/posts?page=${page + 1}` : null,
			},
			meta: {
				...{ current_page: page, from: (page - 1) * size + 1, last_page: last },
				...{ per_page: size, to: Math.min(page * size, all.length), total: all.length },
				links: [{ url: '/posts?page=1', label: '1', active: page === 1 }],
			},
		};
	},
	'Laravel, simple pages': ({ number, size, last }) => {
		const next = number < last ? `/posts?page=${number + 1}` : null;
		return { links: { next }, meta: { current_page: number, per_page: size } };
	},
	Spring: ({ number, all, size }) => ({
		page: {
			...{ number: number - 1, size, totalElements: all.length },
			totalPages: Math.ceil(all.length / size),
		},
	}),
	'Spring, in meta': ({ number, all, size, last }) => ({
		meta: {
			...{ number: number - 1, size, totalElements: all.length },
			...{ totalPages: Math.ceil(all.length / size), last: number >= last },
		},
	}),
	'Django REST': ({ number, all, last }) => ({
		count: all.length,
		next: number < last ? `/posts?page=${number + 1}` : null,
		previous: null,
	}),
	'Rails (pagy, kaminari)': ({ number, all, size, last }) => ({
		meta: {
			current_page: number,
			next_page: number < last ? number + 1 : null,
			total_pages: Math.ceil(all.length / size),
			total_count: all.length,
		},
	}),
	'json-server': ({ number, all, size }) => {
		const last = Math.ceil(all.length / size);
		const next = number < last ? number + 1 : null;
		return { first: 1, prev: null, next, last, pages: last, items: all.length };
	},
	has_more: ({ number, last }) => ({ has_more: number < last }),
	'only a total': ({ all }) => ({ meta: { total: all.length } }),
	'only a page size': ({ size }) => ({ meta: { per_page: size } }),
	'meta of zeros': () => ({ meta: { current_page: 0, per_page: 0, total: 0 } }),
	'meta null': () => ({ meta: null }),
	'meta {}': () => ({ meta: {} }),
	'no meta': () => ({}),
};
/** Those that say how many pages there are. */
const isExact = (name: string) => /the interface|as text|^Laravel|json-server|has_more/.test(name);
/** Those whose total may be that of the page, where it is full and no longer. */
const mayCountPage = (name: string) => /the interface|as text/.test(name);
/** The others do not say on a page whether there are more. */
const saysMore = (name: string) => !/only a page size|zeros|null|\{\}|no meta/.test(name);
/** The others cost one request more, to see the end. */
const most = (name: string, count: number, size: number) =>
	Math.max(1, Math.ceil(count / size)) +
	(isExact(name) && !(mayCountPage(name) && count === size) ? 0 : 1);

const SIZES = [10, 15];
const COUNTS = [0, 15, 47];

describe.each(Object.keys(META))('pages with %s', (name) => {
	const withPages = (pageSize: number) =>
		backend({
			pageSize,
			page: (page) => ({ body: { data: page.data, ...META[name](page) } }),
		});

	test.each(SIZES.flatMap((size) => COUNTS.map((count) => [count, size])))(
		'%i posts in pages of %i',
		async (count, size) => {
			const service = withPages(size);
			const posts = service.addPosts(count);
			service.addPosts(2, 1);
			const { json, error } = await service.run(getMany(), rowsFor(service, 1));
			expect([idsOf(json), error]).toEqual([idsOf(posts), undefined]);
			expect(service.requests.length).toBeLessThanOrEqual(most(name, count, size));
		},
	);

	test.each([15, 16, 50])('a limit of %i', async (limit) => {
		const service = withPages(15);
		const posts = service.addPosts(40);
		const { json, ...said } = await service.run(
			getMany({ returnAll: false, limit }),
			rowsFor(service, 1),
		);
		// Someone who sees 15 may take them for all.
		const all = "To get all of them, turn on 'Return All'.";
		const more = [
			`${limit} of 40 content posts. ${all}`,
			`${limit} content posts, and there are more. ${all}`,
		];
		expect(saidIn(said).filter((hint) => limit > 40 || !more.includes(hint))).toEqual([]);
		if (limit < 40 && saysMore(name)) expect(saidIn(said)).toHaveLength(1);
		expect(idsOf(json)).toEqual(idsOf(posts).slice(0, limit));
		expect(service.requests.length).toBeLessThanOrEqual(most(name, Math.min(limit, 40), 15));
	});

	test('Skip the Row reads the pages once', async () => {
		const service = withPages(15);
		service.addPosts(31);
		const { json, ...said } = await service.run(postSheet, rowsFor(service));
		expect(saidIn(said)).toEqual([]);
		expect(json).toEqual(service.records.posts.slice(31));
		expect(service.countOf('POST')).toBe(3);
		expect(service.countOf('GET')).toBeLessThanOrEqual(most(name, 31, 15));
	});
});

/** Lists in an object, as many frameworks write them. */
const INSIDE: Record<string, (page: Page) => unknown> = {
	'{ data: { items, total } }': ({ data, all, number: page, size }) => ({
		data: { items: data, total: all.length, page, per_page: size },
	}),
	'{ data: { results, count } }': ({ data, all }) => ({
		data: { results: data, count: all.length },
	}),
	'{ data: { items, meta } }': ({ data, all, number: current_page, size: per_page }) => ({
		data: { items: data, meta: { total: all.length, current_page, per_page } },
	}),
	'{ data: { data } }': ({ data, all, number, size }) => ({
		data: { data, current_page: number, per_page: size, total: all.length },
	}),
	'{ data: { posts } }': ({ data }) => ({ data: { posts: data } }),
	'{ data: { location_id, posts } }': ({ data }) => ({
		data: { location_id: 'loc_1', posts: data },
	}),
	'{ items, total }': ({ data, all, number: page, size }) => ({
		...{ items: data, total: all.length, page, size },
	}),
	'{ posts }': ({ data }) => ({ posts: data }),
	HAL: ({ data, all, number, size }) => ({
		...(data.length > 0 && { _embedded: { posts: data } }),
		_links: { self: { href: '/posts' } },
		page: { number: number - 1, size, totalElements: all.length },
	}),
	// PHP's filtered arrays keep their keys.
	'{ posts } by key': ({ data, number, size }) => ({
		posts: Object.fromEntries(data.map((post, at) => [String((number - 1) * size + at), post])),
	}),
	'another list before it': ({ data }) => ({ content: [{ type: 'hero' }], items: [], posts: data }),
	'{ code, message, result }': ({ data }) => ({
		code: 200,
		...{ message: 'OK', [data.length > 0 ? 'result' : 'results']: data },
	}),
	'{ traceId, localPosts }': ({ data, all }) => ({
		...{ traceId: 'a1', locationId: 'loc_1', localPosts: data, total: all.length },
	}),
	// Go writes null for what is empty.
	'{ items, total } of Go': ({ data, all, number: page }) => ({
		...{ items: data.length > 0 ? data : null, total: all.length, page },
	}),
	OData: ({ data, number, last }) => ({
		...{ '@odata.context': 'https://seo.example.com/$metadata#posts', value: data },
		...(number < last && { '@odata.nextLink': `/posts?page=${number + 1}` }),
	}),
	'JSON-LD': ({ data, all, number, last }) => ({
		...{ '@context': '/contexts/Post', '@id': '/posts', '@type': 'Collection' },
		...{ totalItems: all.length, member: data },
		view: { '@id': `/posts?page=${number}`, ...(number < last && { next: '/posts?page=2' }) },
	}),
	'mongoose-paginate': ({ data, all, number: page, size: limit, last: totalPages }) => ({
		...{ docs: data, totalDocs: all.length, limit, page, totalPages, pagingCounter: 1 },
		...{ hasPrevPage: page > 1, hasNextPage: page < totalPages, prevPage: null },
		nextPage: page < totalPages ? page + 1 : null,
	}),
	'Laravel in data': ({ data, all, number: current_page, size: per_page, last: last_page }) => ({
		data: { data, current_page, per_page, last_page, total: all.length, next_page_url: null },
	}),
	'Laravel under its name': ({ data, all, number: current_page, size: per_page }) => ({
		...{ success: true, posts: { data, current_page, per_page, total: all.length } },
	}),
	'{ data: { posts: { items, total } } }': ({ data, all }) => ({
		data: { posts: { items: data, total: all.length } },
	}),
	'{ result: { items, totalCount } } of ABP': ({ data, all }) => ({
		...{ result: { items: data, totalCount: all.length }, success: true, error: null },
	}),
	'{ url, result }': ({ data }) => ({ url: '/posts', env: 'live', result: data }),
	'{ stats, localPosts }': ({ data }) => ({ stats: { views: 4 }, localPosts: data }),
	'{ pageItems, total }': ({ data, all }) => ({ pageItems: data, total: all.length }),
	'{ data: { pageList, total } }': ({ data, all }) => ({
		...{ code: 0, data: { pageList: data, total: all.length } },
	}),
	Pagerfanta: ({ data, all, number, size, last }) => ({
		...{ currentPage: number, maxPerPage: size, nbResults: all.length, nbPages: last },
		currentPageResults: data,
	}),
	'{ page, continueCursor }': ({ data, number }) => ({ page: data, continueCursor: `a${number}` }),
	NestJS: ({ data }) => ({ statusCode: 200, message: 'Success', result: data }),
	'{ status, details }': ({ data }) => ({
		...{ status: 'ok', [data.length > 0 ? 'details' : 'items']: data },
	}),
	'{ items, warnings }': ({ data }) => ({ items: data, warnings: [{ id: 'w1', code: 'slow' }] }),
	Google: ({ data, all, number }) => ({
		...{ kind: 'seo#postList', etag: 'a1', pageInfo: { totalResults: all.length } },
		...(data.length > 0 && { items: data, pageInfo: { totalResults: all.length, number } }),
	}),
	Django: ({ data, all, number, last }) => ({
		...{ count: all.length, previous: null, results: data },
		next: number < last ? `/posts?page=${number + 1}` : null,
	}),
	FastAPI: ({ data, all, number: page, size, last: pages }) => ({
		...{ items: data, total: all.length, page, size, pages },
	}),
	Spring: ({ data, all, number, last, size }) => ({
		data: {
			...{ content: data, totalElements: all.length, number: number - 1, size },
			...{ last: number >= last, first: number === 1, empty: data.length === 0 },
		},
	}),
};

describe.each(Object.keys(INSIDE))('a list as %s', (name) => {
	test.each([0, 7, 24, 53])('%i posts: each once, none sent again', async (count) => {
		const service = backend({ pageSize: 12, page: (page) => ({ body: INSIDE[name](page) }) });
		const posts = service.addPosts(count);
		const { json, error } = await service.run(getMany(), rowsFor(service, 1));
		expect([idsOf(json), error]).toEqual([idsOf(posts), undefined]);
		// Its total is that of the interface, so no request looks for more.
		const pages = Math.max(1, Math.ceil(count / 12));
		if (name.includes('meta')) expect(service.requests).toHaveLength(pages);
		const sheet = [...posts.slice(-1), ...rowsFor(service, 1)];
		await service.run(postSheet, sheet);
		expect(service.countOf('POST')).toBe(1);
	});
});

/** Where services state how many records there are; `count` is often that of the page. */
const TOTALS: Record<string, (page: Page) => unknown> = {
	'total beside a list': ({ data, all }) => ({ posts: data, total: all.length }),
	'total beside a count': ({ data, all }) => ({
		...{ success: true, count: data.length, total: all.length, data },
	}),
	'count of OData': ({ data, all }) => ({ value: data, '@odata.count': all.length }),
	'totalItems of Hydra': ({ data, all }) => ({
		...{ '@type': 'hydra:Collection', 'hydra:totalItems': all.length, 'hydra:member': data },
	}),
	'meta.total_count of kaminari': ({ data, all }) => ({ data, meta: { total_count: all.length } }),
	'pagination.total': ({ data, all }) => ({ data, pagination: { total: all.length } }),
	'metadata.total_records': ({ data, all }) => ({
		...{ posts: data, metadata: { total_records: all.length } },
	}),
	'total within data': ({ data, all }) => ({ data: { posts: data, total: all.length } }),
};

/** What comes where another page is asked for. */
const IN_PLACE: Record<string, Partial<Answer>> = {
	'the first one': {},
	'a refusal': { status: 400, body: { message: 'Unknown parameter: page' } },
	'something else': { body: { message: 'Too many requests' } },
};

test.concurrent.each([
	...Object.keys(TOTALS).map((name) => [name, 'the first one']),
	...Object.keys(IN_PLACE).map((name) => ['total beside a list', name]),
])('%s, and in place of another page %s: incomplete, and it is said', async (name, other) => {
	const service = backend({
		page: ({ all, ...page }, { query }) => ({
			body: TOTALS[name]({ ...page, all, data: all.slice(0, 20) }),
			...(query.page !== undefined && IN_PLACE[other]),
		}),
	});
	service.addPosts(45);
	const { error } = await service.run(getMany(), rowsFor(service, 1));
	expect(error).toMatchObject({
		message: expect.stringContaining('Incomplete list: the service returned 20 of 45'),
	});
	const { hints } = await service.run(postSheet, rowsFor(service, 1));
	expect(hints.join()).toContain('The list of content posts is incomplete');
});

test.each([
	['start', (posts: Fields[]) => ({ elements: posts, paging: { start: 0, count: 20, links: [] } })],
	['offset', (data: Fields[]) => ({ data, meta: { offset: 0, count: 20 } })],
])('a count beside %s is that which was asked for: nothing is missing', async (_, body) => {
	const service = backend({ page: ({ all }) => ({ body: body([...all]) }) });
	const posts = service.addPosts(7);
	const { json, error } = await service.run(getMany(), rowsFor(service, 1));
	expect([idsOf(json), error]).toEqual([idsOf(posts), undefined]);
});

test.each([{ pages: 4 }, { next: 'review' }, { more: true }])(
	'a location with metadata %j is one record, with no further page',
	async (metadata) => {
		const data = { id: 'loc_1', name: 'Corner', categories: [{ id: 1, name: 'Bakery' }], metadata };
		for (const body of [{ data }, data]) {
			const service = backend({ instead: () => ({ body }) });
			const get = { resource: 'location', operation: 'get', locationId: postSheet.locationId };
			const { json, error } = await service.run(get, rowsFor(service, 1));
			expect([json, error]).toEqual([[data], undefined]);
			expect(service.requests).toHaveLength(1);
		}
	},
);

/** Everything on one page, whatever is asked for. */
const ONE_PAGE: Record<string, (all: readonly Fields[]) => unknown> = {
	'a bare array': (all) => all,
	'{ data }': (data) => ({ data }),
	'{ data, meta: { total } }': (data) => ({ data, meta: { total: data.length } }),
	'{ data, meta } of zeros': (data) => ({
		data,
		meta: { current_page: 0, per_page: 0, total: 0 },
	}),
	'{ data, meta } of one page': (data) => ({
		data,
		meta: { current_page: 1, per_page: 15, total: data.length, last_page: 1 },
	}),
};

describe.each(Object.keys(ONE_PAGE))('%s with all records', (name) => {
	test.each([1, 7, 15, 40])('%i of them', async (count) => {
		const service = backend({ page: ({ all }) => ({ body: ONE_PAGE[name](all) }) });
		const posts = service.addPosts(count);
		const { json, error } = await service.run(getMany(), rowsFor(service, 1));
		expect(error).toBeUndefined();
		expect(json).toEqual(posts);
		expect(service.requests.length).toBeLessThanOrEqual(2);
	});
});

/** One page without `meta`, and a service that does not know `page`. */
const REFUSALS: Record<string, Answer> = {
	'400': { status: 400, body: { message: 'Unknown parameter: page' } },
	'422': { status: 422, body: { errors: { page: ['is not allowed'] } } },
	'404': { status: 404, body: { detail: 'Invalid page.' } },
};

describe.each(Object.keys(REFUSALS))('another page is refused with %s', (status) => {
	const refusing = () =>
		backend({ pastEnd: REFUSALS[status], page: ({ data }) => ({ body: { data } }) });
	const anyPage = () =>
		backend({
			page: ({ all }, { query }) =>
				query.page === undefined ? { body: { data: all } } : REFUSALS[status],
		});

	test.each([7, 15, 40])('the first page is all: %i posts', async (count) => {
		const service = anyPage();
		const posts = service.addPosts(count);
		const { json, hints, error } = await service.run(getMany(), rowsFor(service, 1));
		expect([json, error]).toEqual([posts, undefined]);
		if (status !== '404') expect(hints.join()).toMatch(/page/i);
		expect(service.requests).toHaveLength(2);
	});

	test('the page past the end: all posts', async () => {
		const service = refusing();
		const posts = service.addPosts(30);
		const { json, error } = await service.run(getMany(), rowsFor(service, 1));
		expect([json, error]).toEqual([posts, undefined]);
		expect(service.requests.length).toBeLessThanOrEqual(4);
	});

	test('rows are created', async () => {
		const service = anyPage();
		service.addPosts(7);
		const { json, error } = await service.run(postSheet, rowsFor(service));
		expect([json, error]).toEqual([service.records.posts.slice(7), undefined]);
		expect(service.countOf('POST')).toBe(3);
	});
});

/** A join that gives a record for each of its tags. */
const JOINS: Record<string, (records: Fields[]) => Fields[]> = {
	'each twice': (all) => all.flatMap((one) => [one, one]),
	'some twice': (all) => all.flatMap((one, index) => (index % 3 === 0 ? [one, one] : [one])),
	'one three times': (all) => [...all, all[0], all[0]],
};

test.each(Object.keys(JOINS).flatMap((name) => [3, 12, 40].map((count) => [name, count] as const)))(
	'the same record %s in a list of %i: each once',
	async (name, count) => {
		const service = backend({ shows: JOINS[name] });
		const posts = service.addPosts(count);
		const { json, error, waited } = await service.run(getMany(), rowsFor(service, 1));
		expect([error, waited]).toEqual([undefined, false]);
		expect(idsOf(json)).toEqual(idsOf(posts));
		const { error: refused } = await service.run(postSheet, rowsFor(service));
		expect(refused).toBeUndefined();
		expect(service.countOf('POST')).toBe(3);
	},
);
