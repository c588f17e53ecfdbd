import type { INodeParameters } from 'n8n-workflow';

import { connect } from '../../nodes/LocalSeo/host/connect';
import { change, create, DEFAULT_PAGING, readOnly } from '../../nodes/LocalSeo/client';
import { posts } from '../../examples/posts';
import { resources } from '../../nodes/LocalSeo/resources';
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
		const { json, ...result } = await service.run({ dryRun, ...parameters }, more);
		expect(service.requests().filter((request) => !request.startsWith('GET '))).toEqual([]);
		expect(stored()).toBe(before);
		// What a person reads has no gaps, and shows nothing of how it is made.
		expect(JSON.stringify(json)).not.toMatch(/\{\w+Id\}|null,"(action|id)|planned by/);
		return {
			...result,
			json: json.map((plan) => ({ problem: '', warning: '', id: '', ...plan })),
		};
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

	test('a cell that cannot be read is not said to be empty as well', async () => {
		const [one, only] = await looked([
			row({ content: 'F\ufffdr alle' }),
			{ location_id: home().id, title: 'F\ufffdr alle' },
		]);
		expect(one.problem).toMatch(/^content: "[^.]*" has letters that could not be read$/);
		expect(only.problem).toMatch(/^title: "[^.]*" has letters that could not be read$/);
	});

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
			expect(json).toMatchObject([{ action: value, problem: '', warning: '' }]);
		}
		expect(service.requests().length).toBeGreaterThan(0);
	});

	test('a key that may only read is enough', async () => {
		const { json } = await look(createPosts, { rows: [row()], scope: 'read' });
		expect(json).toMatchObject([{ action: 'create' }]);
	});

	test('what would be sent comes out, and sends the same', async () => {
		const body = {
			title: 'Open on Sunday',
			content: 'From 8 to 12',
			type: 'update',
			publish_at: '2099-05-01T09:00:00Z',
		};
		const { location_id } = row();
		const own = { row_number: 2, location_id, ...body };
		const { json } = await service.run({ ...createPosts, dryRun }, { rows: [own] });
		const request = `POST /locations/${location_id}/posts`;
		const goes_live = 'Fri, May 1, 2099, 05:00 (America/New_York)';
		const leading = { action: 'create', goes_live, location_name: home().name };
		expect(json).toEqual([{ ...leading, ...body, location_id, request }]);
		// The first columns of n8n's table.
		const names = Object.keys({ ...leading, ...body });
		expect(Object.keys(json[0])).toEqual([...names, 'location_id', 'request']);
		await service.run(createPosts, { rows: [own] });
		const sent = service.sandbox.requests.filter(({ method }) => method === 'POST');
		expect(sent).toMatchObject([{ path: request.split(' ')[1], body }]);
	});

	test('a row whose post exists would be skipped, with its ID', async () => {
		const { id, title, content } = account().postsOf(home().id)[0];
		expect(await looked([row({ title, content })])).toMatchObject([
			{ action: 'skip', id, title, problem: '', warning: `It already exists (ID ${id}).` },
		]);
	});

	test('a post with the texts of another one, at a time of its own, is asked about', async () => {
		const { title, content } = account().postsOf(home().id)[0];
		const rows = [row({ title, content, publish_at: '2099-05-01T09:00:00Z' })];
		expect(await looked(rows)).toMatchObject([
			{
				action: 'invalid',
				problem: expect.stringMatching(/with this title and content is there for/),
			},
		]);
		expect(await looked(rows, { ifExists: 'create' })).toMatchObject([{ action: 'create' }]);
		expect(await looked([row({ title: `${title} 🎈`, content })])).toMatchObject([
			{ action: 'create' },
		]);
	});

	test('everything that is wrong with a row is said at once', async () => {
		const [plan] = await looked([row({ location_id: '', publish_at: '2020-01-01T09:00:00Z' })]);
		expect(plan).toMatchObject({
			action: 'invalid',
			title: 'Open on Sunday',
			publish_at: '2020-01-01T09:00:00Z',
			problem:
				'The location ID is empty: the row has nothing in "location_id". publish_at is over: Wed, Jan 1, 2020, 04:00 (America/New_York).',
			advice:
				'This row was not sent. Fill the cell, or remove the row. Enter a later time, or remove the row.',
		});
		for (const name of ['location_id', 'location_name', 'request']) {
			expect(plan).not.toHaveProperty(name);
		}
	});

	test.each([1, 3])('a location that does not exist, in %p rows', async (count) => {
		const rows = Array.from({ length: count }, (_, index) =>
			row({ location_id: 'loc_nowhere', title: `Post ${index}` }),
		);
		for (const plan of await looked(rows)) {
			expect(plan).toMatchObject({
				action: 'invalid',
				problem: 'There is no location with the ID "loc_nowhere"',
				advice: expect.stringMatching(/^Check/),
			});
		}
		const single = service.requests().filter((request) => request.includes('/loc_nowhere'));
		expect(single).toHaveLength(1);
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
			{ action: 'create', location_id: id, location_name: name },
			{ action: 'invalid', problem: expect.stringMatching(/^No location is called "Nobody/) },
		]);
	});

	test('values of another type than those of the account', async () => {
		// A number is sent as the text that others have there.
		const typed = row({ publish_at: '01.05.2027 9:00', title: 2027 });
		const rows = [typed, row({ image_url: { a: 1 } })];
		expect(await looked(rows)).toMatchObject([
			{
				action: 'create',
				title: '2027',
				publish_at: '2027-05-01T09:00:00-04:00',
				goes_live: 'Sat, May 1, 2027, 09:00 (America/New_York)',
			},
			{
				action: 'invalid',
				problem: 'image_url: {"a":1} is an object, and the other content posts have text there',
			},
		]);
	});

	test('a time that is not certain, and those that have none beside others that do', async () => {
		const rows = [
			row({ publish_at: '24.12.2099' }),
			row({ title: 'At once' }),
			row({ title: 'Some day', publish_at: 'TBD' }),
		];
		const { json, hints } = await look(createPosts, { rows });
		expect(json).toMatchObject([
			{ action: 'create' },
			{ action: 'create' },
			{
				action: 'invalid',
				problem: 'publish_at: "TBD" can\'t be read as a time',
				advice: expect.stringContaining('Format the column as 2027-12-24 10:00'),
				// The other fields are shown all the same.
				title: 'Some day',
				content: 'From 8 to 12',
			},
		]);
		expect(hints).toContain(
			'2 content posts: 1 goes live on Dec 24, 2099 (America/New_York), 1 at once (item 2).',
		);
	});

	test('headers that the service does not know', async () => {
		const { location_id } = row();
		const rows = [{ location_id, headline: 'A', text: 'B' }];
		const { error, json } = await look(createPosts, { rows });
		expect(error?.message).toMatch(
			/^None of the \d+ content posts read shows these columns: headline, text$/,
		);
		expect(json).toEqual([]);
	});

	test('nothing to send', async () => {
		const { location_id } = row();
		expect(await looked([{ location_id }])).toMatchObject([
			{ action: 'invalid', problem: expect.stringMatching(/^There is nothing to/) },
		]);
	});

	test.each([
		['a day', () => '2020-05-01', true],
		['a day with a time', () => '2020-05-01T09:00', true],
		// In the workflow's time zone.
		['two days ago', () => new Date(Date.now() - 172_800_000).toISOString().slice(0, 19), true],
		['not tomorrow', () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10), false],
		['not in an hour', () => new Date(Date.now() + 3_600_000).toISOString(), false],
	])('a date in the past, as far as that is certain: %s', async (_, given, isOver) => {
		const publish_at = given();
		const [{ action, problem }] = await looked([row({ publish_at })]);
		expect({ action, isOver: String(problem).startsWith('publish_at is over: ') }).toEqual({
			action: isOver ? 'invalid' : 'create',
			isOver,
		});
	});

	test('an hour ago, a workflow may just run late: the row says that it goes live at once', async () => {
		const publish_at = new Date(Date.now() - 3_600_000).toISOString();
		const goes_live = expect.stringMatching(/^at once, since its time is over: /);
		expect(await looked([row({ publish_at })])).toMatchObject([{ action: 'create', goes_live }]);
	});

	test('a row that is wrong keeps its columns where they are to be included', async () => {
		const own = row({ row_number: 7, location_id: 'loc_nowhere' });
		const [plan] = await looked([own], { options: { includeInputFields: true } });
		expect(plan).toMatchObject({ ...own, action: 'invalid' });
		expect(Object.keys(plan).at(-1)).toBe('row_number');
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
			{
				action: 'update',
				id,
				city: `${city} West`,
				request: `PATCH /locations/${id}`,
				warning: '',
			},
			{ action: 'invalid', id: '', problem: expect.stringMatching(/^There is no location/) },
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
			{ action: 'update', id, city: `${city} West`, request: `PATCH /locations/${id}` },
			{ action: 'skip', id: other.id, warning: expect.stringMatching(/nothing would/) },
			{ action: 'create', ...fresh, request: 'POST /locations' },
			{ action: 'update', id: '', city: 'Neu-Ulm', request: 'PATCH' },
		]);
		expect(json[0]).toMatchObject({ name: '', address: '' });
		expect(hints.join()).toContain('1 would be created');
	});

	test('Create or Update keeps apart what several rows would create', async () => {
		const one = { name: 'Café Zwei', address: '9 New Road', city: 'Ulm' };
		const other = { name: 'Café Drei', address: '12 New Road', city: 'Ulm' };
		const rows = [one, other, { ...one, city: 'Neu-Ulm' }, other];
		const { json } = await look(
			{ resource: 'location', operation: 'upsert', fields: incomingRow },
			{ rows },
		);
		expect(json).toMatchObject([
			{ action: 'create', problem: '' },
			{ action: 'create', problem: '' },
			{ action: 'update', id: '', city: 'Neu-Ulm' },
			{ action: 'skip', id: '', warning: 'It is the same as the location of item 2.' },
		]);
	});

	test('Create or Update asks of an update only what would be sent', async () => {
		const [{ id, city }] = account().locations;
		const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };
		const byItsId = { ...upsert, options: { matchFields: 'id' } };
		const updates = await look(byItsId, {
			rows: [{ id, city: `${city} West` }],
		});
		expect(updates.json).toMatchObject([
			{ action: 'update', id, request: `PATCH /locations/${id}`, problem: '' },
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
			{ action: 'delete', id, request: `DELETE /keywords/${id}` },
			{ action: 'invalid', problem: expect.stringMatching(/^There is no keyword with the ID/) },
		]);
	});

	test('query parameters come out as they would be sent', async () => {
		const queryParameters = { parameters: [{ name: 'notify', value: 'no' }] };
		const plans = await looked([row()], { options: { queryParameters } });
		expect(plans).toMatchObject([
			{
				action: 'create',
				request: expect.stringMatching(/^POST \/locations\/\w+\/posts\?notify=no$/),
			},
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
		dryRun,
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
		];
		const { hints, json } = await service.run(createPosts, { rows });
		expect(json[4]).toMatchObject({
			action: 'skip',
			warning: 'It is the same as item 1.',
		});
		expect(json[4].id).toBe('');
		// n8n's table shows `undefined` where a row lacks what another one has.
		for (const one of json) expect(Object.keys(one)).toEqual(Object.keys(json[0]));
		expect(hints).toEqual([
			'Dry run, nothing was changed: 3 would be created, 2 skipped, 1 invalid (item 6).',
			'3 content posts go live at once.',
		]);
	});

	test('what is invalid leaves through the error output, where that is on', async () => {
		const rows = [row('A'), row('B', { location_id: 'loc_nowhere' })];
		const files = rows.map(({ title }) => ({
			photo: { data: btoa(title), mimeType: 'image/png' },
		}));
		const { json, outputs } = await service.run(createPosts, {
			rows,
			files,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(json).toMatchObject([{ action: 'create', title: 'A' }]);
		expect(outputs[1][0].binary).toEqual(files[1]);
		// With its own columns, which n8n adds.
		expect(outputs[1].map((item) => item.json)).toMatchObject([
			{
				...rows[1],
				error: { message: expect.stringMatching(/^Item 2: There is no location with/) },
			},
		]);
	});

	test('a row that is wrong stands for no other one', async () => {
		const rows = [row('A', { publish_at: '2020-01-01T00:00:00Z' }), row('A'), row('A')];
		const { json } = await service.run(createPosts, { rows });
		expect(json.map(({ action }) => action)).toEqual(['invalid', 'create', 'skip']);
	});

	test('a row that is only looked at is none that a row of the same run has sent', async () => {
		const rows = [row('A', { check: true }), row('A', { check: false })];
		const byRow = { dryRun: '={{ $json.check }}', options: { excludeColumns: 'check' } };
		const { json } = await service.run({ ...createPosts, ...byRow }, { rows });
		expect(json).toMatchObject([
			{ action: expect.any(String) },
			{ id: expect.stringMatching(/^post_/), outcome: 'created' },
		]);
		expect(json[1]).not.toHaveProperty('skipped');
	});

	test('rows are wrong where the service is not', async () => {
		service.sandbox.faults.add({
			when: { path: '/locations/loc_down/posts' },
			response: { status: 403 },
		});
		const rows = [row('A'), row('B', { location_id: 'loc_down' })];
		const { error, json, hints } = await service.run(createPosts, {
			rows,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ action: 'create' }, { error: { httpCode: '403' } }]);
		expect(hints).toEqual([
			expect.stringMatching(/^1 of 2 items failed; 1 would be created\. Item 2: /),
			'1 content post goes live at once.',
		]);
	});

	test('finds nothing wrong with the example', async () => {
		const { json, hints } = await service.run(createPosts, { rows: posts });
		expect(json.filter(({ problem, warning }) => problem ?? warning)).toEqual([]);
		expect(hints).toEqual([
			'Dry run, nothing was changed: 40 would be created.',
			expect.stringMatching(
				/^40 content posts: 33 go live between .+ \(America\/New_York\), 7 at once \(items /,
			),
		]);
	});

	test('takes no more reads for many rows than for a few', async () => {
		const rows = Array.from({ length: 200 }, (_, index) => row(`Post ${index}`));
		await service.run(createPosts, { rows });
		expect(service.requests().length).toBeLessThan(15);
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
	await expect(
		create(connection, post, { paging: DEFAULT_PAGING, matching: { fields: ['title'] } }),
	).rejects.toThrow();
	await expect(change(connection, patch)).rejects.toThrow();
	await expect(change(connection, remove)).rejects.toThrow();
	expect(service.requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
});
