import type { INodeParameters } from 'n8n-workflow';

import { readBody } from '../../nodes/LocalSeo/rows/readBody';
import { refusalOf, rowContext } from '../support/rowContext';

const IDS = { locationId: 'loc_1' };
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const byName = (value: string) => ({ __rl: true, mode: 'name', value });

const read = (parameters: object, row: object = {}, ids: Record<string, string> = IDS) =>
	readBody(
		rowContext({
			parameters: { dataToSend: 'fields', options: {}, ...parameters } as INodeParameters,
			rows: [row],
		}),
		ids,
	);
/** The fields of a row that is mapped automatically. */
const mapped = (row: object, parameters: object = {}, ids?: Record<string, string>) =>
	read({ fields: { mappingMode: 'autoMapInputData', value: null }, ...parameters }, row, ids);
const byHand = (value: object, schema?: object[], more: object = {}) =>
	read({ fields: { mappingMode: 'defineBelow', value, schema }, ...more }, { title: 'Not this' });
const json = (jsonBody: unknown) => read({ dataToSend: 'json', jsonBody });

describe('a row', () => {
	test('is sent with its types, without what is empty', () => {
		const row = {
			title: 'A',
			stars: 0,
			open: false,
			tags: [],
			none: null,
			empty: '',
			gone: undefined,
		};
		expect(mapped(row)).toEqual({ title: 'A', stars: 0, open: false, tags: [] });
		expect(mapped({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
	});

	test('is sent with the names that a person sees: without the space behind a heading', () => {
		const row = { '\ufefftitle': 'A', 'content ': 'B', ' note': 'C', 'row_number ': 3 };
		const options = { excludeColumns: 'note, row_number' };
		expect(mapped(row, { options })).toEqual({ title: 'A', content: 'B' });
		for (const both of [
			{ 'title ': 'A', title: 'B' },
			{ 'title ': 'A', ' title': 'B' },
		]) {
			expect(mapped(both)).toEqual(both);
		}
	});

	test.each([
		['Fr\ufffdhling', '"title"'],
		[{ en: 'Spring', de: ['Fr\ufffdhling'] }, '"title"'],
	])('that was read in another encoding than its own is refused: %j', (title, field) => {
		const refusal = [
			`The field ${field} lacks letters: there is a "\ufffd" in their place`,
			'Nothing was sent. Save the file as "CSV UTF-8" or as an Excel workbook, and read it again.',
		];
		expect(refusalOf(() => mapped({ title }))).toEqual(refusal);
		expect(refusalOf(() => byHand({ title }))).toEqual(refusal);
	});

	test('is not changed by being read', () => {
		const row = { row_number: 2, title: 'A' };
		mapped(row);
		expect(row).toEqual({ row_number: 2, title: 'A' });
	});

	test('with nothing to send is refused', () => {
		expect(refusalOf(() => mapped({ title: '', row_number: 2 }))).toEqual([
			'There is nothing to send: every field is empty',
			'Fill a field, or map the incoming data to the fields. Columns named in the option Exclude Columns are not sent.',
		]);
	});

	test('with a value that JSON has no form for is refused by the name of its column', () => {
		const [message] = refusalOf(() => mapped({ 'Sold at': new Date(NaN) }));
		expect(message).toBe('The field "Sold at" is an invalid date');
	});
});

describe('of the columns of a row', () => {
	test('those that say what the path says are not sent', () => {
		const row = { row_number: 2, locationId: 'a', location_id: 'b', title: 'A' };
		expect(mapped(row)).toEqual({ title: 'A' });
	});

	test('`id` is not sent where it holds the ID in the path', () => {
		expect(mapped({ id: ' loc_1 ', title: 'A' })).toEqual({ title: 'A' });
		expect(mapped({ id: 'post_1', title: 'A' })).toEqual({ id: 'post_1', title: 'A' });
		const empty = { ...IDS, locationId: '' };
		expect(mapped({ title: 'A', id: {} }, {}, empty)).toEqual({ title: 'A' });
	});

	test('one that the ID was read from is not sent where it holds it', () => {
		const locationId = byId('={{ $json.shop }}');
		expect(mapped({ shop: 'loc_1', title: 'A' }, { locationId })).toEqual({ title: 'A' });
		expect(mapped({ shop: 'loc_2', title: 'A' }, { locationId })).toEqual({
			shop: 'loc_2',
			title: 'A',
		});
		// Another column is one of the record, whatever it holds.
		expect(mapped({ branch: 'loc_1' }, { locationId })).toEqual({ branch: 'loc_1' });
	});

	test('those that a name was read from are not sent, but those that only resemble it', () => {
		const locationId = byName('={{ $json.shop }}, {{ $json["City Name"] }}');
		const ids = { locationId: 'Bakery  East, Bad-Homburg' };
		const row = { shop: 'bakery east', 'City Name': ' Bad Homburg', city: 'Bad Homburg' };
		expect(mapped(row, { locationId }, ids)).toEqual({ city: 'Bad Homburg' });
		const quoted = { shop: '"Bakery", (East)', city: 'Bad Homburg' };
		expect(mapped(quoted, { locationId }, ids)).toEqual({ city: 'Bad Homburg' });
		const others = { shop: 'Baker', 'City Name': 'Homburg East' };
		expect(mapped(others, { locationId }, ids)).toEqual(others);
		expect(() => mapped({ shop: ' ', title: 'A' }, { locationId }, ids)).not.toThrow();
		expect(mapped({ shop: ' ', title: 'A' }, { locationId }, ids)).toEqual({
			shop: ' ',
			title: 'A',
		});
	});

	test('those that the user excludes are not sent, and then all others are', () => {
		const options = { excludeColumns: 'secret, note' };
		const row = { secret: 1, note: 2, row_number: 3, location_id: 'a' };
		expect(mapped(row, { options })).toEqual({ row_number: 3, location_id: 'a' });
		expect(mapped({ row_number: 3 }, { options: { excludeColumns: '' } })).toEqual({
			row_number: 3,
		});
	});
});

describe('columns that were filled by hand', () => {
	const schema = [
		{ id: 'stars', displayName: 'Stars', type: 'number' },
		{ id: 'old', displayName: 'Old', type: 'string', removed: true },
		{ id: 'free', displayName: 'Free' },
	];

	test('are sent with the type of the column, without what is empty or removed', () => {
		const value = { stars: '5', old: 'x', free: '12', unknown: '7', none: null, empty: '' };
		expect(byHand(value, schema)).toEqual({ stars: 5, free: '12', unknown: '7' });
		expect(byHand({ stars: '5' })).toEqual({ stars: '5' });
	});

	test('are named in what is said of them', () => {
		expect(refusalOf(() => byHand({ stars: 'many' }, schema))).toEqual([
			'The field "Stars" is not a number',
			'Its value is "many". Nothing was sent. Change the value or the type.',
		]);
		expect(refusalOf(() => byHand({ unknown: 1n }, schema))[0]).toBe(
			'The field "unknown" is a BigInt',
		);
	});

	test('may be none, with a field in the options', () => {
		const options = { additionalFields: { fields: [{ name: 'a', type: 'string', value: 'b' }] } };
		expect(read({ fields: { mappingMode: 'defineBelow', value: null }, options })).toEqual({
			a: 'b',
		});
		expect(refusalOf(() => read({}))[0]).toContain('There is nothing to send');
	});
});

describe('additional fields', () => {
	const withFields = (...fields: object[]) =>
		mapped({ title: 'From the row' }, { options: { additionalFields: { fields } } });

	test('win over the row, with the type that was chosen', () => {
		expect(
			withFields(
				{ name: 'title', type: 'string', value: 7 },
				{ name: 'stars', type: 'number', value: '5' },
			),
		).toEqual({ title: '7', stars: 5 });
	});

	test('are left out if they are empty, but not if they are null as JSON', () => {
		expect(
			withFields(
				{ name: 'a', type: 'string', value: '' },
				{ name: 'b', type: 'string' },
				{ name: 'c', type: 'string', value: null },
				{ name: 'd', type: 'json', value: 'null' },
				{ value: '' },
			),
		).toEqual({ title: 'From the row', d: null });
	});

	test('need a name and a value of their type', () => {
		expect(refusalOf(() => withFields({ type: 'string', value: 'x' }))).toEqual([
			'An additional field has no name',
			'Enter its name, or remove it.',
		]);
		expect(refusalOf(() => withFields({ name: 'stars', type: 'number', value: 'x' }))[0]).toBe(
			'The additional field "stars" is not a number',
		);
	});
});

describe('JSON', () => {
	test('is sent as it was written, without the space around it', () => {
		expect(json(' {"title":  "A"}\n')).toBe('{"title":  "A"}');
	});

	test('may be given as an object', () => {
		expect(json({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
		expect(refusalOf(() => json({ at: new Date(NaN) }))[0]).toBe(
			'The JSON body contains an invalid date, at at',
		);
	});

	test.each([['[1]'], ['{}'], ['null'], ['"text"'], ['7'], [[{ a: 1 }]]])(
		'%j is refused, since it is no object with fields',
		(body) => {
			expect(refusalOf(() => json(body))).toEqual([
				'The JSON body must be a non-empty object',
				'Enter an object with the fields to send, e.g. { "title": "Open on Sunday" }',
			]);
		},
	);

	test.each([
		['', 'It is empty.'],
		[undefined, 'It is empty.'],
		['{"a": 1,}', 'Check line 1, character 9.'],
		['{\n  "a": 1,\n  b: 2\n}', 'Check line 3, character 3.'],
		['{"a": ', 'Unexpected end of JSON input.'],
	])('%j is refused with where it is wrong', (body, where) => {
		expect(refusalOf(() => json(body))).toEqual([
			'The JSON body is not valid JSON',
			`${where} Use double quotes around names and text, and no comma after the last entry.`,
		]);
	});
});
