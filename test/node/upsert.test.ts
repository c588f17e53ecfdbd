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

	test('creates what is not there', async () => {
		const { json, error } = await run([bakery]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ ...bakery, created: true }]);
		expect(bodies('POST')).toEqual([bakery]);
		expect(bakeries()).toHaveLength(1);
	});

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

	test('codes that differ in case or signs are two, and the existing one is not overwritten', async () => {
		const rows = [
			{ name: 'Shop A', address: '1 A Street', external_id: '001A0000006Vm9r' },
			{ name: 'Shop B', address: '2 B Street', external_id: '001A0000006Vm9R' },
		];
		const byCode = { options: { matchFields: 'external_id' } };
		addBakery({ external_id: 'AB-1' });
		expect(said((await run(rows, byCode)).json)).toEqual(['created', 'created']);
		expect(said((await run(rows, byCode)).json)).toEqual(['unchanged', 'unchanged']);
		const { error } = await run([{ ...rows[0], external_id: 'A-B1' }], byCode);
		expect(error?.message).toMatch(/^A similar location already exists/);
		expect(sent('PATCH')).toEqual([]);
	});

	test('of two rows about one location, the last one counts', async () => {
		const { id } = addBakery();
		const rows = [
			{ ...bakery, city: 'York' },
			{ ...bakery, name: ' Corner  Bakery ', city: 'Hull' },
		];
		for (let times = 0; times < 2; times++) {
			expect(said((await run(rows)).json)).toEqual(['updated', 'updated']);
			expect(account().location(id)).toMatchObject({ city: 'Hull' });
		}
	});

	test('of two rows about a location without an address, too', async () => {
		const { id } = addBakery({ address: null });
		const { name } = bakery;
		const rows = ['Hull', 'York', 'Leeds'].map((city) => ({ name, city }));
		const { json } = await run(rows);
		expect(said(json)).toEqual(['updated', 'updated', 'updated']);
		expect(account().location(id)).toMatchObject({ city: 'Leeds' });
		expect(bakeries()).toHaveLength(1);
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

	test('of several, the one that has the values to the letter', async () => {
		addBakery({ name: 'CORNER BAKERY' });
		const { id } = addBakery();
		expect((await run([{ ...bakery, city: 'York' }])).json).toMatchObject([{ id, updated: true }]);
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

	test.each([
		['01060', '1060'],
		['Bread &amp; cakes', 'Bread & cakes'],
		['Leeds', ' Leeds '],
	])('what differs as text is a correction: %p becomes %p', async (before, note) => {
		addBakery({ note: before });
		expect(said((await run([{ ...bakery, note }])).json)).toEqual(['updated']);
		expect(bodies('PATCH')).toEqual([{ note }]);
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

	test('two new locations whose numbers stand apart are not one', async () => {
		const rows = [
			{ ...bakery, address: 'Unit 1, 12 Mill Lane' },
			{ ...bakery, address: 'Unit 11, 2 Mill Lane', city: 'York' },
		];
		const { json } = await run(rows);
		expect(said(json)).toEqual(['created', 'created']);
		expect(bodies('POST')).toEqual(rows);
	});

	test('of several rows for one location the last one counts, also where an earlier one has more', async () => {
		addBakery({ phone: null });
		const rows = [
			{ ...bakery, city: 'York', phone: '0113 1' },
			{ ...bakery, city: 'Hull' },
		];
		await run(rows);
		expect(bakeries()).toMatchObject([{ city: 'Hull', phone: '0113 1' }]);
	});

	test('a link alone tells two locations apart', async () => {
		addBakery({ website: 'https://a.example' });
		const byLink = { options: { matchFields: 'website' } };
		const row = { ...bakery, name: 'Bakery 2', website: 'https://b.example' };
		const { json } = await run([row], byLink);
		expect(said(json)).toEqual(['created']);
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

	test('additional fields are sent even if the service usually sets them', async () => {
		addBakery({ opened_at: '2020-01-01', review_count: 3 });
		const fields = [{ name: 'review_count', type: 'number', value: '7' }];
		const { json } = await run([bakery], { options: { additionalFields: { fields } } });
		expect(said(json)).toEqual(['updated']);
		expect(bodies('PATCH')).toEqual([{ review_count: 7 }]);
	});

	test("a record's own field is not replaced by what became of the row", async () => {
		addBakery({ updated: '2026-10-10' });
		const { json } = await run([{ ...bakery, city: 'York' }]);
		expect(json).toMatchObject([{ updated: '2026-10-10', outcome: 'updated' }]);
	});

	test('a number in JSON that is too long to be compared is refused', async () => {
		const value = '{ "of": "A 1234567890123456789", "id": 12345678901234567890 }';
		const fields = [{ name: 'place', type: 'json', value }];
		const { error } = await run([bakery], { options: { additionalFields: { fields } } });
		expect(error?.message).toMatch(/^place: .+ has a number with more digits than can be kept/);
		expect(sent('POST')).toEqual([]);
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

	test('Retry On Fail does what failed, and nothing twice', async () => {
		const rejected = { when: { method: 'POST' }, times: 1, response: { status: 409 } };
		service.sandbox.faults.add(rejected);
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
		const rows = [
			{ ...bakery, country: 'GB' },
			{ ...bakery, city: 'York' },
			{ ...bakery, address: '2' },
		];
		const { json, error, hints } = await run(upsert, { rows, settings });
		expect(error).toBeUndefined();
		// The second row got what the first came to, in each try.
		expect(said(json)).toEqual(['created', 'updated', 'created']);
		expect(bodies('PATCH')).toEqual([{ city: 'York' }]);
		expect(bakeries()).toHaveLength(2);
		expect(hints).toEqual(['2 created, 1 updated.']);
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
