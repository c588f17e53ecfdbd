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
		['broken JSON', '{\n  "title": "A"\n  "content": "B"\n}', /is not valid JSON/, /double quotes/],
		['half JSON', '{ "title": ', /is not valid JSON/, /double quotes/],
		['nothing', '', /is not valid JSON/, /double quotes/],
		['an empty object', '{}', /must be a non-empty object/, /Enter an object/],
		['a text', '"A"', /must be a non-empty object/, /Enter an object/],
		['null', 'null', /must be a non-empty object/, /Enter an object/],
	])('%s', async (_, jsonBody, message, description) => {
		const { error } = await run(post({ dataToSend: 'json', jsonBody }));
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		expect(requests()).toEqual([]);
	});

	test.each([
		['a row with nothing in it', incomingRow],
		['columns that are all empty', columns({ title: '', content: '' })],
		['no columns', { mappingMode: 'defineBelow', value: null }],
	])('%s', async (_, fields) => {
		const { error } = await run(post({ fields }), { rows: [{ row_number: 2 }] });
		expect(error?.message).toBe('Row 2: There is nothing to send: every field is empty');
		expect(requests()).toEqual([]);
	});

	test('a row of a file that was read in another encoding than its own', async () => {
		const rows = [{ row_number: 2, title: 'Caf\uFFFD', content: 'Open' }];
		const { error } = await run(post({ fields: incomingRow }), { rows });
		expect(error?.message).toMatch(/^Row 2: The .* has unreadable letters: "\uFFFD"$/);
		expect(error?.description).toMatch(/Save the file as "CSV UTF-8"/);
		expect(requests()).toEqual([]);
	});
});

describe('a JSON body', () => {
	test('is sent unchanged', async () => {
		const jsonBody = '{ "title": "A", "content": "B", "number": 12345678901234567890 }';
		await run(post({ dataToSend: 'json', jsonBody }));
		expect(service.sandbox.requests[0].headers['content-length']).toBe(String(jsonBody.length));
	});

	test('may be an expression that returns an object', async () => {
		const jsonBody = '={{ $json }}';
		const row = { title: 'A', content: 'B', nothing: null, blank: '' };
		await run(post({ dataToSend: 'json', jsonBody }), { rows: [row] });
		expect(bodies()).toEqual([row]);
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
		['dateTime', '2026-12-31', '2026-12-31'],
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
		['number', 'twelve', 'a number'],
		['number', '1,5', 'a number'],
		['boolean', 'maybe', 'true or false'],
		['dateTime', 'next Tuesday', 'a certain date'],
		['dateTime', 'offer 12', 'a certain date'],
		['array', 'a, b', 'a list'],
		['object', '[1]', 'an object'],
	])('%s: %p is named before anything is sent', async (type, value, name) => {
		const { error } = await run(column(type, '={{ $json.value }}'), { rows: [{ value }] });
		expect(error?.message).toBe(`The field "Extra" is not ${name}`);
		expect(error?.description).toContain(JSON.stringify(value));
		expect(requests()).toEqual([]);
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
		expect(error?.message).toBe(`The additional field "odd" is not ${name}`);
		expect(requests()).toEqual([]);
	});

	test('need a name', async () => {
		const { error } = await run(withFields([{ name: '', type: 'string', value: 'x' }]));
		expect(error?.message).toBe('An additional field has no name');
		expect(error?.description).toBe('Enter its name, or remove it.');
	});
});

test.each([-5, 2.5, 'ten'])('a page size of %p is rejected', async (pageSize) => {
	const { error } = await run({ resource: 'location', operation: 'getAll', options: { pageSize } });
	expect(error?.message).toBe("'Page Size' must be a whole number of 1 or more");
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

	test.each([
		['undefined', {}],
		['null', { price: null }],
		['NaN', { price: NaN }],
	])('a gap in a text is refused: %s', async (gap, cell) => {
		const rows = [row, { title: 'Dinner', ...cell }];
		const settings = { onError: 'continueRegularOutput' } as const;
		const { json } = await run(texts('={{ `Only ${$json.price} EUR` }}'), { rows, settings });
		expect(bodies()).toEqual([{ title: 'Lunch', content: 'Only 5 EUR' }]);
		expect(json[1].error).toMatchObject({
			message: `Item 2: The field "content" has a gap: "Only ${gap} EUR"`,
			description: expect.stringContaining('Its column "price" is empty'),
		});
	});

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
		expect(error?.message).toBe('No item has a column "when"');
	});

	test('of a list with one text the text is sent, another list is refused', async () => {
		const rows = [{ title: ['Lunch'], content: 'A' }];
		await run(texts('={{ $json.content }}'), { rows });
		const { error } = await run(texts('={{ $json.content }}'), {
			rows: [{ title: ['Lunch', 'Dinner'], content: 'A' }],
		});
		expect(bodies()).toEqual([{ title: 'Lunch', content: 'A' }]);
		expect(error?.message).toBe('The field "title" is not text');
	});

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

	test('the error of a row that failed before is not sent', async () => {
		const rows = [{ ...own, error: { message: 'Invalid data', description: 'Why' } }];
		await run(post({ fields: incomingRow }), { rows });
		expect(bodies()).toEqual([own]);
	});

	test('a location picked once, beside a column that names several, takes no rows of the others', async () => {
		const [one, two] = service.sandbox.account.locations.map(({ id }) => id);
		const settings = { onError: 'continueRegularOutput' } as const;
		const rows = [one, two].map((location_id, at) => ({ ...own, title: `${at}`, location_id }));
		const parameters = post({ fields: incomingRow, locationId: byId(one) });
		const { json } = await run(parameters, { rows, settings });
		expect(json[1].error).toMatchObject({
			message: `Item 2: The row has the location "${two}", but 'Location' is "${one}" for all rows`,
		});
		expect(bodies()).toHaveLength(1);
		// All from one location: they are copied.
		expect((await run(parameters, { rows: [rows[1]] })).error).toBeUndefined();
		const options = { excludeColumns: 'location_id' };
		expect((await run({ ...parameters, options }, { rows })).error).toBeUndefined();
	});
});

test('where some rows are a dry run, it is not said that nothing was changed', async () => {
	const rows = [true, false].map((dry) => ({ title: String(dry), content: 'A', dry }));
	const fields = columns({ title: '={{ $json.title }}', content: 'A' });
	const { hints } = await run(post({ fields, options: { dryRun: '={{ $json.dry }}' } }), { rows });
	expect(bodies()).toHaveLength(1);
	expect(hints.join()).not.toContain('nothing was changed');
	expect(hints.join()).toContain('1 would be created');
});
