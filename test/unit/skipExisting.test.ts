import type { INodeParameters } from 'n8n-workflow';

import {
	type ErrorKind,
	type JsonObject,
	ServiceError,
	type ServiceRequest,
} from '../../nodes/LocalSeo/client';
import { InputError } from '../../nodes/LocalSeo/host/errors';
import { noteMade } from '../../nodes/LocalSeo/operation/madeBefore';
import { skipExisting } from '../../nodes/LocalSeo/operation/skipExisting';
import { listService } from '../support/readService';
import { rowContext } from '../support/rowContext';
import { VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const [may, june] = ['2026-05-01T09:00:00Z', '2026-06-01T09:00:00Z'];
const bread = { title: 'Bread', content: 'Fresh every day' };
const stored = { id: 'post_1', ...bread, status: 'published', image: 'bread.png' };

const newPost = (fields: JsonObject): ServiceRequest => ({
	method: 'POST',
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	body: fields,
	noun: 'content post',
});

type Create = () => Promise<unknown[]>;

/** A run against a service that shows these records; each row that is sent becomes `new_1`, `new_2`, … */
function runWith(records: unknown[], options: object = {}, resource = 'post') {
	const { connection, asked } = listService(clock, records);
	const parameters = { resource, operation: 'create', options } as INodeParameters;
	let sent = 0;
	const makes: Create = async () => {
		await clock.sleep(100);
		return [{ id: `new_${++sent}` }];
	};
	const row = async (fields: JsonObject, index = 0, create = makes, execution: unknown = 'run') => {
		const context = rowContext({
			parameters,
			index,
			rows: [],
			execution: execution as string | undefined,
		});
		const [record] = await skipExisting(context, connection, newPost(fields), create);
		return record as JsonObject;
	};
	const rows = async (...all: JsonObject[]) =>
		await clock.run(Promise.all(all.map(async (fields, index) => await row(fields, index))));
	return { connection, asked, row, rows, count: () => sent };
}

/** What is said of a row that is refused. */
async function refusalOf(records: unknown[], fields: JsonObject, options: object = {}) {
	const { row, count } = runWith(records, options);
	const error = await clock.run(row(fields).catch((thrown: unknown) => thrown as InputError));
	expect(error).toBeInstanceOf(InputError);
	expect(count()).toBe(0);
	return error as InputError;
}

describe('a row', () => {
	test('that exists comes out as what exists, and is not sent', async () => {
		const { rows, count } = runWith([{ id: 'other', title: 'Pie', content: 'Apple' }, stored]);
		expect(await rows(bread)).toEqual([{ ...stored, skipped: true }]);
		expect(count()).toBe(0);
	});

	test('that does not exist is sent, and comes out as it was made', async () => {
		const { rows } = runWith([stored]);
		expect(await rows({ ...bread, title: 'Rolls' })).toEqual([{ id: 'new_1' }]);
	});

	test('of another date that is much like one that exists is left to the user', async () => {
		const records = [{ ...stored, publish_at: may }];
		const { message, description } = await refusalOf(records, { ...bread, publish_at: june });
		expect(message).toBe('A similar content post already exists: "Bread" (ID post_1)');
		expect(description).toContain('If it is the same content post, remove the row.');
		expect(description).toContain('in the option Match Fields');
		// The same date in another zone is the same.
		const { rows } = runWith(records);
		const [{ skipped }] = await rows({ ...bread, publish_at: '2026-05-01T11:00:00+02:00' });
		expect(skipped).toBe(true);
	});

	test.each<[string, JsonObject[], JsonObject, object]>([
		['the user chose the fields that identify it', [{ ...stored, publish_at: may }], {}, {}],
		['it is a match field', [{ ...stored, publish_at: may }], {}, { and: 'publish_at' }],
		['no record is known to have one', [stored], { matchFields: '' }, {}],
	])(
		'is not compared by its date where %s',
		async (_, records, more, { and }: { and?: string }) => {
			const matchFields = ['title', 'content', and].filter(Boolean).join();
			// Given as they are by default, they say nothing.
			const options = { matchFields: and ? matchFields : 'title', ...more };
			const { rows } = runWith(records, options);
			const [record] = await rows({ ...bread, publish_at: and ? may : june });
			expect(record).toEqual({ ...records[0], skipped: true });
		},
	);
});

describe('where a row or the records lack one of the usual fields', () => {
	const titled = { id: 'post_1', title: 'Bread', image: 'bread.png' };

	test('the other fields of the row have to be the same as well', async () => {
		for (const image of ['bread.png', 'rolls.png']) {
			const { rows } = runWith([titled]);
			const [record] = await rows({ title: 'Bread', image });
			expect(record).toEqual(
				image === titled.image ? { ...titled, skipped: true } : { id: 'new_1' },
			);
		}
	});

	test('but not those that no record has, or that the service sets', async () => {
		const { rows } = runWith([{ ...titled, status: 'published', view_count: 7 }]);
		const sent = { title: 'Bread', colour: 'red', status: 'draft', view_count: 0, id: 'mine' };
		expect((await rows(sent))[0].skipped).toBe(true);
	});

	test.each([
		'id',
		'location_id',
		'status',
		'created_at',
		'updated_at',
		'last_seen_at',
		'count',
		'score',
		'view_count',
		'rank_score',
	])('%s does not tell what a row is', async (name) => {
		const { row } = runWith([]);
		await expect(clock.run(row({ [name]: '7' }))).rejects.toThrow('no value in any match field');
	});

	test.each(['publish_at', 'my_status', 'status_text', 'account', 'counter', 'seen_at', 'idea'])(
		'%s does',
		async (name) => {
			const { rows } = runWith([]);
			expect(await rows({ [name]: '7' })).toEqual([{ id: 'new_1' }]);
		},
	);

	test('a row with none of the usual fields is refused, since the records have them', async () => {
		const { message, description } = await refusalOf([stored], { image: 'bread.png' });
		expect(message).toBe('The row has no value in any match field: title, content');
		expect(description).toContain('or set If It Already Exists to Create Another One.');
	});

	test('also where they have only one of them', async () => {
		const { message } = await refusalOf([titled], { image: 'bread.png' });
		expect(message).toBe('The row has no value in any match field: title, content');
	});

	test('one that no record has leaves it to the others to tell rows apart', async () => {
		const { rows } = runWith([titled]);
		const [record] = await rows({ ...bread, image: 'rolls.png' });
		expect(record).toEqual({ id: 'new_1' });
	});

	test('a field that no record has does not tell rows apart', async () => {
		const { rows } = runWith([{ ...stored, image: 'bread.png' }]);
		const rolls = { title: 'Rolls', image: 'rolls.png' };
		const [, second] = await rows({ ...rolls, colour: 'red' }, { ...rolls, colour: 'blue' });
		expect(second).toEqual({ id: 'new_1', skipped: true });
	});

	test('where no record has them either, it is recognized by what it has', async () => {
		const { rows } = runWith([{ id: 'post_1', image: 'bread.png' }]);
		const [same, other] = await rows({ image: 'bread.png' }, { image: 'rolls.png' });
		expect(same.skipped).toBe(true);
		expect(other).toEqual({ id: 'new_1' });
	});
});

test('a match field that was chosen, and that no record has, is refused', async () => {
	const { message } = await refusalOf([stored], { headline: 'A' }, { matchFields: 'headline' });
	expect(message).toBe('None of the existing content posts has a field "headline"');
	// Also beside one that they have.
	const beside = { matchFields: 'title, headline' };
	expect((await refusalOf([stored], { ...bread, headline: 'A' }, beside)).message).toBe(message);
});

describe('rows of a run that say the same', () => {
	test('are sent once, although they begin at the same time', async () => {
		const { rows, count } = runWith([stored]);
		const rolls = { ...bread, title: 'Rolls' };
		expect(await rows(rolls, rolls, { ...rolls, title: ' Rolls ' })).toEqual([
			{ id: 'new_1' },
			{ id: 'new_1', skipped: true },
			{ id: 'new_1', skipped: true },
		]);
		expect(count()).toBe(1);
	});

	test.each<[string, JsonObject[]]>([
		['there is nothing yet', []],
		['the records have all fields', [stored]],
	])('are those with the same usual fields, where %s', async (_, records) => {
		const { rows } = runWith(records);
		const rolls = { ...bread, title: 'Rolls' };
		const [, second] = await rows({ ...rolls, image: 'a.png' }, { ...rolls, image: 'b.png' });
		expect(second).toEqual({ id: 'new_1', skipped: true });
	});

	// The same text may be posted every week, and a list need not show when.
	test.each([
		['the list is empty', [], 'publish_at'],
		['no record shows one', [{ ...stored, title: 'Pie' }], 'publish_at'],
		['no record shows one, in camelCase', [{ ...stored, title: 'Pie' }], 'scheduledFor'],
	])('are two where a date on which they are posted differs: %s', async (_, records, when) => {
		const { rows } = runWith(records);
		const sent = await rows({ ...bread, [when]: may }, { ...bread, [when]: june });
		expect(sent.map(({ id }) => id)).toEqual(['new_1', 'new_2']);
	});

	test('are one where a create shows no record', async () => {
		const { row } = runWith([]);
		const send = async (index: number) => await row(bread, index, async () => []);
		await clock.run(send(0));
		expect(await clock.run(send(1))).toEqual({ skipped: true });
	});

	test('are one where another date differs, which no record shows: that of an export, say', async () => {
		const { rows } = runWith([{ ...stored, title: 'Pie' }]);
		const sent = await rows({ ...bread, exported: may }, { ...bread, exported: june });
		expect(sent.map(({ id }) => id)).toEqual(['new_1', 'new_1']);
	});

	test('are two keywords where more than case differs', async () => {
		const { rows } = runWith([], {}, 'keyword');
		const sent = await rows({ keyword: 'Bakery' }, { keyword: 'bakery' }, { keyword: 'bakeries' });
		expect(sent.map(({ skipped = false }) => skipped)).toEqual([false, true, false]);
	});

	test('are two where a match field that nobody has would make them the same', async () => {
		const options = { matchFields: 'title, headline' };
		const { rows } = runWith([], options);
		const sent = await rows(bread, { ...bread, content: 'Another text' }, bread);
		expect(sent.map(({ skipped = false }) => skipped)).toEqual([false, false, true]);
	});

	test('are the same by the match fields alone where a record shows that there are such', async () => {
		const { rows } = runWith([stored], { matchFields: 'title' });
		const [first, second] = await rows(
			{ ...bread, title: 'Rolls' },
			{ title: 'Rolls', content: 'Another text' },
		);
		expect([first.skipped, second.skipped]).toEqual([undefined, true]);
	});

	test('are both sent outside of executions, where nothing is known of the other one', async () => {
		const { row, asked } = runWith([]);
		for (const id of ['new_1', 'new_2']) {
			expect(await clock.run(row(bread, 0, undefined, ''))).toEqual({ id });
		}
		expect(asked).toHaveLength(2);
	});
});

describe('where the first of two rows that say the same fails', () => {
	const failing = (error: Error) => async () => {
		await clock.sleep(100);
		throw error;
	};
	const service = (kind: ErrorKind, mayHaveActed: boolean) =>
		new ServiceError({ kind, request: newPost(bread), mayHaveActed });

	test.each<[string, Error]>([
		['refused', service('rejected', false)],
		['stopped by what it holds', new InputError('The row is odd')],
	])('and surely was not made (%s), the second is sent', async (_, error) => {
		const { row } = runWith([stored]);
		const rolls = { ...bread, title: 'Rolls' };
		const first = row(rolls, 0, failing(error)).catch((thrown: Error) => thrown);
		const second = row(rolls, 1);
		expect(await clock.run(first)).toBe(error);
		expect(await clock.run(second)).toEqual({ id: 'new_1' });
		expect(await clock.run(row(rolls, 2))).toEqual({ id: 'new_1', skipped: true });
	});

	test.each<[string, Error]>([
		['unconfirmed', service('unconfirmed', true)],
		['a bug', new TypeError('A bug')],
	])('and may have been made (%s), the second is not sent', async (_, error) => {
		const { row, count } = runWith([stored]);
		const rolls = { ...bread, title: 'Rolls' };
		const first = row(rolls, 0, failing(error)).catch((thrown: Error) => thrown);
		const second = row(rolls, 1).catch((thrown: Error) => thrown);
		expect(await clock.run(Promise.all([first, second]))).toEqual([error, error]);
		expect(count()).toBe(0);
		// The row itself may be tried again: the client looks for what became of it.
		expect(await clock.run(row(rolls, 0))).toEqual({ id: 'new_1' });
		expect(await clock.run(row(rolls, 1))).toEqual({ id: 'new_1', skipped: true });
	});
});

test('what was made within the hour, and is not shown, is not made again', async () => {
	const { connection, row, count } = runWith([stored]);
	const rolls = { ...bread, title: 'Rolls' };
	noteMade(connection.account, newPost(rolls), { id: 'post_9' });
	await expect(clock.run(row(rolls))).rejects.toThrow('within the last hour (ID post_9)');
	await expect(clock.run(row(rolls))).rejects.toMatchObject({
		description: expect.stringContaining('set If It Already Exists to Create Another One.'),
	});
	expect(count()).toBe(0);
});
