import type { INodeParameters } from 'n8n-workflow';

import { byId, incomingRow, useSandbox } from '../support/fixture';
import { createPosts, postSheet, sheetOf } from '../support/sheet';
import { useShortWatch } from '../support/shortWatch';

useShortWatch();
const service = useSandbox();
const { requests } = service;
const posts = () => requests().filter((request) => request.startsWith('POST')).length;

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

	test('posts of a sheet that is run again', async () => {
		const rows = sheetOf(service.sandbox, 9);
		const first = await run(postSheet, rows);
		const second = await run(postSheet, rows);
		expect(posts()).toBe(9);
		expect(skipped(first)).toEqual(rows.map(() => false));
		expect(second.json).toEqual(
			first.json.map(({ goes_live, ...post }) => {
				expect(goes_live).toBe('at once');
				return { ...post, outcome: 'skipped', skipped: true };
			}),
		);
		expect(second.items.map(({ pairedItem }) => pairedItem)).toEqual(
			rows.map((_, item) => ({ item })),
		);
	});

	test('a keyword is there once, whatever dates its sheet has', async () => {
		const [fresh, other] = [newLocation(), newLocation()];
		await run(addKeywords, keywordsOf(other.id, 'electrician'));
		for (const { id } of [fresh, other]) {
			const rows = keywordsOf(id, 'plumber', 'Plumber');
			const dated = [
				{ ...rows[0], added: '2026-01-01' },
				{ ...rows[1], added: '2026-02-01' },
			];
			const options = { ignoreExtraColumns: true };
			expect(skipped(await run({ ...addKeywords, options }, dated))).toEqual([false, true]);
			expect(skipped(await run({ ...addKeywords, options }, dated))).toEqual([true, true]);
		}
	});

	test('a keyword that was deleted is no longer there', async () => {
		const { id } = newLocation();
		const [{ id: keywordId }] = (await run(addKeywords, keywordsOf(id, 'plumber'))).json;
		await run({ resource: 'keyword', operation: 'delete', keywordId: byId(`${keywordId}`) }, [{}]);
		expect(skipped(await run(addKeywords, keywordsOf(id, 'plumber')))).toEqual([false]);
	});

	test('case and spaces around a keyword make no other one, also in the same sheet', async () => {
		const { id } = newLocation();
		await run(addKeywords, keywordsOf(id, 'Plumber Leeds'));
		const rows = keywordsOf(id, 'plumber leeds', ' Plumber  LEEDS ', 'Baker', 'baker');
		expect(skipped(await run(addKeywords, rows))).toEqual([true, true, false, true]);
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

	test('shops of one name without an address are asked about, and told apart by what the user says', async () => {
		const rows = ['Leeds', 'York'].map((city) => ({ name: 'Corner Bakery', city }));
		const { error } = await run(addLocations, rows);
		expect(error?.description).toMatch(/name the fields that tell yours apart/);
		const byCity = { ...addLocations, options: { matchFields: 'name, city' } };
		expect(skipped(await run(byCity, rows))).toEqual([false, false]);
		expect(skipped(await run(byCity, rows))).toEqual([true, true]);
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

		test('its rows are asked about, and skipped by the fields that the user names', async () => {
			const { id } = newLocation();
			service.sandbox.account.addPost(service.sandbox.account.location(id)!, {
				title: 'Open on Sunday',
				content: 'From 8 to 12',
			});
			rename({ title: 'headline', content: 'text' });
			const row = { location_id: id, headline: 'Open on Sunday', text: 'From 8 to 12' };
			expect((await run(postSheet, [row])).error?.message).toMatch(/title/);
			const byOwn = { ...postSheet, options: { matchFields: 'headline, text' } };
			expect(skipped(await run(byOwn, [row]))).toEqual([true]);
			expect(posts()).toBe(0);
		});
	});

	test('a sheet of locations that was exported, also after they were scanned again', async () => {
		const { locations } = service.sandbox.account;
		for (const shop of locations.slice(1)) shop.address = '';
		// Rows are sent whatever the column status says.
		const rows = structuredClone(locations).map((shop) => ({ ...shop, status: '' }));
		for (const shop of locations) {
			Object.assign(shop, { last_scan_at: '2031-01-01T00:00:00Z', rank_score: 1 });
		}
		expect(skipped(await run(addLocations, rows))).toEqual(rows.map(() => true));
		expect(posts()).toBe(0);
	});

	test('where the first of two same rows fails, the second is tried', async () => {
		const [row] = sheetOf(service.sandbox, 1);
		service.sandbox.faults.add({ when: { method: 'POST' }, times: 1, response: { status: 409 } });
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await run(postSheet, [row, row], { settings });
		expect(json).toMatchObject([{ error: { httpCode: '409' } }, { title: row.title }]);
		expect(json[1].skipped).toBeUndefined();
	});

	test('a row whose post may exist is not posted by the next row that says the same', async () => {
		const { faults, account } = service.sandbox;
		faults.add({ when: { method: 'POST' }, times: 1, actFirst: true, dropConnection: true });
		// The list is shown once, before anything is posted, and then no more.
		faults.add({ when: { method: 'GET' }, times: 1, delayMs: 1 });
		faults.add({ when: { method: 'GET' }, response: { status: 403 } });
		const [row] = sheetOf(service.sandbox, 1);
		const settings = { onError: 'continueRegularOutput' as const };
		const parameters = { ...postSheet, options: { maxWait: 1 } };
		const { json } = await run(parameters, [row, row], { settings });
		const message = expect.stringMatching(/Could not confirm/);
		expect(json).toMatchObject([{ error: { message } }, { error: { message } }]);
		const there = account.postsOf(String(row.location_id));
		expect(there.filter(({ title }) => title === row.title)).toHaveLength(1);
	});
});

describe('what a run says', () => {
	const { run } = service;

	test('how many were created, and how many skipped', async () => {
		const rows = sheetOf(service.sandbox, 4);
		expect((await run(postSheet, { rows: rows.slice(0, 1) })).hints).toEqual([
			'1 content post goes live at once.',
		]);
		expect((await run(postSheet, { rows: rows.slice(0, 3) })).hints).toEqual([
			'2 posted, 1 skipped because it already exists.',
			'2 content posts go live at once.',
		]);
		expect((await run(postSheet, { rows })).hints).toEqual([
			'1 posted, 3 skipped because they already exist.',
			'1 content post goes live at once.',
		]);
		expect((await run(postSheet, { rows: rows.slice(0, 1) })).hints).toEqual([
			'1 skipped because it already exists.',
		]);
	});
});
