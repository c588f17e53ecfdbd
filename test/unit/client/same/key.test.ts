import { folded, isEmpty, keyOf, looseKeyOf, matchKeyOf } from '../../../../nodes/LocalSeo/client';
import { spaced } from '../../../../nodes/LocalSeo/client/same/key';
import { fc } from '../../../support/random';

test('nothing, null and empty text are empty; false and 0 are not', () => {
	expect([undefined, null, ''].map(isEmpty)).toEqual([true, true, true]);
	expect([0, false, ' ', []].map(isEmpty)).toEqual([false, false, false, false]);
});

test('white space is one space, and none around a text', () => {
	expect(spaced(' a\t b\r\n\u00a0c ')).toBe('a b c');
});

describe('two values are the same', () => {
	test.each<[string, unknown, unknown]>([
		['with other white space', ' Bread\r\n and\u00a0 rolls ', 'Bread and rolls'],
		[
			'with entities',
			'Fish &amp; chips &lt;3, &quot;it&#39;s&quot; &gt; 2',
			'Fish & chips <3, "it\'s" > 2',
		],
		[
			'with tags of paragraphs and lines',
			'<p class="a">Bread</p>\n<p>and<br/>rolls</p>',
			'Bread and rolls',
		],
		['in another form of Unicode', 'cafe\u0301', 'caf\u00e9'],
		['as a number and as a text', 7, '7'],
		['as a switch and as a text', true, 'true'],
		['as a time in another zone', '2026-12-31T17:00:00Z', '2026-12-31T18:00:00+01:00'],
		['as a time that SQL writes, in UTC', '2026-12-31 17:00:00', '2026-12-31T17:00:00Z'],
		['as a time with parts of a second', '2026-12-31T17:00:00.417Z', '2026-12-31T17:00Z'],
		['as a day and its midnight', '2026-12-31', '2026-12-31T00:00:00Z'],
		['as a list', ['a', { b: 1 }], ['a', { b: 1 }]],
	])('%s', (_, one, other) => {
		expect(keyOf(one)).toBe(keyOf(other));
		expect(keyOf(one)).not.toBe('');
	});

	test('as search terms in another case', () => {
		expect(keyOf('Plumber  LEEDS', true)).toBe(keyOf('plumber leeds', true));
	});

	test('if they are blank', () => {
		const blank = [undefined, null, '', ' \n', '\u00a0', '<p></p>', '<br>'];
		expect(blank.map((value) => keyOf(value))).toEqual(blank.map(() => ''));
		expect([0, false, [], {}].map((value) => keyOf(value))).not.toContain('');
	});
});

describe('two values are not the same', () => {
	test.each<[string, unknown, unknown]>([
		['by case', 'bread', 'Bread'],
		['by accents', 'Schon da', 'Schön da'],
		['by a sign', 'bread', 'bread!'],
		['by a link', 'Here: https://example.com/a', 'Here: https://example.com/b'],
		['by an emoji', 'Sale 🎉', 'Sale'],
		['by zeros', '007', '7'],
		['by a decimal comma', '1,50 €', '1.50 €'],
		['by other tags', '<b>Bread</b>', 'Bread'],
		['by what is between brackets', 'Code <SUMMER>', 'Code <WINTER>'],
		['where one was cut', 'Come by on Sunday…', 'Come by on Sunday, at 8'],
		['by a second', '2026-12-31T17:00:00Z', '2026-12-31T17:00:01Z'],
		['by an hour', '2026-12-31T17:00:00+01:00', '2026-12-31T17:00:00Z'],
		['by the order of a list', ['a', 'b'], ['b', 'a']],
	])('%s', (_, one, other) => {
		expect(keyOf(one)).not.toBe(keyOf(other));
	});

	test.each([
		['zahnarzt', 'zahn arzt'],
		['e-bike shop', 'ebike shop'],
		['c++', 'c#'],
		['cafe', 'café'],
	])('as search terms: %s and %s', (one, other) =>
		expect(keyOf(one, true)).not.toBe(keyOf(other, true)),
	);

	test('as days and times that are none', () => {
		const none = ['2026-02-30', '2026-13-01', '2026-12-31T25:00Z', '2026', '31.12.2026', 'soon'];
		expect(none.map((value) => keyOf(value))).toEqual(none);
	});
});

test('white space around a text and its form of Unicode make no difference, whatever it says', () => {
	const property = fc.property(fc.string({ unit: 'grapheme' }), (text) => {
		expect(keyOf(` ${text}\n`)).toBe(keyOf(text));
		expect(keyOf(text.normalize('NFD'))).toBe(keyOf(text));
	});
	fc.assert(property);
});

describe('the key of a record', () => {
	test('tells which match field has which value', () => {
		const fields = ['a', 'b'];
		expect(matchKeyOf({ a: 'x' }, { fields })).not.toBe(matchKeyOf({ b: 'x' }, { fields }));
		expect(matchKeyOf({ a: 'x,', b: 'y' }, { fields })).not.toBe(
			matchKeyOf({ a: 'x', b: ',y' }, { fields }),
		);
	});

	test('compares the match fields, and nothing else', () => {
		const matching = { fields: ['title'], time: 'publish_at' };
		const record = { id: 1, title: ' Sale ', publish_at: '2026-12-31' };
		expect(matchKeyOf(record, matching)).toBe(matchKeyOf({ title: 'Sale' }, matching));
		const dated = { ...matching, fields: ['title', 'publish_at'] };
		expect(matchKeyOf(record, dated)).not.toBe(matchKeyOf({ title: 'Sale' }, dated));
	});

	test('has a field that it lacks as blank', () => {
		const fields = ['title', 'content'];
		const [lacking, blank] = [{ title: 'Sale' }, { title: 'Sale', content: null }];
		expect(matchKeyOf(lacking, { fields })).toBe(matchKeyOf(blank, { fields }));
	});

	test('of keywords does not see case', () => {
		const keyword = { fields: ['keyword'], isTerm: true };
		expect(matchKeyOf({ keyword: 'Plumber' }, keyword)).toBe(
			matchKeyOf({ keyword: 'plumber' }, keyword),
		);
	});
});

describe('the loose key, for what can not be deleted', () => {
	test.each([
		['12 Main St.', '12 Main St'],
		['12, main  st', '12 Main St'],
		['0042', '42'],
		['Haus 007', 'Haus 7'],
		['Café "Zum Löwen"', 'Cafe Zum Lowen'],
		['Straße 5', 'strasse 5'],
		['Fish &amp; Chips', 'Fish Chips'],
	])('%p is as good as %p', (one, other) => expect(looseKeyOf(one)).toBe(looseKeyOf(other)));

	test.each([
		['12 Main St', '21 Main St'],
		['42', '420'],
		['0', ''],
		['Bakery East', 'Bakery West'],
		['中山路 1', '南京路 1'],
	])('%p is another one than %p', (one, other) =>
		expect(looseKeyOf(one)).not.toBe(looseKeyOf(other)),
	);

	test('of signs alone is none', () => {
		expect(['?! …', '–', ' ', null].map(looseKeyOf)).toEqual(['', '', '', '']);
	});
});

describe('a text is folded as a person types it', () => {
	test.each([
		['  Bakery\n EAST ', 'bakery east'],
		['Café Müller', 'cafe muller'],
		['Cafe\u0301 Mu\u0308ller', 'cafe muller'],
		['äéîñçåž', 'aeincaz'],
		['Straße, Łódź, Ærø', 'strasse, lodz, aero'],
		['Fish & Chips', 'fish & chips'],
		['か゛', 'か゛'],
	])('%s is %s', (text, plain) => expect(folded(text)).toBe(plain));

	test.each([
		['Phở Hà Nội', 'pho ha noi'],
		['Ταβέρνα', 'ταβερνα'],
	])('also with the accents of other languages: %s is %s', (text, plain) => {
		expect(folded(text)).toBe(plain);
	});
});
