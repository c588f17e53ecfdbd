import { DateTime } from 'luxon';

import { byId, columns, incomingRow, useSandbox } from '../support/fixture';

const service = useSandbox();
const { requests } = service;

describe('rows', () => {
	const { run } = service;
	const createPosts = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		fields: incomingRow,
		ifExists: 'create',
	};
	const bodies = () =>
		service.sandbox.requests.flatMap(({ method, body }) => (method === 'GET' ? [] : [body]));

	/** Five rows of a sheet, of which the second and the fourth can't be posted. */
	const sheet = () => {
		const [first, second] = service.sandbox.account.locations;
		const row = (location_id: string, title: string, more = {}) => ({
			location_id,
			title,
			content: `About ${title}`,
			...more,
		});
		return [
			row(first.id, 'One'),
			row('loc_nowhere', 'Two'),
			row(second.id, 'Three'),
			row('', 'Four'),
			row(first.id, 'Five'),
		];
	};

	test('what the node reads from a column is what n8n would make of the expression', async () => {
		const values = [
			'Text',
			'',
			'0',
			'={{ 1 }}',
			0,
			1.5,
			true,
			false,
			null,
			undefined,
			[1],
			{ a: 1 },
		];
		values.push('\ud800 half', new Date(0) as never, DateTime.utc() as never);
		const [{ id }] = service.sandbox.account.locations;
		const rows = values.map((value, at) => ({ location_id: id, title: `Post ${at}`, value }));
		// n8n is asked for the second form.
		const sent = ['={{ $json.value }}', '={{ $json["value"] }}'].map(async (content) => {
			const fields = columns({ title: '={{ $json.title }}', content });
			const settings = { onError: 'continueRegularOutput' as const };
			const { json } = await run({ ...createPosts, fields }, { rows, settings });
			return json.map((post) => [post.content, post.error]);
		});
		const [own, byHost] = await Promise.all(sent);
		expect(own).toEqual(byHost);
		expect(own).toHaveLength(values.length);
	});

	test('a column without a heading is read by no other expression', async () => {
		const [{ id }] = service.sandbox.account.locations;
		const rows = [{ '': '0', location_id: id, 'My title': 'Morning', text: 'Porridge until ten' }];
		const fields = columns({ title: '={{ $json["My title"] }}', content: '={{ $json.text }}' });
		const { json } = await run({ ...createPosts, fields }, { rows });
		expect(json).toEqual([expect.objectContaining({ title: 'Morning', content: rows[0].text })]);
	});

	test('with Continue, a failed row keeps its data and position, and the others are processed', async () => {
		const rows = sheet();
		const { json, items } = await run(createPosts, {
			rows,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
		expect(json[1]).toEqual({
			...rows[1],
			error: {
				message: 'Item 2: There is no location with the ID "loc_nowhere"',
				description: expect.stringContaining('Check the ID'),
				httpCode: '404',
			},
		});
		expect(json[3]).toEqual({
			...rows[3],
			error: {
				message: 'Item 4: The location ID is empty: the row has nothing in "location_id"',
				description: 'This row was not sent. Fill the cell, or remove the row.',
			},
		});
		expect([0, 2, 4].map((index) => json[index].error)).toEqual([undefined, undefined, undefined]);
	});

	test('with the error output failed rows go there, with their data', async () => {
		const rows = sheet();
		const { outputs } = await run(createPosts, {
			rows,
			settings: { onError: 'continueErrorOutput' },
		});
		const [good, failed] = outputs;
		expect(good.map(({ json }) => json.title)).toEqual(['One', 'Three', 'Five']);
		expect(failed.map(({ json }) => json)).toEqual([
			{ ...rows[1], error: expect.objectContaining({ httpCode: '404' }) },
			{ ...rows[3], error: expect.not.objectContaining({ httpCode: expect.anything() }) },
		]);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
	});

	test.each([
		['Continue', 'continueRegularOutput', 0],
		['the error output', 'continueErrorOutput', 1],
	] as const)('with %s, a failed row keeps its files', async (_, onError, output) => {
		const rows = sheet();
		const files = rows.map(({ title }) => ({
			photo: { data: btoa(title), mimeType: 'image/png', fileName: `${title}.png` },
			text: { data: '', mimeType: 'text/plain' },
		}));
		const { outputs } = await run(createPosts, { rows, files, settings: { onError } });
		const failed = outputs[output].filter(({ json }) => json.error);
		expect(failed.map(({ binary }) => binary)).toEqual([files[1], files[3]]);
	});

	test('without Continue the first failed row stops the node, after the others were sent', async () => {
		const { error, json } = await run(createPosts, { rows: sheet() });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/^(Item 2: |2 of 5 items failed; 3 were posted\. Item 2: )/);
		expect(bodies()).toHaveLength(4);
		// One page of each location tells the fields.
		expect(requests()).toHaveLength(4 + 3);
	});

	test('values of a row keep their types, and what is empty is left out', async () => {
		const { account } = service.sandbox;
		const [{ id }] = account.locations;
		const kept = {
			title: 'Typed',
			content: 'All of them',
			zero: 0,
			no: false,
			yes: true,
			half: 0.5,
			list: ['a', 1],
			none: [],
			inner: { deep: { er: 1 } },
			text: '007',
		};
		const row = {
			row_number: 2,
			location_id: id,
			...kept,
			blank: '',
			space: ' \u00a0',
			nothing: null,
		};
		account.addPost(account.location(id)!, { ...kept, blank: 'x', space: 'x', nothing: 'x' });
		await run(createPosts, { rows: [row] });
		expect(bodies()).toEqual([kept]);
	});

	describe('columns that automatic mapping does not send', () => {
		const row = () => ({
			row_number: 2,
			location_id: service.sandbox.account.locations[0].id,
			title: 'A',
			content: 'B',
			name: 'C',
			keyword: 'D',
		});

		/** Has the account show columns as fields of locations, keywords and posts. */
		const showAsFields = (names: string[]) => {
			const { account } = service.sandbox;
			const [location] = account.locations;
			const fields = Object.fromEntries(names.map((name) => [name, 'before']));
			for (const shop of account.locations) {
				Object.assign(shop, { ...fields, ...shop });
			}
			account.addKeyword(location, fields);
			account.addPost(location, fields);
		};

		test.each([
			['post', 'create', ['title', 'content', 'name', 'keyword']],
			['keyword', 'create', ['title', 'content', 'name', 'keyword']],
			['location', 'create', ['title', 'content', 'name', 'keyword']],
			['location', 'update', ['title', 'content', 'name', 'keyword']],
		])('%s %s sends %p', async (resource, operation, sent) => {
			showAsFields(sent);
			// A location has no location_id: that column would be asked about.
			const { location_id, ...others } = row();
			const own = operation === 'create' && resource === 'location' ? {} : { location_id };
			const rows = [{ ...own, ...others }];
			await run({ ...createPosts, resource, operation }, { rows });
			expect(Object.keys(bodies()[0] as object)).toEqual(sent);
		});

		test.each([
			['location_id', '={{ $json.location_id }}'],
			['locationId', '={{ $json.locationId }}'],
			['id', '={{ $json.id }}'],
			['id', "={{ $('Sheet').item.json.location }}"],
			['Location ID', '={{ $json["Location ID"].trim() }}'],
			['Größe', '={{ $json?.Größe }}'],
			['where', "={{ $input.item.json['where'] }}"],
			['a', '={{ $json.none || $json.a }}'],
		])(
			'neither an update nor a create sends %s where %s names the location',
			async (column, value) => {
				const [{ id }] = service.sandbox.account.locations;
				const expression = value.includes('Sheet') ? `={{ "${id}" }}` : value;
				const sent = { city: 'Ulm', title: 'A', content: 'C', keyword: 'B' };
				const rows = [{ [column]: ` ${id} `, ...sent }];
				for (const [resource, operation] of [
					['location', 'update'],
					['post', 'create'],
					['keyword', 'create'],
				]) {
					service.sandbox.reset();
					showAsFields(Object.keys(sent));
					await run(
						{ ...createPosts, resource, operation, locationId: byId(expression) },
						{ rows },
					);
					expect(bodies()).toEqual([sent]);
				}
			},
		);

		test('a column that the expression reads is sent if it is a field', async () => {
			const [{ id }] = service.sandbox.account.locations;
			const locationId = byId(`={{ $json.country === 'DE' ? '${id}' : $json.other }}`);
			const row = { country: 'DE', other: 'loc_2', city: 'Ulm' };
			await run(
				{ ...createPosts, operation: 'update', resource: 'location', locationId },
				{ rows: [{ ...row, id: 17 }] },
			);
			// The path has the ID; that of the source is none of the service.
			expect(bodies()).toEqual([{ country: 'DE', city: 'Ulm' }]);
		});

		test('a number that the source of the rows gives them is none of the service', async () => {
			const parameters = { ...createPosts, resource: 'location', operation: 'create' };
			const row = { city: 'Ulm', name: 'A' };
			await run(parameters, { rows: [{ id: 'ours-7', ...row }] });
			expect(bodies()).toEqual([row]);
		});

		test('the option names others', async () => {
			const options = { excludeColumns: 'name, keyword ,location_id' };
			await run({ ...createPosts, options }, { rows: [row()] });
			expect(bodies()).toEqual([{ title: 'A', content: 'B' }]);
		});

		test('the column with the name of the location is left out beside others', async () => {
			const [{ name: shop }] = service.sandbox.account.locations;
			const byName = { __rl: true, mode: 'name', value: '={{ $json.shop }}' };
			const rows = [{ shop, notes: 'x', title: 'A', content: 'B' }];
			const parameters = { ...createPosts, locationId: byName };
			await run({ ...parameters, options: { excludeColumns: 'notes' } }, { rows });
			const { error } = await run({ ...parameters, options: { excludeColumns: '' } }, { rows });
			expect(error?.message).toMatch(/these columns: notes$/);
			expect(bodies()).toEqual([{ title: 'A', content: 'B' }]);
		});

		test('a title of which a part names the location is sent', async () => {
			const [{ name }] = service.sandbox.account.locations;
			const value = "={{ $json.title.split(' - ')[0] }}";
			const rows = [{ title: `${name} - Open on Sunday`, content: 'B' }];
			await run({ ...createPosts, locationId: { __rl: true, mode: 'name', value } }, { rows });
			expect(bodies()).toEqual(rows);
		});

		test('the option leaves out the column of that name, and none that is only like it', async () => {
			const options = { excludeColumns: 'Publish At, location_id, row_number, name, keyword' };
			const publish_at = '2027-12-24T09:00:00-05:00';
			await run(
				{ ...createPosts, options },
				{ rows: [{ ...row(), 'Publish At': 'Christmas Eve', publish_at }] },
			);
			expect(bodies()).toEqual([{ title: 'A', content: 'B', publish_at }]);
		});
	});

	test('manually mapped columns are sent with the values of their expressions', async () => {
		const [{ id }] = service.sandbox.account.locations;
		const fields = columns({
			title: '={{ $json.name.toUpperCase() }}',
			content: 'Fixed',
			price: '={{ $json.price }}',
			open: '={{ false }}',
			blank: '={{ $json.blank }}',
		});
		const rows = [{ location_id: id, name: 'one', price: 0, blank: '' }];
		await run({ ...createPosts, fields }, { rows });
		expect(bodies()).toEqual([{ title: 'ONE', content: 'Fixed', price: 0, open: false }]);
	});

	test('after a switch to automatic mapping the columns filled before are not sent', async () => {
		const [{ id }] = service.sandbox.account.locations;
		const fields = { ...incomingRow, value: { title: 'Stale' } };
		await run(
			{ ...createPosts, fields },
			{ rows: [{ location_id: id, title: 'A', content: 'B' }] },
		);
		expect(bodies()).toEqual([{ title: 'A', content: 'B' }]);
	});

	test('no result, several and a failed row between them keep their pairing', async () => {
		const { account } = service.sandbox;
		const ids = account.locations.map(({ id }) => id);
		const without = ids.find((id) => account.postsOf(id).length === 0)!;
		const withPosts = ids.find((id) => account.postsOf(id).length > 1)!;
		const rows = [withPosts, 'loc_nowhere', without, withPosts].map((location_id) => ({
			location_id,
		}));
		const { json, items } = await run(
			{ ...createPosts, operation: 'getAll', returnAll: true },
			{ rows, settings: { onError: 'continueRegularOutput' } },
		);
		const count = account.postsOf(withPosts).length;
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			...Array.from({ length: count }, () => ({ item: 0 })),
			{ item: 1 },
			...Array.from({ length: count }, () => ({ item: 3 })),
		]);
		expect(json[count]).toMatchObject({ location_id: 'loc_nowhere', error: { httpCode: '404' } });
	});

	describe('dates of a row, as n8n has them', () => {
		const at = new Date('2026-12-31T18:00:00Z');
		const zoned = DateTime.fromISO('2026-12-31T19:00:00+01:00', { setZone: true });
		const texts = { at: at.toISOString(), zoned: zoned.toISO() };
		const row = (more: object = {}) => ({
			location_id: service.sandbox.account.locations[0].id,
			title: 'New Year',
			content: 'Open',
			publish_at: at,
			...more,
		});

		test('are sent as ISO text, at any depth', async () => {
			const { account } = service.sandbox;
			account.addPost(account.locations[0], { more: [1] });
			const { json } = await run(createPosts, { rows: [row({ more: [{ zoned }, at] })] });
			const publish_at = '2026-12-31T18:00:00Z';
			const more = [{ zoned: texts.zoned }, texts.at];
			expect(bodies()).toEqual([{ title: 'New Year', content: 'Open', publish_at, more }]);
			expect(json).toMatchObject([{ publish_at: texts.at, more }]);
		});

		test('are sent as ISO text from expressions, too', async () => {
			const fields = columns({ title: '={{ $json.at.toDateTime() }}', content: '={{ $json.at }}' });
			await run({ ...createPosts, fields }, { rows: [row({ at: texts.at })] });
			const more = [{ name: 'more', type: 'json', value: '={{ [$now] }}' }];
			await run(
				{
					...createPosts,
					fields: columns({ title: '={{ $now }}' }),
					options: { additionalFields: { fields: more } },
				},
				{ rows: [row()] },
			);
			const iso = expect.stringMatching(
				/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/,
			);
			expect(bodies()).toEqual([
				{ title: iso, content: texts.at },
				{ title: iso, more: [iso] },
			]);
		});
	});

	test.each([
		['an invalid date', new Date(NaN)],
		['Infinity', Infinity],
	])('%s is named before anything is sent', async (what, value) => {
		const [{ id }] = service.sandbox.account.locations;
		const rows = [{ location_id: id, title: 'A', content: value }];
		const { error } = await run({ ...createPosts, fields: incomingRow }, { rows });
		expect(error?.message).toBe(`content: ${what} stands in place of a value`);
		expect(bodies()).toEqual([]);
	});
});
