import { Collection } from '../../nodes/LocalSeo/client/lists/collection';

const a = { id: 'a' };
const b = { id: 'b' };
const c = { id: 'c' };
const d = { id: 'd' };

describe('records of several pages', () => {
	test('are kept in their order, and how many were new is counted', () => {
		const collection = new Collection([a, b]);
		expect(collection.add([c, d])).toBe(2);
		expect(collection.records).toEqual([a, b, c, d]);
		expect(collection.size).toBe(4);
	});

	test('are kept once each, also where one has changed between two pages', () => {
		const collection = new Collection([a, b]);
		expect(collection.add([{ ...b, name: 'changed' }, c])).toBe(1);
		expect(collection.records).toEqual([a, b, c]);
	});

	test('are kept once each where one page has the same record twice', () => {
		const collection = new Collection([a, a, b]);
		expect(collection.add([b, c])).toBe(1);
		expect(collection.records).toEqual([a, b, c]);
	});

	test('have the place of their page', () => {
		const collection = new Collection([a, d]);
		expect(collection.add([b, c], 1)).toBe(2);
		expect(collection.records).toEqual([a, b, c, d]);
	});
});

describe('records without an ID', () => {
	const row = { name: 'a' };

	test('are kept as often as they come', () => {
		const collection = new Collection([row, row]);
		expect(collection.add([row])).toBe(1);
		expect(collection.records).toEqual([row, row, row]);
	});

	test('are not kept again where a whole page comes again', () => {
		const collection = new Collection([row, row]);
		expect(collection.add([row, row])).toBe(0);
		expect(collection.records).toEqual([row, row]);
	});

	test('do not keep those with an ID from being known', () => {
		const collection = new Collection([row, { name: 'b' }, a]);
		expect(collection.add([a, b])).toBe(1);
		expect(collection.records).toEqual([row, { name: 'b' }, a, b]);
	});
});

describe('rows of a table', () => {
	test('are all kept, although each has the ID of what they are about', () => {
		const rows = [1, 2, 3, 4].map((day) => ({ id: 'loc_1', day }));
		const collection = new Collection(rows.slice(0, 2));
		expect(collection.add(rows.slice(2))).toBe(2);
		expect(collection.records).toEqual(rows);
	});
});

describe('the dates of records', () => {
	const dated = { id: 'a', created_at: '2026-01-01T00:00:00Z' };

	test('are known if each record has one', () => {
		expect(new Collection([dated]).times).toEqual([Date.UTC(2026, 0, 1)]);
		expect(new Collection([]).times).toEqual([]);
	});

	test('are not known if a single one lacks it', () => {
		expect(new Collection([dated, b]).times).toBeUndefined();
	});
});
