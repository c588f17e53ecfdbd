import type { INodeParameters } from 'n8n-workflow';

import type { JsonObject, ServiceRequest } from '../../nodes/LocalSeo/client';
import {
	addTo,
	assertKnown,
	assertMatchable,
	chosenMatchFields,
	type Existing,
	existingOf,
	indexOf,
	SimilarExists,
} from '../../nodes/LocalSeo/operation/existing';
import { keyword, post } from '../../nodes/LocalSeo/resources';
import { listService } from '../support/readService';
import { type RowOptions, rowContext } from '../support/rowContext';
import { VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const bread = { id: 'post_1', title: 'Bread', content: 'Fresh every day' };

const newPost = (locationId = 'loc_1', path = '/locations/{locationId}/posts'): ServiceRequest => ({
	method: 'POST',
	path,
	ids: { locationId },
	query: {},
	body: {},
	noun: 'content post',
});

/** Rows of runs against a service that shows these records, and how often it was asked for them. */
function readingOf(records: unknown[]) {
	const { connection, asked } = listService(clock, records);
	const read = async (
		request = newPost(),
		more: Partial<RowOptions> = {},
		options: object = {},
	) => {
		const parameters = { resource: 'post', operation: 'create', options } as INodeParameters;
		const context = rowContext({ parameters, execution: 'run', ...more });
		return await clock.run(existingOf(context, connection, request));
	};
	return { read, asked };
}

describe('the list that a create adds to', () => {
	test('is read once for all rows of a run', async () => {
		const { read, asked } = readingOf([bread]);
		const rows = [{}, {}];
		expect(await read(newPost(), { rows, index: 1 })).toBe(await read(newPost(), { rows }));
		expect(asked).toHaveLength(1);
	});

	test.each<[string, ServiceRequest, Partial<RowOptions>, object]>([
		['another location', newPost('loc_2'), {}, {}],
		['another list', newPost('loc_1', '/locations/{locationId}/keywords'), {}, {}],
		['another run', newPost(), { execution: 'another' }, {}],
		['a dry run, which creates nothing', newPost(), {}, { dryRun: true }],
	])('is another one for %s', async (_, request, more, options) => {
		const { read, asked } = readingOf([bread]);
		expect(await read(request, more, options)).not.toBe(await read());
		expect(asked).toHaveLength(2);
	});

	test('is read for each row outside of executions', async () => {
		const { read, asked } = readingOf([bread]);
		for (let index = 0; index < 2; index++) await read(newPost(), { execution: '' });
		expect(asked).toHaveLength(2);
	});

	test('tells which records and fields there are, whatever else it holds', async () => {
		const { read } = readingOf([bread, 'text', { title: 'Without an ID', image: 'a' }]);
		const { records, seen } = await read();
		expect(records).toEqual([bread, { title: 'Without an ID', image: 'a' }]);
		expect([...seen]).toEqual(['id', 'title', 'content', 'image']);
	});

	test('is kept beside others while they take less than 64 MB, and alone in any case', async () => {
		const keepsFirst = async (records: unknown[]) => {
			const { read } = readingOf(records);
			const first = await read();
			expect(await read()).toBe(first);
			await read(newPost('loc_2'));
			return (await read()) === first;
		};
		expect(await keepsFirst([bread])).toBe(true);
		// A list takes three times its text, with the indexes.
		expect(await keepsFirst([{ ...bread, content: 'x'.repeat(22 * 1024 * 1024) }])).toBe(false);
	});
});

describe('an index of what exists', () => {
	const existing = (): Existing => ({
		records: [{ ...bread }],
		elsewhere: new Set(),
		seen: new Set(),
		indexes: new Map(),
		created: new Map(),
		inDoubt: new Map(),
		bytes: 0,
	});

	test('is made once for the same fields and dates', () => {
		const all = existing();
		const index = indexOf(all, ['title'], post);
		expect(indexOf(all, ['title'], post)).toBe(index);
		expect(indexOf(all, ['title'], post, [])).toBe(index);
		expect(indexOf(all, ['content'], post)).not.toBe(index);
		expect(indexOf(all, ['title'], post, ['publish_at'])).not.toBe(index);
	});

	test('finds keywords whatever their case', () => {
		const all = { ...existing(), records: [{ keyword: 'Bakery' }] };
		expect(indexOf(all, ['keyword'], keyword).find({ keyword: 'BAKERY' })?.likeness).toBe('same');
	});

	test('is one of ten that are kept', () => {
		const all = existing();
		const [first, second] = ['1', '2'].map((name) => indexOf(all, [name], post));
		for (let name = 3; name <= 10; name++) indexOf(all, [String(name)], post);
		expect(indexOf(all, ['1'], post)).toBe(first);
		indexOf(all, ['11'], post);
		expect(indexOf(all, ['2'], post)).toBe(second);
		expect(indexOf(all, ['1'], post)).not.toBe(first);
	});

	test('finds what a row has added, and so does one that is made later', () => {
		const all = existing();
		const before = indexOf(all, ['title'], post);
		const rolls = { id: 'post_2', title: 'Rolls' };
		addTo(all, rolls);
		for (const index of [before, indexOf(all, ['title', 'content'], post)]) {
			expect(index.findAll({ title: 'Rolls' }).same).toEqual([rolls]);
		}
	});
});

test('the option Match Fields counts unless it is empty or says the usual', () => {
	const chosen = (matchFields?: unknown, resource = post) =>
		chosenMatchFields(
			rowContext({ parameters: { options: { matchFields } } as INodeParameters }),
			resource,
		);
	expect(chosen()).toBeUndefined();
	expect(chosen(' , ')).toBeUndefined();
	expect(chosen('title, content')).toBeUndefined();
	expect(chosen('title')).toEqual(['title']);
	expect(chosen(['content', 'title'])).toEqual(['content', 'title']);
	expect(chosen('title', { ...post, matchFields: undefined })).toEqual(['title']);
});

/** What is thrown, in words. */
function words(act: () => void): { message: string; description: string } | undefined {
	try {
		act();
	} catch (error) {
		return error as { message: string; description: string };
	}
	return undefined;
}

test('a row needs a value in one match field', () => {
	const check = (fields: JsonObject, names: string[]) =>
		words(() => assertMatchable(fields, names, 'do something else'));
	expect(check({ title: 'A' }, ['title', 'content'])).toBeUndefined();
	expect(check({ title: '' }, ['title', 'content'])).toMatchObject({
		message: 'The row has no value in any match field: title, content',
		description: 'Fill these columns, change the option Match Fields, or do something else.',
	});
	expect(check({ status: 'a' }, [])?.message).toBe('The row has no value in any match field');
});

describe('match fields that the records have to have', () => {
	const check = (seen: string[], names: string[]) =>
		words(() =>
			assertKnown(
				newPost(),
				{ seen: new Set(seen) } as unknown as Existing,
				names,
				'do something else',
			),
		);

	test('are all that were chosen', () => {
		expect(check(['title'], ['title', 'content'])?.message).toBe(
			'None of the existing content posts has a field "content"',
		);
		expect(check(['headline'], ['title', 'content'])?.message).toBe(
			'None of the existing content posts has a field "title"',
		);
		expect(check([], ['title'])).toBeUndefined();
	});

	test('are named beside ten of those that there are', () => {
		const names = Array.from({ length: 11 }, (_, index) => `f${index}`);
		const ten = names.slice(0, 10);
		expect(check(ten, ['title'])?.description).toBe(
			`Without it, the node cannot recognize them. They have: ${ten.join(', ')}. Change the option Match Fields, or do something else.`,
		);
		expect(check(names, ['title'])?.description).toContain(`${ten.join(', ')}, …. Change`);
	});
});

test('a similar record is named by its first match field that has a text, and by its ID', () => {
	const similar = (record: JsonObject) =>
		new SimilarExists(newPost(), record, ['title', 'content'], 'Look at it.');
	expect(similar(bread)).toMatchObject({
		message: 'A similar content post already exists: "Bread" (ID post_1)',
		description: 'This row was not sent. Look at it.',
	});
	expect(similar({ title: '', content: 'Fresh' }).message).toBe(
		'A similar content post already exists: "Fresh"',
	);
	expect(similar({}).message).toBe('A similar content post already exists: null');
	expect(similar({ title: 'x'.repeat(200) }).message).toHaveLength(
		'A similar content post already exists: '.length + 100,
	);
});
