import { byId, columns, incomingRow, useSandbox } from '../support/fixture';

// One record that nobody expected holds up none of the rows.

const service = useSandbox({ locations: 3 });
/** As a service may send it: at such a value, `String` and templates fail. */
const odd = () => JSON.parse('{"toString":1}') as unknown;
const id = () => service.sandbox.account.locations[0].id;

/** Adds a record to each list that is read. */
const withRecord = (record: Record<string, unknown>) =>
	service.sandbox.faults.add({
		when: { method: 'GET' },
		transform: ({ data, meta }) => ({
			data: [record, ...data],
			meta: { ...meta, total: meta.total + 1 },
		}),
	});

const create = (more = {}) => ({
	resource: 'post',
	operation: 'create',
	locationId: byId(id()),
	fields: incomingRow,
	...more,
});
const rows = [
	{ title: 'Summer offer, all of July', content: 'Two for one.' },
	{ title: 'New ovens', content: 'They are hot.' },
];

test.each(['id', 'location_id', 'title', 'content', 'created_at', 'publish_at'])(
	'a post whose %s is odd: rows are compared with it, and posted',
	async (field) => {
		withRecord({ id: 'odd', title: 'Another', content: 'One', [field]: odd() });
		const before = service.sandbox.account.postsOf(id()).length;
		const { error } = await service.run(create(), { rows });
		expect(error).toBeUndefined();
		expect(service.sandbox.account.postsOf(id())).toHaveLength(before + 2);
	},
);

test('it is named where a row is asked about because of it', async () => {
	withRecord({ id: 'loc_9', name: 'Kiosk', address: '1 Mill Street', city: [odd()] });
	const row = { name: 'Kiosk!', address: '1 Mill Street' };
	const location = { resource: 'location', operation: 'create', fields: incomingRow };
	const { error } = await service.run(location, { rows: [row] });
	expect(error?.message).toBe('A similar location already exists: Kiosk, [{"toString":1}] (loc_9)');
});

test.each(['name', 'address', 'city', 'id'])(
	'a location whose %s is odd: rows are updated',
	async (field) => {
		const [, second, third] = service.sandbox.account.locations;
		withRecord({ id: 'odd', name: 'Another', address: 'Elsewhere', [field]: odd() });
		const changed = [second, third].map(({ name, address }) => ({ name, address, city: 'York' }));
		const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };
		const { error, json } = await service.run(upsert, { rows: changed });
		expect([error, json.map(({ outcome }) => outcome)]).toEqual([
			undefined,
			['updated', 'updated'],
		]);
	},
);

test('several odd ones match: the row says which', async () => {
	const double = { name: 'Kiosk', address: '1 Mill Street' };
	withRecord({ id: 'a', ...double, city: odd() });
	withRecord({ id: 'b', ...double, city: odd() });
	service.sandbox.faults.clear();
	service.sandbox.faults.add({
		when: { method: 'GET' },
		response: {
			status: 200,
			body: { data: ['a', 'b'].map((one) => ({ id: one, ...double, city: odd() })) },
		},
	});
	const upsert = {
		resource: 'location',
		operation: 'upsert',
		fields: columns({ ...double, city: 'York' }),
	};
	const { error } = await service.run(upsert);
	expect(error?.message).toBe(
		'2 locations match this row: Kiosk, {"toString":1} (a); Kiosk, {"toString":1} (b)',
	);
});

test('an odd ID in a row is refused', async () => {
	const [{ name, address }] = service.sandbox.account.locations;
	const row = { id: odd(), name, address };
	const options = { matchFields: 'id' };
	const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow, options };
	const { error } = await service.run(upsert, { rows: [row] });
	expect(error?.message).toBe('No location has the ID {"toString":1}');
});

test('what was created is named, and not as tags', async () => {
	service.sandbox.faults.add({
		when: { method: 'POST', body: { title: rows[0].title } },
		response: { status: 201, body: { data: { id: '<img src=x>', title: 'A' } } },
	});
	service.sandbox.faults.add({
		when: { method: 'POST' },
		response: { status: 422, body: { message: 'No' } },
	});
	const { error } = await service.run(create(), { rows });
	expect(error?.description).toContain('Posted: &#60;img src=x&#62;');
});
