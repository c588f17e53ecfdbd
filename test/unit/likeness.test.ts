import { MAX_COMPARED } from '../../nodes/LocalSeo/client/texts';
import {
	comparable,
	isDate,
	keyTextOf,
	legibleIn,
	likenessOf,
} from '../../nodes/LocalSeo/client/create/likeness';

const sent = {
	title: 'Offer "of the week": Café & more',
	content: "**Come by** on Sunday, it's ﬁne: https://example.com/offers?week=12 From 8 to 12.",
	stars: 5,
};
const stored = (changes: object) => ({ id: 'post_1', status: 'published', ...sent, ...changes });

test.each([
	['as it is', {}],
	['trimmed', { content: ` ${sent.content}  ` }],
	['truncated', { content: sent.content.slice(0, 30) }],
	['truncated with an ellipsis', { content: `${sent.content.slice(0, 30)}…` }],
	['with entities', { title: 'Offer &quot;of the week&quot;: Café &amp; more' }],
	['with numbered entities', { title: 'Offer &#34;of the week&#x22;: Caf&#233; &#38; more' }],
	[
		'with named entities',
		{
			title: 'Offer &lsquo;of the week&rsquo;: Caf&eacute; &amp; more&hellip;',
			content: sent.content.replace("it's", 'it&rsquo;s'),
		},
	],
	['escaped twice', { title: 'Offer &amp;quot;of the week&amp;#34;: Café &amp;amp; more' }],
	['with curly quotes', { title: 'Offer “of the week”: Café & more' }],
	['in another Unicode form', { title: sent.title.normalize('NFD') }],
	['as HTML', { content: `<p>${sent.content.replace('**Come by**', '<b>Come by</b>')}</p>` }],
	['with a shortened link', { content: sent.content.replace(/https:\S+/, 'https://sho.rt/x') }],
	['with a number as text', { stars: '5' }],
])('a record carries what was sent, %s', (_, changes) => {
	expect(likenessOf(stored(changes), sent)).toBe('same');
});

test('a date in another form is the same date', () => {
	const at = { publish_at: '2026-12-31T18:00:00+01:00' };
	expect(likenessOf({ publish_at: '2026-12-31T17:00:00.000Z' }, at)).toBe('same');
});

test('without its accents it may be the same', () => {
	expect(likenessOf({ title: 'Offre a Zurich' }, { title: 'Offre à Zürich' })).toBe('unclear');
});

test('what both have empty says nothing', () => {
	const empty = { title: 'Offer', tags: [], image: {}, note: '' };
	expect(likenessOf({ id: 'post_1', tags: [], image: {}, note: '' }, empty)).toBe('unclear');
});

test('words before a number make no date', () => {
	expect(likenessOf({ keyword: 'dentist 2024' }, { keyword: 'plumber 2024' })).toBe('unlike');
});

test('another text is another record', () => {
	const closed = { content: 'Closed for the holidays, see you in January.' };
	expect(likenessOf(stored({ ...closed, title: 'Winter break' }), sent)).toBe('unlike');
});

test.each<[string, string, string]>([
	['a title', 'Winter offers', 'unclear'],
	['a title with wide spaces', 'Winter  offers', 'unclear'],
	['eight letters in two words', 'Open late', 'unclear'],
	['a short word or two', 'Open on', 'unlike'],
	['a type', 'announcement', 'unlike'],
])('%s is the same over another text: %s is %s', (_, same, likeness) => {
	const of = (content: string) => ({ same, content });
	expect(likenessOf(of('Coffee *** all day long'), of('Coffee free all day long'))).toBe(likeness);
});

test('an object that is the same is no title over another text', () => {
	const of = (content: string) => ({ image: { url: 'https://example.com/a.png' }, content });
	expect(likenessOf(of('Coffee *** all day long'), of('Coffee free all day long'))).toBe('unlike');
});

test.each([
	['a shorter field differs', stored({ title: 'Something else' }), sent],
	['no field that was sent is shown', { id: 'post_1' }, sent],
	['only part of the text is there', stored({ content: 'on Sunday' }), sent],
	['lists differ', { tags: ['a'] }, { tags: ['a', 'b'] }],
])('it is unclear where %s', (_, record, fields) => {
	expect(likenessOf(record, fields)).toBe('unclear');
});

test('megabytes of markup are compared within a moment', () => {
	const hostile = '<title'.repeat(200_000);
	expect(likenessOf({ content: hostile }, { content: 'Come by on Sunday' })).toBe('unlike');
});

describe('one field', () => {
	test.each<[string, unknown, unknown, string]>([
		['twelve letters that the text begins with', 'Open on Monday', 'Open on Mondays only', 'same'],
		['eleven are too few', 'Open on Mon', 'Open on Mondays', 'unclear'],
		['the end of the text', 'Mondays, from 8 to 12', 'Open on Mondays, from 8 to 12', 'unclear'],
		['more than the text', 'Open on Mondays, as ever', 'Open on Mondays', 'unclear'],
		['nothing', '', 'Open on Mondays', 'unclear'],
		['nothing but signs', '!!!', 'Open on Mondays', 'unclear'],
		['the same signs', '!!!', '!!!', 'same'],
		['other signs', '!!!', '???', 'unclear'],
		['signs in place of letters', 'Open', '???', 'unlike'],
		['its letters without marks', 'Strasse 7, Malmo', 'Straße 7, Malmö', 'unclear'],
		['other letters', 'Strasse 7, Malme', 'Straße 7, Malmö', 'unlike'],
		['question marks for letters', 'Caf? Zi?ba, ?ne', 'Café Zięba, ﬁne', 'unclear'],
		['letters that are gone', 'Caf Ziba', 'Café Zięba', 'unclear'],
		['half of its letters', '?8?1?2', 'К8А1Я2', 'unclear'],
		['a few numbers in another script', '???? 8 ??? 12', 'Кафе 8 Мая 12', 'unlike'],
		['marks that no accents are', 'हिन्दी', 'हनद', 'unclear'],
		['a name that no letter has', 'Za&zdotted;ycie w 24 h', 'Zażycie w 24 h', 'unclear'],
		['the same number in another text', 'Закрыто в 8', 'Открыто в 8', 'unlike'],
		['the same day in another form', '2026-12-31', 'Thu, 31 Dec 2026 00:00:00 GMT', 'same'],
		['another day', '2026-12-30', '2026-12-31', 'unclear'],
		['words where a day was sent', 'New Year', '2026-12-31', 'unlike'],
		['the same list', ['a', { b: 1 }], ['a', { b: 1 }], 'same'],
		['a list in place of a text', ['a'], 'a', 'unclear'],
		['a text in place of a list', 'a', ['a'], 'unclear'],
		['the same object', { a: 1 }, { a: 1 }, 'same'],
		['another object', { a: 1 }, { a: 2 }, 'unclear'],
		['another text in an object', { text: 'Closed today' }, 'Open on Mondays', 'unclear'],
		['an object as text', '{"a":1}', { a: 1 }, 'unclear'],
		['a number as text', '5', 5, 'same'],
		['zero', 0, 0, 'same'],
		['another truth', true, false, 'unlike'],
	])('%s', (_, stored, sent, likeness) => {
		expect(likenessOf({ field: stored }, { field: sent })).toBe(likeness);
	});

	test.each([undefined, null, '', [], {}].map((empty) => [empty]))(
		'%j was sent, which says nothing, whatever is there',
		(empty) => {
			expect(likenessOf({ field: 'Something' }, { field: empty })).toBe('unclear');
		},
	);
});

test('the longest text that is shown decides, wherever it stands', () => {
	const sent = { short: 'Hello', long: 'Come by on Sunday', hidden: 'This is not shown anywhere' };
	const other = { short: 'Hello', long: 'Stay at home then' };
	expect(likenessOf(other, sent)).toBe('unlike');
	expect(likenessOf({ ...sent, short: 'Bye' }, sent)).toBe('unclear');
	expect(likenessOf({ short: 'Hello', long: 'Come by on Sunday' }, sent)).toBe('same');
});

test('a text in an object is the same if one of its texts is; another one proves nothing', () => {
	const inHtml = stored({ content: { rendered: `<p>${sent.content}</p>`, protected: false } });
	expect(likenessOf(inHtml, sent)).toBe('same');
	const byLanguage = stored({ content: { de: 'Komm vorbei', en: { text: sent.content } } });
	expect(likenessOf(byLanguage, sent)).toBe('same');
	expect(likenessOf(stored({ content: { rendered: 'Something else' } }), sent)).toBe('unclear');
	expect(likenessOf(stored({ content: {} }), sent)).toBe('unclear');
	const deep = JSON.parse('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)) as object;
	expect(likenessOf(stored({ content: deep }), sent)).toBe('unclear');
});

describe('a text in an object that is known to hold nothing else', () => {
	const likeness = (field: unknown, names = ['field']) =>
		likenessOf({ field }, { field: 'Open on Mondays' }, new Set(names));

	test('is compared as if it stood alone', () => {
		expect(likeness({ rendered: 'Closed today' })).toBe('unlike');
		expect(likeness({ rendered: 'Open on Mondays and more' })).toBe('unclear');
		expect(likeness({ rendered: '<p>Open on Mondays</p>' })).toBe('same');
		expect(likeness({ raw: 'Closed today', rendered: '<p>Closed today</p>' })).toBe('unlike');
		expect(likeness({ raw: 'Closed today', rendered: 'Open on Mondays, too' })).toBe('unclear');
	});

	test('proves nothing if there is none, or if that is known of another field', () => {
		expect(likeness({ protected: false })).toBe('unclear');
		expect(likeness({ rendered: 'Closed today' }, ['other'])).toBe('unclear');
	});

	test('is known from a record that shows what was sent', () => {
		const known = (shown: unknown, text: unknown = 'Open on Mondays') =>
			legibleIn({ field: shown }, { field: text }).get('field');
		expect(known({ rendered: '<p>Open on Mondays</p>', protected: false })).toBe(true);
		expect(known({ raw: 'Open on Mondays', rendered: '<p>Open on Mondays</p>' })).toBe(true);
		expect(known({ format: 'plain', text: 'Open on Mondays' })).toBe(false);
		expect(known({ parts: ['Open', 'on Mondays'] })).toBe(false);
		expect(known({})).toBe(false);
		expect(known('Open on Mondays')).toBeUndefined();
		expect(known({ a: 'Open' }, { a: 'Open' })).toBeUndefined();
	});
});

test('what is kept of a record to compare it holds no more of a text than is compared', () => {
	const record = { text: 'x'.repeat(MAX_COMPARED), long: 'y'.repeat(MAX_COMPARED + 1), count: 5 };
	expect(comparable(record)).toEqual({ ...record, long: 'y'.repeat(MAX_COMPARED) });
	expect(comparable({ many: [1, 'x'] })).toEqual({ many: [1, 'x'] });
});

test('what is short enough is kept as it is, also half a character, or a long list', () => {
	const half = '🎉'.slice(0, 1);
	const record = {
		short: half,
		long: 'x'.repeat(MAX_COMPARED - 1) + half,
		many: Array.from({ length: MAX_COMPARED + 1 }, (_, index) => index),
	};
	expect(comparable(record)).toEqual(record);
});

test.each<[unknown, boolean]>([
	['2026-12-31', true],
	['2026-12-31T18:00', true],
	['2026-12-31 18:00:00', true],
	['Thu, 31 Dec 2026 17:00:00 GMT', true],
	['2026-12-31x', false],
	['on 2026-12-31', false],
	['2026-13-31', false],
	['on Thu, 31 Dec 2026 17:00:00 GMT', false],
	['Thursday, 31 Dec 2026 17:00:00 GMT', false],
	['Thu, 31 Dec 2026', false],
	['26-12-31', false],
	[20261231, false],
	[undefined, false],
])('%p as a date: %p', (value, is) => {
	expect(isDate(value)).toBe(is);
});

test.each<[unknown, string]>([
	[undefined, ''],
	[null, ''],
	['', ''],
	[' Zum  "Löwen", 5 €', 'zumlöwen5'],
	['? ! 🎉', '?!🎉'],
	[0, '0'],
	[{ a: 'B' }, '{"a":"B"}'],
	['2026-12-31T01:00:00+01:00', String(Date.UTC(2026, 11, 31))],
])('%p is found by %p', (value, key) => {
	expect(keyTextOf(value)).toBe(key);
});
