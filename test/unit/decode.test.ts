import { decode } from '../../nodes/LocalSeo/client/http/decode';

test.each([
	['%41', 'A'],
	['%4a%4A', 'JJ'],
	['%25', '%'],
	['a%20b%2Fc', 'a b/c'],
	['\\x41\\u0041\\u004a', 'AAJ'],
	['\\"\\\'\\\\\\/\\`', '"\'\\/`'],
	['\\b\\f\\n\\r\\t', '\b\f\n\r\t'],
	['&amp;&lt;&quot;', '&<"'],
	['&#65;&#065;&#x41;&#X4a;&#x4A;', 'AAAJJ'],
	['&#65 &#x41x', 'A Ax'],
	['&#65&#66', 'AB'],
	['&#65535;', '\uffff'],
	['&DiacriticalGrave;', '`'],
	['&#00000065;', 'A'],
	['%41&#66;\\x43 D', 'ABC D'],
])('%s reads %s', (text, decoded) => expect(decode(text)?.text).toBe(decoded));

test.each([
	['', 'plain text', 'Ärger'],
	['%', '%4', '%4g', '%g4', '100 %', '%/0', '%:0', '%@0', '%G0', '%`0'],
	['\\', '\\a', '\\x4', '\\x4g', '\\u004', '\\u00g1', '\\X41', '\\'.concat(' n')],
	['&', '&amp', '&nosuch;', '& amp;', '&;', '&#;', '&#x;', '&#x', '&#a;', '&#xg;'],
	['&#65536;', '&#x10000;', '&#99999999;'],
	// An entity is searched for in as many characters as the longest name has.
	[`&${'a'.repeat(17)};`, `&${' '.repeat(20)}amp;`],
	['&toString;', '\\constructor'],
])('nothing is encoded in %p, %p …', (...texts) => {
	for (const text of texts) expect(decode(text as string)).toBeUndefined();
});

test('what looks encoded and is not stays as it is beside what is', () => {
	expect(decode('%zz %41 & \\q &#x; &nosuch; %')?.text).toBe('%zz A & \\q &#x; &nosuch; %');
});

test('once: what is encoded twice is encoded once after it', () => {
	const once = decode('%2541 &amp;#66; \\\\x43')!;
	expect(once.text).toBe('%41 &#66; \\x43');
	expect(decode(once.text)?.text).toBe('A B C');
});

test('each place is known in the source', () => {
	const source = 'ab%41c&amp;\\u0042d';
	const { text, sourceOf } = decode(source)!;
	expect(text).toBe('abAc&Bd');
	const places = [...text, ''].map((_, index) => sourceOf(index));
	expect(places).toEqual([0, 1, 2, 5, 6, 11, 17, 18]);
});
