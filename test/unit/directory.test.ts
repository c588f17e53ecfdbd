import { Directory } from '../../nodes/LocalSeo/service/directory';

/** What is said of a name that tells no location, or several. */
function refusalOf(directory: Directory, given: string): string {
	try {
		directory.idOf(given);
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error('There is one');
}

/** The IDs of the locations that a text names. */
function find(directory: Directory, given: string): string[] {
	try {
		return [directory.idOf(given)];
	} catch (error) {
		const { message } = error as Error;
		if (!/^\d+ locations are called/.test(message)) return [];
		return [...message.matchAll(/\((\w+)\)(?:;|$)/g)].map(([, id]) => id);
	}
}

/** What is near to a name that no location has. */
function near(directory: Directory, given: string): string {
	return /Did you mean (.*)\?$/s.exec(refusalOf(directory, given))?.[1] ?? '';
}

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
const names = new Directory([east, salem, cafe]);

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
	expect(find(names, given)).toEqual(['loc_3']);
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
	expect(find(names, given)).toEqual(ids);
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
		const both = new Directory([
			{ id: 'a', name: one },
			{ id: 'b', name: other },
		]);
		expect([find(both, one), find(both, other)]).toEqual([['a'], ['b']]);
	});

	test.each([
		['Studio 1.5', 'Studio 15'],
		['A+ Plumbing', 'A Plumbing'],
		['दिल्ली', 'दुल्ली'],
		['Bakery East', 'Bakery West'],
	])('%p is not found where there is only %p', (given, other) => {
		expect(find(new Directory([{ id: 'b', name: other }]), given)).toEqual([]);
	});
});

test('a name goes before the name and city of another location, and before an ID', () => {
	const tricky = new Directory([
		{ id: 'a', name: 'Bakery', city: 'East' },
		{ id: 'b', name: 'Bakery East' },
		{ id: 'c', name: 'a' },
	]);
	expect(find(tricky, 'Bakery East')).toEqual(['b']);
	expect(find(tricky, 'Bakery, East')).toEqual(['a']);
	expect(find(tricky, 'a')).toEqual(['c']);
});

test('a location may be labeled with its status', () => {
	const paused = { ...east, status: 'paused' };
	const both = new Directory([paused, { ...salem, status: 'active' }]);
	expect(find(both, 'Bakery East, Boston, US · 1 Mill Street (paused)')).toEqual(['loc_1']);
	expect(find(both, 'Bakery East (closed)')).toEqual([]);
});

test('records without ID or name, and numbers as names', () => {
	const odd = new Directory(
		[{ name: 'No ID' }, { id: 'a' }, { id: 7, name: 12 }, null!].filter(Boolean),
	);
	expect([find(odd, 'No ID'), find(odd, 'a'), find(odd, '12'), find(odd, '7')]).toEqual([
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
	])('to %p: %p', (given, expected) => {
		expect(near(names, given)).toBe(expected);
	});

	test('three are listed', () => {
		const many = Array.from({ length: 9 }, (_, id) => ({ id: `${id}`, name: `Shop ${id}` }));
		expect(near(new Directory(many), 'Shop')).toBe('Shop 0 (0); Shop 1 (1); Shop 2 (2)');
	});

	test('of thousands that share a word, the one that shares another', () => {
		const many = Array.from({ length: 2_000 }, (_, id) => ({ id: `${id}`, name: `Shop ${id}` }));
		expect(near(new Directory(many), 'Shop nr 1234')).toBe('Shop 1234 (1234)');
	});
});

test('those that share a name are listed with what tells them apart', () => {
	expect(refusalOf(names, 'Bakery East')).toBe(
		'2 locations are called "Bakery East": Bakery East, Boston, 1 Mill Street (loc_1); Bakery East, Salem, 2 Elm Road (loc_2)',
	);
});

test('a text of any length, and names of thousands, are found in no time', () => {
	const same = Array.from({ length: 3_000 }, (_, id) => ({
		id: `${id}`,
		name: 'Same',
		city: `Town ${id}`,
	}));
	const large = new Directory(same);
	expect(find(large, 'Same, Town 2999')).toEqual(['2999']);
	expect(find(large, 'Same'.repeat(100_000))).toEqual([]);
});
