import type { INodeParameters } from 'n8n-workflow';

import { readPaging, readPatience, readRequest } from '../../nodes/LocalSeo/rows/readRequest';
import { refusalOf, rowContext } from '../support/rowContext';

const PICK = 'Pick a location from the list, or check the expression for its ID.';
const USE_ANOTHER =
	'Use the column that holds the ID of the location, or set Location to By Name and use the one that holds its name. If all rows are for one location, pick it from the list.';
const POSTS = '/locations/{locationId}/posts';
/** As they are resolved for the row; `node` is what the node itself holds. */
function contextOf(parameters: object, rows: object[] = [{}], node: object = parameters) {
	const all = { resource: 'post', operation: 'getAll', options: {}, ...parameters };
	const context = rowContext({ parameters: all as INodeParameters, rows });
	return Object.assign(context, { getNode: () => ({ parameters: node }) });
}

describe('a request', () => {
	const byRow = { locationId: { mode: 'id', value: '={{ $json.location_id }}' } };
	const read = (locationId: unknown, rows: object[] = [{}], node: object = byRow) =>
		readRequest(contextOf({ locationId }, rows, node), { method: 'GET', url: POSTS });

	test('has its method, its path, its IDs, and no body where it reads', () => {
		expect(read(' loc_1 ')).toEqual({
			method: 'GET',
			path: POSTS,
			ids: { locationId: 'loc_1' },
			query: {},
			body: undefined,
			noun: 'content post',
		});
		expect(readRequest(contextOf({}), {})).toMatchObject({ method: 'GET', path: '', ids: {} });
	});

	test('has the ID that was picked from a list', () => {
		expect(read({ __rl: true, mode: 'list', value: 'loc_1' }).ids).toEqual({ locationId: 'loc_1' });
	});

	test.each(['POST', 'PATCH'])('has a body with %s', (method) => {
		const json = { dataToSend: 'json', jsonBody: '{"title":"A"}' };
		expect(readRequest(contextOf(json), { method, url: '/posts' }).body).toBe('{"title":"A"}');
		const wrong = contextOf({ ...json, jsonBody: '' });
		expect(() => readRequest(wrong, { method, url: '/posts' })).toThrow('JSON');
		expect(readRequest(wrong, { method: 'DELETE', url: '/posts' }).body).toBeUndefined();
	});

	test('goes on without what cannot be read, where that is only noted', () => {
		const noted: string[] = [];
		const attempt = <T>(part: () => T): T | undefined => {
			try {
				return part();
			} catch (error) {
				noted.push((error as Error).message);
				return undefined;
			}
		};
		const options = { queryParameters: { parameters: [{ name: '', value: 'x' }] } };
		const context = contextOf({ locationId: '', dataToSend: 'json', jsonBody: '[]', options });
		expect(readRequest(context, { method: 'POST', url: POSTS }, attempt)).toEqual({
			method: 'POST',
			path: POSTS,
			ids: { locationId: '' },
			query: {},
			body: undefined,
			noun: 'content post',
		});
		expect(noted).toEqual([
			'The location ID is empty',
			'A query parameter has no name',
			'The JSON body must be a non-empty object',
		]);
	});

	test.each<[string, object[], string]>([
		[
			'is empty in this row',
			[{ location_id: ' ', title: 'A' }],
			`The column "location_id" of this row is empty. ${PICK}`,
		],
		[
			'is empty here, and not in another row',
			[{ title: 'A' }, { location_id: 'loc_1' }],
			`The column "location_id" of this row is empty. ${PICK}`,
		],
		[
			'is empty, as is the whole row of a sheet',
			[{ location_id: '', title: ' ' }, { location_id: 'loc_1' }],
			'The row is empty. Remove it from the sheet.',
		],
		['holds nothing, as no row has columns', [{}], `The row is empty. ${PICK}`],
		[
			'is missing',
			[{ Location: 'loc_1', title: 'A' }],
			`The row has no column "location_id", only: Location, title. ${USE_ANOTHER}`,
		],
		[
			'is one of several in one column',
			[{ 'location_id; title': 'loc_1;A' }],
			'The columns of the file are separated by semicolons. In the step that extracts the rows, add the option Delimiter and enter a semicolon.',
		],
		[
			'is missing, with another in one column',
			[{ 'id;title': 'x' }],
			`The row has no column "location_id", only: id;title. ${USE_ANOTHER}`,
		],
		[
			'is one of several in one column, with a space before it',
			[{ 'title; location_id': 'A;loc_1' }],
			'The columns of the file are separated by semicolons. In the step that extracts the rows, add the option Delimiter and enter a semicolon.',
		],
		[
			'is missing, where two columns have a semicolon in their names',
			[{ 'location_id;title': 'A', city: 'Leeds' }],
			`The row has no column "location_id", only: location_id;title, city. ${USE_ANOTHER}`,
		],
		...['\ufefflocation_id', 'location_id '].map((heading): [string, object[], string] => [
			`is there as ${JSON.stringify(heading)}`,
			[{ [heading]: 'loc_1', title: 'A' }],
			'The heading of the column "location_id" has an invisible character before or after its name. Write it anew in the file.',
		]),
		[
			'is there in a later row, which is looked at',
			[...Array.from({ length: 999 }, () => ({ title: 'A' })), { location_id: 'loc_1' }],
			`The column "location_id" of this row is empty. ${PICK}`,
		],
		[
			'is there in a row so much later that it is not looked at',
			[...Array.from({ length: 1_000 }, () => ({ title: 'A' })), { location_id: 'loc_1' }],
			`The row has no column "location_id", only: title. ${USE_ANOTHER}`,
		],
		['holds an object', [{ location_id: { a: 1 } }], PICK],
		['holds a text, of which the expression makes nothing', [{ location_id: 'loc_1' }], PICK],
	])('says where its ID should have come from: the column %s', (_, rows, why) => {
		expect(refusalOf(() => read('', rows))).toEqual(['The location ID is empty', why]);
	});

	test('says that the file was read in another encoding than its own', () => {
		const locationId = { mode: 'name', value: 'Sanit\ufffdr Hartmann' };
		expect(refusalOf(() => read(locationId.value, [{}], { locationId }))).toEqual([
			'The location name lacks letters: there is a "\ufffd" in their place',
			'Nothing was sent. Save the file as "CSV UTF-8" or as an Excel workbook, and read it again.',
		]);
	});

	test('says that a name is missing where it is asked for by its name', () => {
		expect(refusalOf(() => read('', [{}], { locationId: { mode: 'name', value: '' } }))).toEqual([
			'The location name is empty',
			'Pick a location from the list, or check the expression for its name.',
		]);
	});

	test.each([undefined, null, {}, ['loc_1'], NaN])('takes %p for no ID', (value) => {
		if (Number.isNaN(value)) expect(read(value).ids).toEqual({ locationId: 'NaN' });
		else expect(() => read(value)).toThrow('The location ID is empty');
	});
});

describe('how many records of a list are read', () => {
	const read = (parameters: object) => readPaging(contextOf(parameters));

	test('is all, or as many as the user wants', () => {
		expect(read({ returnAll: true, limit: 5 }).limit).toBeUndefined();
		expect(read({ returnAll: false, limit: 5 }).limit).toBe(5);
		expect(read({ operation: 'create', returnAll: false, limit: 5 }).limit).toBeUndefined();
	});

	test.each([0, -1, 2.5, 'ten', undefined])('is not %p', (limit) => {
		expect(refusalOf(() => read({ limit }))).toEqual([
			'Limit must be a whole number of 1 or more',
			`The current value is ${JSON.stringify(limit)}.`,
		]);
	});

	test('and in pages of which size, is checked where it is set', () => {
		expect(read({ limit: 1, options: { pageSize: 50 } })).toMatchObject({ pageSize: 50, limit: 1 });
		expect(read({ limit: 1, options: { pageSize: 0 } }).pageSize).toBeUndefined();
		expect(refusalOf(() => read({ limit: 1, options: { pageSize: -5 } }))[0]).toBe(
			'Technical: Page Size must be a whole number of 1 or more',
		);
	});
});

test.each([
	[10, 10_000],
	[0, 0],
	['2', 2_000],
	[undefined, 300_000],
	[-1, 300_000],
	['soon', 300_000],
])('Max Wait %p is a patience of %d ms', (maxWait, ms) => {
	expect(readPatience(contextOf({ options: { maxWait } }))).toBe(ms);
});

describe('query parameters', () => {
	const read = (parameters: object[], method = 'GET', more: object = {}) =>
		readRequest(contextOf({ options: { queryParameters: { parameters }, ...more } }), {
			method,
			url: '/locations',
		}).query;

	test('are lists of texts by their names, also where a name is there twice', () => {
		expect(
			read([
				{ name: ' from ', value: '2026-01-01' },
				{ name: 'tag', value: ['a', 7] },
				{ name: 'tag', value: true },
				{ name: 'empty', value: '' },
			]),
		).toEqual({ from: ['2026-01-01'], tag: ['a', '7', 'true'], empty: [''] });
		expect(readRequest(contextOf({ options: { queryParameters: {} } }), {}).query).toEqual({});
	});

	test.each<[string, object, string, string]>([
		['no name', { value: 1 }, 'A query parameter has no name', 'Enter its name, or remove it.'],
		[
			'a name that n8n drops',
			{ name: 'constructor', value: 1 },
			'A query parameter cannot be called "constructor"',
			'n8n does not send parameters of this name. Remove it.',
		],
		[
			'no value',
			{ name: 'a' },
			'The query parameter "a" has no value',
			'Check its expression, or remove it.',
		],
		[
			'an empty list',
			{ name: 'a', value: [] },
			'The query parameter "a" has no value',
			'Check its expression, or remove it.',
		],
		[
			'nothing in its list',
			{ name: 'a', value: [1, null] },
			'The query parameter "a" has no value',
			'Check its expression, or remove it.',
		],
		[
			'an invalid date',
			{ name: 'a', value: new Date(NaN) },
			'The query parameter "a" is an invalid date',
			'Nothing was sent. Use text, a number, true or false, a date, or a list or an object of these.',
		],
		[
			'an object',
			{ name: 'a', value: { b: 1 } },
			'The query parameter "a" is an object',
			'Enter text, a number, or a list of these.',
		],
		[
			'a list in its list',
			{ name: 'a', value: [[1]] },
			'The query parameter "a" contains a list',
			'Enter text, a number, or a list of these.',
		],
		[
			'the page',
			{ name: 'page', value: 2 },
			'The query parameter "page" selects the page, which the node does itself',
			'Remove it, and set Limit or Return All. If the service uses this name for something else, change the option Technical: Page Parameter.',
		],
		[
			'the page size',
			{ name: 'per_page', value: 2 },
			'The query parameter "per_page" sets the page size, which the node does itself',
			'Remove it, and set the option Technical: Page Size. If the service uses this name for something else, change the option Technical: Page Size Parameter.',
		],
	])('with %s are refused', (_, parameter, message, description) => {
		expect(refusalOf(() => read([parameter]))).toEqual([message, description]);
	});

	test.each(['__proto__', 'prototype'])('cannot be called %s', (name) => {
		expect(() => read([{ name, value: 1 }])).toThrow(`cannot be called "${name}"`);
	});

	test('may be called like the page where nothing is paged, or where pages are called otherwise', () => {
		expect(read([{ name: 'page', value: 2 }], 'DELETE')).toEqual({ page: ['2'] });
		expect(read([{ name: 'page', value: 2 }], 'GET', { pageParameter: 'p' })).toEqual({
			page: ['2'],
		});
		expect(() => read([{ name: 'p', value: 2 }], 'GET', { pageParameter: 'p' })).toThrow('page');
	});
});
