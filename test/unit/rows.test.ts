import type { JsonObject, ServiceRequest } from '../../nodes/LocalSeo/client';
import { Existing } from '../../nodes/LocalSeo/rows/plan/existing';
import type { MatchedRow } from '../../nodes/LocalSeo/rows/plan/match';
import { planOf } from '../../nodes/LocalSeo/rows/plan/plan';
import { NO_BODY } from '../../nodes/LocalSeo/rows/read/mapping';
import { readRow } from '../../nodes/LocalSeo/rows/read/row';
import type { Source } from '../../nodes/LocalSeo/rows/read/source';
import { stopOf } from '../../nodes/LocalSeo/rows/tell/report';
import { location, operationOf, post } from '../../nodes/LocalSeo/resources';

// A row is a plain value once it is read: none of these tests needs n8n.

const createPost = operationOf(post, 'create');

function sourceOf(columns: JsonObject, options: JsonObject = {}): Source {
	const parameters: JsonObject = {
		dataToSend: 'fields',
		fields: { mappingMode: 'autoMapInputData' },
		options,
	};
	return {
		...{ rows: [{ json: columns }], index: 0, item: 0, hasErrorOutput: false },
		...{ columns, panel: { locationId: '={{ $json.location_id }}', options } },
		...{ node: 'Posts', zone: 'Europe/Berlin', run: 'run 1' },
		parameter: (name, fallback) => parameters[name] ?? fallback,
		picked: (name) => (name === 'locationId' ? columns.location_id : ''),
		isAlone: () => false,
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
		const { request, ifExists, key, problems } = readRow(
			sourceOf(columns),
			post,
			createPost,
			false,
		);
		expect(request).toEqual({
			method: 'POST',
			path: '/locations/{locationId}/posts',
			ids: { locationId: 'loc_1' },
			query: {},
			body: { title: 'Open on Sunday', publish_at: '2026-12-24T10:00:00+01:00' },
			noun: 'content post',
		});
		expect([ifExists, key, problems]).toEqual(['skip', { run: 'run 1', row: 0 }, []]);
	});

	test.each([undefined, '', null, 'soon', -1])(
		'a Max Wait of %p is none: the usual one',
		(maxWait) => {
			const { patienceMs } = readRow(sourceOf(columns, { maxWait }), post, createPost, false);
			expect(patienceMs).toBe(300_000);
		},
	);

	test('where parallel calls of a tool share their place, by what they send', () => {
		const [one, same, other] = [columns, columns, { ...columns, title: 'Open on Monday' }].map(
			(row) => readRow(sourceOf(row), post, createPost, true).key,
		);
		expect(one).toEqual(same);
		expect(one).not.toEqual(other);
	});

	test('of which a dry run notes all that is wrong, where else the first is thrown', () => {
		const wrong = { ...columns, location_id: '', 'Publish At': 'next Friday' };
		expect(() => readRow(sourceOf(wrong), post, createPost, false)).toThrow('location ID is empty');
		const { problems } = readRow(sourceOf(wrong, { dryRun: true }), post, createPost, false);
		expect(problems.map(({ message }) => message)).toEqual([
			'The location ID is empty',
			'The field "publish_at" is not a certain date',
		]);
	});
});

describe('a plan compares a row with what exists', () => {
	const there = { id: 'loc_1', name: 'Bakery East', address: '1 Main St', city: 'Boston' };
	const request: ServiceRequest = {
		...{ method: 'POST', path: '/locations', ids: {}, query: {}, noun: 'location' },
	};
	const matched = (fields: JsonObject, ifExists: MatchedRow['ifExists']): MatchedRow => ({
		existing: new Existing({ records: [there], isCut: false, endsWithRepeat: false, asOf: 0 }),
		...{ resource: location, request: { ...request, body: fields }, mapping: NO_BODY, fields },
		...{ ifExists, matching: { fields: ['name', 'address'] }, isChosen: false, key: 'Bakery East' },
	});
	const own = { name: 'Bakery East', address: '1 Main St' };
	const other = { name: 'Bakery West', address: '2 Main St' };

	test.each([
		['skips a record that exists', own, 'skip', { action: 'skip', record: there }],
		['creates one that does not', other, 'skip', { action: 'create' }],
		['leaves one that is the same', own, 'update', { action: 'unchanged', record: there }],
		[
			'changes the fields that differ',
			{ ...own, city: 'Salem' },
			'update',
			{
				action: 'update',
				request: { method: 'PATCH', ids: { locationId: 'loc_1' }, body: { city: 'Salem' } },
			},
		],
	] as const)('and %s', (_, fields, ifExists, plan) => {
		expect(planOf(matched(fields, ifExists))).toMatchObject(plan);
	});

	test('and asks about one that differs in punctuation and zeros alone: it could not be deleted again', () => {
		for (const address of ['1, Main St.', '01 main st']) {
			for (const ifExists of ['skip', 'update'] as const) {
				const plan = () => planOf(matched({ ...own, address }, ifExists));
				expect(plan).toThrow('A similar location already exists: Bakery East, Boston (loc_1)');
			}
		}
	});

	test('and asks about a post with the same texts at another time, unless the user has chosen the fields', () => {
		const old = { id: 'post_1', title: 'Sale', content: 'Now', publish_at: '2027-12-24T10:00:00Z' };
		const fields = { title: 'Sale', content: 'Now', publish_at: '2028-01-07T10:00:00Z' };
		const match = {
			...{ ...matched(fields, 'skip'), resource: post, request: { ...request, noun: 'post' } },
			existing: new Existing({ records: [old], isCut: false, endsWithRepeat: false, asOf: 0 }),
			matching: { fields: ['title', 'content', 'publish_at'], time: 'publish_at' },
		};
		expect(() => planOf(match)).toThrow(
			'A post with the same title and content already exists (ID post_1)',
		);
		expect(planOf({ ...match, isChosen: true }).action).toBe('create');
		const other = { ...fields, title: 'Party', content: 'Then' };
		expect(planOf({ ...match, fields: other }).action).toBe('create');
		expect(planOf({ ...match, fields: { ...old } })).toEqual({ action: 'skip', record: old });
	});

	test('and with what another row makes, in a dry run without an ID', () => {
		const made = { row: 0, record: { ...other, city: 'Salem' }, isPlanned: true };
		const same = planOf(matched({ ...other, city: 'Salem' }, 'update'), made);
		expect(same.action).toBe('unchanged');
		expect(planOf(matched({ ...other, city: 'Lynn' }, 'update'), made)).toMatchObject({
			action: 'update',
			request: { ids: {}, body: { city: 'Lynn' } },
		});
	});

	test('and with what this process has created, though the list does not show it', () => {
		const known = { id: 'loc_2', ...other };
		const plan = planOf(matched(other, 'skip'), undefined, known);
		expect(plan).toEqual({ action: 'skip', record: known });
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
		...{ isRepeatable: true, isFiltered: false, hasErrorOutput: false },
	});
	expect(stop?.words.message).toBe(
		'1 of 2 items failed; 1 was posted. Item 2: There is no such location',
	);
	expect(stop?.words.description).toContain('You can safely run all items again');
});
