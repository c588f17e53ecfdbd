import { LocationNames } from '../../nodes/LocalSeo/service/locationNames';

const east = {
	id: 'loc_1',
	name: 'Bakery East',
	city: 'Boston',
	country: 'US',
	address: '1 Mill Street',
};
const salem = {
	id: 'loc_2',
	name: 'Bakery East',
	city: 'Salem',
	country: 'US',
	address: '2 Elm Road',
};
const cafe = { id: 'loc_3', name: 'Café Müller & Söhne', city: 'Łódź', country: 'PL' };
const names = new LocationNames([east, salem, cafe]);

test.each([
	'Café Müller & Söhne',
	'cafe muller sohne',
	'  CAFÉ   MÜLLER & SÖHNE ',
	'Cafe\u0301 Mu\u0308ller & So\u0308hne',
	'Café Müller &amp; Söhne',
	'“Café Müller” – Söhne',
	'Café-Müller & Söhne, Lodz',
	'Café Müller & Söhne (Łódź)',
	'Café Müller & Söhne, Łódź, PL',
	'Café Müller & Söhne, Łódź (loc_3)',
	'loc_3',
])('%p is the location', (given) => {
	expect(names.find(given)).toEqual(['loc_3']);
});

test.each([
	['Bakery East', ['loc_1', 'loc_2']],
	['bakery east, boston', ['loc_1']],
	['Bakery East Salem', ['loc_2']],
	['Bakery East, 2 Elm Road', ['loc_2']],
	['Bakery East, Boston, US · 1 Mill Street', ['loc_1']],
	['Bakery East, Salem (loc_2)', ['loc_2']],
	['Bakery East (loc_2)', ['loc_2']],
	['Bakery East, Salem (loc_1)', []],
	['Bakery East, Lynn', []],
	['Boston', []],
	['Bakery', []],
	['LOC_3', []],
	['', []],
])('%p names %p', (given, ids) => {
	expect(names.find(given)).toEqual(ids);
});

describe('letters that people spell out', () => {
	const shops = new LocationNames([
		{ id: 'a', name: 'Sanitär Hartmann', city: 'Köln' },
		{ id: 'b', name: 'Mueller', city: 'Aarhus' },
		{ id: 'c', name: 'Müller', city: 'Århus' },
		{ id: 'd', name: 'Baeckerei Groß' },
	]);

	test.each([
		['Sanitaer Hartmann', ['a']],
		['SANITAER HARTMANN, KOELN', ['a']],
		['Sanita\u0308r Hartmann Koeln', ['a']],
		['Sanitar Hartmann', ['a']],
		['Bäckerei Groß', ['d']],
		['baeckerei gross', ['d']],
		['Mueller', ['b']],
		['Müller', ['c']],
		['Mueller, Aarhus', ['b']],
		['Mueller, Århus', ['b', 'c']],
		['Saniteer Hartmann', []],
	])('%p names %p', (given, ids) => {
		expect(shops.find(given)).toEqual(ids);
	});
});

describe('what makes no difference by itself tells two locations apart where they have nothing else', () => {
	test.each([
		['Café Luna', 'Cafe Luna'],
		['Tom & Jerry', 'Tom Jerry'],
		['Bakery, East', 'Bakery East'],
		['LUX', 'Lux'],
		['Studio 1.5', 'Studio 15'],
		['A+ Plumbing', 'A Plumbing'],
		['दिल्ली', 'दुल्ली'],
	])('%p is not %p', (one, other) => {
		const both = new LocationNames([
			{ id: 'a', name: one },
			{ id: 'b', name: other },
		]);
		expect([both.find(one), both.find(other)]).toEqual([['a'], ['b']]);
	});

	test.each([
		['Studio 1.5', 'Studio 15'],
		['A+ Plumbing', 'A Plumbing'],
		['दिल्ली', 'दुल्ली'],
		['Bakery East', 'Bakery West'],
	])('%p is not found where there is only %p', (given, other) => {
		expect(new LocationNames([{ id: 'b', name: other }]).find(given)).toEqual([]);
	});
});

test('a name goes before the name and city of another location, and before an ID', () => {
	const tricky = new LocationNames([
		{ id: 'a', name: 'Bakery', city: 'East' },
		{ id: 'b', name: 'Bakery East' },
		{ id: 'c', name: 'a' },
	]);
	expect(tricky.find('Bakery East')).toEqual(['b']);
	expect(tricky.find('Bakery, East')).toEqual(['a']);
	expect(tricky.find('a')).toEqual(['c']);
});

test('a location may be labeled with its status', () => {
	const paused = { ...east, status: 'paused' };
	const both = new LocationNames([paused, { ...salem, status: 'active' }]);
	expect(both.find('Bakery East, Boston, US · 1 Mill Street (paused)')).toEqual(['loc_1']);
	expect(both.find('Bakery East (closed)')).toEqual([]);
});

test('records without ID or name, and numbers as names', () => {
	const odd = new LocationNames(
		[{ name: 'No ID' }, { id: 'a' }, { id: 7, name: 12 }, null!].filter(Boolean),
	);
	expect([odd.size, odd.find('No ID'), odd.find('a'), odd.find('12'), odd.find('7')]).toEqual([
		2,
		[],
		['a'],
		['7'],
		['7'],
	]);
});

describe('what is near', () => {
	test.each([
		['Bakery Est', 'Bakery East, Boston (loc_1); Bakery East, Salem (loc_2)'],
		['East', 'Bakery East, Boston (loc_1); Bakery East, Salem (loc_2)'],
		['bakery east bostn', 'Bakery East, Boston (loc_1); Bakery East, Salem (loc_2)'],
		['Mueller und Söhne', 'Café Müller & Söhne, Łódź (loc_3)'],
		['Dental Care', ''],
		['', ''],
	])('to %p: %p', (given, near) => {
		expect(names.near(given)).toBe(near);
	});

	test('three are listed', () => {
		const many = Array.from({ length: 9 }, (_, id) => ({ id: `${id}`, name: `Shop ${id}` }));
		expect(new LocationNames(many).near('Shop')).toBe('Shop 0 (0); Shop 1 (1); Shop 2 (2)');
		expect(new LocationNames(many).examples).toBe('Shop 0 (0); Shop 1 (1); Shop 2 (2) and 6 more');
	});

	test('a word that thousands have tells nothing, and costs nothing', () => {
		const many = Array.from({ length: 2_000 }, (_, id) => ({ id: `${id}`, name: `Shop ${id}` }));
		const large = new LocationNames(many);
		expect(large.near('Shop nr x')).toBe('');
		expect(large.near('Shop nr 1234')).toBe('Shop 1234 (1234)');
	});
});

test('those that share a name are listed with what tells them apart', () => {
	expect(names.list(names.find('Bakery East'))).toBe(
		'Bakery East, Boston, 1 Mill Street (loc_1); Bakery East, Salem, 2 Elm Road (loc_2)',
	);
});

test('a text of any length, and names of thousands, are found in no time', () => {
	const same = Array.from({ length: 3_000 }, (_, id) => ({
		id: `${id}`,
		name: 'Same',
		city: `Town ${id}`,
	}));
	const large = new LocationNames(same);
	expect(large.find('Same, Town 2999')).toEqual(['2999']);
	expect(large.find('Same'.repeat(100_000))).toEqual([]);
});

test('beyond the bound nothing is kept', () => {
	const bounded = new LocationNames([east, salem], 100);
	expect([bounded.isTooLarge, bounded.size, bounded.bytes]).toEqual([true, 0, 0]);
	expect(names.bytes).toBeGreaterThan(100);
});
