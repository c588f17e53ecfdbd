import { Directory } from '../../nodes/LocalSeo/lookup/directory';
import type { InputError } from '../../nodes/LocalSeo/text/inputError';

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

test('a location is called by its name, with what tells it from another of the same name', () => {
	const second = { ...salem, id: 'loc_4', address: '5 High Street' };
	const twin = { ...second, id: 'loc_5' };
	const namesOf = (...records: object[]) => {
		const directory = new Directory(records as never);
		expect(directory.locations.map(({ id }) => directory.nameOf(id))).toEqual(
			directory.locations.map(({ name }) => name),
		);
		return directory.locations.map(({ name }) => name);
	};
	expect(namesOf(east, cafe)).toEqual(['Bakery East', 'Café Müller & Söhne']);
	expect(namesOf(east, salem)).toEqual(['Bakery East, Boston', 'Bakery East, Salem']);
	expect(namesOf({ ...east, name: 'BAKERY EAST' }, salem)[0]).toBe('BAKERY EAST, Boston');
	expect(namesOf({ ...east, city: '' }, salem)).toEqual(['Bakery East', 'Bakery East, Salem']);
	// IDs tell these apart.
	expect(namesOf(second, twin)).toEqual(['Bakery East, Salem', 'Bakery East, Salem']);
	expect(names.nameOf('loc_9')).toBeUndefined();
});

test.each([
	'Café Müller & Söhne',
	'cafe muller & sohne',
	'  CAFÉ   MÜLLER & SÖHNE ',
	'Cafe\u0301 Mu\u0308ller & So\u0308hne',
	'Cafe Müller & Söhne, Lodz',
	'CAFÉ MÜLLER & SÖHNE,  ŁÓDŹ',
	'loc_3',
])('%p is the location', (given) => {
	expect(find(names, given)).toEqual(['loc_3']);
});

test.each([
	['Bakery East', ['loc_1', 'loc_2']],
	['bakery east, boston', ['loc_1']],
	['Bakery  EAST,\nSalem', ['loc_2']],
	['Bakery East Salem', []],
	['Bakery East, 2 Elm Road', []],
	['Bakery-East, Boston', []],
	['cafe muller sohne', []],
	['“Café Müller” & Söhne', []],
	['Café Müller & Söhne, Łódź, PL', []],
	['Bakery East, Lynn', []],
	['Boston', []],
	['Bakery', []],
	['LOC_3', []],
	['', []],
])('%p names %p', (given, ids) => {
	expect(find(names, given)).toEqual(ids);
});

test.each([
	['Studio 1.5', 'Studio 15'],
	['A+ Plumbing', 'A Plumbing'],
	['दिल्ली', 'दुल्ली'],
	['Bakery East', 'Bakery West'],
])('%p is not found where there is only %p', (given, other) => {
	expect(find(new Directory([{ id: 'b', name: other }]), given)).toEqual([]);
});

test('a name goes before an ID', () => {
	const tricky = new Directory([
		{ id: 'a', name: 'Bakery' },
		{ id: 'c', name: 'a' },
	]);
	expect(find(tricky, 'a')).toEqual(['c']);
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

test('those that share a name are listed with what tells them apart', () => {
	expect(refusalOf(names, 'Bakery East')).toBe(
		'2 locations are called "Bakery East": Bakery East, Boston (loc_1); Bakery East, Salem (loc_2)',
	);
});

test('a text that names none gets the three locations that share most words with it', () => {
	const many = new Directory(
		['Old Mill Bakery', 'Mill Bakery', 'Bakery', 'Mill Bakery North', 'Studio'].map((name, at) => ({
			id: `loc_${at}`,
			name,
			city: 'Lynn',
		})),
	);
	expect(many.adviceFor('the OLD mill bäkery')).toBe(
		'There is Old Mill Bakery, Lynn (loc_0); Mill Bakery, Lynn (loc_1); Mill Bakery North, Lynn (loc_3).',
	);
	expect(many.adviceFor('LOC_4')).toBe('There is Studio, Lynn (loc_4).');
	expect(many.adviceFor('Nowhere')).toBe('');
	expect(new Directory([]).adviceFor('Bakery')).toMatch(/^The account has no locations\. /);
	try {
		many.idOf('mill');
	} catch (error) {
		expect((error as InputError).description).toMatch(/^Correct it\. There is /);
	}
	expect.assertions(5);
});

test('however many locations there are, a name that none has is said', () => {
	const many = Array.from({ length: 130_000 }, (_, at) => ({
		id: `loc_${at}`,
		name: `Shop ${at}`,
	}));
	expect(refusalOf(new Directory(many), 'Nowhere')).toBe('No location is called "Nowhere"');
});

test('however long names are, the message has a hundred characters of each', () => {
	const long = new Directory(
		['a', 'b', 'c'].map((id) => ({ id, name: `Bakery ${'x'.repeat(1_000_000)} ${id}` })),
	);
	expect(refusalOf(long, 'Bakery').length).toBeLessThan(600);
});
