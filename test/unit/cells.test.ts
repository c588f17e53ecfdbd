import { refuseBroken } from '../../nodes/LocalSeo/rows/read/cells';

const refusal = (value: unknown) => {
	try {
		refuseBroken('tags', value);
		return 'sent';
	} catch (error) {
		return (error as Error).message;
	}
};

const FORMULAS = '#REF!|#DIV/0!|#N/A|#N/D|#NV|#NAME?|#¿NOMBRE?|####|#SALE!| #WERT! ';
test.each<[RegExp, string]>([
	[/what a failed formula leaves/, FORMULAS],
	[/in place of a value/, 'undefined|null|NaN|Invalid DateTime|[object Object]'],
	[/letters that could not be read/, '\u0000W\u0000i|Caf\uFFFD'],
])('%s: %j are refused', (why, values) => {
	for (const value of values.split('|')) expect(refusal(value)).toMatch(why);
});

const TEXTS = 'Null|NAN|nan|KOM OG SE PÅ|AMANHÃ|a\tb\nc|a_x000D_|What [object Object] means';
const SIGNS = '#1 in town|#Sale|# SALE|SALE #1|#SALE|#1|#LOVE|#';
test.each([...`${TEXTS}|${SIGNS}`.split('|'), ['a', 'b'], 0, false])('%j is a value', (value) => {
	expect(refusal(value)).toBe('sent');
});
