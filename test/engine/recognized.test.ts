import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../sandbox';
import { byId, useSandbox } from '../support/fixture';
import { postSheet, sheetOf } from '../support/sheet';

// A sheet that is run again is recognized however the service keeps its texts, and a new row is not
// taken for an old one, nor for that of another shop.

const service = useSandbox();
const { run, requests } = service;
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const posted = () => requests().filter((request) => request.startsWith('POST')).length;

type Post = Envelope['data'][number];
const isNew = ({ title }: Post) => String(title).startsWith('Offer number');
const inPosts = (change: (post: Post) => object) =>
	service.sandbox.faults.add({
		when: { path: '/locations/*/posts' },
		transform: (envelope) => ({
			...envelope,
			data: Array.isArray(envelope.data) ? envelope.data.map(change) : change(envelope.data),
		}),
	});
const paragraphs = (text: string) =>
	text.split('\n').map((line) => ({ type: 'paragraph', children: [{ type: 'text', text: line }] }));

test.each<[string, (title: string, content: string) => object]>([
	[
		'as HTML in an object',
		(title, content) => ({
			title: { rendered: title },
			content: { rendered: `<p>${content.replace('\n', '</p>\n<p>')}</p>\n`, protected: false },
		}),
	],
	[
		'by language',
		(title, content) => ({
			title: { de: `Angebot (${title.length})`, en: title },
			content: { de: 'Noch nicht übersetzt', en: content },
		}),
	],
])('texts that are kept %s: nothing is posted twice, and what is new is', async (_, change) => {
	const rows = sheetOf(service.sandbox, 5).map((row) => ({
		...row,
		content: `${String(row.content)}\nCome and see us`,
	}));
	inPosts((post) => ({ ...post, ...change(String(post.title), String(post.content)) }));
	await run(postSheet, { rows: rows.slice(0, 3) });
	expect(posted()).toBe(3);
	const { json } = await run(postSheet, { rows });
	expect(json.map(({ skipped = false }) => skipped)).toEqual([true, true, true, false, false]);
	expect(posted()).toBe(5);
});

test.each<[string, (post: Post) => object]>([
	['in paragraphs', ({ content }) => ({ content: paragraphs(String(content)) })],
	['in an object without it', () => ({ content: {} })],
])(
	'a content that is kept %s is known where the row was posted within the hour',
	async (_, change) => {
		const rows = sheetOf(service.sandbox, 4).map((row) => ({
			...row,
			content: `${String(row.content)}\nCome and see us`,
		}));
		inPosts((post) => (isNew(post) ? { ...post, ...change(post) } : post));
		await run(postSheet, { rows: rows.slice(0, 2) });
		const { json } = await run(postSheet, {
			rows,
			settings: CONTINUE,
		});
		expect(json.map(({ skipped = false }) => skipped)).toEqual([true, true, false, false]);
		expect(posted()).toBe(4);
	},
);

test('two rows that differ in the Unicode form of their letters alone are one post', async () => {
	const [{ location_id }] = sheetOf(service.sandbox, 1);
	// As macOS and other systems write the same letters.
	const rows = ['NFC', 'NFD'].map((form) => ({
		location_id,
		title: 'Café à gogo'.normalize(form),
		content: 'Crêpes für alle'.normalize(form),
	}));
	const { json } = await run(postSheet, { rows });
	expect(json.map(({ skipped = false }) => skipped)).toEqual([false, true]);
	expect(posted()).toBe(1);
});

test('a list with a few letters of each text and an ellipsis: a sheet that is run again is not posted again', async () => {
	const rows = sheetOf(service.sandbox, 3);
	service.sandbox.faults.add({
		when: { path: '/locations/*/posts' },
		transform: (envelope) => ({
			...envelope,
			data: [envelope.data].flat().map((post) => ({
				...post,
				content: `${String(post.content).slice(0, 9)}…`,
			})),
		}),
	});
	await run(postSheet, { rows, settings: CONTINUE });
	expect(posted()).toBe(3);
	const { json } = await run(postSheet, {
		rows,
		settings: CONTINUE,
	});
	expect(json.map(({ skipped }) => skipped)).toEqual(rows.map(() => true));
	expect(posted()).toBe(3);
});

/** Every list of a resource shows the records of all locations: the service forgot the location. */
function mixLists(resource: 'keywords' | 'posts') {
	const { account } = service.sandbox;
	service.sandbox.faults.add({
		when: { method: 'GET', path: `/locations/*/${resource}` },
		transform: () => {
			const data = account.locations.flatMap(({ id }): object[] =>
				resource === 'posts' ? account.postsOf(id) : account.keywordsOf(id),
			) as IDataObject[];
			return { data, meta: { current_page: 1, per_page: data.length, total: data.length } };
		},
	});
}

test('the same text for several shops: a post of another shop in the list is not taken for the own one', async () => {
	const [first, second] = service.sandbox.account.locations;
	const text = { title: 'Open on Sunday', content: 'From 8 to 12, at all our shops' };
	mixLists('posts');
	await run(postSheet, { rows: [{ ...text, location_id: first.id }] });
	expect(posted()).toBe(1);
	const { json } = await run(postSheet, {
		rows: [first, second].map(({ id }) => ({ ...text, location_id: id })),
	});
	expect(json[0]).toMatchObject({ location_id: first.id, skipped: true });
	expect(json[1]).toMatchObject({ location_id: second.id });
	expect(posted()).toBe(2);
});

test('a keyword of another location in the list is not taken for the own one', async () => {
	const [first, second] = service.sandbox.account.locations;
	const create = {
		resource: 'keyword',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		fields: { mappingMode: 'autoMapInputData', value: null },
	};
	mixLists('keywords');
	await run(create, { rows: [{ location_id: first.id, keyword: 'late night pharmacy' }] });
	const { json } = await run(create, {
		rows: [{ location_id: second.id, keyword: 'late night pharmacy' }],
	});
	expect(json).toMatchObject([{ location_id: second.id, keyword: 'late night pharmacy' }]);
});

test('an ID of another kind in the records, such as a number of the database, changes nothing', async () => {
	const [{ id }] = service.sandbox.account.locations;
	const row = { location_id: id, title: 'Open on Sunday', content: 'From 8 to 12' };
	service.sandbox.faults.add({
		when: { path: '/locations/*/posts' },
		transform: (envelope) => ({
			...envelope,
			data: [envelope.data].flat().map((post) => ({ ...post, location_id: 17 })),
		}),
	});
	await run(postSheet, { rows: [row], settings: CONTINUE });
	const { json } = await run(postSheet, { rows: [row] });
	expect(json).toEqual([expect.objectContaining({ skipped: true })]);
});
