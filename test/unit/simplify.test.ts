import { simplified } from '../../nodes/LocalSeo/rows/items';

const fields = (names: string) => Object.fromEntries([...names].map((name) => [name, 1]));

test('records with ten fields or fewer stay as they are', () => {
	const records = [fields('abcde'), fields('fghij')];
	expect(simplified(records, ['j'])).toBe(records);
});

test('of more, the leading fields are kept first, then the others in their order', () => {
	expect(simplified([fields('abcdefghijkl')], ['l', 'none'])).toEqual([fields('abcdefghil')]);
});

test('lists and objects go before single values do, also where only one record has one', () => {
	const records = [
		{ ...fields('abcdefghijk'), b: null },
		{ ...fields('abcdefghijk'), a: ['x'] },
	];
	const [first, second] = simplified(records, []);
	expect(first).toEqual({ ...fields('bcdefghijk'), b: null });
	expect(second).toEqual(fields('bcdefghijk'));
});

test('a leading field is kept even if it is an object', () => {
	const [record] = simplified([{ ...fields('abcdefghij'), k: {} }], ['k']);
	expect(record).toEqual({ ...fields('abcdefghi'), k: {} });
});

test('what is no record is left alone', () => {
	expect(simplified([7, fields('abcdefghijk')], [])).toEqual([7, fields('abcdefghij')]);
});
