import type { INodeParameters } from 'n8n-workflow';

import { incomingRow, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';

useShortWatch();
const service = useSandbox();
const { requests } = service;
const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };
const account = () => service.sandbox.account;
const sent = (method: string) => service.sandbox.requests.filter((one) => one.method === method);
const bodies = (method: string) => sent(method).map(({ body }) => body);
const bakery = { name: 'Corner Bakery', address: '1 High Street', city: 'Leeds' };
/** A location from before: while one is new, the list is read again. */
const addBakery = (more: object = {}) => {
	const created = account().addLocation({ ...bakery, ...more });
	return Object.assign(created, { created_at: '2026-01-01T00:00:00Z' });
};
const bakeries = () =>
	account().locations.filter(({ name }) => /^(corner\s+bakery|bakery 2)/i.test(name));
/** What each item says of its row. */
const said = (json: object[]) =>
	json.map((item) =>
		['created', 'updated', 'unchanged', 'skipped', 'error'].filter((name) => name in item).join(),
	);

describe('Create or Update', () => {
	const run = async (rows: object[], more: INodeParameters = {}) =>
		await service.run({ ...upsert, ...more }, { rows });

	test('updates what is there, with the fields that differ', async () => {
		const { id } = addBakery();
		const { json, items } = await run([{ ...bakery, city: 'York', country: 'GB' }]);
		expect(json).toMatchObject([{ id, ...bakery, city: 'York', country: 'GB', updated: true }]);
		expect(items[0].pairedItem).toEqual({ item: 0 });
		expect(sent('PATCH').map(({ path }) => path)).toEqual([`/locations/${id}`]);
		expect(bodies('PATCH')).toEqual([{ city: 'York', country: 'GB' }]);
		expect(account().location(id)).toMatchObject({ city: 'York', country: 'GB' });
		expect(sent('POST')).toEqual([]);
	});

	test('sends nothing where nothing differs', async () => {
		const shown = { ...addBakery() };
		const { json } = await run([bakery]);
		expect(json).toEqual([{ ...shown, outcome: 'unchanged', unchanged: true }]);
		expect(requests().every((request) => request.startsWith('GET'))).toBe(true);
	});

	test('a sheet that is run again changes nothing', async () => {
		const rows = [bakery, { ...bakery, address: '2 Mill Lane' }, { ...bakery, name: 'Bakery 2' }];
		expect(said((await run(rows)).json)).toEqual(['created', 'created', 'created']);
		expect(said((await run(rows)).json)).toEqual(['unchanged', 'unchanged', 'unchanged']);
		expect(bakeries()).toHaveLength(3);
	});

	test('a new one gets no ID from the sheet, and is known again', async () => {
		const row = { id: 1, ...bakery };
		const { json } = await run([row]);
		expect(said(json)).toEqual(['created']);
		expect(bodies('POST')).toEqual([bakery]);
		const before = account().locations.splice(0);
		expect(said((await run([row])).json)).toEqual(['unchanged']);
		account().locations.push(...before);
	});

	test('several that match are an error that names them', async () => {
		const [one, two] = [addBakery(), addBakery({ city: 'York' })];
		const { error } = await run([{ ...bakery, city: 'Hull' }]);
		expect(error?.message).toBe(
			`2 locations match this row: Corner Bakery, Leeds (${one.id}); Corner Bakery, York (${two.id})`,
		);
		expect(error?.description).toMatch(/option 'Match Fields', or use the operation Update/);
		expect([...sent('POST'), ...sent('PATCH')]).toEqual([]);
		const byCity = { options: { matchFields: 'name, address, city' } };
		const { json } = await run([{ ...bakery, city: 'York', country: 'GB' }], byCity);
		expect(json).toMatchObject([{ id: two.id, updated: true }]);
	});

	test('one that differs in case, accents, punctuation and leading zeros alone is asked about', async () => {
		const { id } = addBakery({ name: 'Café Corner', address: '12 High St. 07' });
		for (const [name, address] of [
			['cafe corner', '12 High St. 07'],
			['Café Corner', '12 High St 7'],
			['Café Corner', ''],
		]) {
			const { error } = await run([{ name, address, city: 'York' }]);
			expect(error?.message).toBe(`A similar location already exists: Café Corner, Leeds (${id})`);
			expect(error?.description).toMatch(
				/^This row was not sent\. If it is the same location, write name, address as there, .+ use the operation Create with 'If It Already Exists' set to 'Create Another One'\.$/,
			);
		}
		expect([...sent('POST'), ...sent('PATCH')]).toEqual([]);
		const byName = { options: { matchFields: 'name' } };
		const { json } = await run([{ name: 'Café Corner', city: 'York' }], byName);
		expect(json).toMatchObject([{ id, city: 'York', updated: true }]);
	});

	test('a new one without a match field is asked about: it could not be told from others', async () => {
		const { error } = await run([{ name: bakery.name, city: 'York' }]);
		expect(error?.message).toBe('The row has no value in address');
		expect(error?.description).toMatch(/told apart by name and address.+'Match Fields'/);
		expect(sent('POST')).toEqual([]);
	});

	test('the form that a service gives a value is no difference, a correction is one', async () => {
		const stored = { opened: '2026-01-05T09:00:00.000Z', floors: 2, hours: { monday: '8-18' } };
		const { id } = addBakery(stored);
		const row = { ...bakery, ...stored, floors: '2' };
		expect(said((await run([row])).json)).toEqual(['unchanged']);
		const { json } = await run([{ ...row, hours: { monday: '8-19' } }]);
		expect(json).toMatchObject([{ id, updated: true }]);
		expect(bodies('PATCH')).toEqual([{ hours: { monday: '8-19' } }]);
	});

	test('what the service sets itself is not sent', async () => {
		const { id, ...record } = addBakery();
		// A column of that name is asked about.
		const own = { ...record, status: '' };
		const row = { ...own, id, created_at: '2020-01-01T00:00:00Z', rank_score: 1, city: 'York' };
		expect(said((await run([row])).json)).toEqual(['updated']);
		expect(bodies('PATCH')).toEqual([{ city: 'York' }]);
	});

	test('by its ID, one is renamed, and an ID that no location has is refused', async () => {
		const { id } = addBakery();
		const renamed = { id, name: 'Corner Café', address: '1 High Street' };
		const byId = { options: { matchFields: 'id' } };
		const { json } = await run([renamed], byId);
		expect(json).toMatchObject([{ id, name: 'Corner Café', updated: true }]);
		const unknown = await run([{ ...renamed, id: 'loc_nowhere' }], byId);
		expect(unknown.error?.message).toBe('No location has the ID "loc_nowhere"');
		const otherCase = await run([{ ...renamed, id: id.toUpperCase() }], byId);
		expect(otherCase.error?.message).toMatch(/^A similar location already exists/);
		expect(sent('POST')).toEqual([]);
	});

	test('one that was renamed within the hour is created again, as the dry run says', async () => {
		const [{ id }] = (await run([bakery])).json as Array<{ id: string }>;
		Object.assign(account().location(id)!, { name: 'Old Corner', address: '9 Side Street' });
		const { json: checked } = await run([bakery], { dryRun: true });
		expect(checked).toMatchObject([{ action: 'create' }]);
		const { json } = await run([bakery]);
		expect(said(json)).toEqual(['created']);
		expect(json[0].id).not.toBe(id);
	});

	test('several rows for one location follow one another', async () => {
		const rows = [bakery, { ...bakery, city: 'York' }, { ...bakery, name: 'Corner  Bakery' }];
		const { json } = await run(rows);
		expect(said(json)).toEqual(['created', 'updated', 'updated']);
		expect(bodies('POST')).toEqual([bakery]);
		expect(bodies('PATCH')).toEqual([{ city: 'York' }, { city: 'Leeds', name: 'Corner  Bakery' }]);
		expect(bakeries()).toMatchObject([{ ...bakery, name: 'Corner  Bakery' }]);
	});
});

const { run } = service;

test('the locations are read once a run, whatever the number of rows', async () => {
	const rows = account().locations.map(({ name, address, city }) => ({ name, address, city }));
	await run(upsert, { rows: rows.slice(0, 1) });
	const once = requests().length;
	await run(upsert, { rows });
	expect(requests()).toHaveLength(2 * once);
});

test('the query parameters of the step do not filter the list, and go with what is sent', async () => {
	addBakery();
	const parameters = [{ name: 'notify', value: 'no' }];
	const options = { queryParameters: { parameters } };
	await run({ ...upsert, options }, { rows: [{ ...bakery, city: 'York' }] });
	expect(sent('GET').every(({ query }) => !('notify' in query))).toBe(true);
	expect(sent('PATCH')).toMatchObject([{ query: { notify: 'no' } }]);
});

describe('what a run says', () => {
	test('how many were created, updated and unchanged', async () => {
		addBakery();
		const rows = [
			bakery,
			{ ...bakery, city: 'York' },
			{ ...bakery, address: '2' },
			{ ...bakery, address: '3' },
		];
		const { hints } = await run(upsert, { rows });
		expect(hints).toEqual(['2 created, 1 updated, 1 unchanged.']);
	});

	test('where rows failed, that all can be run again', async () => {
		addBakery();
		const rows = [bakery, { city: 'York' }, { ...bakery, name: 'Bakery 2' }];
		const { error } = await run(upsert, { rows });
		expect(error?.message).toMatch(
			/^1 of 3 items failed; 1 was created, 1 was unchanged\. Item 2: /,
		);
		expect(error?.description).toMatch(
			/You can safely run all items again: those that succeeded come out as unchanged\./,
		);
	});
});

describe('when something goes wrong', () => {
	const lost = (method: string, actFirst = true, times = 1) =>
		service.sandbox.faults.add({ when: { method }, times, actFirst, dropConnection: true });

	test.each([true, false])('the response to a create is lost (done: %p)', async (actFirst) => {
		lost('POST', actFirst);
		const { json } = await run(upsert, { rows: [bakery, { ...bakery, city: 'York' }] });
		expect(said(json)).toEqual(['created', 'updated']);
		expect(bakeries()).toMatchObject([{ city: 'York' }]);
	});

	test.each([true, false])('the response to an update is lost (done: %p)', async (actFirst) => {
		const { id } = addBakery();
		lost('PATCH', actFirst);
		const { json } = await run(upsert, { rows: [{ ...bakery, city: 'York' }] });
		expect(json).toMatchObject([{ id, city: 'York', updated: true }]);
		expect(account().location(id)).toMatchObject({ city: 'York' });
	});

	test('after an update that may be done, no other row for the same location is sent', async () => {
		const { id } = addBakery();
		const settings = { onError: 'continueRegularOutput' as const };
		service.sandbox.faults.add({
			when: { method: 'PATCH', body: { city: 'York' } },
			actFirst: true,
			response: { status: 500 },
		});
		const { json } = await run(
			{ ...upsert, options: { maxWait: 1 } },
			{ rows: [{ ...bakery, city: 'York' }, bakery], settings },
		);
		expect(said(json)).toEqual(['error', 'error']);
		expect(account().location(id)).toMatchObject({ city: 'York' });
	});

	test('a run that is stopped sends nothing more, and the next one does the rest', async () => {
		// More than are sent at once at first.
		const rows = Array.from({ length: 30 }, (_, index) => ({ ...bakery, address: `${index}` }));
		service.sandbox.faults.add({ when: { method: 'POST' }, delayMs: 60_000, times: 30 });
		const stop = new AbortController();
		const running = run(upsert, { rows: [...rows, ...rows], signal: stop.signal });
		while (sent('POST').length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
		stop.abort();
		await running;
		const begun = bodies('POST').map((body) => (body as typeof bakery).address);
		expect(begun.length).toBeLessThan(15);
		service.sandbox.faults.clear();
		const settings = { onError: 'continueRegularOutput' } as const;
		const { json } = await run(upsert, { rows, settings });
		expect(json).toHaveLength(30);
		// What became of a create that was under way at the stop may not be clear in time; all else is done.
		const failed = rows.filter((_, index) => json[index].error !== undefined);
		const there = bakeries().map(({ address }) => address);
		expect(begun).toEqual(expect.arrayContaining(failed.map(({ address }) => address)));
		expect(new Set(there).size).toBe(there.length);
		expect(there.length).toBeGreaterThanOrEqual(30 - failed.length);
	});
});
