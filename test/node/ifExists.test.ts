import omit from 'lodash/omit';
import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, goOn, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { postSheet, sheetOf } from '../support/sheet';

// What exists is skipped, so a sheet can be run again. What is compared: unit/rows, sheets/.

useShortWatch();
const service = useSandbox();
const { account } = service;
const faults = () => service.sandbox.faults;
const posts = () => service.requests().filter((request) => request.startsWith('POST')).length;
const run = async (parameters: INodeParameters, rows: object[], more = {}) =>
	await service.run(parameters, { rows, ...more });
const skipped = ({ json }: Awaited<ReturnType<typeof run>>) =>
	json.map((record) => record.skipped === true);
const newShop = () => account().addLocation({ name: 'Brand-new shop' }).id;

test('posts of a sheet that grows and is run again: each is sent once, and a hint counts them', async () => {
	const rows = sheetOf(service.sandbox, 9);
	const first = await run(postSheet, rows.slice(0, 8));
	expect(skipped(first)).toEqual(Array(8).fill(false));
	const places3 = /^8 content posts for 3 locations \(.+; .+; .+\) go live at once\.$/;
	expect(first.hints).toEqual([expect.stringMatching(places3)]);
	const second = await run(postSheet, rows);
	expect(second.json.slice(0, 8)).toEqual(
		first.json.map((post) => ({
			...{ ...omit(post, 'goes_live'), outcome: 'skipped', skipped: true },
		})),
	);
	const places = rows.map((_, item) => ({ item }));
	expect(second.items.map(({ pairedItem }) => pairedItem)).toEqual(places);
	expect(second.hints).toEqual([
		'1 posted, 8 skipped because they already exist.',
		expect.stringMatching(/^1 content post for 1 location \(.+\) goes live at once\.$/),
	]);
	const [one] = rows;
	expect((await run(postSheet, [one])).hints).toEqual(['1 skipped because it already exists.']);
	expect(posts()).toBe(9);
});

test('keywords are there once for a location, whatever their case and spaces, also in one sheet', async () => {
	const create = { ...postSheet, resource: 'keyword' };
	const [one, two] = [newShop(), newShop()];
	const rows = [
		{ location_id: one, keyword: 'Plumber Leeds' },
		{ location_id: one, keyword: ' plumber  LEEDS ' },
		{ location_id: two, keyword: 'plumber leeds' },
	];
	const first = await run(create, rows);
	expect(skipped(first)).toEqual([false, true, false]);
	// What was deleted is no longer there.
	const remove = { resource: 'keyword', operation: 'delete' };
	const twice = await run({ ...remove, keywordId: byId(first.json[2].id) }, [{}, {}]);
	expect(twice.hints).toEqual(['1 deleted, 1 skipped because another item says the same.']);
	expect(skipped(await run(create, rows))).toEqual([true, true, false]);
});

test('posts that were deleted right after a run: the next one and its dry run say when they can go out', async () => {
	const [row] = sheetOf(service.sandbox, 1);
	const [{ id }] = (await run(postSheet, [row])).json;
	const made = account().postsOf(String(row.location_id));
	made.splice(
		made.findIndex((post) => post.id === id),
		1,
	);
	const warning = expect.stringContaining('If you have deleted it since, run this again in two');
	const dry = await run({ ...postSheet, dryRun: true }, [row]);
	expect(dry.json).toMatchObject([{ action: 'skip', id, warning }]);
	expect((await run(postSheet, [row])).json).toMatchObject([{ outcome: 'skipped', id, warning }]);
	expect(posts()).toBe(1);
});

describe('rows that are the same', () => {
	const sameRows = () => {
		const [row] = sheetOf(service.sandbox, 1);
		return [row, row, row];
	};

	test('wait for the first one, and get its record, but not its error', async () => {
		faults().add({ when: { method: 'POST' }, times: 1, response: { status: 422 } });
		const { json } = await run(postSheet, sameRows(), goOn);
		const other = (item: number) => ({
			error: { message: `Item ${item}: The same as item 1, which was not posted` },
		});
		expect(json).toMatchObject([{ error: { httpCode: '422' } }, other(2), other(3)]);
		expect(posts()).toBe(1);
		const again = await run(postSheet, sameRows(), goOn);
		expect(again.json.map(({ outcome }) => outcome)).toEqual(['created', 'skipped', 'skipped']);
		expect(new Set(again.json.map(({ id }) => id)).size).toBe(1);
	});
});

describe('outside of executions, as tools of an MCP server are run,', () => {
	const outside = { isOutsideOfExecutions: true };

	test('the list is read for each row, and its post still found', async () => {
		const rows = sheetOf(service.sandbox, 2);
		for (const row of [...rows, rows[1]]) await run(postSheet, [row], outside);
		expect(posts()).toBe(2);
	});

	test('what was changed is changed back', async () => {
		const [shop] = account().locations;
		const update = { resource: 'location', operation: 'update', locationId: byId(shop.id) };
		for (const name of ['Alpha', 'Beta', 'Alpha']) {
			await run({ ...update, fields: columns({ name }) }, [{}], outside);
			expect(shop.name).toBe(name);
		}
	});
});
