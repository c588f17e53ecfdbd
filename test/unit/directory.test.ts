import type { JsonObject } from '../../nodes/LocalSeo/client';
import { Directory } from '../../nodes/LocalSeo/lookup/directory';

const east = { id: 'loc_1', name: 'Bakery East', city: 'Boston', address: '1 Mill Street' };
const salem = { id: 'loc_2', name: 'Bakery East', city: 'Salem', address: '2 Elm Road' };
const cafe = { id: 'loc_3', name: 'Café Müller & Söhne', city: 'Łódź', country: 'PL' };
const named = (names: string[]) => names.map((name, at) => ({ id: `loc_${at}`, name }));

/** The ID of the location that a text names, or what is said of a text that names none or several. */
function found(records: JsonObject[], given: string): string {
	try {
		return new Directory(records).idOf(given);
	} catch (error) {
		return (error as Error).message;
	}
}

test.each<[JsonObject[], string]>([
	[[east, cafe], 'Bakery East | Café Müller & Söhne'],
	[[east, salem], 'Bakery East, Boston | Bakery East, Salem'],
	// IDs tell these apart.
	[[salem, { ...salem, id: 'loc_5' }], 'Bakery East, Salem | Bakery East, Salem'],
])('%j are called %s', (records, names) => {
	const directory = new Directory(records);
	expect(records.map(({ id }) => directory.nameOf(String(id))).join(' | ')).toBe(names);
	expect(records.map(({ id }) => directory.ownNameOf(String(id)))).toEqual(
		records.map(({ name }) => name),
	);
	expect(directory.nameOf('loc_9')).toBeUndefined();
});

const LISTED = 'Bakery East, Boston (loc_1); Bakery East, Salem (loc_2)';
test.each([
	...['Café Müller & Söhne', 'cafe muller & sohne', '  CAFÉ   MÜLLER & SÖHNE ', 'loc_3'].map(
		(given) => [given, 'loc_3'],
	),
	['Cafe\u0301 Mu\u0308ller & So\u0308hne', 'loc_3'],
	['Cafe Müller & Söhne, Lodz', 'loc_3'],
	// A city tells locations of one name apart; without it they are listed.
	['bakery east, boston', 'loc_1'],
	['Bakery  EAST,\nSalem', 'loc_2'],
	['Bakery East', `2 locations are called "Bakery East": ${LISTED}`],
])('%p is the location %s', (given, id) => {
	expect(found([east, salem, cafe], given)).toBe(id);
});

test.each([
	...['Bakery East Salem', 'Bakery East, 2 Elm Road', 'Bakery-East, Boston', 'cafe muller sohne'],
	...['“Café Müller” & Söhne', 'Café Müller & Söhne, Łódź, PL', 'Bakery East, Lynn', 'Boston'],
	...['Bakery', 'LOC_3', '', 'No ID', 'Studio 1.5', 'A+ Plumbing', 'दिल्ली'],
])('%p names none: nothing like it is taken', (given) => {
	const others = named(['Studio 15', 'A Plumbing', 'दुल्ली']).map((one) => ({ ...one, id: 'x' }));
	const records = [east, salem, cafe, { name: 'No ID' }, ...others];
	expect(found(records, given)).toMatch(/^(No location is called|Location is empty)/);
});

// A name goes before an ID.
const BY_NAME = [...named(['Bakery', 'loc_0']), { id: 7, name: 12 }, { id: 'a' }];
test.each([
	['loc_0', 'loc_1'],
	['12', '7'],
	['7', '7'],
])('%p is %p', (given, id) => expect(found(BY_NAME, given)).toBe(id));

test.each([
	[
		'the OLD mill bäkery',
		'There is Old Mill Bakery (loc_0); Mill Bakery (loc_1); Mill Bakery B (loc_3).',
	],
	['Nowhere', ''],
])('%p names none, and gets the three that share most words with it: %s', (given, advice) => {
	const names = named(['Old Mill Bakery', 'Mill Bakery', 'Bakery', 'Mill Bakery B', 'Studio']);
	const directory = new Directory(names);
	expect(directory.adviceFor(given)).toBe(advice);
	expect(new Directory([]).adviceFor(given)).toMatch(/^The account has no locations\. /);
	const description = expect.stringContaining(`Correct it. ${advice}`);
	if (advice) expect(() => directory.idOf(given)).toThrow(expect.objectContaining({ description }));
});

test('however many locations there are, and however long their names, the message is short', () => {
	const many = named(Array.from({ length: 130_000 }, (_, at) => `Shop ${at}`));
	expect(found(many, 'Nowhere')).toBe('No location is called "Nowhere"');
	const long = named(['a', 'b'].map((end) => `Bakery ${'x'.repeat(1_000_000)} ${end}`));
	expect(new Directory(long).adviceFor('Bakery').length).toBeLessThan(600);
});
