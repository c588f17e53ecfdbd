import {
	canonicalJson,
	differenceOf,
	digest,
	fingerprintsOf,
	NO_FIELDS,
	withFieldsOf,
} from '../../nodes/LocalSeo/trigger/fingerprints';

const fieldsOf = (...names: string[]) => ({ names, late: [] });
/** What is remembered of one value. */
const rememberedOf = (value: unknown) => fingerprintsOf({ value }, fieldsOf('value'))[0];
const changeOf = (earlier: unknown, later: unknown) => {
	const fields = fieldsOf('value');
	return differenceOf({ value: later }, fields, fingerprintsOf({ value: earlier }, fields));
};

describe('what is remembered of a value', () => {
	test.each([null, true, false, 0, -1.5, '', 'x'.repeat(24), '2026-03-01T09:00:00.000Z'])(
		'itself: %j',
		(value) => expect(rememberedOf(value)).toBe(value),
	);

	test.each([['x'.repeat(25)], ['#1'], [{ a: 1 }], [[1, 2]], [['a']]])('a digest: %j', (value) =>
		expect(rememberedOf(value)).toMatch(/^#[\w+/]{6}$/),
	);

	test('nothing where it is missing', () => {
		expect(fingerprintsOf({}, fieldsOf('value', 'constructor'))).toEqual([null, null]);
	});

	test('the same for objects whose keys come in another order', () => {
		expect(rememberedOf({ a: { b: 1, c: 2 }, d: 3 })).toBe(
			rememberedOf({ d: 3, a: { c: 2, b: 1 } }),
		);
		expect(canonicalJson({ b: 1, a: [{ d: 1, c: 2 }] })).toBe('{"a":[{"c":2,"d":1}],"b":1}');
	});

	test.each([
		'X-Amz-Date=20261123T0700Z&X-Amz-Signature',
		'Expires=1795417200&Signature',
		'se=2026-11-23&sp=r&sig',
		'oh=00_AfB&oe',
	])('the same for an address with another signature: ?%s=…', (query) => {
		const signed = (signature: string) => `https://images.example/a.jpg?${query}=${signature}`;
		expect(rememberedOf(signed('3f2a'))).toBe(rememberedOf(signed('77c0')));
		expect(rememberedOf([{ src: signed('3f2a') }])).toBe(rememberedOf([{ src: signed('77c0') }]));
		expect(rememberedOf(signed('3f2a'))).not.toBe(
			rememberedOf(signed('3f2a').replace('a.jpg', 'b.jpg')),
		);
	});

	test.each([
		['https://images.example/a.jpg?version=1', 'https://images.example/a.jpg?version=2'],
		['See a.jpg?sig=1 of the shop in Bath', 'See a.jpg?sig=2 of the shop in Bath'],
	])('another for %j and %j', (one, other) => {
		expect(rememberedOf(one)).not.toBe(rememberedOf(other));
	});

	test('a digest is as long as asked for', () => {
		expect([1, 6, 12].map((length) => digest('text', length).length)).toEqual([1, 6, 12]);
	});
});

describe('a difference', () => {
	test.each([
		[true, false],
		[false, null],
		[null, ''],
		[0, null],
		['Henley', 'Marlow'],
		[1, '1'],
	])('from %j to %j comes with the earlier value', (earlier, later) => {
		expect(changeOf(earlier, later)).toEqual({ changed: ['value'], before: { value: earlier } });
		expect(changeOf(earlier, earlier)).toEqual({ changed: [], before: {} });
	});

	test.each([['x'.repeat(25)], ['#1'], [{ a: 1 }]])('from %j comes without it', (earlier) => {
		expect(changeOf(earlier, 'new')).toEqual({ changed: ['value'], before: {} });
	});
});

describe('the fields that are compared', () => {
	test('are all but those that never change', () => {
		const record = { id: 'loc_1', created_at: 'then', name: 'Bakery', city: 'Marlow' };
		expect(withFieldsOf(NO_FIELDS, [record]).names).toEqual(['name', 'city']);
	});

	test('are only those that are wanted, even if they never change', () => {
		const record = { id: 'loc_1', name: 'Bakery', city: 'Marlow' };
		expect(withFieldsOf(NO_FIELDS, [record], ['id', 'city']).names).toEqual(['id', 'city']);
	});

	test('stay the same object while there are no more', () => {
		const fields = withFieldsOf(NO_FIELDS, [{ name: 'Bakery' }]);
		expect(withFieldsOf(fields, [{ name: 'Butcher' }])).toBe(fields);
	});

	test('are late if not every record has them', () => {
		const records = [{ name: 'Bakery', phone: '1' }, { name: 'Butcher' }];
		expect(withFieldsOf(NO_FIELDS, records).late).toEqual(['phone']);
		const later = withFieldsOf({ names: ['name'], late: ['phone'] }, [{ fax: '1' }, {}]);
		expect(later).toEqual({ names: ['name', 'fax'], late: ['phone', 'fax'] });
	});

	test('are 200 at most', () => {
		const record = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, 1]));
		const fields = withFieldsOf(NO_FIELDS, [record]);
		expect(fields.names).toHaveLength(200);
		expect(withFieldsOf(fields, [{ another: 1 }])).toBe(fields);
	});
});

describe('a field within another one', () => {
	const record = { address: { city: 'Bath', geo: { lat: 51.4 } }, 'opening.hours': '9-5' };
	const wanted = ['address.city', 'address.geo.lat', 'opening.hours', 'address.zip', 'name.first'];
	const fields = withFieldsOf(NO_FIELDS, [record], wanted);

	test('is watched where a record has it', () => {
		expect(fields).toEqual(fieldsOf('address.city', 'address.geo.lat', 'opening.hours'));
		expect(fingerprintsOf(record, fields)).toEqual(['Bath', 51.4, '9-5']);
	});

	test('changes by itself', () => {
		const moved = { ...record, address: { ...record.address, city: 'Wells', zip: 'BA5' } };
		expect(differenceOf(moved, fields, fingerprintsOf(record, fields))).toEqual({
			changed: ['address.city'],
			before: { 'address.city': 'Bath' },
		});
	});

	test('of a text, a list or an object of its own kind is none', () => {
		const odd = { address: 'Bath', name: ['first'] };
		expect(
			withFieldsOf(NO_FIELDS, [odd], ['address.length', 'name.0', 'constructor.name']),
		).toEqual(NO_FIELDS);
	});
});
