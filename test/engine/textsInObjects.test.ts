import type { Envelope } from '../../sandbox';
import { useSandbox } from '../support/fixture';
import { postSheet, sheetOf } from '../support/sheet';

// Services keep a text as an object: by language, as HTML, as rich text. A sheet that is run again is
// recognized in each of them, and a new row is not taken for an old one.

const service = useSandbox();
const { run, requests } = service;
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
	'a content that is kept %s is left to the user where the title is the same',
	async (_, change) => {
		const rows = sheetOf(service.sandbox, 4).map((row) => ({
			...row,
			content: `${String(row.content)}\nCome and see us`,
		}));
		inPosts((post) => (isNew(post) ? { ...post, ...change(post) } : post));
		await run(postSheet, { rows: rows.slice(0, 2) });
		const { json } = await run(postSheet, {
			rows,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json.map(({ error }) => error)).toEqual([
			expect.objectContaining({ message: expect.stringMatching(/A similar content post/) }),
			expect.objectContaining({ message: expect.stringMatching(/A similar content post/) }),
			undefined,
			undefined,
		]);
		expect(posted()).toBe(4);
	},
);
