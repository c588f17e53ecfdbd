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
