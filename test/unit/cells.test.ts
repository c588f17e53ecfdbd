import { refuseBroken } from '../../nodes/LocalSeo/rows/read/cells';

const refusal = (value: unknown) => {
	try {
		refuseBroken('tags', value);
		return 'sent';
	} catch (error) {
		return (error as Error).message;
	}
};

test.each([
	['#REF!', /error of a formula/],
	['undefined', /in place of a value/],
	['[object Object]', /in place of a value/],
	['\u0000W\u0000i', /letters that could not be read/],
	['Caf\uFFFD', /letters that could not be read/],
	['Party \ud83c', /cut in the middle of an emoji/],
	[['Caf\uFFFD'], /letters that could not be read/],
	[['\u0000W\u0000i'], /letters that could not be read/],
	[{ en: '\u0000W' }, /letters that could not be read/],
	[['Party \ud83c'], /cut in the middle of an emoji/],
])('%j is refused, alone and in a list', (value, why) => expect(refusal(value)).toMatch(why));

test.each([
	'Null',
	'NAN',
	'nan',
	'KOM OG SE PÅ',
	'AMANHÃ',
	'#1 in town',
	'a\tb\nc',
	['a', 'b'],
	0,
	false,
])('%j is a value', (value) => expect(refusal(value)).toBe('sent'));
