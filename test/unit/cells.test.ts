import { refuseBroken } from '../../nodes/LocalSeo/rows/read/cells';

const refusal = (value: unknown) => {
	try {
		refuseBroken('tags', value);
		return 'sent';
	} catch (error) {
		return (error as Error).message;
	}
};

test.each<[RegExp, unknown[]]>([
	[
		/what a failed formula leaves/,
		['#REF!', '#DIV/0!', '#N/A', '#NV', '#YOK', '#NAME?', '####', '#SPILL!', '#SALE!', '#KENTÄTÄ!'],
	],
	[
		/in place of a character/,
		['a_x000D_', 'a_x001F_b', ['_x000a_'.toUpperCase().replace('X', 'x')]],
	],
	[/in place of a value/, ['undefined', '[object Object]']],
	[
		/letters that could not be read/,
		['\u0000W\u0000i', 'Caf\uFFFD', ['Caf\uFFFD'], { en: '\u0000W' }],
	],
	[/cut in the middle of an emoji/, ['Party \ud83c', ['Party \ud83c']]],
])('%s: %j are refused, alone and in a list', (why, values) => {
	for (const value of values) expect(refusal(value)).toMatch(why);
});

test.each([
	...[
		'Null',
		'NAN',
		'nan',
		'KOM OG SE PÅ',
		'AMANHÃ',
		'#1 in town',
		'a\tb\nc',
		'#Sale',
		'# SALE',
		'SALE #1',
		'x_x12_',
	],
	...[['a', 'b'], 0, false],
])('%j is a value', (value) => expect(refusal(value)).toBe('sent'));
