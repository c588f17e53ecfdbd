import { compareNew } from '../../../../nodes/LocalSeo/client/same/compareNew';
import {
	areOtherDates,
	compareFields,
	compareValues,
	type Likeness,
	mayBeCut,
} from '../../../../nodes/LocalSeo/client/same/compare';
import { plainText, spaced } from '../../../../nodes/LocalSeo/client/same/text';

const compare = (stored: unknown, sent: unknown, longest = 2_000) =>
	compareValues(stored, sent, { longest });

describe('what services change makes no difference', () => {
	const sent =
		"# Come by\n**On Sunday**, it's ﬁne: [look](https://example.com/offers?week=12&a=1) – 🎉 from 1,50 € [-12 seats]";

	test.each<[string, unknown, unknown]>([
		['white space', ` ${sent}\r\n `, sent],
		['an ellipsis where it was cut', `${sent.slice(0, 40)}…`, sent],
		['three dots where it was cut', `${sent.slice(0, 40)} ...`, sent],
		[
			'HTML',
			'<h1>Come by</h1><p><b>On Sunday</b>, it&#39;s fine: <a href="https://example.com/offers?week=12&amp;a=1">look</a> – 🎉 from 1,50 € [-12 seats]</p>',
			sent,
		],
		['other dashes', sent.replace('–', '-').replace('-12', '–12'), sent],
		['a decimal point', sent.replace('1,50', '1.50'), sent],
		['entities', 'Caf&eacute; &quot;Zum L&#246;wen&quot; &amp; more', 'Café "Zum Löwen" & more'],
		['what is escaped twice', 'Fish &amp;amp; chips', 'Fish & chips'],
		['curly quotes', 'Café “Zum Löwen”', 'Café "Zum Löwen"'],
		['another Unicode form', 'Café'.normalize('NFD'), 'Café'],
		['a number as text', '5', 5],
		['true as text', 'true', true],
		['a date in another form', 'Thu, 31 Dec 2026 17:00:00 GMT', '2026-12-31T18:00:00+01:00'],
		['an object as it was sent', { en: 'Bread' }, { en: 'Bread' }],
		['signs alone', '!!!', '!!!'],
		['a link as HTML', '<a href="https://youtu.be/a">https://youtu.be/a</a>', 'https://youtu.be/a'],
		['a full stop behind a link', 'See https://example.com/a.', 'See https://example.com/a'],
		['nothing', null, ''],
	])('%s', (_, stored, value) => expect(compare(stored, value)).toBe('same'));
});

test.each<[string, unknown, unknown, number?]>([
	['a currency', 'For 5 €', 'For 5 $'],
	['a flag', 'Week 🇩🇪', 'Week 🇫🇷'],
	['a percent sign', '20 off', '20% off'],
	['a minus', 'All −20 off', 'All 20 off'],
	['a sign', 'Above > 20 degrees', 'Above < 20 degrees'],
	['a mark', 'Delivery ✓', 'Delivery ✗'],
	['a link', 'Here: https://example.com/a', 'Here: https://example.com/b'],
	['a shortened link', 'Here: https://sho.rt/x', 'Here: https://example.com/a'],
	['a link that is gone', 'Here:', 'Here: https://example.com/b'],
	['a short beginning with an ellipsis', 'Come…', 'Come by on Sunday'],
	['another symbol before the ellipsis', 'Come by 🍕 on Sunday, at…', 'Come by on Sunday, at 8'],
	[
		'an end, where nothing is longer',
		'Come by on Sunday, at 8',
		'Come by on Sunday, at 8 or 9',
		23,
	],
	['a zone', '2026-05-01T13:00:00', '2026-05-01T12:00:00Z'],
	['a link beside signs', '👉 https://example.com/a', '👉 https://example.com/b'],
	['a tag alone', '<img src="/a.jpg">', '<img src="/b.jpg">'],
	['what is beyond the bound', `${'x '.repeat(20_000)}a`, `${'x '.repeat(20_000)}b`],
	['what one of both lacks', null, 'Bread'],
	['an object', { en: 'Bread' }, { en: 'Rolls' }],
	['an object that has it', { de: 'Brot', en: 'Bread' }, 'Bread'],
])('%s leaves it open', (_, stored, sent, longest = 2_000) => {
	expect(compare(stored, sent, longest)).toBe('similar');
});

test.each<[string, unknown, unknown, number?]>([
	['letters', 'Bread', 'Rolls'],
	['what is between brackets', 'With the code <SUMMER>', 'With the code <WINTER>'],
	['an address of mail', 'Ask Eva <eva@a.example>', 'Ask Eva <eva@b.example>'],
	['an accent', 'Schon da', 'Schön da'],
	['a number', 'Room 1', 'Room 2'],
	['a longer number', 'Offer number 1', 'Offer number 12'],
	['a price', 'Coffee: 1.5 €', 'Coffee: 15 €'],
	['zeros', '007', '7'],
	['signs alone', '!!!', '???'],
	['emojis alone', '🎉', '🍕'],
	['a link alone', 'https://youtu.be/a', 'https://youtu.be/b'],
	['more words', 'Sale', 'Sale on Sunday'],
	['another number before the ellipsis', 'Come by on Sunday at 9…', 'Come by on Sunday at 8 or 9'],
	['three dots of its own', 'Wait for it, wait for it...', 'Wait for it, wait for it... and more'],
	[
		'an end, where others are longer',
		'Come by on Sunday, at 8',
		'Come by on Sunday, at 8 or 9',
		90,
	],
	['a time', '2026-05-01T12:00:00Z', '2026-05-01T13:00:00Z'],
	['an object without it', { de: 'Brot', en: 'Rolls' }, 'Bread'],
])('%s: it is another one', (_, stored, sent, longest = 2_000) => {
	expect(compare(stored, sent, longest)).toBe('different');
	if (typeof stored === 'string' && longest === 2_000) {
		expect(compare(sent, stored)).toBe('different');
	}
});

test('an older text that differs in its letters is never said to be the same, in either direction', () => {
	const products = ['Bread', 'Bread rolls', 'Rolls', 'Apple pie', 'Apple pie XL', 'Pie'];
	const days = ['Monday', 'Tuesday', 'Sunday', 'Sundays', 'Sunday morning'];
	const offers = products.flatMap((product) =>
		days.flatMap((day) =>
			['1.50 €', '15 €', '20 %', '120 %'].map((price) => `${product} on ${day}: ${price}`),
		),
	);
	for (const [index, offer] of offers.entries()) {
		for (const other of offers.slice(0, index)) expect(compare(other, offer)).toBe('different');
	}
});

test.each<[string, string, Likeness]>([
	['Plumber Leeds', '  plumber   leeds ', 'same'],
	['fish &amp; chips', 'fish & chips', 'same'],
	['zahnarzt', 'zahn arzt', 'similar'],
	['c course', 'c# course', 'similar'],
	['c++', 'c#', 'similar'],
	['vegan restaurant in berlin', 'vegan restaurant in berlin mitte', 'different'],
	['plumber', 'plumbers', 'different'],
	['cafe', 'café', 'different'],
	['+', '#', 'different'],
])('search terms: %p and %p are %s', (stored, sent, expected) => {
	expect(compareValues(stored, sent, { isSearchTerm: true })).toBe(expected);
});

describe('of several fields', () => {
	const whole = { title: 'Sale', content: 'On Sunday', place: 'Leeds' };

	test.each<[string, object, object, Likeness]>([
		['all that are equal mean the same', whole, whole, 'same'],
		['one that both lack says nothing', { ...whole, place: '' }, { ...whole, place: null }, 'same'],
		['one that differs decides', { ...whole, title: 'Sale 🎉', place: 'York' }, whole, 'different'],
		['one that the record lacks leaves it open', { ...whole, title: null }, whole, 'similar'],
		['one that the row lacks leaves it open', whole, { ...whole, place: '' }, 'similar'],
		['none that both have means another one', { title: 'Sale' }, { place: 'Leeds' }, 'different'],
	])('%s', (_, record, row, expected) => {
		const [a, b] = [record, row] as Array<Record<string, unknown>>;
		expect(compareFields(a, b, Object.keys(whole), () => ({}))).toBe(expected);
	});
});

describe('a record that is new', () => {
	const sent = { title: 'Summer sale', content: 'Come by on Sunday, from 8 to 12', stars: 5 };
	const id = 'post_1';

	test.each<[string, object, Likeness]>([
		['shows all', sent, 'same'],
		['shows one text alone', { title: sent.title }, 'same'],
		['has a text cut', { ...sent, content: 'Come by on Sunday' }, 'same'],
		['has a text with more before it', { ...sent, content: `Offer: ${sent.content}` }, 'similar'],
		['has a word masked', { ...sent, content: 'Come *** on Sunday, from 8 to 12' }, 'similar'],
		['has a text without its accents', { title: 'Sümmer sale' }, 'similar'],
		['has another text of several words', { ...sent, content: 'Closed' }, 'similar'],
		['has its texts in objects', { ...sent, content: { html: 'Something' } }, 'similar'],
		['shows nothing', {}, 'similar'],
		['shows them empty', { title: '', content: null }, 'similar'],
		['is about something else', { title: 'Bread', content: 'Rolls', stars: 5 }, 'different'],
	])('that %s is %s', (_, shown, expected) => {
		expect(compareNew({ id, ...shown }, sent)).toBe(expected);
	});

	test('with another date may be it: the service may have changed that', () => {
		const [may, june] = ['2026-05-01T12:00:00Z', '2026-06-01T12:00:00Z'];
		expect(compareNew({ publish_at: may }, { publish_at: june })).toBe('similar');
	});

	test.each([undefined, null, '', [], {}])('says nothing where %j was sent', (empty) => {
		expect(compareNew({ field: 'Something' }, { field: empty })).toBe('similar');
	});

	test('is compared within a moment, whatever it holds', () => {
		const hostile = '<title'.repeat(200_000);
		expect(compareNew({ content: hostile }, { content: 'Come by on Sunday' })).toBe('different');
	});
});

test.each<[string, number, boolean]>([
	['x'.repeat(20), 50, true],
	['x'.repeat(20), 51, false],
	['x'.repeat(19), 0, false],
	['Bread…', 2_000, true],
	['Bread...)".', 2_000, true],
	['Bread... and', 2_000, false],
])('%p may be cut in a list with up to %d characters: %p', (stored, longest, expected) => {
	expect(mayBeCut(spaced(plainText(stored)), longest)).toBe(expected);
});

test('dates that are no dates are no other dates', () => {
	const noon = '2026-05-01T12:00:00Z';
	expect(areOtherDates(noon, '2026-05-01T13:00:00Z')).toBe(true);
	expect(areOtherDates(noon, '2026-05-01T14:00:00+02:00')).toBe(false);
	for (const other of ['soon', '', null, 7]) expect(areOtherDates(noon, other)).toBe(false);
});
