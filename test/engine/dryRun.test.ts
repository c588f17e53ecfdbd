import type { INodeParameters } from 'n8n-workflow';

import { connect } from '../../nodes/LocalSeo/host/connect';
import { change, create, DEFAULT_PAGING, readOnly } from '../../nodes/LocalSeo/client';
import { resources } from '../../nodes/LocalSeo/service';
import { contextOf } from '../support/engine';
import { byId, byName, columns, incomingRow, useSandbox } from '../support/fixture';
import { locationWithPosts, operationCases } from '../support/operations';

const service = useSandbox({ locations: 60 });
const account = () => service.sandbox.account;
const dryRun = true;
const writes = resources.flatMap(({ value, operations }) =>
	operations
		// Create or Update has no action of its own: its test is below.
		.filter(({ routing, value }) => routing.request.method !== 'GET' && value !== 'upsert')
		.map((operation) => ({ resource: value, ...operation })),
);

/** Everything that the sandbox holds. */
function stored() {
	const { locations } = account();
	const keywords = locations.flatMap(({ id }) => account().keywordsOf(id));
	const posts = locations.flatMap(({ id }) => account().postsOf(id));
	return JSON.stringify([locations, keywords, posts]);
}

describe('Dry Run', () => {
	/** Runs, and holds the run to what a dry run promises. */
	const look: typeof service.run = async (parameters, more) => {
		const before = stored();
		const options = { dryRun, ...(parameters.options as object) };
		const result = await service.run({ ...parameters, options }, more);
		expect(service.requests().filter((request) => !request.startsWith('GET '))).toEqual([]);
		expect(stored()).toBe(before);
		return result;
	};
	const createPosts = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		fields: incomingRow,
	};
	const home = () => locationWithPosts(service);
	const row = (more: object = {}) => ({
		location_id: home().id,
		title: 'Open on Sunday',
		content: 'From 8 to 12',
		...more,
	});
	const looked = async (rows: object[], more: INodeParameters = {}) =>
		(await look({ ...createPosts, ...more }, { rows })).json;

	test.each(writes)('$resource: $value sends nothing but reads', async ({ resource, value }) => {
		const { parameters } = operationCases(service).find(
			({ operation }) => operation.join() === [resource, value].join(),
		)!;
		for (const ifExists of ['skip', 'create']) {
			const { json, error } = await look({
				resource,
				operation: value,
				...parameters(),
				ifExists,
				...(resource === 'keyword' ? { fields: columns({ keyword: 'brand-new words' }) } : {}),
			});
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ dryRun, action: value, problems: [], warnings: [] }]);
		}
		expect(service.requests().length).toBeGreaterThan(0);
	});

	test('what would be sent comes out, and sends the same', async () => {
		const body = {
			title: 'Open on Sunday',
			content: 'From 8 to 12',
			type: 'update',
			publish_at: '2999-05-01T09:00:00Z',
		};
		const { location_id } = row();
		const own = { row_number: 2, location_id, ...body };
		const [plan] = await looked([own]);
		expect(plan).toEqual({
			dryRun,
			action: 'create',
			id: null,
			location_id,
			method: 'POST',
			path: `/locations/${location_id}/posts`,
			body,
			problems: [],
			warnings: [],
		});
		await service.run(createPosts, { rows: [own] });
		const sent = service.sandbox.requests.filter(({ method }) => method === 'POST');
		expect(sent).toMatchObject([{ path: plan.path, body }]);
	});

	test('a row whose post exists would be skipped, with its ID', async () => {
		const { id, title, content } = account().postsOf(home().id)[0];
		expect(await looked([row({ title, content })])).toMatchObject([
			{ action: 'skip', id, problems: [], warnings: [`It already exists (ID ${id}).`] },
		]);
	});

	test('everything that is wrong with a row is said at once', async () => {
		const [plan] = await looked([
			row({ location_id: '', publish_at: '2020-01-01T09:00:00Z', nothing: 1 }),
		]);
		expect(plan).toMatchObject({
			action: 'invalid',
			id: null,
			path: '/locations/{locationId}/posts',
			body: { title: 'Open on Sunday', publish_at: '2020-01-01T09:00:00Z' },
			problems: [
				expect.stringMatching(
					/^The location ID is empty\. The column "location_id" of this row is/,
				),
				'The field "publish_at" is in the past: "2020-01-01T09:00:00Z". Enter a later time, or leave it empty.',
			],
			warnings: [
				expect.stringMatching(
					/^None of the content posts that were looked at has a field "nothing"/,
				),
			],
		});
		expect(plan).not.toHaveProperty('location_id');
	});

	test('a field that all records of the account have is missed', async () => {
		const [{ id }] = account().locations;
		const [plan, other] = await looked([
			{ location_id: id, content: 'A post without a title' },
			row({ content: '' }),
		]);
		const missing = (name: string) =>
			`The field "${name}" is missing. Every content post that was looked at has it: the service may refuse one without.`;
		expect(plan).toMatchObject({ action: 'create', problems: [], warnings: [missing('title')] });
		expect(other).toMatchObject({ action: 'create', warnings: [missing('content')] });
	});

	test.each([1, 3])('a location that does not exist, in %p rows', async (count) => {
		const rows = Array.from({ length: count }, (_, index) =>
			row({ location_id: 'loc_nowhere', title: `Post ${index}` }),
		);
		for (const plan of await looked(rows)) {
			expect(plan).toMatchObject({
				action: 'invalid',
				path: '/locations/loc_nowhere/posts',
				problems: [
					expect.stringMatching(/^There is no location with the ID "loc_nowhere"\. Check/),
				],
			});
		}
		const single = service.requests().filter((request) => request === 'GET /locations/loc_nowhere');
		// Once for its records: some services have no list where it would be empty.
		expect(single).toHaveLength(2);
	});

	test('a location by its name, and by one that no location has', async () => {
		const { id, name, city } = home();
		const plans = await looked(
			[
				{ shop: `${name}, ${city}`, title: 'A', content: 'a' },
				{ shop: 'Nobody & Sons', title: 'B', content: 'b' },
			],
			{ locationId: byName('={{ $json.shop }}') },
		);
		expect(plans).toMatchObject([
			{ action: 'create', location_id: id, path: `/locations/${id}/posts` },
			{ action: 'invalid', problems: [expect.stringMatching(/^No location is called "Nobody/)] },
		]);
	});

	test('values of another type than those of the account', async () => {
		const typed = row({ publish_at: '01.05.2027', title: 2027 });
		expect(await looked([typed])).toMatchObject([
			{
				action: 'invalid',
				problems: [
					expect.stringMatching(/^The field "publish_at" is not a date, such as .*"01\.05\.2027"/),
				],
				warnings: [expect.stringMatching(/^The field "title" is a number, not text/)],
			},
		]);
	});

	test.each(['25.12.2026', 46_381])(
		'a day as people and spreadsheets write it, where no record shows how: %p',
		async (publish_at) => {
			service.sandbox.faults.add({
				when: { method: 'GET', path: '/locations/*/posts' },
				transform: (envelope) => ({
					...envelope,
					data: [envelope.data].flat().map((post) => ({ ...post, publish_at: null })),
				}),
			});
			const [{ action, warnings }] = await looked([row({ publish_at, schedule: 'weekly' })]);
			expect(action).toBe('create');
			expect((warnings as string[]).filter((one) => one.includes('is not a date'))).toEqual([
				`The field "publish_at" is not a date that every service reads. Its value is ${JSON.stringify(publish_at)}. Write it as 2026-12-31 or 2026-12-31T18:00.`,
			]);
		},
	);

	test('headers that the service does not know', async () => {
		const { location_id } = row();
		expect(await looked([{ location_id, headline: 'A', text: 'B' }])).toMatchObject([
			{
				action: 'invalid',
				problems: [expect.stringMatching(/^Your columns: headline, text\. The service expects/)],
			},
		]);
	});

	test('nothing to send, and JSON that is none', async () => {
		const { location_id } = row();
		expect(await looked([{ location_id }])).toMatchObject([
			{ action: 'invalid', body: null, problems: [expect.stringMatching(/^There is nothing to/)] },
		]);
		const json = { dataToSend: 'json', jsonBody: '{ "title": }' };
		expect(await looked([{ location_id }], json)).toMatchObject([
			{ action: 'invalid', body: null, problems: [expect.stringMatching(/is not valid JSON/)] },
		]);
		const jsonBody = '{ "title": "A", "content": "B" }';
		expect(await looked([{ location_id }], { ...json, jsonBody })).toMatchObject([
			{ action: 'create', body: { title: 'A', content: 'B' } },
		]);
	});

	test.each([
		['2020-05-01', true],
		['2020-05-01T09:00', true],
		[() => new Date(Date.now() - 3_600_000).toISOString(), true],
		[() => new Date(Date.now() - 3_600_000).toISOString().slice(0, 19), false],
		[() => new Date().toISOString().slice(0, 10), false],
		[() => new Date(Date.now() + 3_600_000).toISOString(), false],
	])('a date in the past, as far as that is certain: %#', async (given, isOver) => {
		const publish_at = typeof given === 'string' ? given : given();
		const [{ action, problems }] = await looked([row({ publish_at })]);
		expect({ action, isOver: String(problems).includes('is in the past') }).toEqual({
			action: isOver ? 'invalid' : 'create',
			isOver,
		});
	});

	test('faults of the service fail as always', async () => {
		service.sandbox.faults.add({ response: { status: 401 } });
		const { error, json } = await look(
			{ ...createPosts, options: { maxWait: 0 } },
			{ rows: [row()] },
		);
		expect(error?.message).toMatch(/The service does not accept this API key/);
		expect(json).toEqual([]);
	});

	test('an update says whether its location exists', async () => {
		const { id, city } = home();
		const update = {
			resource: 'location',
			operation: 'update',
			fields: columns({ city: '={{ $json.city }}' }),
			locationId: byId('={{ $json.id }}'),
		};
		const rows = [
			{ id, city: `${city} West` },
			{ id: 'loc_nowhere', city: 'Ulm' },
		];
		const { json } = await look(update, { rows });
		expect(json).toMatchObject([
			{ action: 'update', id, method: 'PATCH', body: { city: `${city} West` }, warnings: [] },
			{ action: 'invalid', id: null, problems: [expect.stringMatching(/^There is no location/)] },
		]);
	});

	test('Create or Update says what would be created, changed, and left as it is', async () => {
		const [one, other] = account().locations;
		const { id, name, address, city } = one;
		const fresh = { name: 'Brand-New Bakery', address: '1 Nowhere Lane', city: 'Ulm' };
		const { json, hints } = await look(
			{ resource: 'location', operation: 'upsert', fields: incomingRow },
			{
				rows: [
					{ name, address, city: `${city} West` },
					{ name: other.name, address: other.address, city: other.city },
					fresh,
					{ ...fresh, city: 'Neu-Ulm' },
				],
			},
		);
		expect(json).toMatchObject([
			{ action: 'update', id, method: 'PATCH', path: `/locations/${id}` },
			{ action: 'skip', id: other.id, warnings: [expect.stringMatching(/nothing would/)] },
			{ action: 'create', id: null, method: 'POST', path: '/locations', body: fresh },
			{ action: 'update', id: null, method: 'PATCH', path: '/locations/{locationId}' },
		]);
		expect(json[0].body).toEqual({ city: `${city} West` });
		expect(hints.join()).toContain('1 would be created');
	});

	test('Create or Update shows no ID of an invalid row that would change what another one creates', async () => {
		const one = { name: 'Café Zwei', address: '9 New Road', city: 'Ulm' };
		const { json } = await look(
			{ resource: 'location', operation: 'upsert', fields: incomingRow },
			{ rows: [one, { ...one, publish_at: '2001-01-01T00:00:00Z' }] },
		);
		expect(json).toMatchObject([
			{ action: 'create', id: null },
			{ action: 'invalid', id: null, path: '/locations/{locationId}' },
		]);
	});

	test('a deletion says whether its keyword exists', async () => {
		const [{ id }] = account().keywordsOf(home().id);
		const remove = { resource: 'keyword', operation: 'delete', locationId: byId(home().id) };
		const { json } = await look(
			{ ...remove, keywordId: byId('={{ $json.kw }}') },
			{ rows: [{ kw: id }, { kw: 'kw_nothing' }] },
		);
		expect(json).toMatchObject([
			{ action: 'delete', id, method: 'DELETE', path: `/keywords/${id}`, body: null },
			{ action: 'invalid', problems: [expect.stringMatching(/^There is no keyword with the ID/)] },
		]);
	});

	test('only a clear no sends anything', async () => {
		for (const value of ['={{ $json.missing }}', '={{ "true" }}', true]) {
			await looked([row()], { options: { dryRun: value } });
		}
		for (const value of [false, '={{ false }}', '={{ "false" }}']) {
			const options = { dryRun: value };
			await service.run({ ...createPosts, options }, { rows: [row()] });
		}
		expect(service.requests().filter((request) => request.startsWith('POST'))).toHaveLength(1);
	});
});

describe('a run', () => {
	const createPosts = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		fields: incomingRow,
		options: { dryRun },
	};
	const row = (title: string, more: object = {}) => ({
		location_id: locationWithPosts(service).id,
		title,
		content: title,
		...more,
	});

	test('is summed up in a hint', async () => {
		const { title, content } = account().postsOf(locationWithPosts(service).id)[0];
		const rows = [
			...['A', 'B', 'C'].map((name) => row(name)),
			row(title, { content }),
			row('A'),
			row('D', { location_id: '' }),
			row('E', { unknown: 'x' }),
		];
		const { hints, json } = await service.run(createPosts, { rows });
		expect(json[4]).toMatchObject({
			action: 'skip',
			id: null,
			warnings: ['It is the same as row 1.'],
		});
		expect(hints).toEqual([
			'Dry run, nothing was changed: 4 would be created, 2 skipped, 1 invalid (6). 1 row has a warning (7).',
		]);
	});

	test('a row that is only looked at is none that a row of the same run has sent', async () => {
		const rows = [row('A', { check: true }), row('A', { check: false })];
		const options = { dryRun: '={{ $json.check }}', excludeColumns: 'check,location_id' };
		const { json } = await service.run({ ...createPosts, options }, { rows });
		expect(json).toMatchObject([{ dryRun }, { id: expect.stringMatching(/^post_/) }]);
		expect(json[1]).not.toHaveProperty('skipped');
	});
});

test('a connection that is read-only lets no write out, whoever tries', async () => {
	const { baseUrl, keys } = service.sandbox;
	const context = contextOf({ parameters: {}, credential: { baseUrl, apiKey: keys.write } });
	const patienceMs = 0;
	const connection = readOnly(await connect(context as never, { patienceMs }));
	const { id } = account().locations[0];
	const post = {
		method: 'POST' as const,
		path: '/locations/{locationId}/posts',
		ids: { locationId: id },
		query: {},
		body: { title: 'A' },
		noun: 'content post',
	};
	const patch = { ...post, method: 'PATCH' as const, path: '/locations/{locationId}' };
	const remove = { ...patch, method: 'DELETE' as const, body: undefined };
	await expect(create(connection, post, DEFAULT_PAGING)).rejects.toThrow();
	await expect(change(connection, patch)).rejects.toThrow();
	await expect(change(connection, remove)).rejects.toThrow();
	expect(service.requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
});
