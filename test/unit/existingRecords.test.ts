import fc from 'fast-check';

import { ExistingRecords, matchKeyOf } from '../../nodes/LocalSeo/operation/existingRecords';
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

describe('all records that a row already is', () => {
	const index = (...titles: string[]) => {
		const posts = titles.map((title, id) => ({ id, title, content }));
		return { posts, existing: new ExistingRecords(posts, FIELDS) };
	};

	test('are those with its values to the letter, where there are any', () => {
		const { posts, existing } = index('Sale', 'SALE', 'Sale', 'Party');
		expect(existing.findAll({ title: 'Sale', content })).toEqual({ same: [posts[0], posts[2]] });
	});

	test('are else those that differ by what services change', () => {
		const { posts, existing } = index('Sale', 'SALE', 'Party');
		for (let time = 0; time < 2; time++) {
			const { same, similar } = existing.findAll({ title: 'sale!', content });
			expect([same, similar]).toEqual([posts.slice(0, 2), undefined]);
		}
	});

	test('are none where one is only much like it, which is named', () => {
		const { posts, existing } = index('Party', 'Sale');
		const found = existing.findAll({ title: 'Sale 🎉', content });
		expect(found).toEqual({ same: [], similar: posts[1] });
		expect(existing.findAll({ title: 'Bread', content })).toEqual({ same: [], similar: undefined });
	});

	test('are none of another location, which are only much like it', () => {
		const [own, other] = [1, 2].map((id) => ({ id, title: 'Sale', content }));
		const elsewhere = new Set([other]);
		const only = new ExistingRecords([other], FIELDS, { elsewhere });
		expect(only.findAll({ title: 'Sale', content })).toEqual({ same: [], similar: other });
		expect(only.find({ title: 'Sale', content })).toEqual({ likeness: 'unclear', record: other });
		const both = new ExistingRecords([other, own], FIELDS, { elsewhere });
		expect(both.find({ title: 'Sale', content })).toEqual({ likeness: 'same', record: own });
		expect(both.find({ title: 'Party', content })).toBeUndefined();
	});
});

describe('a row is much like a record where one of both lacks a value', () => {
	test.each<[string, Post, Post, string[]]>([
		[
			'a date',
			{ title: 'Sale', day: null },
			{ title: 'Sale', day: '2026-05-01' },
			['title', 'day'],
		],
		['a list', { title: 'Sale' }, { title: 'Sale', tags: ['a'] }, ['title', 'tags']],
		['a text', { content }, { title: 'Sale', content }, FIELDS],
	])('the record lacks %s', (_, stored, row, matchFields) => {
		expect(find([stored], row, matchFields)).toBe('unclear');
	});

	test('the row lacks a text', () => {
		expect(find([{ title: 'Sale', content }], { title: '', content })).toBe('unclear');
	});
});

test('what differs is not like a row because it is of another location, too', () => {
	const other = { title: 'Coffee: 1.5 €', content };
	const existing = new ExistingRecords([other], FIELDS, { elsewhere: new Set([other]) });
	expect(existing.find({ title: 'Coffee: 15 €', content })).toBeUndefined();
});

describe('a record that is added', () => {
	const row = { title: 'A', content: 'A text of more than twenty characters' };

	test('is found by what was sent for it, and as services change that', () => {
		const existing = new ExistingRecords([], FIELDS);
		expect(existing.find(row)).toBeUndefined();
		existing.add(row);
		expect(existing.find({ ...row })).toEqual({ likeness: 'same', record: row });
		expect(existing.findAll({ ...row, title: ' a! ' })).toEqual({
			same: [row],
			similar: undefined,
		});
	});

	test('is not taken for one that was cut', () => {
		const existing = new ExistingRecords([], FIELDS);
		existing.add(row);
		expect(existing.find({ ...row, content: `${row.content}, and more` })).toBeUndefined();
	});

	test('is found by its date', () => {
		const existing = new ExistingRecords([], ['at']);
		const dated = { at: '2026-05-01T09:00:00Z' };
		existing.add(dated);
		const sameTime = { at: '2026-05-01T11:00:00+02:00' };
		expect(existing.find(sameTime)).toEqual({ likeness: 'same', record: dated });
	});
});

describe('a date that identifies a record', () => {
	const at = (stored: unknown, sent: unknown) =>
		find([{ at: '2020-01-01' }, { at: stored }], { at: sent }, ['at']);

	test.each([
		['on the day before', '2026-05-01T23:30:00', '2026-05-02T01:30:00+01:00', 'unclear'],
		['on the day after', '2026-05-02T00:30:00', '2026-05-01T23:30:00Z', 'unclear'],
		['on the same day', '2026-05-02T00:30:00', '2026-05-02T01:30:00Z', 'unclear'],
		['on another day', '2026-05-02T00:30:00', '2026-05-04T00:30:00Z', 'unlike'],
		['that is no date', 'soon', '2026-05-02T01:30:00Z', 'unlike'],
		['that is empty', null, '2026-05-02T01:30:00Z', 'unlike'],
	])('without a zone, %s, is found: %s', (_, stored, sent, expected) => {
		expect(at(stored, sent)).toBe(expected);
	});

	test('tells apart what a text leaves open', () => {
		const posts = ['2026-05-01', '2026-05-02'].map((day) => ({ title: 'Sale', day }));
		const existing = new ExistingRecords(posts, ['title', 'day']);
		expect(existing.find({ title: 'Sale!', day: '2026-05-02' })?.record).toBe(posts[1]);
	});
});

describe('a text that the service keeps in an object', () => {
	const find = (stored: object, text: string) =>
		new ExistingRecords([{ text: 'x'.repeat(900) }, { text: stored }], ['text']).find({ text })
			?.likeness;

	test('is found by it, also by its beginning', () => {
		const [first, second] = ['On Sunday, we bake bread.', 'Come by, and bring your friends.'];
		expect(find({ en: first, de: 'Brot' }, first)).toBe('same');
		expect(find({ paragraphs: [first, second] }, `${first} ${second}`)).toBe('unclear');
		expect(find({ paragraphs: [first, second] }, 'Something else')).toBeUndefined();
	});

	test('is left to the user where the object has no text', () => {
		expect(find({ length: 7 }, 'On Sunday')).toBe('unclear');
	});

	test('is found where the same object is sent', () => {
		const existing = new ExistingRecords([{ tags: ['a', 'b'] }, { tags: ['c'] }], ['tags']);
		expect(existing.find({ tags: ['a', 'b'] })?.likeness).toBe('same');
		expect(existing.find({ tags: ['d'] })).toBeUndefined();
	});
});

test('of several texts that may be cut, the one is found that a row begins with', () => {
	const texts = ['Come by on Sunday', 'Come by on Sunday and Monday', 'Come by, all', 'Dance'];
	const posts = texts.map((text) => ({ text: `${text}…` }));
	const existing = new ExistingRecords(posts, ['text']);
	expect(existing.find({ text: 'Come by on Sunday and Monday from 8 to 12' })?.record).toBe(
		posts[1],
	);
	expect(existing.find({ text: 'Come by on Sunday and Tuesday' })?.record).toBe(posts[0]);
	expect(existing.find({ text: 'Come by, all of you' })?.record).toBe(posts[2]);
	expect(existing.find({ text: 'Dance with us' })?.record).toBe(posts[3]);
	expect(existing.find({ text: 'A' })).toBeUndefined();
	expect(existing.find({ text: 'Come' })).toBeUndefined();
});

describe('the key of a row', () => {
	const isSame = (one: unknown, other: unknown, areTerms?: boolean) =>
		matchKeyOf({ a: one }, ['a'], areTerms) === matchKeyOf({ a: other }, ['a'], areTerms);

	test.each<[string, unknown, unknown, boolean]>([
		['white space', ' Bread\n and  rolls', 'Bread and rolls', true],
		['the Unicode form', 'caf\u00e9', 'cafe\u0301', true],
		['the time zone', '2026-05-01T12:00:00Z', '2026-05-01T14:00:00+02:00', true],
		['whether a number is text', 7, '7', true],
		['what is empty', null, undefined, true],
		['case', 'bread', 'Bread', false],
		['a sign', 'bread', 'bread!', false],
		['time', '2026-05-01T12:00:00Z', '2026-05-01T12:00:01Z', false],
		['a list', ['a'], ['b'], false],
	])('with another form of %s: %p and %p are the same: %p', (_, one, other, expected) => {
		expect(isSame(one, other)).toBe(expected);
	});

	test('of search terms is the same in another case', () => {
		expect(isSame('Plumber Leeds', 'plumber  leeds', true)).toBe(true);
		expect(isSame('plumber', 'plumbers', true)).toBe(false);
	});

	test('tells which field has which value, and is none where all are empty', () => {
		const fields = ['a', 'b'];
		expect(matchKeyOf({ a: 'x' }, fields)).not.toBe(matchKeyOf({ b: 'x' }, fields));
		expect(matchKeyOf({ a: 'x' }, fields)).toBeDefined();
		expect(matchKeyOf({ a: '', b: null, c: 'x' }, fields)).toBeUndefined();
		expect(matchKeyOf({ a: ' ' }, fields)).toBeUndefined();
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
