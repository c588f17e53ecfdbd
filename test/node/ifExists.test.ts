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

	test('the same keyword at another location is another one', async () => {
		const [one, two] = [newLocation(), newLocation()];
		const rows = [...keywordsOf(one.id, 'plumber'), ...keywordsOf(two.id, 'plumber')];
		expect(skipped(await run(addKeywords, rows))).toEqual([false, false]);
		expect(skipped(await run(addKeywords, rows))).toEqual([true, true]);
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

	test('a keyword that differs by a space or a sign is another one', async () => {
		const { id } = newLocation();
		await run(addKeywords, keywordsOf(id, 'e-bike shop', 'c tutor'));
		const others = keywordsOf(id, 'ebike shop', 'e bike shop', 'c++ tutor');
		expect(skipped(await run(addKeywords, others))).toEqual([false, false, false]);
		expect(service.sandbox.account.keywordsOf(id)).toHaveLength(5);
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
		expect(error?.message).toMatch(
			/^A content post with this title and content is there for \w+, (May|Jun) 1, 2027, 05:00 \(America\/New_York\); the row says Thu, Jul 1, 2027, 05:00 \(/,
		);
		expect(error?.description).toMatch(
			/^This row was not sent\. If it is another content post, set the option 'Match Fields' to title, content, publish_at; if not, remove the row \(the other one has the ID post_/,
		);
		// One word of a planned post was corrected in the sheet.
		const edited = { ...rows[0], content: 'Another text' };
		const again = await run(postSheet, [edited]);
		expect(again.error?.message).toMatch(/^A content post with this title is there for Sat, May 1/);
		const byDate = { ...postSheet, options: { matchFields: 'title, content, publish_at' } };
		expect(skipped(await run(byDate, [next, ...rows]))).toEqual([false, true, true]);
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

		test('times of the service do not make a row another one, however they are spelled', async () => {
			const { id } = newLocation();
			const text = { title: 'Open on Sunday', content: 'From 8 to 12' };
			service.sandbox.account.addPost(service.sandbox.account.location(id)!, text);
			rename({ created_at: 'createdAt' });
			const row = { location_id: id, ...text, createdAt: '2031-01-01T00:00:00Z' };
			expect(skipped(await run(postSheet, [row]))).toEqual([true]);
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

	test('a match field that the listed posts do not have is rejected', async () => {
		const [{ location_id }] = sheetOf(service.sandbox, 1);
		await run(createPosts, sheetOf(service.sandbox, 1));
		const rows = [{ location_id, title: 'A', content: 'B', headline: 'C' }];
		const { error } = await run({ ...postSheet, options: { matchFields: 'headline' } }, rows);
		expect(error?.message).toMatch(/^None of the existing content posts shows headline/);
		expect(posts()).toBe(1);
	});

	test('a row without any match field is refused', async () => {
		const [{ location_id }] = sheetOf(service.sandbox, 1);
		// As the sheet has it.
		const byTitle = { ...postSheet, options: { matchFields: 'Title' } };
		const { error } = await run(byTitle, [{ location_id, content: 'B' }]);
		expect(error?.message).toMatch(/no value in any match field: title/);
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

	test.each([
		[postSheet, /You can safely run all items again: those whose content post already exists are/],
		[
			createPosts,
			/Do not run all items again: those that succeeded would be posted twice\. Run only/,
		],
	])('whether it can be run again, where some rows failed', async (parameters, words) => {
		const [good, bad] = sheetOf(service.sandbox, 2);
		const rows = [good, { ...bad, location_id: 'loc_nowhere' }];
		const { error } = await run(parameters, { rows });
		expect(error?.message).toMatch(/^1 of 2 items failed; 1 was posted\. Item 2: /);
		expect(error?.description).toMatch(words);
		const none = await run(parameters, { rows: [rows[1], rows[1]] });
		expect(none.error?.message).toMatch(/^All 2 items failed/);
		expect(none.error?.description).not.toMatch(/again/);
	});
});
