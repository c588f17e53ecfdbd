import { byId, columns, incomingRow } from '../../support/fixture';
import { type Answer, type Fields, type Service, useBackend } from './backend';
import { IDS, named, WHOLE, WITHOUT } from './forms';
import { saidIn } from './rows';

// An update or a deletion that the service calls a success is done: one request, and an item that says
// which record it was.

const backend = useBackend();

const update = (fields: Fields) => ({
	resource: 'location',
	operation: 'update',
	locationId: byId('={{ $json.id }}'),
	fields: columns(fields),
});
const sent = { name: 'Corner Bakery & Café', city: 'York' };
const upsert = { resource: 'location', operation: 'upsert' };

/** Answers to a PATCH, by the record and what it was before; the item has the ID and what was sent. */
const ANSWERS: Record<string, (record: Fields, before: Fields) => Answer> = {
	...Object.fromEntries(
		Object.entries(WHOLE).map(([name, says]) => [name, (record) => ({ body: says(record) })]),
	),
	...Object.fromEntries(named(WITHOUT).map(([name, body]) => [name, () => ({ body })])),
	'the record before the change': (_, data) => ({ body: { data } }),
	'a text that is labeled as HTML': () => ({
		body: 'OK',
		headers: { 'Content-Type': 'text/html' },
	}),
	'what changed': () => ({ body: { data: { city: 'York', updated_at: '2026-11-21T12:00:00Z' } } }),
	'a job': () => ({ status: 202, body: { data: { id: 'job_9', state: 'waiting' } } }),
	'no content': () => ({ status: 204 }),
	'no content, and a form to reset': () => ({ status: 205 }),
};

describe.each(Object.keys(ANSWERS))('PATCH: %s', (name) => {
	const answering = () =>
		backend({ updated: (record, _call, before) => ANSWERS[name](record, before) });

	test('Update', async () => {
		const service = answering();
		const [{ id }] = service.records.locations;
		const { json, ...said } = await service.run(update(sent), [{ id }]);
		expect(saidIn(said)).toEqual([]);
		const isWhole = name in WHOLE;
		expect(json).toEqual([
			isWhole ? service.records.locations[0] : expect.objectContaining({ id, ...sent }),
		]);
		expect(service.requests).toEqual(['GET /locations', `PATCH /locations/${String(id)}`]);
	});

	test('Create or Update', async () => {
		const service = answering();
		const [{ id, name: called, address }] = service.records.locations;
		const fields = columns({ name: called, address, city: 'York' });
		const { json, error } = await service.run({ ...upsert, fields });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id, name: called, city: 'York', updated: true }]);
		expect(service.requests).toEqual(['GET /locations', `PATCH /locations/${String(id)}`]);
	});
});

test.each<[string, (fields: Fields) => Fields]>([
	['translates', () => ({ name: 'Bäckerei an der Ecke', country: 'Vereinigte Staaten' })],
	['ignores a field', ({ name }) => ({ name })],
	['trims and cuts', ({ name }) => ({ name: String(name).trim().slice(0, 10), country: 'US' })],
	['escapes', () => ({ name: 'Corner Bakery &amp; Caf&eacute;', country: 'us' })],
	['ignores all', () => ({})],
])('a service that %s: done, with what was sent', async (_, stores) => {
	const service = backend({ stores });
	const [{ id }] = service.records.locations;
	const fields = { name: ' Corner Bakery & Café ', country: 'US' };
	const { json, ...said } = await service.run(update(fields), [{ id }]);
	expect(saidIn(said)).toEqual([]);
	expect(json).toEqual([{ ...service.records.locations[0], ...fields }]);
	expect(service.requests).toEqual(['GET /locations', `PATCH /locations/${String(id)}`]);
});

describe('a keyword is deleted', () => {
	const remove = {
		resource: 'keyword',
		operation: 'delete',
		keywordId: byId('={{ $json.keyword_id }}'),
	};
	const DELETED: Record<string, (record: Fields, left: Fields[]) => Answer> = {
		...Object.fromEntries(named(WITHOUT).map(([name, body]) => [name, () => ({ body })])),
		'204': () => ({ status: 204 }),
		'202, a job': () => ({ status: 202, body: { data: { id: 'job_1', status: 'queued' } } }),
		'a text that is labeled as HTML': () => ({
			body: 'Deleted',
			headers: { 'Content-Type': 'text/html; charset=utf-8' },
		}),
		'the record': (data) => ({ body: { data } }),
		'what is left': (_, data) => ({ body: { data, meta: { total: data.length } } }),
		'the one that is left': (_, left) => ({ body: { data: left.slice(0, 1) } }),
		'its location': ({ location_id: id }) => ({ body: { data: { id, name: 'Corner Bakery' } } }),
	};

	test.each(Object.keys(DELETED))('%s', async (name) => {
		const service: Service = backend({
			deleted: (record) => DELETED[name](record, service.records.keywords),
		});
		const location_id = service.location();
		const [{ id }] = ['plumber', 'boiler repair', 'bathroom'].map((keyword) =>
			service.add('keywords', { location_id, keyword }),
		);
		const { json, ...said } = await service.run(remove, [{ keyword_id: id }]);
		expect([saidIn(said), json]).toEqual([[], [{ id, deleted: true }]]);
		expect(service.requests).toEqual([`DELETE /keywords/${String(id)}`]);
	});

	test.each(Object.keys(IDS).filter((name) => name !== 'none'))(
		'by an ID that is %s',
		async (name) => {
			const service = backend({ id: IDS[name] });
			const { id } = service.add('keywords', { location_id: service.location(), keyword: 'a' });
			const { json, error } = await service.run(remove, [{ keyword_id: id }]);
			expect([json, error]).toEqual([[{ id: String(id), deleted: true }], undefined]);
			expect(service.records.keywords).toEqual([]);
			// Without a body there is no Content-Type, which Fastify refuses.
			const [{ headers = {} }] = service.calls;
			expect([headers['content-type'], headers.accept]).toEqual([undefined, 'application/json']);
		},
	);
});

test('of two rows about one record the last one counts, also where the first is sent again', async () => {
	let requests = 0;
	const service = backend({
		instead: ({ method }) =>
			method === 'PATCH' && requests++ === 0
				? { status: 429, headers: { 'Retry-After': '1' } }
				: undefined,
	});
	const id = service.location();
	const cities = ['Hull', 'York', 'Leeds'];
	const parameters = update({ city: '={{ $json.city }}' });
	const { json, error } = await service.run(
		parameters,
		cities.map((city) => ({ id, city })),
	);
	expect(error).toBeUndefined();
	expect(json.map(({ city }) => city)).toEqual(cities);
	expect(service.records.locations[0].city).toBe('Leeds');
});

describe('rows as the service gave them, mapped automatically', () => {
	const automatic = {
		...{ resource: 'location', operation: 'update', locationId: byId('={{ $json.id }}') },
		fields: incomingRow,
	};
	/** Strict, as many are. */
	const strict = () =>
		backend({
			instead: ({ method, fields }) => {
				const own = Object.keys(fields).filter((name) => /_at$|_score$|_count$/.test(name));
				if (method === 'GET' || own.length === 0) return undefined;
				return { status: 422, body: { message: `${own.join()}: prohibited` } };
			},
		});

	test('an update leaves out what the service sets itself', async () => {
		const service = strict();
		const [record] = service.records.locations;
		const rows = [{ ...record, rank_score: 40, city: 'York', 'Created At': '2026-01-01' }];
		const options = { excludeColumns: 'status' };
		const { json, error } = await service.run({ ...automatic, options }, rows);
		expect([error, json[0]?.city]).toEqual([undefined, 'York']);
		const { name, address, country } = record;
		expect(service.sent('PATCH')).toEqual([{ name, address, city: 'York', country }]);
	});

	test('an additional field goes before the column that is called so', async () => {
		const service = backend({});
		const [record] = service.records.locations;
		const field = { name: 'rank_score', type: 'number', value: '={{ $json.rank_score + 1 }}' };
		const additionalFields = { fields: [field] };
		const sheet = { ...automatic, options: { additionalFields, excludeColumns: 'status' } };
		await service.run(sheet, [{ id: record.id, city: 'York', rank_score: 40 }]);
		expect(service.sent('PATCH')).toEqual([{ city: 'York', rank_score: 41 }]);
		await service.run({ ...sheet, operation: 'upsert' }, [{ ...record, rank_score: 50 }]);
		expect(service.sent('PATCH')[1]).toEqual({ rank_score: 51 });
	});

	test('a match field that the service sets still finds the record', async () => {
		const service = strict();
		const [location] = service.records.locations;
		location.uuid = 'a-1';
		const byUuid = {
			...{ resource: 'location', operation: 'upsert', fields: incomingRow },
			options: { matchFields: 'uuid' },
		};
		const { json } = await service.run(byUuid, [{ uuid: 'a-1', city: 'York' }]);
		expect(json).toMatchObject([{ id: location.id, city: 'York', updated: true }]);
		expect(service.sent('PATCH')).toEqual([{ city: 'York' }]);
	});
});
