import { byId, columns, useSandbox } from '../support/fixture';
import { locationWithPosts } from '../support/operations';

const service = useSandbox();
const includeInputFields = true;

describe('Include Input Fields', () => {
	const { run } = service;
	const createPosts = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		fields: columns({ title: '={{ $json.headline }}', content: '={{ $json.text }}' }),
		options: { includeInputFields },
	};
	const row = (more: object = {}) => ({
		row_number: 2,
		location_id: service.sandbox.account.locations[0].id,
		headline: 'Open on Sunday',
		text: 'From 8 to 12',
		...more,
	});

	test('a status can be written back by the number of the row', async () => {
		const rows = [row(), row({ row_number: 3, headline: 'Other' })];
		const { json, items } = await run(createPosts, { rows });
		const id = expect.stringMatching(/^post_/);
		expect(json).toMatchObject(rows.map((own) => ({ ...own, id, title: own.headline })));
		expect(Object.keys(json[0]).slice(0, 4)).toEqual(Object.keys(rows[0]));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('without it, the result comes alone', async () => {
		for (const options of [{}, { includeInputFields: false }]) {
			const { json } = await run({ ...createPosts, options }, { rows: [row()] });
			expect(json[0]).not.toHaveProperty('row_number');
		}
	});

	test('a name that the result has, too, with another value', async () => {
		const own = row({ status: 'to do', id: 5, input_status: 'old', title: 'Open on Sunday' });
		const { json } = await run(createPosts, { rows: [own] });
		expect(json[0]).toMatchObject({
			id: expect.stringMatching(/^post_/),
			input_id: 5,
			status: expect.not.stringMatching('to do'),
			input_status: 'old',
			input_input_status: 'to do',
			title: 'Open on Sunday',
		});
		expect(json[0]).not.toHaveProperty('input_title');
		expect(json[0]).not.toHaveProperty('input_location_id');
	});

	test('a row that was skipped or has failed before is not taken for one that is now', async () => {
		const rows = [
			row({ skipped: true }),
			row({ row_number: 3, headline: 'Other', error: 'my own' }),
		];
		const { json, hints } = await run(createPosts, { rows });
		expect(json[0]).toMatchObject({ input_skipped: true });
		expect(json[1]).toMatchObject({ input_error: 'my own' });
		for (const name of ['skipped', 'error']) {
			expect(json.filter((item) => name in item)).toEqual([]);
		}
		expect(hints.filter((hint) => /skipped|failed/.test(hint))).toEqual([]);
	});

	test('every record of a list, or every day, has the columns of its row', async () => {
		const { id } = locationWithPosts(service);
		const rows = [{ location_id: id, shop: 'East' }];
		const getPosts = { ...createPosts, operation: 'getAll', fields: null as never };
		const { json } = await run(getPosts, { rows });
		expect(json.length).toBeGreaterThan(1);
		expect(json.every(({ shop, location_id }) => shop === 'East' && location_id === id)).toBe(true);
	});

	test('a row that failed has its columns with and without the option', async () => {
		const rows = [row({ location_id: 'loc_nowhere', error: 'my own', at: new Date(0) })];
		const settings = { onError: 'continueRegularOutput' as const };
		for (const options of [{}, { includeInputFields }]) {
			const { json } = await run({ ...createPosts, options }, { rows, settings });
			expect(json).toEqual([
				{
					...rows[0],
					at: '1970-01-01T00:00:00.000Z',
					input_error: 'my own',
					error: expect.objectContaining({ httpCode: '404' }),
				},
			]);
		}
	});

	test('a deletion says what it deleted', async () => {
		const [keyword] = service.sandbox.account.keywordsOf(service.sandbox.account.locations[0].id);
		const { json } = await run(
			{
				resource: 'keyword',
				operation: 'delete',
				options: { includeInputFields },
				keywordId: byId('={{ $json.kw }}'),
			},
			{ rows: [{ kw: keyword.id, deleted: 'yes' }] },
		);
		const { id } = keyword;
		expect(json).toEqual([{ kw: id, input_deleted: 'yes', id, deleted: true, outcome: 'deleted' }]);
	});
});

test.each([false, true])(
	'a single row is called by its number in the sheet, as one of a loop (as a tool: %p)',
	async (isRoutedByHost) => {
		const rows = [{ row_number: 17, id: 'loc_nowhere' }];
		const get = { resource: 'location', operation: 'get', locationId: byId('={{ $json.id }}') };
		const stopped = await service.run(get, { rows, isRoutedByHost });
		expect(stopped.error?.message).toBe('Row 17: There is no location with the ID "loc_nowhere"');
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await service.run(get, { rows, isRoutedByHost, settings });
		expect(json[0].error).toMatchObject({ message: stopped.error?.message });
		const bare = await service.run(get, { rows: [{ id: 'loc_nowhere' }], isRoutedByHost });
		expect(bare.error?.message).toBe('There is no location with the ID "loc_nowhere"');
	},
);
