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
	[/in place of a value/, ['undefined', 'null', 'NaN', 'Invalid DateTime', '[object Object]']],
	[/letters that could not be read/, ['\u0000W\u0000i', 'Caf\uFFFD']],
])('%s: %j are refused', (why, values) => {
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
		...['#SALE', '#1', '#LOVE', '#', 'a_x000D_', 'What [object Object] means'],
	],
	...[['a', 'b'], 0, false],
])('%j is a value', (value) => expect(refusal(value)).toBe('sent'));
