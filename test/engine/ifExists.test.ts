import type { INodeParameters } from 'n8n-workflow';

import { posts as sheetRows } from '../../examples/posts';
import { byId, incomingRow, useSandbox } from '../support/fixture';
import { createPosts, postSheet, sheetOf } from '../support/sheet';

const service = useSandbox();
const { requests } = service;
const posts = () => requests().filter((request) => request.startsWith('POST')).length;
const lists = () => requests().filter((request) => request.startsWith('GET'));

/** Keywords of the rows, each for the location of its row. */
const addKeywords = {
	resource: 'keyword',
	operation: 'create',
	locationId: byId('={{ $json.location_id }}'),
	fields: incomingRow,
};
const addLocations = { resource: 'location', operation: 'create', fields: incomingRow };

/** A location that has nothing yet, and the service's own beside it. */
const newLocation = () => service.sandbox.account.addLocation({ name: 'Brand-new shop' });

describe('what exists is skipped', () => {
	const run = async (parameters: INodeParameters, rows: object[], more = {}) =>
		await service.run(parameters, { rows, ...more });
	const keywordsOf = (location_id: string, ...texts: unknown[]) =>
		texts.map((keyword) => ({ location_id, keyword }));
	const skipped = ({ json }: Awaited<ReturnType<typeof run>>) =>
		json.map((record) => record.skipped === true);

	test('keywords of a sheet that is run again', async () => {
		const { id } = newLocation();
		const rows = keywordsOf(id, 'plumber', 'plumber near me', 'emergency plumber');
		const first = await run(addKeywords, rows);
		const second = await run(addKeywords, rows);
		expect(skipped(first)).toEqual([false, false, false]);
		expect(second.json).toEqual(first.json.map((keyword) => ({ ...keyword, skipped: true })));
		expect(service.sandbox.account.keywordsOf(id)).toHaveLength(3);
	});

	test('the same keyword at another location is another one', async () => {
		const [one, two] = [newLocation(), newLocation()];
		const rows = [...keywordsOf(one.id, 'plumber'), ...keywordsOf(two.id, 'plumber')];
		expect(skipped(await run(addKeywords, rows))).toEqual([false, false]);
		expect(skipped(await run(addKeywords, rows))).toEqual([true, true]);
	});

	test('case and spaces around a keyword make no other one, also in the same sheet', async () => {
		const { id } = newLocation();
		await run(addKeywords, keywordsOf(id, 'Plumber Leeds'));
		const rows = keywordsOf(id, 'plumber leeds', ' Plumber  LEEDS ', 'Baker', 'baker');
		expect(skipped(await run(addKeywords, rows))).toEqual([true, true, false, true]);
		expect(service.sandbox.account.keywordsOf(id)).toHaveLength(2);
	});

	test('a keyword that begins with another one is another one', async () => {
		const { id } = newLocation();
		await run(addKeywords, keywordsOf(id, 'vegan restaurant in berlin'));
		const longer = keywordsOf(id, 'vegan restaurant in berlin mitte', 'vegan restaurant');
		expect(skipped(await run(addKeywords, longer))).toEqual([false, false]);
	});

	test('a keyword that differs by a space or a sign is left to the user', async () => {
		const { id } = newLocation();
		await run(addKeywords, keywordsOf(id, 'zahnarzt berlin', 'c course'));
		for (const keyword of ['zahn arzt berlin', 'c# course']) {
			const { error } = await run(addKeywords, keywordsOf(id, keyword));
			expect(error?.message).toMatch(/^A similar keyword already exists: ".+" \(ID kw_/);
		}
		expect(service.sandbox.account.keywordsOf(id)).toHaveLength(2);
	});

	test('locations by name and address', async () => {
		const shop = { name: 'Corner Bakery', address: '1 High Street', city: 'Leeds' };
		const rows = [shop, { ...shop, address: '2 Mill Lane' }, { ...shop, name: 'Corner Café' }];
		expect(skipped(await run(addLocations, rows))).toEqual([false, false, false]);
		const again = rows.map((row) => ({ ...row, city: 'LEEDS', country: 'GB' }));
		expect(skipped(await run(addLocations, again))).toEqual([true, true, true]);
		expect(posts()).toBe(3);
	});

	test('shops of one name without an address are told apart by what else they have', async () => {
		const cities = ['Leeds', 'York', 'Hull'];
		const rows = cities.map((city) => ({ name: 'Corner Bakery', city }));
		expect(skipped(await run(addLocations, rows.slice(0, 2)))).toEqual([false, false]);
		const again = await run(addLocations, rows);
		expect(skipped(again)).toEqual([true, true, false]);
		expect(again.json.map(({ city }) => city)).toEqual(cities);
	});

	test('a text that is posted at several dates', async () => {
		const [row] = sheetOf(service.sandbox, 1);
		const rows = ['2027-05-01T09:00:00Z', '2027-06-01T09:00:00Z'].map((publish_at) => ({
			...row,
			publish_at,
		}));
		expect(skipped(await run(postSheet, rows))).toEqual([false, false]);
		expect(skipped(await run(postSheet, rows))).toEqual([true, true]);
		const next = { ...row, publish_at: '2027-07-01T09:00:00Z' };
		const { error } = await run(postSheet, [next]);
		expect(error?.message).toMatch(/^A similar content post already exists: "Offer number 1"/);
		const byDate = { ...postSheet, options: { matchFields: 'title, content, publish_at' } };
		expect(skipped(await run(byDate, [next, ...rows]))).toEqual([false, true, true]);
	});

	test('an account without any location', async () => {
		const { account } = service.sandbox;
		for (const { id } of [...account.locations]) account.removeLocation(id);
		const rows = [{ name: 'First' }, { name: 'First', city: 'York' }, { name: 'First' }];
		expect(skipped(await run(addLocations, rows))).toEqual([false, false, true]);
	});

	describe('a service whose records have other names', () => {
		/** Shows what it calls `text` and `body`, in lists and in responses, and takes them. */
		const rename = (names: Record<string, string>) =>
			service.sandbox.faults.add({
				when: { method: 'GET' },
				transform: ({ data, ...rest }) => ({
					...rest,
					data: [data].flat().map((record) =>
						Object.fromEntries(
							Object.entries(record as object)
								.filter(([name]) => !Object.values(names).includes(name))
								.map(([name, value]) => [names[name] ?? name, value]),
						),
					),
				}),
			});

		test('rows in its words are skipped, without a setting', async () => {
			const { id } = newLocation();
			service.sandbox.account.addPost(service.sandbox.account.location(id)!, {
				title: 'Open on Sunday',
				content: 'From 8 to 12',
			});
			rename({ title: 'headline', content: 'text' });
			const row = { location_id: id, headline: 'Open on Sunday', text: 'From 8 to 12' };
			const other = { ...row, text: 'From 9 to 12' };
			expect(skipped(await run(postSheet, [row]))).toEqual([true]);
			const { error } = await run(postSheet, [other]);
			// The sandbox itself rejects it; what matters is that it was sent.
			expect(error?.message).not.toMatch(/similar|match field/);
			expect(posts()).toBe(1);
		});

		test('one of the usual fields does not make different rows the same', async () => {
			const { id } = newLocation();
			service.sandbox.account.addPost(service.sandbox.account.location(id)!, {
				title: 'Tip of the week',
				content: 'Water your plants',
			});
			rename({ content: 'text' });
			const row = { location_id: id, title: 'Tip of the week', text: 'Water your plants' };
			expect(skipped(await run(postSheet, [row]))).toEqual([true]);
			await run(postSheet, [{ ...row, text: 'Cut your hedge' }]);
			expect(posts()).toBe(1);
		});

		test('a keyword that no record can show is added, but not what was added here', async () => {
			const { id } = newLocation();
			await run({ ...addKeywords, ifExists: 'create' }, keywordsOf(id, 'plumber'));
			rename({ keyword: 'phrase' });
			expect(skipped(await run(addKeywords, keywordsOf(id, 'baker')))).toEqual([false]);
			expect(skipped(await run(addKeywords, keywordsOf(id, 'plumber')))).toEqual([true]);
			expect(posts()).toBe(2);
		});
	});

	test('a row without any of the usual fields is refused where the records have them', async () => {
		const { id } = newLocation();
		await run(addKeywords, keywordsOf(id, 'plumber'));
		const parameters = { ...addKeywords, dataToSend: 'json', jsonBody: { device: 'mobile' } };
		const { error } = await run(parameters, [{ location_id: id }]);
		expect(error?.message).toBe('The row has no value in any match field: keyword');
		expect(posts()).toBe(1);
	});

	test('Match Fields of a keyword', async () => {
		const { id } = newLocation();
		const rows = ['mobile', 'desktop'].map((device) => ({
			location_id: id,
			keyword: 'plumber',
			device,
		}));
		const byDevice = { ...addKeywords, options: { matchFields: 'keyword, device' } };
		expect(skipped(await run(byDevice, rows))).toEqual([false, false]);
		expect(skipped(await run(byDevice, rows))).toEqual([true, true]);
		expect(skipped(await run(addKeywords, rows))).toEqual([true, true]);
	});

	test('Create Another One sends each row, without a look', async () => {
		const { id } = newLocation();
		const rows = keywordsOf(id, 'plumber', 'plumber');
		await run({ ...addKeywords, ifExists: 'create' }, rows);
		expect(lists()).toEqual([]);
		expect(posts()).toBe(2);
	});

	test('a value that is none of the two skips, as it is safe', async () => {
		const rows = sheetOf(service.sandbox, 1);
		await run(createPosts, rows);
		expect(skipped(await run({ ...postSheet, ifExists: 'no' }, rows))).toEqual([true]);
	});
});

describe('what a run says', () => {
	const { run } = service;

	test('how many were created, and how many skipped', async () => {
		const rows = sheetOf(service.sandbox, 4);
		expect((await run(postSheet, { rows: rows.slice(0, 1) })).hints).toEqual([]);
		expect((await run(postSheet, { rows: rows.slice(0, 3) })).hints).toEqual([
			'2 posted, 1 skipped because it already exists.',
		]);
		expect((await run(postSheet, { rows })).hints).toEqual([
			'1 posted, 3 skipped because they already exist.',
		]);
		expect((await run(postSheet, { rows: rows.slice(0, 1) })).hints).toEqual([
			'1 skipped because it already exists.',
		]);
	});

	test('also where n8n runs the node again', async () => {
		const rows = sheetOf(service.sandbox, 3);
		await run(createPosts, { rows: rows.slice(0, 1) });
		service.sandbox.faults.add({ when: { method: 'POST' }, times: 1, response: { status: 409 } });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
		const { hints } = await run(postSheet, { rows, settings });
		expect(hints).toEqual(['2 posted, 1 skipped because it already exists.']);
	});

	test('nothing of what exists where that was not looked at, whatever the columns are called', async () => {
		const rows = sheetOf(service.sandbox, 2).map((row) => ({ ...row, skipped: true }));
		const { hints } = await run(createPosts, { rows });
		expect(hints).toEqual([]);
	});

	test.each([
		[postSheet, /You can safely run all rows again: those whose content post already exists are/],
		[
			createPosts,
			/Do not run all rows again: those that succeeded would be posted twice\. Run only/,
		],
	])('whether it can be run again, where some rows failed', async (parameters, words) => {
		const [good, bad] = sheetOf(service.sandbox, 2);
		const rows = [good, { ...bad, location_id: 'loc_nowhere' }];
		const { error } = await run(parameters, { rows });
		expect(error?.message).toMatch(/^1 of 2 rows failed \(2\); 1 was posted\./);
		expect(error?.description).toMatch(words);
		const none = await run(parameters, { rows: [rows[1], rows[1]] });
		expect(none.error?.message).toMatch(/^All 2 rows failed/);
		expect(none.error?.description).not.toMatch(/again/);
	});

	test('of an update, nothing about what exists', async () => {
		const [{ location_id }] = sheetOf(service.sandbox, 1);
		const { error } = await run(
			{
				...addLocations,
				operation: 'update',
				locationId: byId('={{ $json.location_id }}'),
			},
			{
				rows: [
					{ location_id, name: 'A' },
					{ location_id: 'loc_nowhere', name: 'B' },
				],
			},
		);
		expect(error?.message).toMatch(/1 was updated/);
		expect(error?.description).not.toMatch(/run all rows again/);
	});
});

test("the example's spreadsheet can be run again", async () => {
	const rows = sheetRows.map((row) => ({ ...row }));
	expect((await service.run(postSheet, { rows })).hints).toEqual([]);
	const { json, hints } = await service.run(postSheet, { rows });
	expect(hints).toEqual(['40 skipped because they already exist.']);
	expect(json.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
	expect(posts()).toBe(40);
});

test('a long list of locations is read once a run', async () => {
	const { account } = service.sandbox;
	for (let index = 0; index < 600; index++) {
		const shop = account.addLocation({ name: `Shop ${index}`, address: `${index} High Street` });
		// Not while the list is read: it would be read again.
		shop.created_at = '2026-01-01T00:00:00Z';
	}
	const rows = Array.from({ length: 40 }, (_, index) => ({
		name: `Shop ${590 + index}`,
		address: `${590 + index} High Street`,
	}));
	const { json, hints } = await service.run(addLocations, { rows });
	expect(json.filter(({ skipped }) => skipped)).toHaveLength(10);
	expect(hints[0]).toBe('30 created, 10 skipped because they already exist.');
	expect(lists()).toHaveLength(Math.ceil((600 + 64) / 15));
});
