import fc from 'fast-check';

import { ExistingRecords } from '../../nodes/LocalSeo/operation/existingRecords';
import { SEED } from '../support/property';

const FIELDS = ['title', 'content'];
const content = 'Come by on Sunday, from 8 to 12. Bring your friends!';
type Post = Record<string, unknown>;

function find(existing: Post[], row: Post, matchFields = FIELDS) {
	return new ExistingRecords(existing, matchFields).find(row)?.likeness ?? 'unlike';
}

/** A list with a long text, as most have: it shows that the service does not cut before. */
const withLong = (...posts: Post[]) => [
	{ id: 'long', title: 'L'.repeat(200), content: 'l'.repeat(2_000) },
	...posts,
];

describe('a post that the service has changed is recognized', () => {
	const sent = {
		title: 'Café "Zum Löwen" & more: 2 for 1',
		content:
			"# Come by\n**On Sunday**, it's ﬁne: [look](https://example.com/offers?week=12&a=1) – 🎉 from 1,50 € [-12 seats]",
	};

	test.each<[string, object]>([
		['as it is', {}],
		['trimmed', { title: ` ${sent.title}`, content: `${sent.content}\r\n ` }],
		['with entities', { title: 'Café &quot;Zum Löwen&quot; &amp; more: 2 for 1' }],
		['with curly quotes', { title: 'Café “Zum Löwen” & more: 2 for 1' }],
		['in another Unicode form', { title: sent.title.normalize('NFD') }],
		['cut, with an ellipsis', { content: `${sent.content.slice(0, 40)}…` }],
		['cut, with three dots', { content: `${sent.content.slice(0, 40)} ...` }],
		[
			'as HTML',
			{
				content:
					'<h1>Come by</h1><p><b>On Sunday</b>, it&#39;s fine: <a href="https://example.com/offers?week=12&amp;a=1">look</a> – 🎉 from 1,50 € [-12 seats]</p>',
			},
		],
		['with a shortened link', { content: sent.content.replace(/https:[^)]+/, 'https://sho.rt/x') }],
		['with other dashes', { content: sent.content.replace('–', '-').replace('-12', '–12') }],
		['with a decimal point', { content: sent.content.replace('1,50', '1.50') }],
	])('%s', (_, changes) => {
		expect(find(withLong({ id: 1, ...sent, ...changes }), sent)).toBe('same');
	});

	test('a number as text, a date in another form', () => {
		const row = { stars: 5, publish_at: '2026-12-31T18:00:00+01:00' };
		const stored = { stars: '5', publish_at: '2026-12-31T17:00:00.000Z' };
		expect(find([stored], row, ['stars', 'publish_at'])).toBe('same');
		expect(find([stored], row, ['publish_at'])).toBe('same');
		const http = { ...stored, publish_at: 'Thu, 31 Dec 2026 17:00:00 GMT' };
		expect(find([http], row, ['publish_at'])).toBe('same');
	});
});

describe('another post is not taken for an existing one', () => {
	test.each<[string, Post, Post]>([
		['another digit', { title: 'Offer 1', content }, { title: 'Offer 11', content }],
		[
			'a longer number',
			{ title: 'Offer number 1', content },
			{ title: 'Offer number 12', content },
		],
		['another price', { title: 'Coffee: 1.5 €', content }, { title: 'Coffee: 15 €', content }],
		['zeros before', { title: '007', content }, { title: '7', content }],
		['another emoji alone', { title: '🎉', content }, { title: '🍕', content }],
		['another flag alone', { title: '🇩🇪', content }, { title: '🇫🇷', content }],
		['other signs alone', { title: '???', content }, { title: '!!!', content }],
		[
			'the same text under another title',
			{ title: 'Monday', content },
			{ title: 'Tuesday', content },
		],
		[
			'the same title over another text',
			{ title: 'Open', content },
			{ title: 'Open', content: 'Closed' },
		],
		['more words', { title: 'Sale', content }, { title: 'Sale on Sunday', content }],
		['fewer words', { title: 'Sale on Sunday', content }, { title: 'Sale', content }],
		['an accent', { title: 'Schon da', content }, { title: 'Schön da', content }],
		[
			'a difference after a long common beginning',
			{ title: 'A', content: `${'x y '.repeat(50)} until May` },
			{ title: 'A', content: `${'x y '.repeat(50)} until June` },
		],
		[
			'a longer text, where the service keeps long texts',
			{ title: 'A', content: 'x y '.repeat(50) },
			{ title: 'A', content: `${'x y '.repeat(50)} and more` },
		],
		[
			'a text that ends in three dots of its own',
			{ title: 'Wait for it, wait for it...', content },
			{ title: 'Wait for it, wait for it... here it is', content },
		],
		['no title and another text', { title: '', content: 'a' }, { title: '', content: 'b' }],
		['nothing in common', { title: null, content: null }, { title: 'A', content: 'B' }],
	])('%s', (_, stored, row) => {
		expect(find(withLong(stored), row)).toBe('unlike');
		expect(find(withLong(row), stored)).toBe('unlike');
	});

	test('another time', () => {
		const row = { title: 'A', publish_at: '2026-12-31T18:00:00Z' };
		const next = { title: 'A', publish_at: '2026-12-31T19:00:00Z' };
		expect(find([row], next, ['title', 'publish_at'])).toBe('unlike');
		expect(find([row], next, ['publish_at'])).toBe('unlike');
	});

	test('offers that differ in what they offer, all of a shop', () => {
		const products = ['Bread', 'Bread rolls', 'Rolls', 'Apple pie', 'Apple pie XL', 'Pie'];
		const days = ['Monday', 'Tuesday', 'Sunday', 'Sundays', 'Sunday morning'];
		const offers = products.flatMap((product) =>
			days.flatMap((day) =>
				['1.50 €', '15 €', '20 %', '120 %'].map((price) => ({
					title: `${product} on ${day}`,
					content: `Only ${price} for our ${product}. See you!`,
				})),
			),
		);
		for (const [index, offer] of offers.entries()) {
			expect(find(withLong(...offers.slice(0, index)), offer)).toBe('unlike');
		}
	});
});

describe('a post that is much like an existing one has to be decided by a person', () => {
	const long = 'A text of more than twenty characters';

	test.each<[string, Post[], Post]>([
		[
			'the longest one may have been cut',
			[{ title: 'A', content: long }],
			{ title: 'A', content: `${long}, and more` },
		],
		['a symbol differs', [{ title: 'Sale 🎉', content }], { title: 'Sale 🍕', content }],
		['a minus is gone', [{ title: 'All: 20% off', content }], { title: 'All: -20% off', content }],
		['a symbol is gone', [{ title: 'Sale', content }], { title: 'Sale 🎉', content }],
		[
			'a link differs',
			[{ title: 'Book', content: 'Here: https://example.com/a' }],
			{ title: 'Book', content: 'Here: https://example.com/b' },
		],
		['a field is not shown', [{ title: 'Open', content: null }], { title: 'Open', content }],
		[
			'a time has no zone',
			[{ title: 'A', content: '2026-12-31 18:00' }],
			{ title: 'A', content: '2026-12-31T18:00:00+01:00' },
		],
	])('%s', (_, existing, row) => {
		expect(find(existing, row)).toBe('unclear');
	});

	test('texts beyond what is compared differ', () => {
		const text = 'x '.repeat(20_000);
		const existing = [{ title: 'A', content: `${text}a` }];
		expect(find(existing, { title: 'A', content: `${text}b` })).toBe('unclear');
		expect(find(existing, { title: 'A', content: `${text}a` })).toBe('same');
	});

	test('one record is not two rows', () => {
		const cut = { id: 1, title: 'A', content: 'A long beginning of the text…' };
		const existing = new ExistingRecords([cut], FIELDS);
		const row = (end: string) => ({ title: 'A', content: `A long beginning of the text ${end}` });
		expect(existing.find(row('one'))).toEqual({ likeness: 'same', record: cut });
		expect(existing.find(row('two'))).toEqual({ likeness: 'unclear', record: cut });
		expect(existing.find(row('one'))).toEqual({ likeness: 'same', record: cut });
	});

	test('two records are two rows', () => {
		const cut = (id: number) => ({ id, title: 'A', content: 'A long beginning of the text…' });
		const existing = new ExistingRecords([cut(1), cut(2)], FIELDS);
		const row = (end: string) => ({ title: 'A', content: `A long beginning of the text ${end}` });
		expect(existing.find(row('one'))?.record.id).toBe(1);
		expect(existing.find(row('two'))?.record.id).toBe(2);
	});

	test('the record with the same values comes first', () => {
		const posts = ['Sale', 'Sale!', 'SALE'].map((title) => ({ title, content }));
		const existing = new ExistingRecords(posts, FIELDS);
		for (const post of [...posts].reverse()) expect(existing.find(post)?.record).toBe(post);
	});
});

describe('the same text at another date', () => {
	const dated = (publish_at: unknown) => ({ title: 'Market day', content, publish_at });
	const [may, june] = ['2026-05-01T09:00:00Z', '2026-06-01T09:00:00Z'];
	const findIn = (existing: Post[], row: Post) =>
		new ExistingRecords(existing, FIELDS, { dates: ['publish_at'] }).find(row);

	test.each([
		['is left to the user', may, june, 'unclear'],
		['the same time in another zone', may, '2026-05-01T11:00:00+02:00', 'same'],
		['without a zone', may, '2026-05-01 11:00', 'same'],
		['a date that the service does not keep', null, june, 'same'],
		['a day for a time', may, '2026-05-01', 'same'],
	])('%s', (_, stored, sent, expected) => {
		expect(findIn([dated(stored)], dated(sent))?.likeness).toBe(expected);
	});

	test('each row is found by its own', () => {
		const [first, second] = [dated(may), dated(june)];
		const existing = new ExistingRecords([first, second], FIELDS, { dates: ['publish_at'] });
		expect(existing.find(dated(june))).toEqual({ likeness: 'same', record: second });
		expect(existing.find(dated(may))).toEqual({ likeness: 'same', record: first });
	});
});

describe('search terms', () => {
	const likeness = (stored: unknown, keyword: unknown) =>
		new ExistingRecords([{ keyword: 'x'.repeat(30) }, { keyword: stored }], ['keyword'], {
			areTerms: true,
		}).find({
			keyword,
		})?.likeness ?? 'unlike';

	test.each([
		['Plumber Leeds', 'plumber leeds', 'same'],
		['plumber leeds', '  plumber   leeds ', 'same'],
		['caf\u00e9', 'cafe\u0301', 'same'],
		['fish &amp; chips', 'fish & chips', 'same'],
		['zahnarzt', 'zahn arzt', 'unclear'],
		['c course', 'c# course', 'unclear'],
		['open 24/7', 'open 247', 'unclear'],
		['vegan restaurant in ber…', 'vegan restaurant in berlin', 'same'],
		['vegan restaurant in berlin', 'vegan restaurant in berlin mitte', 'unlike'],
		['plumber', 'plumbers', 'unlike'],
		['cafe', 'café', 'unlike'],
		['plumber leeds', 'leeds plumber', 'unlike'],
		['c++', 'c#', 'unclear'],
		['+', '#', 'unlike'],
	])('%p and %p', (stored, sent, expected) => {
		expect(likeness(stored, sent)).toBe(expected);
	});

	test('a record stands for all rows that differ by case alone', () => {
		const record = { keyword: 'Plumber' };
		const existing = new ExistingRecords([record], ['keyword'], { areTerms: true });
		for (const keyword of ['plumber', 'Plumber', 'PLUMBER ']) {
			expect(existing.find({ keyword })).toEqual({ likeness: 'same', record });
		}
	});
});

const WORDS = fc.constantFrom('Bread', 'bread', 'Pie', 'ö', '12', '1', '🎉', 'a', ' ', '!', '...');
const text = fc.array(WORDS, { maxLength: 12 }).map((words) => words.join(' '));
const post = fc.record({ title: text, content: text });

test('no index hides a record that comparing each would find', () => {
	fc.assert(
		fc.property(fc.array(post, { maxLength: 8 }), post, (existing, row) => {
			const each = existing.map((stored) => find([stored], row));
			const all = find(existing, row);
			if (each.includes('same')) expect(all).toBe('same');
		}),
		{ numRuns: 2_000, seed: SEED },
	);
});

test('what exists is always found again, and rows that are found are never new', () => {
	fc.assert(
		fc.property(fc.array(post, { minLength: 1, maxLength: 8 }), (posts) => {
			const filled = posts.filter(({ title, content: body }) => (title + body).trim() !== '');
			const existing = new ExistingRecords(filled, FIELDS);
			for (const row of filled) expect(existing.find({ ...row })?.likeness).toBe('same');
		}),
		{ numRuns: 2_000, seed: SEED },
	);
});

// Compared one by one, these texts take minutes.
test.each<[string, (index: number) => Post]>([
	[
		'long common beginnings',
		(index) => ({ title: 'A', content: `${'word '.repeat(300)}${index}` }),
	],
	['texts that all begin one another', (index) => ({ title: 'A', content: 'x'.repeat(index + 1) })],
	['the same text everywhere', (index) => ({ title: `Offer ${index}`, content })],
])('1,000 rows are compared with 3,000 posts at once: %s', (_, make) => {
	const posts = Array.from({ length: 3_000 }, (__, index) => make(index));
	const existing = new ExistingRecords(posts, FIELDS);
	const rows = Array.from({ length: 1_000 }, (__, index) => make(index * 3));
	for (const row of rows) {
		expect(existing.find(row)?.likeness).toBe('same');
		expect(existing.find({ ...row, title: 'Another' })).toBeUndefined();
	}
});
