import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, type Fields, type Switches, useBackend } from './backend';
import { IDS, named, WHOLE, WITHOUT } from './forms';
import { READS_OF_NEW_ACCOUNT, rowsFor, SAME_ID, saidIn, sentOf } from './rows';

// A create that the service calls a success is done: one POST a row, no list is read after it, and the
// item is the record in `data`, or what was sent.

const backend = useBackend();

const STATUSES = [200, 201, 202];
const product = <A, B>(first: readonly A[], second: readonly B[]) =>
	first.flatMap((a) => second.map((b): [A, B] => [a, b]));
const WAYS = [
	['Create Another One', createPosts],
	['Skip the Row', postSheet],
] as const;

describe.each(WAYS)('%s', (_way, parameters) => {
	const create = async (switches: Partial<Switches>) => {
		const service = backend(switches);
		const rows = rowsFor(service, 3, 'Tea & Cake');
		const { json, ...said } = await service.run(parameters, rows);
		expect(service.requests).toHaveLength(rows.length + READS_OF_NEW_ACCOUNT);
		const posts = service.records.posts;
		return { json, sent: rows.map(sentOf), posts, said: saidIn(said) };
	};

	test.each(product(STATUSES, Object.keys(WHOLE)))('%i, %s: the record', async (status, name) => {
		const created = (record: Fields) => ({ status, body: WHOLE[name](record) });
		const { json, posts, said } = await create({ created });
		expect([json, said]).toEqual([posts, []]);
	});

	test.each([
		...product(STATUSES, named(WITHOUT)).map(([status, [name, body]]) => [name, { status, body }]),
		['no content', { status: 204 }],
		['no content, and a form to reset', { status: 205 }],
		['Location', { status: 201, headers: { Location: '/api/v1/posts/post_1' } }],
		['the page that shows it', { status: 303, headers: { Location: '/posts/post_1' } }],
		// Express labels every text as HTML: `response.status(201).send('Created')`.
		['a text', { status: 201, body: 'Created', headers: { 'Content-Type': 'text/html' } }],
	] as Array<[string, Answer]>)('%s (%j): what was sent', async (_, answer) => {
		const { json, sent, said } = await create({ created: () => answer });
		expect([json, said]).toEqual([sent, []]);
	});

	test('a receipt in data is the item', async () => {
		const data = { job_id: 'job_7', status: 'queued' };
		const { json, said } = await create({ created: () => ({ status: 202, body: { data } }) });
		expect([json, said]).toEqual([[data, data, data], []]);
	});

	test.each(Object.keys(IDS))('ID: %s', async (name) => {
		const { json, posts, said } = await create({
			id: IDS[name],
			created: (data) => ({ status: 201, body: { data } }),
		});
		expect([json, said]).toEqual([posts, []]);
	});

	test.each<[string, (text: string) => string, boolean]>([
		['trims', (text) => text.trim(), true],
		['escapes', (text) => text.replaceAll('&', '&amp;'), true],
		['cleans', (text) => text.replaceAll(/\d/g, '*'), false],
		['cuts', (text) => text.slice(0, 5), false],
		['translates', (text) => `ÜBERSETZT: ${text.split('').reverse().join('')}`, false],
	])('a service that %s texts: the record as it is kept', async (_, change, isSame) => {
		const { json, posts, said } = await create({
			stores: ({ title, content }) => ({
				title: change(` ${String(title)} `),
				content: change(String(content)),
			}),
		});
		const other = 'The service keeps another title and content than was sent';
		const warning = `${other}: a repeat would not recognize it`;
		expect(json).toEqual(posts.map((post) => (isSame ? post : { ...post, warning })));
		expect(said).toEqual(
			isSame ? [] : [`${other} (item 1; item 2; item 3): a repeat would not recognize it.`],
		);
	});
});

describe('IDs come again', () => {
	const nextOf = (records: Fields[]) =>
		1 + records.reduce((most, { id }) => Math.max(most, Number(id) || 0), 0);

	test.each<[string, (posts: Fields[]) => void, number]>([
		['the last row was deleted (SQLite)', (posts) => posts.pop(), 1],
		['the service was reset', (posts) => posts.splice(0), READS_OF_NEW_ACCOUNT],
		['a backup was restored', (posts) => posts.splice(1), 1],
	])('%s', async (_, between, reads) => {
		const service = backend({ id: (_number, _kind, records) => ({ id: nextOf(records) }) });
		const first = await service.run(postSheet, rowsFor(service));
		between(service.account.list('posts', service.location()));
		const second = await service.run(postSheet, rowsFor(service, 3, 'Event'));
		expect([...saidIn(first), ...saidIn(second)]).toEqual([]);
		expect(second.json).toEqual(service.records.posts.slice(-3));
		expect(service.countOf('POST')).toBe(6);
		expect(service.countOf('GET')).toBe(READS_OF_NEW_ACCOUNT + reads);
	});

	test.each([1, '1', 'post_1'])('each post is given the ID %p: a hint says so', async (id) => {
		const service = backend({ id: (_, kind) => (kind === 'posts' ? { id } : {}) });
		const { json, hints, error } = await service.run(createPosts, rowsFor(service));
		expect([json, error]).toEqual([service.records.posts, undefined]);
		expect(hints.join().match(SAME_ID)?.[1]).toBe('3');
		expect(service.requests).toHaveLength(3 + READS_OF_NEW_ACCOUNT);
	});
});

test.each(STATUSES)('a POST of what is there returns it with %i: done', async (status) => {
	const service: ReturnType<typeof backend> = backend({
		instead: ({ method, fields }) => {
			const there = service.records.posts.find(({ title }) => title === fields.title);
			return method === 'POST' && there ? { status, body: { data: there } } : undefined;
		},
	});
	const rows = rowsFor(service);
	const first = await service.run(createPosts, rows);
	const again = await service.run(createPosts, rows);
	expect([again.json, ...saidIn(first), ...saidIn(again)]).toEqual([first.json]);
	const twice = await service.run(createPosts, [rows[0], rows[0]]);
	expect([twice.json, twice.error]).toEqual([[first.json[0], first.json[0]], undefined]);
	expect(twice.hints.join().match(SAME_ID)?.[1]).toBe('2');
	expect(service.countOf('POST')).toBe(8);
	// Once there are posts, one list shows their fields.
	expect(service.countOf('GET')).toBe(READS_OF_NEW_ACCOUNT + 2);
});
