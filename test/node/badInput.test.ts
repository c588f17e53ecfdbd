import { byId, columns, incomingRow, useSandbox } from '../support/fixture';

const service = useSandbox();
const { run, requests } = service;

const anyLocation = () => byId(service.sandbox.account.locations[0].id);
const post = (parameters: object) => ({
	resource: 'post',
	operation: 'create',
	ifExists: 'create',
	locationId: anyLocation(),
	...parameters,
});
const bodies = () =>
	service.sandbox.requests.flatMap(({ method, body }) => (method === 'GET' ? [] : [body]));

describe('IDs that are empty or would change the path are rejected before anything is sent', () => {
	test.each([
		['nothing', undefined],
		['null', null],
		['an empty text', ''],
		['a space', ' '],
		['one dot', '.'],
		['two dots', '..'],
	])('%s', async (_, id) => {
		const parameters = { resource: 'location', operation: 'get', locationId: byId(id) };
		const { error, json } = await run(parameters);
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/No location is chosen|is not a valid location ID/);
		expect(error?.description).toMatch(/Pick (one|a location) from the list/);
		expect(requests()).toEqual([]);
	});
});

describe('IDs with special characters do not change the path', () => {
	test.each([
		['a path upwards', '../../admin'],
		['a query', 'loc_1?status=active'],
		['a fragment', 'loc_1#top'],
		['an encoded path upwards', '%2e%2e'],
		['another address', '//example.com'],
		['a line break', 'loc_1\nHost: example.com'],
		['an emoji', 'loc_🏪'],
	])('%s', async (_, id) => {
		const parameters = { resource: 'location', operation: 'get', locationId: byId(id) };
		const { error } = await run(parameters);
		expect(error?.message).toBe(`There is no location with the ID "${id.replace('\n', ' ')}"`);
		expect(requests()).toEqual([`GET /locations/${encodeURIComponent(id)}`]);
	});
});

test('spaces around an ID are ignored', async () => {
	const [{ id }] = service.sandbox.account.locations;
	const { json } = await run({
		resource: 'location',
		operation: 'get',
		locationId: byId(` ${id}\n`),
	});
	expect(json).toMatchObject([{ id }]);
});

describe('an invalid body is rejected before anything is sent', () => {
	test.each([
		['a row with nothing in it', incomingRow],
		['columns that are all empty', columns({ title: '', content: '' })],
		['no columns', { mappingMode: 'defineBelow', value: null }],
	])('%s', async (_, fields) => {
		const { error } = await run(post({ fields }), { rows: [{ row_number: 2 }] });
		expect(error?.message).toBe('Row 2: There is nothing to send: every field is empty');
		expect(bodies()).toEqual([]);
	});

	test('a row of a file that was read in another encoding than its own', async () => {
		const rows = [{ row_number: 2, title: 'Caf\uFFFD', content: 'Open' }];
		const { error } = await run(post({ fields: incomingRow }), { rows });
		expect(error?.message).toBe('Row 2: title: "Caf\uFFFD" has letters that could not be read');
		expect(error?.description).toMatch(
			/In the step that extracts the rows, set the option Encoding/,
		);
		expect(bodies()).toEqual([]);
	});
});

describe('manually mapped columns', () => {
	const column = (type: string, value: unknown) =>
		post({
			fields: {
				...columns({ title: 'A', content: 'B', extra: value }),
				schema: [
					...['title', 'content'].map((id) => ({ id, displayName: id, type: 'string' })),
					{ id: 'extra', displayName: 'Extra', type },
				],
			} as never,
		});

	test.each([
		['number', '12', 12],
		['boolean', 'false', false],
		['dateTime', '2026-12-31', '2026-12-31T00:00:00-05:00'],
		['dateTime', '2026-12-31T18:00:00Z', '2026-12-31T18:00:00Z'],
		['dateTime', '2026-12-31T18:00:00+01:00', '2026-12-31T18:00:00+01:00'],
		[
			'dateTime',
			'={{ DateTime.fromISO("2026-12-31T18:00:00Z") }}',
			expect.stringMatching(/^2026-/),
		],
		['array', '["a", 1]', ['a', 1]],
		['object', '{ "a": { "b": 1 } }', { a: { b: 1 } }],
		['string', '007', '007'],
	])('%s: %p is sent as %p', async (type, value, sent) => {
		await run(column(type, value));
		expect(bodies()).toEqual([{ title: 'A', content: 'B', extra: sent }]);
	});

	test("a time without a zone is one of the workflow's", async () => {
		await run(column('dateTime', '2026-12-31T18:00:00'));
		const [{ extra }] = bodies() as Array<{ extra: string }>;
		// The workflow of these tests is in n8n's default time zone.
		expect(extra).toBe('2026-12-31T18:00:00-05:00');
	});

	test.each([
		['number', 'twelve', 'is not a number'],
		['number', '1,5', 'is not a number'],
		['boolean', 'maybe', 'is not true or false'],
		['dateTime', 'next Tuesday', "can't be read as a time"],
		['dateTime', 'offer 12', "can't be read as a time"],
		['array', 'a, b', 'is not a list'],
		['object', '[1]', 'is not an object'],
	])('%s: %p is named before anything is sent', async (type, value, flaw) => {
		const { error } = await run(column(type, '={{ $json.value }}'), { rows: [{ value }] });
		expect(error?.message).toBe(`extra: ${JSON.stringify(value)} ${flaw}`);
		expect(error?.description).toMatch(/^This row was not sent\. (Correct|Format) /);
		expect(bodies()).toEqual([]);
	});
});

describe('additional fields', () => {
	const withFields = (fields: object[]) =>
		post({
			fields: columns({ title: 'A', content: 'B' }),
			options: { additionalFields: { fields } },
		});

	test('are sent with their types and win over the columns', async () => {
		await run(
			withFields([
				{ name: 'title', type: 'string', value: 'C' },
				{ name: 'count', type: 'number', value: '0' },
				{ name: 'pinned', type: 'boolean', value: 'false' },
				{ name: 'tags', type: 'json', value: '["a", 1]' },
				{ name: 'cleared', type: 'json', value: 'null' },
				{ name: 'code', type: 'string', value: 7 },
				{ name: 'blank', type: 'string', value: '' },
			]),
		);
		const added = { count: 0, pinned: false, tags: ['a', 1], cleared: null, code: '7' };
		expect(bodies()).toEqual([{ title: 'C', content: 'B', ...added }]);
	});

	test.each([
		['number', 'seven', 'a number'],
		['boolean', 'maybe', 'true or false'],
		['json', '{ "a": ', 'valid JSON'],
	])('that are no %s are named', async (type, value, name) => {
		const { error } = await run(withFields([{ name: 'odd', type, value }]));
		expect(error?.message).toBe(`odd: ${JSON.stringify(value)} is not ${name}`);
		expect(bodies()).toEqual([]);
	});

	test('need a name', async () => {
		const { error } = await run(withFields([{ name: '', type: 'string', value: 'x' }]));
		expect(error?.message).toBe('An additional field has no name');
		expect(error?.description).toBe('Enter its name, or remove it.');
	});
});

test('a proxy that is not a valid URL is rejected', async () => {
	const fields = columns({ title: 'A', content: 'B' });
	const { error } = await run({ ...post({ fields }), requestOptions: { proxy: 'nowhere' } });
	expect(error?.message).toBe('The proxy is not a valid URL');
	expect(requests()).toEqual([]);
});

describe('what an expression makes of a cell', () => {
	const texts = (content: string, more: object = {}) =>
		post({
			fields: {
				...columns({ title: '={{ $json.title }}', content }),
				schema: [{ id: 'title', displayName: 'title', type: 'string' }],
			},
			...more,
		});
	const row = { title: 'Lunch', price: 5 };

	test('a text with such a word is none', async () => {
		const rows = [{ ...row, content: 'null and undefined' }];
		expect((await run(texts('={{ $json.content }}'), { rows })).error).toBeUndefined();
		const own = "={{ $json.content + ', null calories' + ($json.more || '') }}";
		const others = [
			{ ...row, content: 'Lunch' },
			{ title: 'Dinner', content: 'A', more: '!' },
		];
		expect((await run(texts(own), { rows: others })).error).toBeUndefined();
	});

	test('an expression that says what an empty cell means is not refused', async () => {
		const timed = (publish_at: string) =>
			post({ fields: columns({ title: '={{ $json.title }}', content: 'A', publish_at }) });
		for (const expression of ["={{ $json.when ?? '' }}", '={{ $json.when || null }}']) {
			expect((await run(timed(expression), { rows: [row] })).error).toBeUndefined();
		}
		const { error } = await run(timed('={{ $json.when }}'), { rows: [row] });
		expect(error?.message).toBe('publish_at: there is no column "when"');
	});

	test.each([[['Lunch']], [['Lunch', 'Dinner']]])(
		'a list for a text is refused: %p',
		async (title) => {
			const rows = [{ title, content: 'A' }];
			const { error } = await run(texts('={{ $json.content }}'), { rows });
			expect(bodies()).toEqual([]);
			expect(error?.message).toBe(
				`title: ${JSON.stringify(title)} is a list, and a content post has text there`,
			);
			expect(error?.description).toContain(`Map it to {{ $json["title"].join(', ') }}.`);
		},
	);

	test('an ID may come as a list with one', async () => {
		const { id } = service.sandbox.account.locations[1];
		const locationId = byId('={{ $json.shop }}');
		const { error } = await run(texts('A', { locationId }), { rows: [{ ...row, shop: [id] }] });
		expect(error).toBeUndefined();
		expect(service.sandbox.account.postsOf(id)[0]).toMatchObject({ title: 'Lunch' });
	});

	test.each([
		['number', '17312345678901234567'],
		['json', '{"cid":17312345678901234567}'],
	])('a long number is not changed, but refused: %s', async (type, value) => {
		const additionalFields = { fields: [{ name: 'cid', type, value }] };
		const { error } = await run(texts('A', { options: { additionalFields } }), { rows: [row] });
		expect(error?.message).toContain('more digits than can be kept');
		expect(bodies()).toEqual([]);
	});
});

describe('columns that are not meant', () => {
	const own = { title: 'Lunch', content: 'A' };

	test('one that an additional field replaces is not read', async () => {
		const additionalFields = { fields: [{ name: 'image_url', value: 'https://a.example/1' }] };
		const rows = [{ ...own, image_url: '#REF!' }];
		await run(post({ fields: incomingRow, options: { additionalFields } }), { rows });
		expect(bodies()).toMatchObject([{ image_url: 'https://a.example/1' }]);
	});

	test('the error of a row that failed before is asked about', async () => {
		const rows = [{ ...own, error: { message: 'Invalid data', description: 'Why' } }];
		const { error } = await run(post({ fields: incomingRow }), { rows });
		expect(error?.message).toMatch(/shows these columns: error$/);
		expect(bodies()).toEqual([]);
	});

	test('a location picked once, beside a column that names others, is asked about', async () => {
		const [one, two] = service.sandbox.account.locations.map(({ id }) => id);
		const rows = [one, two].map((location_id, at) => ({ ...own, title: `${at}`, location_id }));
		const parameters = post({ fields: incomingRow, locationId: byId(one) });
		const { error } = await run(parameters, { rows });
		expect(error?.message).toBe('Automatic mapping does not send these columns: location_id');
		expect(bodies()).toEqual([]);
		const options = { excludeColumns: 'location_id' };
		expect((await run({ ...parameters, options }, { rows })).error).toBeUndefined();
	});
});

test('where some rows are a dry run, it is not said that nothing was changed', async () => {
	const rows = [true, false].map((dry) => ({ title: String(dry), content: 'A', dry }));
	const fields = columns({ title: '={{ $json.title }}', content: 'A' });
	const { hints } = await run(post({ fields, dryRun: '={{ $json.dry }}' }), { rows });
	expect(bodies()).toHaveLength(1);
	expect(hints.join()).not.toContain('nothing was changed');
	expect(hints.join()).toContain('1 would be created');
});
