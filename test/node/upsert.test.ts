import type { INodeParameters } from 'n8n-workflow';

import { goOn, incomingRow, useSandbox } from '../support/fixture';

// Create or Update: each row ends as one location or an error, and only what differs is sent.

const service = useSandbox();
const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };
const { account } = service;
const sent = (method: string) => service.sandbox.requests.filter((one) => one.method === method);
const bodies = (method: string) => sent(method).map(({ body }) => body);
const bakery = { name: 'Corner Bakery', address: '1 High Street', city: 'Leeds' };
const changed = { ...bakery, zip: '01067' };
/** A location from before: while one is new, the list is read again. */
const addBakery = () => {
	const created = account().addLocation({ ...bakery, zip: '1067' });
	return Object.assign(created, { created_at: '2026-01-01T00:00:00Z' });
};
const run = async (rows: object[], more: INodeParameters = {}, how = {}) =>
	await service.run({ ...upsert, ...more }, { rows, ...how });

test('a sheet creates what is not there, updates what differs, and changes nothing when run again', async () => {
	const { id } = addBakery();
	const rows = [
		{ id: 1, ...bakery, address: '2 Mill Lane' },
		{ id: 2, ...changed, country: 'GB' },
	];
	const { json, items, hints } = await run(rows);
	expect(json).toMatchObject([
		{ created: true, address: '2 Mill Lane' },
		{ id, ...changed, country: 'GB', updated: true },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	expect(bodies('POST')).toEqual([{ ...bakery, address: '2 Mill Lane' }]);
	expect(sent('PATCH').map(({ path }) => path)).toEqual([`/locations/${id}`]);
	expect(bodies('PATCH')).toEqual([{ zip: '01067', country: 'GB' }]);
	expect(hints).toEqual(['1 created, 1 updated.']);
	const again = await run([...rows, { ...bakery, name: 'Bakery 2' }]);
	const shown = account().location(id)!;
	expect(again.json[1]).toEqual({ ...shown, outcome: 'unchanged', unchanged: true });
	expect(again.hints).toEqual(['1 created, 2 unchanged.']);
	expect([sent('POST').length, sent('PATCH').length]).toEqual([2, 1]);
});

test('beside one that another run created a moment ago, and that was renamed: the row is to be run again', async () => {
	const [{ id }] = (await run([bakery])).json as Array<{ id: string }>;
	Object.assign(account().location(id)!, { name: 'Old Corner' });
	const { json } = await run([bakery], {}, goOn);
	const message = 'Another run has just created this location';
	expect(json).toMatchObject([{ error: { message } }]);
	const dry = await run([bakery], { dryRun: true }, goOn);
	expect(dry.json).toMatchObject([{ action: 'invalid', problem: message }]);
	expect(sent('POST')).toHaveLength(1);
});
