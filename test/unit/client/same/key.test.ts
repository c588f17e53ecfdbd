import { type CompareAs, folded, isEmpty, keyOf } from '../../../../nodes/LocalSeo/client';
import { isTimeShown, spaced } from '../../../../nodes/LocalSeo/client/same/key';
import { soughtOf } from '../../../support/accountTransport';

test('nothing, null and empty text are empty; a blank value has no key', () => {
	expect([undefined, null, ''].map(isEmpty)).toEqual([true, true, true]);
	expect([0, false, ' ', []].map(isEmpty)).toEqual([false, false, false, false]);
	const blank = [undefined, null, '', ' \n', '\u00a0', '<p></p>', '<br>'];
	expect(blank.map((value) => keyOf(value))).toEqual(blank.map(() => ''));
	expect([0, false, [], {}].map((value) => keyOf(value))).not.toContain('');
	expect(spaced(' a\t b\r\n\u00a0c ')).toBe('a b c');
});

test.each<[string, unknown, unknown, compareAs?: CompareAs]>([
	['with other white space', ' Bread\r\n and\u00a0 rolls ', 'Bread and rolls'],
	['with entities', 'A &amp; b &lt;3, &quot;it&#39;s&quot; &gt; 2', 'A & b <3, "it\'s" > 2'],
	['with entities by number', 'We&#039;re &#x27;open&#X27;&apos;', "We're 'open''"],
	['with an entity that stands for no character', '&#9999999; &nope;', '&#9999999; &nope;'],
	['with characters that nobody sees', '\u202aOp\u200ben\ufeff \u2060now\ufe0f&#8203;', 'Open now'],
	[
		'as search terms, one with an invisible end',
		'dentist near me\u200b',
		'Dentist near me',
		'term',
	],
	['with tags', '<p class="a">Bread</p>\n<p>and<br/>rolls</p>', 'Bread and rolls'],
	['in another form of Unicode', 'cafe\u0301', 'caf\u00e9'],
	['as a time in another zone', '2026-12-31T17:00:00Z', '2026-12-31T18:00:00+01:00'],
	['as a time that SQL writes, in UTC', '2026-12-31 17:00:00', '2026-12-31T17:00:00Z'],
	['as a time with parts of a second', '2026-12-31T17:00:00.417Z', '2026-12-31T17:00Z'],
	['as a day and its midnight', '2026-12-31', '2026-12-31T00:00:00Z'],
	['as search terms in another case', 'Plumber  LEEDS', 'plumber leeds', 'term'],
])('two values are the same %s', (_, ...[one, other, compareAs]) => {
	expect(keyOf(one, compareAs)).toBe(keyOf(other, compareAs));
	expect(keyOf(one, compareAs)).not.toBe('');
});

test.each<[string, unknown, unknown, compareAs?: CompareAs]>([
	['by case', 'bread', 'Bread'],
	['by accents', 'Schon da', 'Schön da'],
	['by zeros', '007', '7'],
	['by other tags', '<b>Bread</b>', 'Bread'],
	['by what is between brackets', 'Code <SUMMER>', 'Code <WINTER>'],
	['by a second', '2026-12-31T17:00:00Z', '2026-12-31T17:00:01Z'],
	['as search terms, by an accent', 'cafe', 'café', 'term'],
])('two values are not the same %s', (_, ...[one, other, compareAs]) => {
	expect(keyOf(one, compareAs)).not.toBe(keyOf(other, compareAs));
});

test.each(['2026-02-30', '2026-13-01', '2026-12-31T25:00Z', '2026', '31.12.2026', 'soon'])(
	'%p is no time: it stays a text',
	(value) => {
		expect(keyOf(value)).toBe(value);
	},
);

const SALE = { id: 1, title: ' Sale ', publish_at: '2026-12-31' };
test.each<[string, boolean, object, object, fields: string[], compareAs?: CompareAs]>([
	['tells which field has a value', false, { a: 'x' }, { b: 'x' }, ['a', 'b']],
	['tells where a value ends', false, { a: 'x,', b: 'y' }, { a: 'x', b: ',y' }, ['a', 'b']],
	['compares nothing but the match fields', true, SALE, { title: 'Sale' }, ['title']],
	['leaves the time to another comparison', true, SALE, { title: 'Sale' }, ['title', 'publish_at']],
	['has a field that it lacks as blank', true, { a: 'x' }, { a: 'x', b: null }, ['a', 'b']],
])('the key of a record %s', (...[, isSame, one, other, fields, compareAs]) => {
	const [key, otherKey] = [one, other].map((record) => {
		return soughtOf({ ...record }, { fields, time: 'publish_at', compareAs }).texts;
	});
	expect(key === otherKey).toBe(isSame);
});

const SENT = '2026-12-24T10:00:30+01:00';

test.each<[isSame: boolean, shown: unknown, sent?: unknown]>([
	[true, SENT],
	[true, '2026-12-24T09:00:30.417Z'],
	[true, '2026-12-24T09:00Z'],
	[true, '2026-12-24 10:00:30'],
	[true, '2026-12-24', '2026-12-24T00:00:00+01:00'],
	[true, '', null],
	[true, 'next week', ' next  week'],
	[false, '2026-12-24T09:00:31Z'],
	[false, '2026-12-24T09:40:00Z'],
	[false, '2026-12-24'],
	[false, null],
])('it is %p that %p shows the time of a row', (isSame, shown, sent = SENT) => {
	expect(isTimeShown(shown, sent, 'Europe/Berlin')).toBe(isSame);
});

test.each<[one: string, isSame: boolean, other: string]>([
	['12, main  st.', true, '12 Main St'],
	['12-14 Main St.', true, '12 14 main st'],
	['Fish &amp; Chips', true, 'Fish Chips'],
	['?! …', true, ''],
	['2026-12-31', true, '2026 12 31'],
	['12-14 Main St', false, '1214 Main St'],
	['Haus 007', false, 'Haus 7'],
	['Café Löwen', false, 'Cafe Lowen'],
])('of what can not be deleted, words count: %p is the same (%p) as %p', (one, isSame, other) => {
	expect(keyOf(one, 'words') === keyOf(other, 'words')).toBe(isSame);
});

test.each([
	['  Bakery\n EAST ', 'bakery east'],
	['Cafe\u0301 Mu\u0308ller', 'cafe muller'],
	['Straße, Łódź, Ærø', 'strasse, lodz, aero'],
	['Fish & Chips', 'fish & chips'],
	['か゛', 'か゛'],
	['Phở Hà Nội', 'pho ha noi'],
])('%s is folded as a person types it: %s', (text, plain) => expect(folded(text)).toBe(plain));
