import {
	addedFields,
	differenceOf,
	type Fingerprints,
	fingerprintsOf,
} from '../../nodes/LocalSeo/trigger/records';

/** What is remembered of one value. */
const rememberedOf = (value: unknown) => fingerprintsOf({ value }).value;
const changeOf = (earlier: object, later: object, wanted?: string[]) =>
	differenceOf(
		fingerprintsOf({ ...earlier }, wanted),
		fingerprintsOf({ ...later }, wanted),
		new Set(),
	);

test.each([null, true, false, 0, -1.5, '', 'x'.repeat(24), '2026-03-01T09:00:00.000Z'])(
	'a short value is remembered as it is: %j',
	(value) => expect(rememberedOf(value)).toBe(value),
);

test.each([['x'.repeat(25)], ['#1'], [{ a: 1 }], [[1, 2]], [['a']]])(
	'of others there is a digest, and no earlier value: %j',
	(value) => {
		expect(rememberedOf(value)).toMatch(/^#[\w+/]{6}$/);
		expect(changeOf({ value }, { value: 'new' })).toEqual({ changed: ['value'], before: {} });
	},
);

test.each([
	'X-Amz-Date=20261123T0700Z&X-Amz-Signature',
	'Expires=1795417200&Signature',
	'se=2026-11-23&sp=r&sig',
	'oh=00_AfB&oe',
])('an address with another signature is the same: ?%s=…', (query) => {
	const signed = (signature: string) => `https://images.example/a.jpg?${query}=${signature}`;
	expect(rememberedOf([{ src: signed('3f2a') }])).toBe(rememberedOf([{ src: signed('77c0') }]));
	expect(rememberedOf(signed('3f2a'))).not.toBe(
		rememberedOf(signed('3f2a').replace('a.jpg', 'b.jpg')),
	);
});

test.each([
	['https://images.example/a.jpg?version=1', 'https://images.example/a.jpg?version=2'],
	['See a.jpg?sig=1 of the shop in Bath', 'See a.jpg?sig=2 of the shop in Bath'],
])('%j and %j are not', (one, other) => {
	expect(rememberedOf(one)).not.toBe(rememberedOf(other));
});

test.each([
	[true, false],
	[false, null],
	[null, ''],
	[0, null],
	['Henley', 'Marlow'],
	[1, '1'],
])('a difference from %j to %j comes with the earlier value', (earlier, later) => {
	const change = changeOf({ value: earlier }, { value: later });
	expect(change).toEqual({ changed: ['value'], before: { value: earlier } });
	expect(changeOf({ value: earlier }, { value: earlier })).toEqual({ changed: [], before: {} });
});

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
	expect(fingerprintsOf(record)).toEqual({ name: 'Bakery', city: 'Marlow' });
	expect(fingerprintsOf(record, ['id', 'city'])).toEqual({ id: 'loc_1', city: 'Marlow' });
});

test('the service has added a field if no record had it before, and all have it now', () => {
	const before: Fingerprints[] = [{ name: 'Bakery' }, { name: 'Butcher', fax: '1' }];
	const now: Fingerprints[] = [
		{ name: 'Bakery', phone: '1', fax: '1', note: '' },
		{ name: 'Butcher', phone: '2', fax: '1' },
	];
	expect(addedFields(before, now)).toEqual(new Set(['phone']));
	expect(addedFields(before, [])).toEqual(new Set());
});
