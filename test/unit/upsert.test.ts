import type { INodeParameters } from 'n8n-workflow';

import { type JsonObject, ServiceError, type ServiceRequest } from '../../nodes/LocalSeo/client';
import { InputError } from '../../nodes/LocalSeo/host/errors';
import { type Sending, upsert } from '../../nodes/LocalSeo/operation/upsert';
import { listService } from '../support/readService';
import { rowContext } from '../support/rowContext';
import { VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const bakery = { name: 'Corner Bakery', address: '1 High Street', city: 'Leeds' };
const stored = { id: 'loc_1', ...bakery, rank_score: 7 };

const newLocation = (fields: JsonObject): ServiceRequest => ({
	method: 'POST',
	path: '/locations',
	ids: {},
	query: { draft: true },
	body: fields,
	noun: 'location',
});

/** A run against a service that shows these locations, and notes what is sent. */
function runWith(records: unknown[], options: object = {}) {
	const { connection, asked } = listService(clock, records);
	const parameters = { resource: 'location', operation: 'upsert', options } as INodeParameters;
	const sent: unknown[] = [];
	const sender: Sending = {
		create: async () => {
			const id = `new_${sent.push('a new one')}`;
			await clock.sleep(100);
			return { record: { id } };
		},
		change: async ({ method, path, ids, query, body }) => {
			sent.push([`${method} ${path}`, ids, body]);
			expect(query).toEqual({ draft: true });
			await clock.sleep(100);
			return {};
		},
	};
	const row = async (fields: JsonObject, index = 0, own: Partial<Sending> = {}) => {
		const context = rowContext({ parameters, index, rows: [], execution: 'run' });
		const send = { ...sender, ...own };
		const [record] = await upsert(context, connection, newLocation(fields), send);
		return record as JsonObject;
	};
	const rows = async (...all: JsonObject[]) =>
		await clock.run(Promise.all(all.map(async (fields, index) => await row(fields, index))));
	return { connection, asked, sent, row, rows };
}
const patch = (id: string, body: JsonObject) => [
	'PATCH /locations/{locationId}',
	{ locationId: id },
	body,
];

/** What is said of a row that is refused. */
async function refusalOf(records: unknown[], fields: JsonObject, options: object = {}) {
	const { row, sent } = runWith(records, options);
	const error = await clock.run(row(fields).catch((thrown: unknown) => thrown as InputError));
	expect(error).toBeInstanceOf(InputError);
	expect(sent).toEqual([]);
	return error as InputError;
}

const failing = (error: Error) => async () => {
	await clock.sleep(100);
	throw error;
};
const serviceError = (mayHaveActed: boolean) =>
	new ServiceError({
		kind: mayHaveActed ? 'unconfirmed' : 'rejected',
		request: newLocation(bakery),
		mayHaveActed,
	});

describe('a row', () => {
	test('that does not exist is created', async () => {
		const { rows, sent } = runWith([stored]);
		const [record] = await rows({ ...bakery, name: 'Mill Bakery' });
		expect(record).toEqual({ id: 'new_1', created: true });
		expect(sent).toEqual(['a new one']);
	});

	test('that differs is updated, by what differs alone', async () => {
		const { rows, sent } = runWith([stored]);
		const [record] = await rows({ ...bakery, city: 'York', rank_score: 8 });
		expect(record).toEqual({ ...stored, city: 'York', updated: true });
		expect(sent).toEqual([patch('loc_1', { city: 'York' })]);
	});

	test('that differs in nothing is left as it is', async () => {
		const { rows, sent } = runWith([stored]);
		expect(await rows(bakery)).toEqual([{ ...stored, unchanged: true }]);
		expect(sent).toEqual([]);
	});

	test('comes out with what the service says of its update', async () => {
		const { row } = runWith([stored]);
		const change = async () => ({ city: 'YORK', status: 'active' });
		const record = await clock.run(row({ ...bakery, city: 'York' }, 0, { change }));
		expect(record).toEqual({ ...stored, city: 'YORK', status: 'active', updated: true });
	});

	test('that matches several is refused with five of them', async () => {
		const shops = Array.from({ length: 7 }, (_, index) => ({ ...stored, id: `loc_${index}` }));
		const { message, description } = await refusalOf(shops, bakery);
		const listed = [0, 1, 2, 3, 4].map((index) => `Corner Bakery, Leeds (loc_${index})`);
		expect(message).toBe(`7 locations match this row: ${listed.join('; ')} and 2 more`);
		expect(description).toContain('They have the same values in name, address.');
		const five = await refusalOf(shops.slice(0, 5), bakery);
		expect(five.message).toBe(`5 locations match this row: ${listed.join('; ')}`);
	});

	test('names a record by its name, its city and its ID, as far as it has them', async () => {
		const named = async (...records: JsonObject[]) =>
			(await refusalOf(records, bakery)).message.replace(/^.*: /, '');
		const long = { ...bakery, city: 'x'.repeat(200) };
		const listed = await named({ ...bakery, city: '' }, { ...long, id: 'loc_2' });
		expect(listed).toBe(`Corner Bakery (no ID); Corner Bakery, ${'x'.repeat(85)} (loc_2)`);
		const { description } = await refusalOf(
			[{ id: 'loc_1', city: 'Leeds' }, { city: 'Leeds' }],
			{ city: 'Leeds' },
			{ matchFields: 'city' },
		);
		expect(description).toContain('in city. Add a field that distinguishes them');
	});

	test('that is much like one that exists is refused', async () => {
		const { message, description } = await refusalOf([stored], {
			...bakery,
			name: 'Corner Bakery 🎉',
		});
		expect(message).toBe('A similar location already exists: "Corner Bakery" (ID loc_1)');
		expect(description).toContain('the same values in name, address');
		expect(description).toContain('use the operation Create');
	});

	test('whose record has no ID is refused, since it can not be updated', async () => {
		const { message } = await refusalOf([{ ...bakery }], { ...bakery, city: 'York' });
		expect(message).toBe(
			"The existing location has no ID, so it can't be updated: Corner Bakery, Leeds (no ID)",
		);
	});

	test('without a value in any match field is refused before the list is read', async () => {
		const { row, asked } = runWith([stored]);
		await expect(clock.run(row({ city: 'Leeds' }))).rejects.toThrow(
			'The row has no value in any match field: name, address',
		);
		expect(asked).toEqual([]);
	});

	test('with a match field that was chosen, and that no record has, is refused', async () => {
		const { message, description } = await refusalOf(
			[stored],
			{ ...bakery, code: '7' },
			{ matchFields: 'code' },
		);
		expect(message).toBe('None of the existing locations has a field "code"');
		expect(description).toContain('or use the operation Create.');
	});

	test('is recognized by the usual fields that the records have, and by all that were chosen', async () => {
		const records = [{ id: 'loc_1', name: 'Corner Bakery' }];
		const { rows, sent } = runWith(records, { matchFields: 'name' });
		expect(await rows({ name: 'Corner Bakery' })).toMatchObject([{ unchanged: true }]);
		expect(sent).toEqual([]);
		expect((await refusalOf(records, bakery)).message).toContain('A similar location already');
		const chosen = { matchFields: 'name, code' };
		const { message } = await refusalOf([stored], { ...bakery, code: '7' }, chosen);
		expect(message).toBe('None of the existing locations has a field "code"');
	});

	test('names a record that has no name and no city by its ID', async () => {
		const records = [{ id: 'a', code: '7' }, { code: '7' }];
		const { message } = await refusalOf(records, { code: '7' }, { matchFields: 'code' });
		expect(message).toBe('2 locations match this row: a; no ID');
	});
});

describe('a row with an ID', () => {
	const other = { id: 'loc_2', name: 'Mill Bakery', address: '2 Mill Lane', city: 'York' };
	const byId = { matchFields: 'id' };

	test('of the record that it matches is updated', async () => {
		const { rows, sent } = runWith([stored, other]);
		await rows({ ...bakery, id: 'loc_1', city: 'Hull' });
		expect(sent).toEqual([patch('loc_1', { city: 'Hull' })]);
	});

	test('that nobody has is sent as it is, unless it is to be found by it', async () => {
		const { rows } = runWith([stored]);
		expect(await rows({ ...bakery, id: 'mine' })).toEqual([{ ...stored, unchanged: true }]);
		const { message, description } = await refusalOf([stored], { id: 'mine' }, byId);
		expect(message).toBe('No location has the ID "mine"');
		expect(description).toContain('or use the operation Create for a new location.');
	});

	test('of another record than the one that it matches, or of one that it does not, is refused', async () => {
		for (const fields of [bakery, { ...bakery, name: 'New Bakery' }]) {
			const { message, description } = await refusalOf([stored, other], { ...fields, id: 'loc_2' });
			expect(message).toBe(
				'The ID of this row belongs to another location: Mill Bakery, York (loc_2)',
			);
			expect(description).toContain('its values in name, address are not those of that location');
		}
	});

	test('is found by it where that is the match field, by its exact letters', async () => {
		const upper = { ...other, id: 'LOC_1' };
		const { rows, sent } = runWith([stored, upper], byId);
		await rows({ id: 'loc_1', name: 'Another name' });
		expect(sent).toEqual([patch('loc_1', { name: 'Another name' })]);
		const others = [upper, { ...upper, id: 'Loc_1' }];
		expect((await refusalOf(others, { id: 'loc_1' }, byId)).message).toBe(
			'No location has the ID "loc_1"',
		);
	});

	test('may be a number in the sheet', async () => {
		const { rows, sent } = runWith([{ ...stored, id: 17 }], byId);
		await rows({ id: 17, city: 'York' });
		expect(sent).toEqual([patch('17', { city: 'York' })]);
	});
});

describe('several rows for the same record', () => {
	const mill = { ...bakery, name: 'Mill Bakery' };

	test('create it once, and then update it', async () => {
		const { rows, sent } = runWith([stored]);
		const records = await rows(mill, mill, { ...mill, city: 'York' });
		expect(records).toEqual([
			{ id: 'new_1', created: true },
			{ ...mill, id: 'new_1', unchanged: true },
			{ ...mill, id: 'new_1', city: 'York', updated: true },
		]);
		expect(sent).toEqual(['a new one', patch('new_1', { city: 'York' })]);
	});

	test('leave it with the values of the last one, in whatever order they run', async () => {
		const { row, sent } = runWith([stored]);
		await clock.run(row({ ...bakery, city: 'Hull', country: 'GB' }, 2));
		const record = await clock.run(row({ ...bakery, city: 'York', phone: '1' }, 1));
		expect(record).toMatchObject({ city: 'Hull', phone: '1', updated: true });
		expect(sent).toEqual([
			patch('loc_1', { city: 'Hull', country: 'GB' }),
			patch('loc_1', { phone: '1' }),
		]);
		// The last row itself, run again, changes nothing.
		const again = await clock.run(row({ ...bakery, city: 'Hull', country: 'GB' }, 2));
		expect(again).toMatchObject({ unchanged: true });
	});

	test('also where the later one found its values there already', async () => {
		const { row, sent } = runWith([stored]);
		await clock.run(row(bakery, 2));
		expect(await clock.run(row({ ...bakery, city: 'York' }, 1))).toMatchObject({ city: 'Leeds' });
		expect(sent).toEqual([]);
	});

	test('know what the service has made of a record that was created', async () => {
		const { row, sent } = runWith([stored]);
		const create = async () => ({ record: { id: 'new_1', city: 'LEEDS', status: 'active' } });
		const created = await clock.run(row(mill, 0, { create }));
		expect(created).toEqual({ id: 'new_1', city: 'LEEDS', status: 'active', created: true });
		// Its values are looked for by what was sent; what differs is compared with what is there.
		expect(await clock.run(row({ ...mill, city: 'York' }, 1))).toMatchObject({
			status: 'active',
			city: 'York',
		});
		expect(sent).toEqual([patch('new_1', { city: 'York' })]);
		// A row that was earlier in the sheet leaves these values, and writes its own.
		const earlier = row({ ...mill, city: 'Hull', phone: '1' }, 0);
		expect(await clock.run(earlier)).toMatchObject({ city: 'York', phone: '1' });
	});

	test('write what they say over what the service has made of it', async () => {
		const { row, sent } = runWith([stored]);
		const create = async () => ({ record: { id: 'new_1', city: 'LEEDS' } });
		await clock.run(row(mill, 1, { create }));
		expect(await clock.run(row({ ...mill, city: 'York' }, 0))).toMatchObject({ city: 'LEEDS' });
		expect(sent).toEqual([]);
		expect(await clock.run(row(mill, 2))).toMatchObject({ city: 'Leeds', updated: true });
		expect(sent).toEqual([patch('new_1', { city: 'Leeds' })]);
	});

	test.each<[string, JsonObject[]]>([
		['first', [{ name: 'Mill Bakery' }, mill]],
		['second', [mill, { name: 'Mill Bakery' }]],
	])('of which the %s lacks a match field follow one another, too', async (_, both) => {
		const { rows, sent } = runWith([stored]);
		const error = await rows(...both).catch((thrown: Error) => thrown);
		expect(error).toBeInstanceOf(InputError);
		expect((error as Error).message).toContain('A similar location already exists');
		expect(sent).toEqual(['a new one']);
	});

	test('do not wait for rows that are surely about another one', async () => {
		const { rows } = runWith([stored]);
		const startedAt = clock.now();
		await rows(mill, { ...bakery, name: 'New Bakery' }, { ...mill, address: '3 Mill Lane' });
		expect(clock.now() - startedAt).toBeLessThan(2 * 100);
	});

	test('a record that stands for one row is not that of another one', async () => {
		const cut = { ...stored, name: 'The bakery at the corner of…' };
		const { row, sent } = runWith([cut]);
		await clock.run(row({ ...bakery, name: 'The bakery at the corner of High Street' }));
		const other = row({ ...bakery, name: 'The bakery at the corner of Mill Lane' }, 1);
		await expect(clock.run(other)).rejects.toThrow('A similar location already exists');
		expect(sent).toEqual([]);
	});
});

describe('where a row fails', () => {
	const mill = { ...bakery, name: 'Mill Bakery' };
	/** Two rows that begin at the same time; the first one fails. */
	async function afterwards(error: Error) {
		const run = runWith([stored]);
		const first = run.row(mill, 0, { create: failing(error) }).catch((thrown: Error) => thrown);
		const second = run.row(mill, 1).catch((thrown: Error) => thrown);
		expect(await clock.run(first)).toBe(error);
		return { ...run, second: await clock.run(second) };
	}

	test.each<[string, Error]>([
		['refused', serviceError(false)],
		['stopped by what it holds', new InputError('The row is odd')],
	])('and surely has created nothing (%s), the next one does it', async (_, error) => {
		const { second } = await afterwards(error);
		expect(second).toEqual({ id: 'new_1', created: true });
	});

	test.each<[string, Error]>([
		['unconfirmed', serviceError(true)],
		['a bug', new TypeError('A bug')],
	])('and may have created a record (%s), the next one does not', async (_, error) => {
		const { second, sent, row } = await afterwards(error);
		expect(second).toBe(error);
		expect(sent).toEqual([]);
		// A row for another record is none of it; the row itself may be tried again.
		expect(await clock.run(row({ ...mill, address: '3 Mill Lane' }, 2))).toMatchObject({
			created: true,
		});
		expect(await clock.run(row(mill, 1).catch((thrown: Error) => thrown))).toBe(error);
		expect(await clock.run(row(mill, 0))).toMatchObject({ created: true });
		expect(await clock.run(row(mill, 1))).toMatchObject({ unchanged: true });
		expect(sent).toHaveLength(2);
	});

	test('an update that may be done is sent again by a row that has the old value', async () => {
		const { row, sent } = runWith([stored]);
		const york = row({ ...bakery, city: 'York' }, 0, { change: failing(serviceError(true)) });
		await expect(clock.run(york)).rejects.toThrow();
		expect(await clock.run(row(bakery, 1))).toMatchObject({ city: 'Leeds', updated: true });
		expect(sent).toEqual([patch('loc_1', { city: 'Leeds' })]);
		// The values of the later row stay.
		expect(await clock.run(row({ ...bakery, city: 'York' }, 0))).toMatchObject({ city: 'Leeds' });
	});

	test('an update that was refused leaves the record as it was', async () => {
		const { row, sent } = runWith([stored]);
		const york = row({ ...bakery, city: 'York' }, 1, { change: failing(serviceError(false)) });
		await expect(clock.run(york)).rejects.toThrow();
		expect(await clock.run(row(bakery, 0))).toEqual({ ...stored, unchanged: true });
		expect(sent).toEqual([]);
		await clock.run(row({ ...bakery, city: 'Hull' }, 0));
		expect(sent).toEqual([patch('loc_1', { city: 'Hull' })]);
	});
});
