import { decodeHTMLStrict, encodeNonAsciiHTML } from 'entities';

import { characterNamed } from '../../nodes/LocalSeo/client/http/entities';

/** What a program calls a character that it escapes; undefined where it has but a number. */
const nameOf = (character: string) => /^&(\w+);$/.exec(encodeNonAsciiHTML(character))?.[1];

/** The letters of some Unicode blocks that have a name. */
function namedLetters(from: number, to: number): string[] {
	const all = Array.from({ length: to - from + 1 }, (_, index) =>
		String.fromCharCode(from + index),
	);
	return all.filter((letter) => /\p{L}/u.test(letter) && nameOf(letter) !== undefined);
}

test.each<[string, string[], number]>([
	['Latin', namedLetters(0xa0, 0x17f), 180],
	['Greek', namedLetters(0x391, 0x3c9), 48],
])('%s letters are known by the name that programs write', (_, letters, atLeast) => {
	expect(letters.length).toBeGreaterThanOrEqual(atLeast);
	expect(letters.map((letter) => characterNamed(nameOf(letter) ?? ''))).toEqual(letters);
});

/** The signs that have a name in HTML 4, which is what PHP and Java write. */
const SIGNS =
	'quot amp apos lt gt nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest times divide circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger bull hellip permil prime Prime lsaquo rsaquo euro trade larr uarr rarr darr harr minus infin spades clubs hearts diams';

test.each(SIGNS.split(' '))('%s is the character of HTML', (name) => {
	expect(characterNamed(name)).toBe(decodeHTMLStrict(`&${name};`));
});

test('case tells letters apart', () => {
	expect(['Auml', 'auml', 'Omega', 'omega', 'OElig'].map(characterNamed)).toEqual([...'ÄäΩωŒ']);
});

test.each(['', 'x', 'nothing', 'constructor', 'xconstructor', 'atoString', 'auml;', '&auml'])(
	'%p is no name',
	(name) => {
		expect(characterNamed(name)).toBeUndefined();
	},
);
