import { createHash } from 'node:crypto';

import { columns } from '../../support/fixture';
import { metaOf } from '../../../dev/sandbox/account';
import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, type Fields, type Page, type Switches, useBackend } from './backend';
import { rowsFor, saidIn, sentOf } from './rows';

// If It Already Exists: Skip the Row. A row is skipped if it is in the list, or was made by this process
// within the hour. Any other row is sent at once; nothing waits for a list.

const backend = useBackend();

const MINUTE = 60_000;
const isNew = ({ created_at }: Fields) => Date.now() - Date.parse(String(created_at)) < MINUTE;
const pageOfAll = ({ data }: Page) => ({ body: { data, meta: { total: data.length } } });

const inJsonApi = ({ id, ...attributes }: Fields) => ({ type: 'posts', id, attributes });

/** Lists that do not show all that was created. */
const HIDES: Record<string, Partial<Switches>> = {
	nothing: {},
	'drafts are hidden': { shows: (all) => all.filter((post) => !isNew(post)) },
	'all is hidden': { shows: () => [] },
	'only the newest two': { shows: (all) => all.slice(-2).reverse(), page: pageOfAll },
	'a minute late': { shows: (all) => all.filter((post) => !isNew(post)) },
	'texts are translated': { stores: ({ title }) => ({ title: `« ${String(title)} »`, text: 'x' }) },
	'headline in place of title': {
		stores: ({ title, content }) => ({ headline: title, body: content }),
	},
	'no dates': { createdAt: () => undefined },
};
/** Answers to a create, and whether they give an ID. */
const GIVES: Record<string, [Switches['created'], boolean]> = {
	'the record': [(data) => ({ status: 201, body: { data } }), true],
	'202 with an ID': [({ id }) => ({ status: 202, body: { data: { id, status: 'queued' } } }), true],
	'201 with Location': [
		({ id }) => ({ status: 201, headers: { Location: `/posts/${String(id)}` } }),
		true,
	],
	'202 with a job': [() => ({ status: 202, body: { job_id: 'job_1' } }), false],
	nothing: [() => ({ status: 201 }), false],
};
const cases = Object.keys(HIDES).flatMap((hides) =>
	Object.keys(GIVES).map((gives) => [hides, gives] as const),
);

describe.each([0, 20])('%i posts are there', (count) => {
	test.each(cases)('hides: %s; a create gives %s', async (hides, gives) => {
		const [created, isKnown] = GIVES[gives];
		const service = backend({ ...HIDES[hides], created });
		service.addPosts(count);
		const ids = () => service.records.posts.slice(count).map(({ id }) => id);
		const rows = rowsFor(service);
		const first = await service.run(postSheet, rows);
		expect([first.error, first.json.length]).toEqual([undefined, 3]);
		if (isKnown) expect(first.json).toMatchObject(ids().map((id) => ({ id })));
		expect(service.countOf('POST')).toBe(3);

		// Other rows: at once.
		const others = await service.run(postSheet, rowsFor(service, 2, 'Event'));
		expect([others.error, others.waited]).toEqual([undefined, false]);
		expect(others.json.map(({ skipped }) => skipped)).toEqual([undefined, undefined]);
		expect(service.countOf('POST')).toBe(5);

		// The same rows.
		const again = await service.run(postSheet, [...rows].reverse());
		expect([again.error, again.waited]).toEqual([undefined, false]);
		expect(again.json.map(({ skipped }) => skipped)).toEqual([true, true, true]);
		if (isKnown) {
			const known = ids().slice(0, 3).reverse();
			expect(again.json).toMatchObject(known.map((id) => ({ id })));
		}
		expect(service.countOf('POST')).toBe(5);
		// Three readings of the list, and nothing else.
		const paths = service.calls.filter(({ method }) => method === 'GET').map(({ path }) => path);
		expect(new Set(paths).size).toBe(1);
		expect(paths.length).toBeLessThanOrEqual(3 * (count > 0 ? 2 : 1));
	});
});

test.each([
	['to the letter', (fields: Fields) => fields],
	['trimmed', ({ title, content }: Fields) => ({ title: String(title).trim(), content })],
	['sanitized', ({ title, ...more }: Fields) => ({ title: `${String(title)}&nbsp;`, ...more })],
	['cut', ({ title, content }: Fields) => ({ title, content: `${String(content).slice(0, 30)}…` })],
])('rows that another process has posted, %s, are skipped', async (_, stores) => {
	const service = backend({ stores });
	const rows = rowsFor(service);
	for (const row of rows) {
		const { location_id } = row;
		service.add('posts', { location_id, ...stores(sentOf(row)) }, new Date(Date.now() - MINUTE));
	}
	const { json, ...said } = await service.run(postSheet, rows);
	expect(said.error).toBeUndefined();
	expect(json).toMatchObject(service.records.posts.map(({ id }) => ({ id, skipped: true })));
	expect(service.requests).toEqual([`GET /locations/${service.location()}/posts`]);
});

/** An empty list. */
const EMPTY: Record<string, Answer> = {
	'{ data: [] }': { body: { data: [] } },
	'{ data: [], meta }': { body: { data: [], meta: { current_page: 1, per_page: 15, total: 0 } } },
	'{}': { body: {} },
	'[]': { body: [] },
	'{ data: null }': { body: { data: null } },
	'{ data: {} }': { body: { data: {} } },
	'{ posts: null }': { body: { posts: null } },
	'{ posts: {} }': { body: { posts: {} } },
	'{ items: null, total: 0, page: 1 }': { body: { items: null, total: 0, page: 1 } },
	'{ data: { items: null, total: 0 } }': { body: { data: { items: null, total: 0 } } },
	Hydra: {
		body: { '@type': 'hydra:Collection', 'hydra:totalItems': 0, 'hydra:member': [] },
	},
	'{ code, message, result: [] }': { body: { code: 200, message: 'OK', result: [] } },
	'another list beside it': { body: { posts: [], items: [{ id: 'ad_1' }] } },
	'{ localPosts: [], count: null }': { body: { localPosts: [], count: null } },
	'{ message, total: 0 }': { body: { message: 'No posts', total: 0 } },
	'{ total: 0, page: 1, per_page: 15 }': { body: { total: 0, page: 1, per_page: 15 } },
	null: { body: null },
	'no body': {},
	'no body, with its type': { body: '', headers: { 'Content-Type': 'application/json' } },
	'204': { status: 204 },
	'404': { status: 404, body: { message: 'No posts found' } },
	'404 without a body': { status: 404 },
};

describe.each(Object.keys(EMPTY))('an empty list is %s', (name) => {
	const empty = (): Partial<Switches> => ({
		instead: ({ method, path }) =>
			method === 'GET' && /\/(posts|keywords)$/.test(path) ? EMPTY[name] : undefined,
	});
	const asks = name.startsWith('404') ? 1 : 0;

	test('rows are created', async () => {
		const service = backend(empty());
		const { json, ...said } = await service.run(postSheet, rowsFor(service));
		expect(saidIn(said)).toEqual([]);
		expect(json).toEqual(service.records.posts);
		// Whether the location exists is asked for once.
		expect([service.countOf('POST'), service.countOf('GET')]).toEqual([3, 1 + asks]);
	});

	test.each([true, false])('Get Many, Return All %p: no records', async (returnAll) => {
		const service = backend(empty());
		const list = { resource: 'post', operation: 'getAll', returnAll, limit: 50 };
		const { locationId } = postSheet;
		const { json, error } = await service.run({ ...list, locationId }, rowsFor(service, 1));
		expect([json, error]).toEqual([[], undefined]);
		expect(service.requests).toHaveLength(1 + asks);
	});
});

test.each([
	{ location: { id: 'loc_1' }, categories: [{ id: 1, name: 'Bakery' }] },
	{ post_id: 'post_1', title: 'A', images: [{ id: 1 }] },
	{ post_id: 'post_1', summary: 'Hello', state: 'LIVE', media: [{ id: 'm1' }] },
	{ address: '1 High Street', categories: [{ id: 1, name: 'Bakery' }] },
	{ message: 'Welcome' },
	{ code: 500, message: 'Internal error', total: 0 },
	{ message: 'Not authorized', _links: { self: '/' } },
	{ object: 'error', message: 'No', errors: [] },
	{ type: 'update', tags: [] },
	{ status: 'error', messages: [{ code: 'X' }] },
	{ message: 'Done', errors: [{ code: 'X' }], total: 0 },
	{ status: 'ok', warnings: [{ code: 'slow' }] },
	{ message: 'Bad', details: [{ field: 'page' }] },
	{ exception: { message: 'Boom', trace: [] } },
	{ response: { status: 500, reasons: [] } },
	{ user: { roles: [] } },
])('%j is no list of what exists: nothing is sent', async (body) => {
	const service = backend({ instead: ({ method }) => (method === 'GET' ? { body } : undefined) });
	const { error } = await service.run(postSheet, rowsFor(service));
	expect(error?.description).toContain("set 'If It Already Exists' to 'Create Another One'");
	expect(service.countOf('POST')).toBe(0);
});

test.each([
	{ data: null, meta: { total: 5 } },
	{ posts: null, total: 5 },
	{ posts: {}, meta: { total: 5 } },
])('%j has lost its records: rows are created, with a hint', async (body) => {
	const service = backend({ instead: ({ method }) => (method === 'GET' ? { body } : undefined) });
	const { hints } = await service.run(postSheet, rowsFor(service));
	expect(hints.join()).toMatch(/incomplete: not all .*compared/);
	expect(service.countOf('POST')).toBe(3);
});

test('keywords that come as texts can not be compared: a hint says so', async () => {
	const service = backend({
		instead: ({ method }) => (method === 'GET' ? { body: { data: ['bakery'] } } : undefined),
	});
	const { hints } = await service.run({ ...postSheet, resource: 'keyword' }, [
		{ location_id: service.location(), keyword: 'bakery' },
	]);
	expect(hints).toEqual([expect.stringContaining('they could not be compared with your rows')]);
});

test.each([403, 405])('%i for the list: what to set instead is named', async (status) => {
	const service = backend({
		instead: ({ method }) =>
			method === 'GET' ? { status, body: { message: 'Not for this plan' } } : undefined,
	});
	const { error } = await service.run(postSheet, rowsFor(service));
	expect(`${error?.message} ${error?.description}`).toMatch(/'?Create Another One'?/);
	expect(`${error?.message} ${error?.description}`).toContain('Not for this plan');
	expect(service.countOf('POST')).toBe(0);
	const { json } = await service.run(createPosts, rowsFor(service));
	expect(json).toEqual(service.records.posts);
});

test.each([0, 3])('columns text, headline, summary, where %i posts are there', async (count) => {
	const service = backend({
		stores: ({ text, headline, summary }) => ({ text, headline, summary }),
	});
	const location_id = service.location();
	for (let number = 0; number < count; number++) {
		service.add('posts', { location_id, text: `Old ${number}`, headline: 'A', summary: 'B' });
	}
	const rows = ['one', 'two', 'three'].map((text) => ({
		...{ location_id, text: `This is ${text}`, headline: text, summary: `Of ${text}` },
	}));
	const { json, ...said } = await service.run(postSheet, rows);
	expect(said.error).toBeUndefined();
	expect(json).toEqual(service.records.posts.slice(count));
	expect(service.countOf('POST')).toBe(3);
	// Once a run, other lists are asked for the names of the fields.
	expect(service.countOf('GET')).toBeLessThanOrEqual(4);
	const again = await service.run(postSheet, rows);
	expect(again.json.map(({ skipped }) => skipped)).toEqual([true, true, true]);
	expect(service.countOf('POST')).toBe(3);
});

/** Lists that can be read in part only. */
const SIZE = 5;
const CURSOR: Record<string, Switches['page']> = {
	'next_cursor in meta': ({ all }, { query }) => {
		const from = Number(query.cursor ?? 0);
		const next = from + SIZE < all.length ? String(from + SIZE) : null;
		return { body: { data: all.slice(from, from + SIZE), meta: { next_cursor: next } } };
	},
	'next_cursor and has_more': ({ all }, { query }) => {
		const from = Number(query.cursor ?? 0);
		const has_more = from + SIZE < all.length;
		return { body: { data: all.slice(from, from + SIZE), has_more, next_cursor: 'abc' } };
	},
	'links.next': ({ all }, { query }) => {
		const from = Number(query.cursor ?? 0);
		const next = from + SIZE < all.length ? `/posts?cursor=${from + SIZE}` : null;
		return { body: { data: all.slice(from, from + SIZE), links: { next } } };
	},
	'a total, and the same page again': (page) => ({
		body: { data: page.all.slice(0, SIZE), meta: { ...metaOf(page), current_page: 1 } },
	}),
	'another order on each page, and a total': (page) => ({
		body: {
			data: [...page.all].sort((a, b) => placeOf(a, page) - placeOf(b, page)).slice(0, SIZE),
			meta: metaOf(page),
		},
	}),
};
/** Each page in an order of its own, as ORDER BY RAND() has it, but the same whenever this runs. */
const placeOf = ({ title }: Fields, { number }: Page) =>
	createHash('md5')
		.update(`${String(title)} ${number}`)
		.digest()
		.readUInt32BE();

test.each(Object.keys(CURSOR))('%s: rows are created, with a hint', async (name) => {
	const service = backend({ page: CURSOR[name], pageSize: SIZE });
	service.addPosts(12);
	const { json, hints, error, waited } = await service.run(postSheet, rowsFor(service));
	expect([error, waited]).toEqual([undefined, false]);
	expect(json).toEqual(service.records.posts.slice(12));
	// Drawn pages may have shown all of them.
	if (!name.startsWith('another')) expect(hints.join()).toMatch(/not all .*compared/i);
	expect(service.countOf('POST')).toBe(3);
	const again = await service.run(postSheet, rowsFor(service));
	expect(again.json).toMatchObject(json.map(({ id }) => ({ id, skipped: true })));
	expect(service.countOf('POST')).toBe(3);
});

test.each<[string, Partial<Switches>]>([
	['headline in place of title', HIDES['headline in place of title']],
	['JSON:API', { page: ({ data }) => ({ body: { data: data.map(inJsonApi) } }) }],
])('%s: rows are created, with a hint that nothing could be compared', async (_, switches) => {
	const service = backend(switches);
	const { hints: none } = await service.run(postSheet, rowsFor(service));
	expect(none).toEqual([]);
	const checked = await service.run(
		{ ...postSheet, options: { dryRun: true } },
		rowsFor(service, 1, 'Event'),
	);
	const message =
		'None of the existing content posts shows title or content: they could not be compared with your rows';
	expect(checked.json[0].warning).toContain(message);
	const { hints, error } = await service.run(postSheet, rowsFor(service, 2, 'Event'));
	expect([error, service.countOf('POST')]).toEqual([undefined, 5]);
	expect(hints).toEqual([
		expect.stringContaining(
			`${message}. Rows that exist already may be created again. They show: `,
		),
	]);
});

test('a keyword that the list hides is skipped the second time', async () => {
	const service = backend({ shows: () => [] });
	const { locationId } = postSheet;
	const add = { resource: 'keyword', operation: 'create', locationId, ifExists: 'skip' };
	const rows = ['plumber', 'Plumber ', 'boiler repair'].map((keyword) => ({
		location_id: service.location(),
		keyword,
	}));
	const fields = columns({ keyword: '={{ $json.keyword }}' });
	const first = await service.run({ ...add, fields }, rows);
	expect(first.json.map(({ skipped }) => skipped)).toEqual([undefined, true, undefined]);
	const again = await service.run({ ...add, fields }, [rows[0], rows[2]]);
	expect(again.json).toEqual(service.records.keywords.map((one) => ({ ...one, skipped: true })));
	expect(service.countOf('POST')).toBe(2);
});

test('a post that went live at once is not the one that is to be published later', async () => {
	const service = backend();
	const [row] = rowsFor(service, 1);
	const later = { ...row, publish_at: '2999-12-24T10:00:00Z' };
	service.add('posts', { ...row, publish_at: null });
	// Where no post shows a time, it may be any.
	expect((await service.run(postSheet, [later])).json).toMatchObject([{ skipped: true }]);
	service.add('posts', { ...row, title: 'Else', publish_at: '2027-01-01T00:00:00Z' });
	const { error } = await service.run(postSheet, [later]);
	expect(error?.message).toContain('A similar content post already exists');
	expect(error?.description).toContain('publish_at 2999-12-24; existing content post: none');
	const past = { ...row, publish_at: new Date(Date.now() - 3_600_000).toISOString() };
	expect((await service.run(postSheet, [past])).json).toMatchObject([{ skipped: true }]);
	expect(service.countOf('POST')).toBe(0);
});
