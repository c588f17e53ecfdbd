import {
	addedFields,
	diffFields,
	type KnownFields,
	rememberedFields,
} from '../../nodes/LocalSeo/trigger/records';

const changeOf = (earlier: object, later: object) =>
	diffFields(rememberedFields({ ...earlier }), rememberedFields({ ...later }));

test.each([
	[true, false],
	[false, null],
	[null, ''],
	[0, null],
	['Henley', 'Marlow'],
	[1, '1'],
	['x'.repeat(24), 'y'],
	['2026-03-01T09:00:00.000Z', -1.5],
])('a difference from %j to %j comes with the earlier value', (earlier, later) => {
	const change = changeOf({ value: earlier }, { value: later });
	expect(change).toEqual({ changed: ['value'], before: { value: earlier } });
	expect(changeOf({ value: earlier }, { value: earlier })).toEqual({ changed: [], before: {} });
});

test.each([['x'.repeat(25)], [{ a: 1 }], [[1, 2]], [['a']]])(
	'of longer values there is a hash, and no earlier value: %j',
	(value) => {
		expect(String(rememberedFields({ value }).value)).toHaveLength(25);
		expect(changeOf({ value }, { value: 'new' })).toEqual({ changed: ['value'], before: {} });
		expect(changeOf({ value }, { value: structuredClone(value) }).changed).toEqual([]);
	},
);

test('a field that is missing is empty', () => {
	expect(changeOf({}, { value: null }).changed).toEqual([]);
	expect(changeOf({}, { value: 1 })).toEqual({ changed: ['value'], before: { value: null } });
	expect(changeOf({ value: 1 }, {})).toEqual({ changed: ['value'], before: { value: 1 } });
});

test.each(['constructor', 'toString', '__proto__'])('a field may be called %p', (name) => {
	const odd = (value: number) => JSON.parse(`{"${name}":${value}}`) as object;
	expect(changeOf(odd(1), odd(1)).changed).toEqual([]);
	const { changed, before } = changeOf(odd(1), odd(2));
	expect([changed, Object.entries(before)]).toEqual([[name], [[name, 1]]]);
});

test('fields that never change are not watched, unless they are wanted', () => {
	const record = { id: 'loc_1', created_at: 'then', name: 'Bakery', city: 'Marlow' };
	expect(rememberedFields(record)).toEqual({ name: 'Bakery', city: 'Marlow' });
	expect(rememberedFields(record, ['id', 'city'])).toEqual({ id: 'loc_1', city: 'Marlow' });
});

test('the service has added a field if no record had it before, and all have it now', () => {
	const before: Array<KnownFields | undefined> = [
		{ name: 'Bakery' },
		{ name: 'Butcher', fax: '1' },
		undefined,
	];
	const now = [
		{ name: 'Bakery', phone: '1', fax: '1', note: '' },
		{ name: 'Butcher', phone: '2', fax: '1' },
	];
	expect(addedFields(before, now)).toEqual(['phone']);
	expect(addedFields(before, [])).toEqual([]);
});

test('an image that has another signature in each response is the same', () => {
	const signed = (by: string) => ({
		image_url: `https://cdn.example.com/bakery-east/shop-front.jpg?X-Amz-Signature=${by}&X-Amz-Expires=60`,
	});
	const other = { image_url: 'https://cdn.example.com/bakery-east/oven.jpg?X-Amz-Signature=a' };
	expect(diffFields(rememberedFields(signed('a')), rememberedFields(signed('b'))).changed).toEqual(
		[],
	);
	expect(diffFields(rememberedFields(signed('a')), rememberedFields(other)).changed).toEqual([
		'image_url',
	]);
});
