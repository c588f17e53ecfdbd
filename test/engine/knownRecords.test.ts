import { incomingRow, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';

useShortWatch();
const service = useSandbox();
const { run, requests } = service;

const addLocations = { resource: 'location', operation: 'create', fields: incomingRow };
const posts = () => requests().filter((request) => request.startsWith('POST')).length;
const skipped = ({ json }: Awaited<ReturnType<typeof run>>) =>
	json.map((record) => record.skipped === true);

describe('a list that hides what is new', () => {
	const newShop = () => ({ name: 'Corner Bakery', address: '1 High Street', city: 'Leeds' });
	const hide = () => {
		const known = new Set(service.sandbox.account.locations.map(({ id }) => id));
		service.sandbox.faults.add({
			when: { method: 'GET', path: '/locations' },
			transform: ({ data }) => ({ data: data.filter(({ id }) => known.has(String(id))) }),
		});
	};
	const upserts = { resource: 'location', operation: 'upsert', fields: incomingRow };

	test.each([
		['created', addLocations],
		['created or updated', upserts],
	])('a row that was %s is not sent again, also where it is only looked at', async (_, node) => {
		hide();
		const rows = [newShop(), { ...newShop(), address: '2 Mill Lane' }];
		await run(node, { rows });
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await run(node, { rows, settings });
		expect(json.map(({ error }) => (error as { message: string }).message)).toEqual([
			expect.stringMatching(/^Row 1 of 2: This row became a location .* \(ID loc_.*does not show/),
			expect.stringMatching(/^Row 2 of 2: This row became a location/),
		]);
		const look = await run({ ...node, options: { dryRun: true } }, { rows });
		expect(look.json).toMatchObject([{ action: 'invalid' }, { action: 'invalid' }]);
		expect(posts()).toBe(2);
		// What this run creates itself does not show that the list shows the rest.
		const mixed = [{ ...newShop(), name: 'Corner Café' }, ...rows];
		const [other, ...same] = (await run(node, { rows: mixed, settings })).json;
		expect(other.id).toMatch(/^loc_/);
		expect(same.every(({ error }) => error)).toBe(true);
		expect(posts()).toBe(3);
	});

	test('one that shows some of it has lost the others: they were deleted', async () => {
		const rows = [newShop(), { ...newShop(), address: '2 Mill Lane' }];
		const { json } = await run(addLocations, { rows });
		service.sandbox.account.removeLocation(String(json[0].id));
		const again = await run(addLocations, { rows });
		expect(skipped(again)).toEqual([false, true]);
	});
});

describe('a list that shows what is new with other values', () => {
	test.each([
		['created', addLocations],
		['created or updated', { ...addLocations, operation: 'upsert' }],
	])('a row that was %s is not sent again', async (_, node) => {
		service.sandbox.faults.add({
			when: { path: '/locations' },
			transform: (envelope) => ({
				...envelope,
				data: [envelope.data].flat().map((location) => ({
					...location,
					address: String(location.address).replace('5 Elm Street', '5 Elm St, Leeds LS1 4AP'),
				})),
			}),
		});
		const rows = [{ name: 'Corner Bakery', address: '5 Elm Street' }];
		await run(node, { rows });
		expect(posts()).toBe(1);
		const { error } = await run(node, { rows });
		expect(error?.message).toMatch(/^This row became a location .* \(ID loc_.*with other values$/);
		expect(posts()).toBe(1);
	});
});

test('a sheet of locations that was exported is skipped, also after they were scanned again', async () => {
	const [, ...shops] = service.sandbox.account.locations;
	// Without an address, what else there is has to be the same.
	for (const shop of shops) shop.address = '';
	const rows = structuredClone(service.sandbox.account.locations);
	for (const shop of service.sandbox.account.locations) {
		Object.assign(shop, { last_scan_at: '2031-01-01T00:00:00Z', rank_score: 1, keywords_count: 0 });
	}
	expect(skipped(await run(addLocations, { rows })).every(Boolean)).toBe(true);
	expect(posts()).toBe(0);
});
