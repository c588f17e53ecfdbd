import type { INodeParameters } from 'n8n-workflow';

import { incomingRow, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';

// Create or Update: each row ends as one location or an error, and only what differs is sent.

useShortWatch();
const service = useSandbox();
const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };
const account = () => service.sandbox.account;
const sent = (method: string) => service.sandbox.requests.filter((one) => one.method === method);
const bodies = (method: string) => sent(method).map(({ body }) => body);
const bakery = { name: 'Corner Bakery', address: '1 High Street', city: 'Leeds' };
const york = { ...bakery, city: 'York' };
/** A location from before: while one is new, the list is read again. */
const addBakery = (more: object = {}) => {
	const created = account().addLocation({ ...bakery, ...more });
	return Object.assign(created, { created_at: '2026-01-01T00:00:00Z' });
};
const bakeries = () => account().locations.filter(({ name }) => /^corner\s+bakery/i.test(name));
/** What each item says of its row. */
const said = (json: object[]) =>
	json.map((item) =>
		['created', 'updated', 'unchanged', 'skipped', 'error'].filter((name) => name in item).join(),
	);
const run = async (rows: object[], more: INodeParameters = {}, how = {}) =>
	await service.run({ ...upsert, ...more }, { rows, ...how });
const settings = { onError: 'continueRegularOutput' as const };
const byFields = (matchFields: string) => ({ options: { matchFields } });

test('a sheet creates what is not there, updates what differs, and changes nothing when run again', async () => {
	const { id } = addBakery();
	const rows = [
		{ id: 1, ...bakery, address: '2 Mill Lane' },
		{ id: 2, ...york, country: 'GB' },
	];
	const { json, items, hints } = await run(rows);
	expect(json).toMatchObject([
		{ created: true, address: '2 Mill Lane' },
		{ id, ...york, country: 'GB', updated: true },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	expect(bodies('POST')).toEqual([{ ...bakery, address: '2 Mill Lane' }]);
	expect(sent('PATCH').map(({ path }) => path)).toEqual([`/locations/${id}`]);
	expect(bodies('PATCH')).toEqual([{ city: 'York', country: 'GB' }]);
	expect(hints).toEqual(['1 created, 1 updated.']);
	const again = await run([...rows, { ...bakery, name: 'Bakery 2' }]);
	const shown = account().location(id)!;
	expect(again.json[1]).toEqual({ ...shown, outcome: 'unchanged', unchanged: true });
	expect(again.hints).toEqual(['1 created, 2 unchanged.']);
	expect([sent('POST').length, sent('PATCH').length]).toEqual([2, 1]);
});

test('by its ID, one is renamed, and an ID that no location has is refused', async () => {
	const { id } = addBakery();
	const renamed = { id, name: 'Corner Café', address: '1 High Street' };
	const rows = [renamed, { ...renamed, id: 'loc_nowhere' }];
	const { json } = await run(rows, byFields('id'), { settings });
	const message = 'Item 2: No location has the ID "loc_nowhere"';
	expect(json).toMatchObject([{ id, name: 'Corner Café', updated: true }, { error: { message } }]);
	expect(sent('POST')).toEqual([]);
});

test('what the service sets itself is not sent, and the form that it gives a value is no difference', async () => {
	const stored = { opened: '2026-01-05', floors: 2, hours: { monday: '8-18' }, unchanged: 'yes' };
	const { id, ...record } = addBakery(stored);
	// A column of the name status is asked about.
	const own = { ...record, status: '', id, created_at: '2020-01-01T00:00:00Z', rank_score: 1 };
	const { json } = await run([{ ...own, floors: '2' }]);
	expect(json).toMatchObject([{ outcome: 'unchanged', unchanged: 'yes' }]);
	await run([{ ...own, hours: { monday: '8-19' } }]);
	expect(bodies('PATCH')).toEqual([{ hours: { monday: '8-19' } }]);
});

test('one that two executions create at the same moment is there once', async () => {
	const both = await Promise.all([run([york]), run([york])]);
	expect(both.flatMap(({ json }) => said(json)).sort()).toEqual(['created', 'unchanged']);
	expect(sent('POST')).toHaveLength(1);
});

test('one that was created and renamed a moment ago is the same one: no second one is created for good', async () => {
	const [{ id }] = (await run([bakery])).json as Array<{ id: string }>;
	Object.assign(account().location(id)!, { name: 'Old Corner' });
	const { json } = await run([bakery]);
	expect([said(json), json[0].id]).toEqual([['updated'], id]);
	expect(sent('POST')).toHaveLength(1);
});

test('a row without a match field is asked about, and all rows can be run again', async () => {
	addBakery();
	const { error } = await run([bakery, { name: 'Kiosk', city: 'York' }]);
	expect(error?.message).toMatch(
		/^1 of 2 items failed; 1 was unchanged\. Item 2: The row has no value/,
	);
	expect(error?.description).toContain(
		'You can safely run all items again: those that succeeded come out as unchanged.',
	);
});

test('rows that say two things of one location are refused, whatever their order', async () => {
	addBakery();
	const { json } = await run([york, bakery], {}, { settings });
	const message = expect.stringContaining(
		'Items 1, 2 have the same name and address, and another city',
	);
	expect(json).toMatchObject([{ error: { message } }, { error: { message } }]);
	expect(sent('PATCH')).toEqual([]);
});

describe('when something goes wrong', () => {
	test.each([
		['POST', true],
		['POST', false],
		['PATCH', true],
		['PATCH', false],
	])('the response to a %s is lost (done: %p)', async (method, actFirst) => {
		if (method === 'PATCH') addBakery();
		service.sandbox.faults.add({ when: { method }, times: 1, actFirst, dropConnection: true });
		const { json } = await run([york, york]);
		expect(said(json)).toEqual([method === 'POST' ? 'created' : 'updated', 'unchanged']);
		expect(bakeries()).toMatchObject([{ city: 'York' }]);
	});

	test('after an update that failed, the row that says the same is not sent', async () => {
		addBakery();
		const when = { method: 'PATCH', body: { city: 'York' } };
		service.sandbox.faults.add({ when, response: { status: 422 } });
		const { json } = await run([york, york], {}, { settings });
		expect(said(json)).toEqual(['error', 'error']);
		expect(sent('PATCH')).toHaveLength(1);
	});
});
