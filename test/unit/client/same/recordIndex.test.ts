import fc from 'fast-check';

import { RecordIndex } from '../../../../nodes/LocalSeo/client/same/compare';
import { matchKeyOf } from '../../../../nodes/LocalSeo/client/same/text';
import { SEED } from '../../../support/property';

type Post = Record<string, unknown>;

const FIELDS = ['title', 'content'];
const content = 'Come by on Sunday, from 8 to 12. Bring your friends!';
const likeness = (existing: Post[], row: Post, matchFields = FIELDS) => {
	const { same, similar } = new RecordIndex(existing, matchFields).find(row);
	return same.length > 0 ? 'same' : similar ? 'similar' : 'none';
};

test('the records with the same values come first, then those that differ by what services change', () => {
	const posts = ['Sale', 'SALE', 'Sale', 'Party'].map((title, id) => ({ id, title, content }));
	const find = (title: string) => new RecordIndex(posts, FIELDS).find({ title, content });
	expect(find('Sale')).toEqual({ same: [posts[0], posts[2]] });
	expect(find('sale!')).toEqual({ same: posts.slice(0, 3) });
	expect(find('Sale 🎉')).toEqual({ same: [], similar: posts[0] });
	expect(find('Bread')).toEqual({ same: [], similar: undefined });
});

test('one record is not two rows, two records are two rows', () => {
	const cut = (id: number) => ({ id, title: 'A', content: 'A long beginning of the text…' });
	const row = (end: string) => ({ title: 'A', content: `A long beginning of the text ${end}` });
	const one = new RecordIndex([cut(1)], FIELDS);
	expect(one.find(row('one')).same).toEqual([cut(1)]);
	expect(one.find(row('two'))).toEqual({ same: [], similar: cut(1) });
	expect(one.find(row('one')).same).toEqual([cut(1)]);
	const two = new RecordIndex([cut(1), cut(2)], FIELDS);
	expect(two.find(row('one')).same[0]).toEqual(cut(1));
	expect(two.find(row('two')).same[0]).toEqual(cut(2));
});

test('the same text at another date is left to the user', () => {
	const dated = (publish_at: unknown) => ({ title: 'Market day', content, publish_at });
	const [may, june] = ['2026-05-01T09:00:00Z', '2026-06-01T09:00:00Z'];
	const find = (stored: unknown, sent: unknown) =>
		new RecordIndex([dated(stored)], FIELDS, { dates: ['publish_at'] }).find(dated(sent));
	expect(find(may, june).similar).toBeDefined();
	for (const same of ['2026-05-01T11:00:00+02:00', '2026-05-01 11:00', '2026-05-01', null]) {
		expect(find(may, same).same).toHaveLength(1);
	}
});

test.each<[string, Post[], Post, string[], string]>([
	[
		'a date in another zone',
		[{ at: '2026-05-01T23:30:00' }],
		{ at: '2026-05-02T01:30:00+01:00' },
		['at'],
		'similar',
	],
	['another day', [{ at: '2026-05-02' }], { at: '2026-05-04' }, ['at'], 'none'],
	['the same list', [{ tags: ['a'] }], { tags: ['a'] }, ['tags'], 'same'],
	[
		'a date that is lacking',
		[{ title: 'Sale' }],
		{ title: 'Sale', day: '2026-05-01' },
		['title', 'day'],
		'similar',
	],
	['a text that the record lacks', [{ content }], { title: 'Sale', content }, FIELDS, 'similar'],
	[
		'a text that the row lacks',
		[{ title: 'Sale', content }],
		{ title: '', content },
		FIELDS,
		'similar',
	],
	[
		'a text in an object',
		[{ title: { en: 'Sale' }, content }],
		{ title: 'Sale', content },
		FIELDS,
		'similar',
	],
])('%s', (_, existing, row, matchFields, expected) => {
	expect(likeness(existing, row, matchFields)).toBe(expected);
});

test('of several texts that were cut, the one is found that a row begins with', () => {
	const texts = ['Come by on Sunday', 'Come by on Sunday and Monday', 'Come by, all of you there'];
	const posts = texts.map((text) => ({ text: `${text}…` }));
	const find = (text: string) => new RecordIndex(posts, ['text']).find({ text }).same;
	expect(find('Come by, all of you there or here')).toEqual([posts[2]]);
	expect(find('Come by on Sunday and Tuesday')).toEqual([posts[0]]);
	expect(find('Come')).toEqual([]);
});

describe('the key of a row', () => {
	test.each<[string, unknown, unknown, boolean, boolean?]>([
		['white space', ' Bread\n and  rolls', 'Bread and rolls', true],
		['the Unicode form', 'caf\u00e9', 'cafe\u0301', true],
		['the time zone', '2026-05-01T12:00:00Z', '2026-05-01T14:00:00+02:00', true],
		['a number as text', 7, '7', true],
		['case', 'bread', 'Bread', false],
		['case of a search term', 'Plumber Leeds', 'plumber  leeds', true, true],
		['a sign', 'bread', 'bread!', false],
	])('%s', (_, one, other, expected, isSearchTerm = false) => {
		const keyOf = (a: unknown) => matchKeyOf({ a }, ['a'], isSearchTerm);
		expect(keyOf(one) === keyOf(other)).toBe(expected);
	});

	test('tells which field has which value, and is none where all are empty', () => {
		expect(matchKeyOf({ a: 'x' }, ['a', 'b'])).not.toBe(matchKeyOf({ b: 'x' }, ['a', 'b']));
		expect(matchKeyOf({ a: ' ', b: null, c: 'x' }, ['a', 'b'])).toBeUndefined();
	});
});

const WORDS = fc.constantFrom('Bread', 'bread', 'Pie', 'ö', '12', '1', '🎉', 'a', ' ', '!', '...');
const text = fc.array(WORDS, { maxLength: 12 }).map((words) => words.join(' '));
const post = fc.record({ title: text, content: text });
const filled = (posts: Post[]) => posts.filter((one) => matchKeyOf(one, FIELDS) !== undefined);

test('no index hides a record that comparing each would find', () => {
	fc.assert(
		fc.property(fc.array(post, { maxLength: 8 }), post, (existing, row) => {
			const each = existing.map((stored) => likeness([stored], row));
			if (each.includes('same')) expect(likeness(existing, row)).toBe('same');
		}),
		{ numRuns: 1_000, seed: SEED },
	);
});

test('what exists is always found again', () => {
	fc.assert(
		fc.property(fc.array(post, { minLength: 1, maxLength: 8 }), (posts) => {
			const index = new RecordIndex(filled(posts), FIELDS);
			for (const row of filled(posts)) expect(index.find({ ...row }).same).not.toEqual([]);
		}),
		{ numRuns: 1_000, seed: SEED },
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
	const index = new RecordIndex(posts, FIELDS);
	for (let row = 0; row < 1_000; row++) {
		expect(index.find(make(row * 3)).same).toHaveLength(1);
		expect(index.find({ ...make(row * 3), title: 'Another' }).same).toEqual([]);
	}
});
