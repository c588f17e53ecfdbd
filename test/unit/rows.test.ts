import type { JsonObject, Matching, ServiceRequest } from '../../nodes/LocalSeo/client';
import { decide } from '../../nodes/LocalSeo/rows/plan/decision';
import { Existing, type Made } from '../../nodes/LocalSeo/rows/plan/existing';
import { matchOf } from '../../nodes/LocalSeo/rows/plan/match';
import { readRow, type Row } from '../../nodes/LocalSeo/rows/read/row';
import type { Source } from '../../nodes/LocalSeo/rows/read/source';
import { stopOf } from '../../nodes/LocalSeo/rows/report/hints';
import { location, operationOf, post, type Resource } from '../../nodes/LocalSeo/resources';
import type { InputError } from '../../nodes/LocalSeo/text/inputError';

// A row is a plain value once it is read: none of these tests needs n8n.

const createPost = operationOf(post, 'create');

function sourceOf(columns: JsonObject, options: JsonObject = {}, more: JsonObject = {}): Source {
	const parameters: JsonObject = { fields: { mappingMode: 'autoMapInputData' }, options, ...more };
	return {
		...{ rows: [{ json: columns }], index: 0, item: 0, hasErrorOutput: false },
		...{ columns, panel: { locationId: '={{ $json.location_id }}', options, ...more } },
		...{ zone: 'Europe/Berlin', run: 'run 1' },
		parameter: (name, fallback) => parameters[name] ?? fallback,
		picked: (name) => (name === 'locationId' ? columns.location_id : ''),
		explain: (thrown) => thrown as Error,
	};
}

describe('a row is read once, into one value', () => {
	const columns = {
		location_id: 'loc_1',
		title: 'Open on Sunday',
		'Publish At': '24.12.2026 10:00',
		row_number: 3,
	};

	test('with its request, and what tells it from other rows', () => {
		const row = readRow(sourceOf(columns), post, createPost, false);
		expect(row.request).toEqual({
			method: 'POST',
			path: '/locations/{locationId}/posts',
			ids: { locationId: 'loc_1' },
			query: {},
			noun: 'content post',
		});
		expect(row).toMatchObject({
			...{ columns, ifExists: 'skip', whenToPublish: 'scheduled', publishTime: 'publish_at' },
			...{ key: { run: 'run 1', row: 0 }, mapping: { isAutomatic: true, mapped: [], added: [] } },
		});
		expect(row.problems.error).toBeUndefined();
	});

	test.each([undefined, '', null, 'soon', -1])(
		'a Max Wait of %p is none: the usual one, which is shorter for a tool',
		(maxWait) => {
			const patience = (isTool: boolean) =>
				readRow(sourceOf(columns, { maxWait }), post, createPost, isTool).patienceMs;
			expect(patience(false)).toBe(300_000);
			expect(patience(true)).toBe(30_000);
		},
	);

	test('where parallel calls of a tool share their place, by what they send', () => {
		const fields = (title: string) => ({ mappingMode: 'defineBelow', value: { title } });
		const [one, same, other] = ['Open on Sunday', 'Open on Sunday', 'Open on Monday'].map(
			(title) => readRow(sourceOf({}, {}, { fields: fields(title) }), post, createPost, true).key,
		);
		expect(one).toEqual(same);
		expect(one).not.toEqual(other);
	});

	/** What is said of a row of a post whose fields are mapped to columns of the same name. */
	function refusalOf(columns: JsonObject, value: JsonObject, expressions: JsonObject): InputError {
		const source = sourceOf(columns, {}, { fields: { mappingMode: 'defineBelow', value } });
		source.panel.fields = { mappingMode: 'defineBelow', value: expressions };
		return readRow(source, post, createPost, false).problems.error as InputError;
	}

	test('of which all that is wrong is said at once', () => {
		const wrong = { location_id: '', summary: '#REF!', note: 'undefined', When: 'next Friday' };
		const value = { title: 'Open', summary: '#REF!', note: 'undefined', publish_at: '' };
		const { message, description } = refusalOf(wrong, value, {
			...{ title: 'Open', summary: '={{ $json.summary }}', note: '={{ $json.note }}' },
			publish_at: '={{ DateTime.fromISO($json.When).toISO() }}',
		});
		expect(message).toBe(
			'The location ID is empty: the row has nothing in "location_id". ' +
				'summary: #REF! is the error of a formula. ' +
				'note: undefined stands in place of a value. ' +
				'publish_at: the expression came out empty, and its column "When" has "next Friday".',
		);
		expect(description).toMatch(/^This row was not sent\. .*Correct the formula\./);
	});

	test('of which a broken value is said once: its expression did not come out empty', () => {
		const cells = { title: '#REF!', content: 'undefined' };
		const { message } = refusalOf({ location_id: 'loc_1', ...cells }, cells, {
			title: '={{ $json.title }}',
			content: '={{ $json.content }}',
		});
		expect(message).toBe(
			'title: #REF! is the error of a formula. content: undefined stands in place of a value.',
		);
	});

	test.each<[unknown, string, string]>([
		[2 ** 60, 'is a number that cannot be kept exactly', 'Write IDs as text'],
		[{ id: 'loc_1' }, 'is an object: {"id":"loc_1"}', 'Map the part of it that holds the ID.'],
		[['loc_1', 'loc_2'], 'has several values: ["loc_1","loc_2"]', 'Split the row first'],
		['loc\u200b_1', 'has an invisible character', 'Retype the cell.'],
	])('with one ID of its location, and not %j', (location_id, what, advice) => {
		const { problems } = readRow(sourceOf({ location_id }), post, createPost, false);
		const { message, description } = problems.error as InputError;
		expect(message).toContain(`The location ID ${what}`);
		expect(description).toContain(advice);
	});

	test('with a Date Order that there is', () => {
		const source = sourceOf(columns, { dateOrder: 'year' });
		expect(() => readRow(source, post, createPost, false)).toThrow(
			"'Date Order' must be ask, day or month",
		);
	});

	test('in a time zone that there is', () => {
		const source = { ...sourceOf(columns), zone: 'Pacific' };
		expect(() => readRow(source, post, createPost, false)).toThrow(
			'There is no time zone "Pacific"',
		);
	});
});

describe('a row is compared with what exists', () => {
	const there = { id: 'loc_1', name: 'Bakery East', address: '1 Main St', city: 'Boston' };
	const ofLocation: Matching = { fields: ['name', 'address'] };
	const list = (records: JsonObject[]) => new Existing({ records, endsWithRepeat: false } as never);

	/** What is decided about a row with some fields. */
	function decided(
		fields: JsonObject,
		{
			ifExists = 'skip' as Row['ifExists'],
			resource = location as Resource,
			records = [there] as JsonObject[],
			matching = ofLocation,
			matchFields = [] as string[],
			made = undefined as Made | undefined,
			known = undefined as JsonObject | undefined,
		} = {},
	) {
		const operation = operationOf(resource, ifExists === 'update' ? 'upsert' : 'create');
		const { method, url: path } = operation.routing.request;
		const request: ServiceRequest = {
			...{ method, path, ids: {}, query: {}, noun: resource.noun, body: fields },
		};
		const row = { resource, operation, ifExists, matchFields, zone: 'Europe/Berlin' } as Row;
		const match = matchOf(row, matching, fields, list(records), new Set());
		return decide(match, request, made, known);
	}
	const own = { name: 'Bakery East', address: '1 Main St' };
	const other = { name: 'Bakery West', address: '2 Main St' };

	test('is not updated if its record has no ID', () => {
		const nameless = [{ ...own, city: 'Leeds' }];
		const row = { ...own, city: 'York' };
		expect(() => decided(row, { records: nameless, ifExists: 'update' })).toThrow('has no ID');
	});

	test.each([
		['is skipped if its record exists', own, 'skip', { action: 'skip', record: there }],
		['is created if it does not', other, 'skip', { action: 'create', request: { body: other } }],
		['changes nothing that is the same', own, 'update', { action: 'unchanged', record: there }],
		[
			'changes the fields that differ, also in a zero',
			{ ...own, city: '0Boston' },
			'update',
			{
				action: 'update',
				request: { method: 'PATCH', ids: { locationId: 'loc_1' }, body: { city: '0Boston' } },
			},
		],
	] as const)('and %s', (_, fields, ifExists, decision) => {
		expect(decided(fields, { ifExists })).toMatchObject(decision);
	});

	test('and only what is equal as text is unchanged', () => {
		const old = { ...there, zip: '01060', note: 'Fish &amp; chips', at: '2027-12-24T10:00:00Z' };
		const row = { ...own, zip: '1060', note: 'Fish & chips', at: '2027-12-24T11:00:00+01:00' };
		expect(decided(row, { ifExists: 'update', records: [old] })).toMatchObject({
			action: 'update',
			request: { body: { zip: '1060', note: 'Fish & chips' } },
		});
	});

	test('and asked about beside one that differs in punctuation and zeros alone: it could not be deleted again', () => {
		for (const address of ['1, Main St.', '01 main st']) {
			for (const ifExists of ['skip', 'update'] as const) {
				expect(() => decided({ ...own, address }, { ifExists })).toThrow(
					'A similar location already exists: Bakery East, Boston (loc_1)',
				);
			}
		}
	});

	test('and refused where several match', () => {
		const twin = { ...there, id: 'loc_2' };
		expect(() => decided(own, { ifExists: 'update', records: [there, twin] })).toThrow(
			'2 locations match this row: Bakery East, Boston (loc_1); Bakery East, Boston (loc_2)',
		);
	});

	test('and refused where no record shows what is compared', () => {
		const bare = { id: 'loc_1', name: 'Bakery East' };
		expect(() => decided(own, { records: [bare] })).toThrow(
			'None of the existing locations shows address',
		);
	});

	describe('a post', () => {
		const old = { id: 'post_1', title: 'Sale', content: 'Now', publish_at: '2027-12-24T09:00:00Z' };
		const fields = { title: 'Sale', content: 'Now', publish_at: '2028-01-07T09:00:00Z' };
		const matching = { fields: ['title', 'content', 'publish_at'], time: 'publish_at' };
		const ofPost = { resource: post, records: [old], matching };

		test('with the same texts at another time is asked about, unless the user has chosen the fields', () => {
			expect(() => decided(fields, ofPost)).toThrow(
				/^A content post with this title and content is there for .*Dec.* 24.*2027.*; the row says .*Jan.* 7.*2028/,
			);
			const matchFields = matching.fields;
			expect(decided(fields, { ...ofPost, matchFields }).action).toBe('create');
		});

		test('with the same time and one text of several is asked about', () => {
			const edited = { ...old, content: 'Now, and tomorrow' };
			expect(() => decided(edited, ofPost)).toThrow(
				/^A content post with this title is there for .*, with another content$/,
			);
		});

		test('with other texts is another one, and one with all of them is there', () => {
			const party = { ...fields, title: 'Party', content: 'Then' };
			expect(decided(party, ofPost).action).toBe('create');
			expect(decided({ ...party, publish_at: old.publish_at }, ofPost).action).toBe('create');
			const same = { ...fields, publish_at: '2027-12-24T10:00:00+01:00' };
			expect(decided(same, ofPost)).toEqual({
				action: 'skip',
				record: old,
			});
		});

		test.each([
			['a link', { content: 'Now: https://example.com' }],
			['an emoji', { content: 'Now 🎉' }],
			['a longer text', { content: 'Now and then' }],
		])('with %s more and the same title is another one, at another time', (_, more) => {
			expect(decided({ ...fields, ...more }, ofPost).action).toBe('create');
		});
	});

	test('and with what another row makes, in a dry run without an ID', () => {
		const made = { row: 0, record: { ...other, city: 'Salem' }, isPlanned: true };
		const bare = { row: 0, record: { ...other } };
		expect(decided(other, { ifExists: 'update', made: bare }).action).toBe('unchanged');
		const of = (city: string) => decided({ ...other, city }, { ifExists: 'update', made });
		expect(of('Salem').action).toBe('unchanged');
		expect(of('Lynn')).toMatchObject({
			action: 'update',
			request: { ids: {}, body: { city: 'Lynn' } },
		});
	});

	test('and with what this process has created, though the list does not show it', () => {
		const known = { id: 'loc_2', ...other };
		expect(decided(other, { known })).toEqual({ action: 'skip', record: known });
		const nameless = {
			known: { ...other },
			ifExists: 'skip' as const,
			records: [{ name: 'x', address: 'y' }],
		};
		expect(decided(other, nameless)).toMatchObject({ action: 'skip' });
	});
});

test('a run in which rows fail is told in one error', () => {
	const failure = { message: 'There is no such location', description: 'Check the ID.' };
	const ends = [
		{ items: [], includesInput: false, outcome: 'done' as const, notes: [] },
		{ items: [], includesInput: false, outcome: 'failed' as const, failure, notes: [] },
	];
	const stop = stopOf({
		...{ resource: post, operation: createPost, rows: [{ json: {} }, { json: {} }], ends },
		...{ isRepeatable: true, isFiltered: false, hasErrorOutput: false, zone: 'UTC' },
	});
	expect(stop?.words.message).toBe(
		'1 of 2 items failed; 1 was posted. Item 2: There is no such location',
	);
	expect(stop?.words.description).toContain('You can safely run all items again');
});
