import type { INodeParameters } from 'n8n-workflow';

import {
	type HttpResponse,
	isRecord,
	type JsonObject,
	type Method,
	type ServiceRequest,
} from '../../nodes/LocalSeo/client';
import { dryRun } from '../../nodes/LocalSeo/rows/dryRun';
import { Findings } from '../../nodes/LocalSeo/rows/findings';
import { resourceOf } from '../../nodes/LocalSeo/service';
import { readService, type Shown } from '../support/readService';
import { rowContext } from '../support/rowContext';
import { VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const bread = { title: 'Bread', content: 'Fresh every day' };
const rolls = { title: 'Rolls', content: 'Only on Sundays' };
const posts = [{ id: 'post_1', ...bread }];
const bakery = { name: 'Corner Bakery', address: '1 High Street', city: 'Leeds' };
const locations = [{ id: 'loc_1', ...bakery }];

/** A run of a dry operation; `look` says what would become of a row. */
function runOf(resource: string, operation: string, shown: Shown, more: JsonObject = {}) {
	const { connection, asked } = readService(clock, shown);
	const { routing } = resourceOf(resource).operations.find(({ value }) => value === operation)!;
	const { method, url: path } = routing.request;
	const parameters = {
		resource,
		operation,
		locationId: { mode: 'id', value: 'loc_1' },
		options: { dryRun: true },
		...more,
	} as INodeParameters;
	const look = async (
		body: JsonObject | undefined,
		index = 0,
		{ ids = {}, query = {}, execution = 'run' as string | undefined, noted = '' } = {},
	) => {
		const rows = [{}, { row_number: 7 }, {}];
		const context = rowContext({ parameters, index, rows, execution });
		const given: ServiceRequest = {
			...{ method: method as Method, path, ids, query, body },
			noun: resourceOf(resource).noun,
		};
		const findings = new Findings(context);
		// What was wrong when the row was read.
		if (noted !== '') findings.problems.add(noted);
		return await clock.run(dryRun(context, connection, given, findings));
	};
	return { look, asked, connection };
}

const POSTS = '/locations/loc_1/posts';
const inLocation = { ids: { locationId: 'loc_1' } };

describe('a post', () => {
	const service: Shown = { '/locations/loc_1': locations[0], [POSTS]: posts };
	const ofPosts = (more: JsonObject = {}, shown: Shown = service) => {
		const { look, ...run } = runOf('post', 'create', shown, more);
		return {
			...run,
			look: async (body: JsonObject | undefined, index = 0, of: object = {}) =>
				await look(body, index, { ...inLocation, ...of }),
		};
	};

	test('that is new would be created, as it is shown', async () => {
		const { look, asked } = ofPosts();
		expect(await look(rolls)).toEqual({
			dryRun: true,
			action: 'create',
			problems: [],
			warnings: [],
			id: null,
			location_id: 'loc_1',
			method: 'POST',
			path: POSTS,
			body: rolls,
		});
		expect(asked.every((request) => request.startsWith('GET'))).toBe(true);
		expect(await look(rolls, 2, { query: { draft: ['1'] } })).toMatchObject({
			query: { draft: ['1'] },
		});
	});

	test('that exists would be skipped', async () => {
		const { look } = ofPosts();
		expect(await look(bread)).toMatchObject({
			action: 'skip',
			id: 'post_1',
			warnings: ['It already exists (ID post_1).'],
		});
		const unnamed = ofPosts({}, { ...service, [POSTS]: [bread] });
		expect(await unnamed.look(bread)).toMatchObject({
			action: 'skip',
			id: null,
			warnings: ['It already exists.'],
		});
	});

	test('that is much like one that exists would be refused', async () => {
		const { action, problems } = await ofPosts().look({ ...bread, title: 'Bread 🎉' });
		expect(action).toBe('invalid');
		expect(problems).toEqual([
			expect.stringMatching(/^A similar content post already exists: "Bread" \(ID post_1\)\. This/),
		]);
	});

	test('that is the same as an earlier row would be skipped, and as its own earlier try would not', async () => {
		const { look } = ofPosts();
		await look(rolls, 1);
		expect(await look(rolls, 0)).toMatchObject({
			action: 'skip',
			id: null,
			warnings: ['It is the same as row 7.'],
		});
		expect(await look(rolls, 1)).toMatchObject({ action: 'create', warnings: [] });
	});

	test('that is wrong stands for no other one', async () => {
		const past = { ...rolls, publish_at: '2020-01-01T09:00:00Z' };
		const { look } = ofPosts();
		for (const index of [0, 1]) {
			const { action, problems } = await look(past, index);
			expect(action).toBe('invalid');
			expect(problems).toEqual([expect.stringContaining('"publish_at" is in the past')]);
		}
	});

	describe('where all are created', () => {
		const anyway = { ifExists: 'create' };

		test('would be, with a word on what exists', async () => {
			const { look } = ofPosts(anyway);
			expect(await look(bread)).toMatchObject({
				action: 'create',
				id: null,
				warnings: ['It already exists (ID post_1). Another one would be created.'],
			});
			expect(await look({ ...bread, title: 'Bread 🎉' })).toMatchObject({
				action: 'create',
				warnings: ['A similar content post already exists: "Bread" (ID post_1).'],
			});
			await look(rolls, 1);
			expect((await look(rolls, 0)).warnings).toEqual([
				'It is the same as row 7. Another one would be created.',
			]);
			expect((await look(rolls, 1)).warnings).toEqual([]);
		});

		test('would be, also where nothing tells what a row is', async () => {
			const { look } = ofPosts(anyway);
			expect(await look({ status: 'draft' })).toMatchObject({ action: 'create', problems: [] });
		});

		test.each<[string, (body: JsonObject, asked: number) => void]>([
			['is another page', ({ meta }) => Object.assign(meta as object, { current_page: 2 })],
			['never adds up', ({ meta }, asked) => Object.assign(meta as object, { total: 9 + asked })],
			['has no form of a list', (body) => delete body.data],
		])('would be, also where the list %s', async (_, change) => {
			const { look, connection, asked } = ofPosts(anyway);
			const { transport } = connection;
			connection.transport = async (request) => {
				const response = (await transport(request)) as HttpResponse;
				const isList = request.path === POSTS && request.method === 'GET';
				// The fields are read from the first page alone.
				if (isList && asked.filter((one) => one === `GET ${POSTS}`).length > 1) {
					change(response.body as JsonObject, asked.length);
				}
				return response;
			};
			expect(await look(rolls)).toMatchObject({ action: 'create', problems: [] });
		});

		test('would be refused for what is wrong with it', async () => {
			const past = { ...bread, publish_at: '2020-01-01T09:00:00Z' };
			const { action, warnings } = await ofPosts(anyway).look(past);
			expect(action).toBe('invalid');
			expect(warnings.join()).not.toContain('exists');
		});
	});

	test('says that its location does not exist, and asks for that once', async () => {
		const { look, asked } = ofPosts({}, { '/locations': [] });
		for (const index of [0, 1]) {
			expect(await look(rolls, index)).toMatchObject({
				action: 'invalid',
				problems: [expect.stringMatching(/location/i)],
			});
		}
		// Once for its records: some services have no list where it would be empty.
		expect(asked.filter((request) => request === 'GET /locations/loc_1')).toHaveLength(2);
	});

	test('without its location or its fields is shown as far as it is known', async () => {
		const { look } = ofPosts({}, { '/locations': [] });
		const noted = 'The location ID is empty';
		const plan = await look(rolls, 0, { ids: { locationId: '' }, noted });
		expect(plan).toMatchObject({ path: '/locations/{locationId}/posts', body: rolls, id: null });
		expect(plan.problems).toEqual([noted]);
		expect(plan).not.toHaveProperty('location_id');
		expect(await ofPosts().look(undefined)).toMatchObject({ action: 'create', body: null });
		const odd = await ofPosts().look(rolls, 0, { ids: { locationId: '..' } });
		expect(odd).toMatchObject({
			action: 'invalid',
			path: '/locations/{locationId}/posts',
			problems: [expect.stringMatching(/ID/)],
		});
	});

	test('fails like any other row where the service does', async () => {
		const refused = { ...service, [POSTS]: 401, '/locations/loc_1': 401 };
		await expect(ofPosts({}, refused).look(rolls)).rejects.toMatchObject({ kind: 'rejected' });
		const broken = { '/locations/loc_1': locations[0], [POSTS]: 403, '/locations': locations };
		for (const ifExists of ['create', 'skip']) {
			const { look } = ofPosts({ ifExists }, broken);
			await expect(look(rolls)).rejects.toMatchObject({ kind: 'rejected' });
		}
	});

	test('asks for its location once, and for none that is in a list that was read', async () => {
		const shown = { ...service, '/locations': [...locations, { id: 'loc_2', name: 'Mill' }] };
		const byRow = { locationId: { mode: 'id', value: '={{ $json.shop }}' } };
		const many = ofPosts(byRow, shown);
		await many.look(rolls);
		await many.look(rolls, 1);
		expect(many.asked).toContain('GET /locations');
		expect(many.asked).not.toContain('GET /locations/loc_1');
		const byName = { locationId: { mode: 'name', value: 'Corner Bakery' } };
		const named = ofPosts(byName, shown);
		const plan = await named.look(rolls, 0, { ids: { locationId: 'Corner Bakery' } });
		expect(plan).toMatchObject({ location_id: 'loc_1', path: POSTS });
		expect(named.asked).not.toContain('GET /locations/loc_1');
	});

	test('says that its location is in no list', async () => {
		const byRow = { locationId: { mode: 'id', value: '={{ $json.shop }}' } };
		const { look } = ofPosts(byRow, { '/locations': locations, '/locations/loc_2/posts': [] });
		const { action, problems } = await look(rolls, 0, { ids: { locationId: 'loc_2' } });
		expect([action, problems]).toEqual(['invalid', [expect.stringContaining('loc_2')]]);
	});

	test('that is looked at once a service has recovered is looked at as any other', async () => {
		const shown: Shown = { ...service, '/locations/loc_1': 503 };
		const { look } = ofPosts({}, shown);
		await expect(look(rolls)).rejects.toMatchObject({ kind: 'rejected' });
		shown['/locations/loc_1'] = locations[0];
		expect(await look(rolls, 1)).toMatchObject({ action: 'create', problems: [] });
	});

	test('outside of executions, each is looked at by itself', async () => {
		const { look, asked } = ofPosts();
		for (let time = 0; time < 2; time++) {
			expect(await look(rolls, 0, { execution: '' })).toMatchObject({
				action: 'create',
				warnings: [],
			});
		}
		expect(asked.filter((request) => request === 'GET /locations/loc_1')).toHaveLength(2);
	});
});

describe('a location that is updated', () => {
	const ofUpdates = (
		shown: Shown = { '/locations': locations, '/locations/loc_1': locations[0] },
	) => {
		const { look, asked } = runOf('location', 'update', shown);
		return {
			asked,
			look: async (body: JsonObject | undefined, index = 0, of: object = {}) =>
				await look(body, index, { ...inLocation, ...of }),
		};
	};

	test('would be, with what is sent', async () => {
		expect(await ofUpdates().look({ city: 'York' })).toEqual({
			dryRun: true,
			action: 'update',
			problems: [],
			warnings: [],
			id: 'loc_1',
			method: 'PATCH',
			path: '/locations/loc_1',
			body: { city: 'York' },
		});
	});

	test('says where nothing would change, and where another row updates it', async () => {
		const { look, asked } = ofUpdates();
		const nothing = 'The location has these values already: nothing would change.';
		expect((await look({ city: 'Leeds', name: bakery.name }, 1)).warnings).toEqual([nothing]);
		expect((await look({ city: 'Leeds', name: 'New' }, 0)).warnings).toEqual([
			'Row 7 updates the same location. Which of them comes last is not certain.',
		]);
		// The first one, tried again.
		expect((await look({ city: 'Leeds' }, 1)).warnings).toEqual([nothing]);
		expect(asked.filter((request) => request === 'GET /locations/loc_1')).toHaveLength(1);
		for (const index of [1, 2]) {
			const outside = { execution: '' };
			expect((await look({ city: 'York' }, index, outside)).warnings).toEqual([]);
		}
	});

	test('is compared with its own record, not with that of another row', async () => {
		const { look } = ofUpdates({ '/locations': locations, '/locations/loc_1': locations[0] });
		expect(await look({ city: 'York' }, 0)).toMatchObject({ action: 'update', id: 'loc_1' });
		const other = await look({ city: 'York' }, 1, { ids: { locationId: 'loc_2' } });
		expect(other).toMatchObject({ action: 'invalid', id: null, warnings: [] });
	});

	test('that does not exist says so', async () => {
		const plan = await ofUpdates({ '/locations': locations }).look({ city: 'York' });
		expect(plan).toMatchObject({ action: 'invalid', id: null, path: '/locations/loc_1' });
		expect(plan.problems).toHaveLength(1);
	});

	test('without an ID, or fields, is looked at as far as that goes', async () => {
		const { look, asked } = ofUpdates();
		expect(await look({ city: 'York' }, 0, { ids: { locationId: '' } })).toMatchObject({
			id: null,
			path: '/locations/{locationId}',
			warnings: [],
		});
		expect(asked).not.toContain('GET /locations/');
		// A second one is not taken for the same location.
		const another = await look({ city: 'York' }, 1, { ids: { locationId: '' } });
		expect([another.problems, another.warnings]).toEqual([[], []]);
		expect(await look(undefined, 2)).toMatchObject({
			action: 'update',
			body: null,
			warnings: [],
			problems: [],
		});
	});
});

describe('a keyword that is deleted', () => {
	const ofDeletions = (shown: Shown = { '/keywords/kw_1/scans': [{ id: 'scan_1' }] }) => {
		const { look, asked } = runOf('keyword', 'delete', shown);
		const ids = { keywordId: 'kw_1' };
		return { asked, look: async (index = 0) => await look(undefined, index, { ids }) };
	};

	test('would be, if it exists', async () => {
		const { look, asked } = ofDeletions();
		expect(await look()).toMatchObject({
			action: 'delete',
			id: 'kw_1',
			method: 'DELETE',
			path: '/keywords/kw_1',
			body: null,
			problems: [],
		});
		expect(asked).toEqual(['GET /keywords/kw_1/scans']);
		expect(await ofDeletions({ '/keywords/kw_1/scans': [] }).look()).toMatchObject({
			action: 'delete',
			id: 'kw_1',
		});
		expect(await ofDeletions({}).look()).toMatchObject({ action: 'invalid', id: null });
	});

	test('is found by the first page of what it has, however much that is', async () => {
		const scans = Array.from({ length: 300 }, (_, id) => ({ id: `scan_${id}` }));
		const { look, asked } = ofDeletions({ '/keywords/kw_1/scans': scans });
		expect((await look()).action).toBe('delete');
		expect(asked).toHaveLength(1);
	});

	test('twice would be refused the second time', async () => {
		const { look } = ofDeletions();
		await look(1);
		expect(await look(0)).toMatchObject({
			action: 'invalid',
			problems: ['Row 7 deletes the same keyword'],
		});
		expect(await look(1)).toMatchObject({ action: 'delete', problems: [] });
	});
});

describe('Create or Update', () => {
	const ofUpserts = () => runOf('location', 'upsert', { '/locations': locations });
	const mill = { ...bakery, name: 'Mill Bakery' };

	test('would create what is new', async () => {
		expect(await ofUpserts().look(mill)).toMatchObject({
			action: 'create',
			id: null,
			method: 'POST',
			path: '/locations',
			body: mill,
			warnings: [],
		});
	});

	test('would send what differs', async () => {
		const plan = await ofUpserts().look({ ...bakery, city: 'York' });
		expect(plan).toMatchObject({
			action: 'update',
			id: 'loc_1',
			method: 'PATCH',
			path: '/locations/loc_1',
			body: { city: 'York' },
			warnings: [],
		});
		expect(plan).not.toHaveProperty('location_id');
	});

	test('would send nothing where nothing differs', async () => {
		expect(await ofUpserts().look(bakery)).toMatchObject({
			action: 'skip',
			id: 'loc_1',
			warnings: ['It exists already with these values: nothing would change.'],
		});
	});

	test('names what only an earlier row would create by that row', async () => {
		const { look } = ofUpserts();
		await look(mill, 1);
		expect(await look(mill, 0)).toMatchObject({
			action: 'skip',
			id: null,
			warnings: ['It is the same as the location of row 7.'],
		});
		expect(await look({ ...mill, city: 'York' }, 2)).toMatchObject({
			action: 'update',
			id: null,
			method: 'PATCH',
			path: '/locations/{locationId}',
			body: { city: 'York' },
		});
	});

	test('says what is wrong with a row', async () => {
		const { action, problems } = await ofUpserts().look({ city: 'Leeds' });
		expect(action).toBe('invalid');
		expect(problems).toEqual([expect.stringContaining('no value in any match field')]);
		const wrong = await ofUpserts().look({ ...mill, publish_at: '2020-01-01T09:00:00Z' });
		expect(wrong).toMatchObject({ action: 'invalid', method: 'POST' });
		const update = await ofUpserts().look({ ...bakery, publish_at: '2020-01-01T09:00:00Z' });
		expect(isRecord(update.body) && Object.keys(update.body)).toEqual(['publish_at']);
		expect(update.action).toBe('invalid');
	});
});
