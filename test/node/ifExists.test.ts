import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, incomingRow, useSandbox } from '../support/fixture';
import { createPosts, postSheet, sheetOf } from '../support/sheet';
import { useShortWatch } from '../support/shortWatch';

// What exists is skipped, so a sheet can be run again.

useShortWatch();
const service = useSandbox();
const account = () => service.sandbox.account;
const posts = () => service.requests().filter((request) => request.startsWith('POST')).length;
const run = async (parameters: INodeParameters, rows: object[], more = {}) =>
	await service.run(parameters, { rows, ...more });
const skipped = ({ json }: Awaited<ReturnType<typeof run>>) =>
	json.map((record) => record.skipped === true);
const settings = { onError: 'continueRegularOutput' as const };

test('posts of a sheet that grows and is run again: each is sent once, and a hint counts them', async () => {
	const rows = sheetOf(service.sandbox, 9);
	const first = await run(postSheet, rows.slice(0, 8));
	expect(skipped(first)).toEqual(Array(8).fill(false));
	expect(first.hints).toEqual(['8 content posts go live at once.']);
	const second = await run(postSheet, rows);
	expect(second.json.slice(0, 8)).toEqual(
		first.json.map(({ goes_live, ...post }) => {
			expect(goes_live).toBe('at once');
			return { ...post, outcome: 'skipped', skipped: true };
		}),
	);
	expect(second.items.map(({ pairedItem }) => pairedItem)).toEqual(
		rows.map((_, item) => ({ item })),
	);
	expect(second.hints).toEqual([
		'1 posted, 8 skipped because they already exist.',
		'1 content post goes live at once.',
	]);
	expect((await run(postSheet, rows.slice(0, 1))).hints).toEqual([
		'1 skipped because it already exists.',
	]);
	expect(posts()).toBe(9);
});

describe('keywords', () => {
	const create = { ...postSheet, resource: 'keyword' };
	const of = (location_id: string, ...texts: string[]) =>
		texts.map((keyword) => ({ location_id, keyword }));

	test('are there once for a location, whatever their case and spaces, also in one sheet', async () => {
		const [one, two] = [1, 2].map(() => account().addLocation({ name: 'Brand-new shop' }).id);
		const rows = [...of(one, 'Plumber Leeds', ' plumber  LEEDS ', 'c++'), ...of(two, 'c++')];
		const dated = rows.map((row, at) => ({ ...row, added: `2026-01-0${at + 1}` }));
		const how = { ...create, options: { ignoreExtraColumns: true } };
		expect(skipped(await run(how, dated))).toEqual([false, true, false, false]);
		expect(skipped(await run(how, dated))).toEqual([true, true, true, true]);
	});

	test('that were deleted are no longer there', async () => {
		const { id } = account().addLocation({ name: 'Brand-new shop' });
		const [keyword] = (await run(create, of(id, 'plumber'))).json;
		const keywordId = byId(String(keyword.id));
		await run({ resource: 'keyword', operation: 'delete', keywordId }, [{}]);
		expect(skipped(await run(create, of(id, 'plumber')))).toEqual([false]);
	});
});

describe('locations', () => {
	const create = { resource: 'location', operation: 'create', fields: incomingRow };
	const shop = { name: 'Corner Bakery', address: '1 High Street', city: 'Leeds' };

	test('are known by name and address', async () => {
		const rows = [shop, { ...shop, address: '2 Mill Lane' }, { ...shop, name: 'Corner Café' }];
		expect(skipped(await run(create, rows))).toEqual([false, false, false]);
		const again = rows.map((row) => ({ ...row, city: 'LEEDS', country: 'GB' }));
		expect(skipped(await run(create, again))).toEqual([true, true, true]);
		expect(posts()).toBe(3);
	});

	test('without an address are asked about, and told apart by what the user says', async () => {
		const rows = ['Leeds', 'York'].map((city) => ({ name: shop.name, city }));
		const { error } = await run(create, rows);
		expect(error?.description).toMatch(/name the fields that tell yours apart/);
		const byCity = { ...create, options: { matchFields: 'name, city' } };
		expect(skipped(await run(byCity, rows))).toEqual([false, false]);
		expect(skipped(await run(byCity, rows))).toEqual([true, true]);
	});

	test('that were exported are skipped, also after they were scanned again', async () => {
		const { locations } = account();
		for (const one of locations.slice(1)) one.address = '';
		// Rows are sent whatever the column status says.
		const rows = structuredClone(locations).map((one) => ({ ...one, status: '' }));
		const last_scan_at = '2031-01-01T00:00:00Z';
		for (const one of locations) Object.assign(one, { last_scan_at, rank_score: 1 });
		expect(skipped(await run(create, rows))).toEqual(rows.map(() => true));
		expect(posts()).toBe(0);
	});
});

test('match fields are asked for where records or rows lack them, and those of the user count', async () => {
	const { id } = account().addLocation({ name: 'Brand-new shop' });
	const texts = { headline: 'Open on Sunday', text: 'From 8 to 12' };
	// The service shows only these, and takes them.
	const data = [{ id: 'post_9', ...texts }];
	const transform = () => ({ data, meta: { total: 1 } });
	service.sandbox.faults.add({ when: { method: 'GET', path: /posts$/ }, transform });
	const row = { location_id: id, ...texts };
	for (const [matchFields, more, message] of [
		['', {}, /title/],
		['subtitle', { subtitle: 'C' }, /does not show subtitle|^None of the existing .* subtitle/],
		['Headline', { headline: '' }, /no value in any match field: headline/],
	] as const) {
		const rows = [{ ...row, ...more }];
		const { error } = await run({ ...postSheet, options: { matchFields } }, rows);
		expect(error?.message).toMatch(message);
	}
	const byOwn = { ...postSheet, options: { matchFields: 'headline, text' } };
	expect(skipped(await run(byOwn, [row]))).toEqual([true]);
	expect(posts()).toBe(0);
});

describe('of two same rows', () => {
	test('the second is tried where the first fails', async () => {
		const [row] = sheetOf(service.sandbox, 1);
		service.sandbox.faults.add({ when: { method: 'POST' }, times: 1, response: { status: 409 } });
		const { json } = await run(postSheet, [row, row], { settings });
		expect(json).toMatchObject([{ error: { httpCode: '409' } }, { title: row.title }]);
		expect(json[1].skipped).toBeUndefined();
	});
});

describe('nothing is posted twice in doubt', () => {
	const lost = () =>
		service.sandbox.faults.add({
			...{ when: { method: 'POST' }, times: 1, actFirst: true },
			dropConnection: true,
		});

	test('by the second of two same rows', async () => {
		lost();
		// The list is shown once, before anything is posted, and then no more.
		service.sandbox.faults.add({ when: { method: 'GET' }, times: 1, delayMs: 1 });
		service.sandbox.faults.add({ when: { method: 'GET' }, response: { status: 403 } });
		const [row] = sheetOf(service.sandbox, 1);
		const parameters = { ...postSheet, options: { maxWait: 1 } };
		const { json } = await run(parameters, [row, row], { settings });
		const message = expect.stringMatching(/Could not confirm/);
		expect(json).toMatchObject([{ error: { message } }, { error: { message } }]);
		expect(posts()).toBe(1);
	});

	test('by another run soon, where the list was not read before', async () => {
		lost();
		const rows = sheetOf(service.sandbox, 1);
		for (let times = 0; times < 2; times++) {
			const { error } = await run(createPosts, rows);
			expect(error?.message).toMatch(/^Could not confirm whether the content post was created/);
		}
		const { json } = await run(postSheet, rows);
		expect(json).toMatchObject([{ outcome: expect.stringMatching(/created|skipped/) }]);
		expect(posts()).toBe(1);
	});
});

describe('outside of executions, as tools of an MCP server are run,', () => {
	const isOutsideOfExecutions = true;

	test('the list is read for each row, and its post still found', async () => {
		const rows = sheetOf(service.sandbox, 2);
		for (const row of [...rows, rows[1]]) await run(postSheet, [row], { isOutsideOfExecutions });
		expect(posts()).toBe(2);
	});

	test('what was changed is changed back', async () => {
		const [shop] = account().locations;
		for (const name of ['Alpha', 'Beta', 'Alpha']) {
			const fields = columns({ name });
			const update = { resource: 'location', operation: 'update', locationId: byId(shop.id) };
			await run({ ...update, fields }, [{}], { isOutsideOfExecutions });
			expect(shop.name).toBe(name);
		}
	});
});
