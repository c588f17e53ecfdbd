import { likenessOf } from '../../nodes/LocalSeo/client/writes/likeness';

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
		{ title: 'Offer &ldquo;of the week&rdquo;: Caf&eacute; &amp; more&hellip;' },
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
	expect(
		likenessOf(stored({ content: 'Closed for the holidays, see you in January.' }), sent),
	).toBe('unlike');
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
