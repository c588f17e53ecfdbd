import { byId, columns, incomingRow } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, type Fields, type Switches, useBackend } from './backend';
import { rowsFor, saidIn, sentOf } from './rows';

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

/** Answers to a PATCH, and what the item is beside the ID. */
type Says = (record: Fields, before: Fields) => Answer;
type Shown = (record: Fields, before: Fields) => Fields;

const RECORDS: Record<string, [Says, Shown]> = {
	'{ data: record }': [(data) => ({ body: { data } }), (record) => record],
	record: [(body) => ({ body }), (record) => record],
	'{ data: [record] }': [(record) => ({ body: { data: [record] } }), (record) => record],
	'[record]': [(record) => ({ body: [record] }), (record) => record],
	'{ success, data: record }': [(data) => ({ body: { success: true, data } }), (record) => record],
	'the record before the change': [(_, data) => ({ body: { data } }), (_, before) => before],
};
const RECEIPTS: Record<string, Answer> = {
	'{ message }': { body: { message: 'Location updated' } },
	'{ data: { message } }': { body: { data: { message: 'Location updated' } } },
	null: { body: null },
	'{ data: null }': { body: { data: null } },
	'{}': { body: {} },
	'{ data: {} }': { body: { data: {} } },
	'[]': { body: [] },
	'{ success: true }': { body: { success: true } },
	'{ data: true }': { body: { data: true } },
	'1 row': { body: 1 },
	'{ affected }': { body: { affected: 1 } },
	'a text': { body: 'OK', headers: { 'Content-Type': 'text/plain' } },
	'a text that is labeled as HTML': { body: 'OK', headers: { 'Content-Type': 'text/html' } },
	'a code that is no HTTP error': { body: { code: 20_000, message: 'success', data: null } },
	nothing: {},
	'204': { status: 204 },
	'205': { status: 205 },
	'what was sent': { body: { data: sent } },
	'what changed': { body: { data: { city: 'York', updated_at: '2026-11-21T12:00:00Z' } } },
};
const JOBS: Record<string, Fields> = {
	'{ job_id }': { job_id: 'job_9' },
	'{ id, status }': { id: 'job_9', status: 'queued' },
	'{ data: { id, status } }': { data: { id: 'job_9', status: 'queued' } },
	'{ data: { job } }': { data: { job: { id: 'job_9', state: 'waiting' } } },
};

async function updated(answer: (...of: [Fields, Fields]) => Answer, fields: Fields = sent) {
	const service = backend({ updated: (record, _call, before) => answer(record, before) });
	const before = { ...service.records.locations[0] };
	const result = await service.run(update(fields), [{ id: before.id }]);
	return { ...result, service, before, record: service.records.locations[0] };
}

test.each([200, 201, 202].flatMap((status) => Object.keys(RECORDS).map((name) => [status, name])))(
	'PATCH %i, %s',
	async (status, name) => {
		const [says, shown] = RECORDS[name];
		const { json, service, before, record, ...said } = await updated((...of) => ({
			...says(...of),
			status: Number(status),
		}));
		expect(saidIn(said)).toEqual([]);
		expect(json).toEqual([shown(record, before)]);
		expect(service.requests).toEqual([`PATCH /locations/${String(before.id)}`]);
	},
);

test.each([200, 202].flatMap((status) => Object.keys(RECEIPTS).map((name) => [status, name])))(
	'PATCH %i, %s: the ID and what was sent',
	async (status, name) => {
		const answer = RECEIPTS[name];
		const { json, service, before, ...said } = await updated(() => ({
			...{ status: Number(status) },
			...answer,
		}));
		expect(saidIn(said)).toEqual([]);
		expect(json).toMatchObject([{ id: before.id, ...sent }]);
		expect(service.requests).toEqual([`PATCH /locations/${String(before.id)}`]);
	},
);

test.each(Object.keys(JOBS))('PATCH 202, %s: the job is beside the location', async (name) => {
	const { json, before, service, ...said } = await updated(() => ({
		status: 202,
		body: JOBS[name],
	}));
	expect(saidIn(said)).toEqual([]);
	expect(json).toEqual([{ id: before.id, ...sent, job: expect.anything() as unknown }]);
	expect(JSON.stringify(json[0].job)).toContain('job_9');
	expect(service.requests).toHaveLength(1);
});

test.each<[string, (fields: Fields) => Fields]>([
	['makes another form of it', ({ name }) => ({ name, country: 'United States' })],
	['translates', () => ({ name: 'Bäckerei an der Ecke', country: 'Vereinigte Staaten' })],
	['ignores a field', ({ name }) => ({ name })],
	['trims and cuts', ({ name }) => ({ name: String(name).trim().slice(0, 10), country: 'US' })],
	['sanitizes', () => ({ name: 'Corner Bakery &amp; Caf&eacute;', country: 'us' })],
	['makes numbers of texts', (fields) => ({ ...fields, rank_score: 61.5 })],
	['ignores all', () => ({})],
])('a service that %s: the record', async (_, stores) => {
	const service = backend({ stores });
	const [{ id }] = service.records.locations;
	const fields = { name: ' Corner Bakery & Café ', country: 'US' };
	const { json, ...said } = await service.run(update(fields), [{ id }]);
	expect(saidIn(said)).toEqual([]);
	expect(json).toEqual([service.records.locations[0]]);
	expect(service.requests).toEqual([`PATCH /locations/${String(id)}`]);
});

describe('Create or Update', () => {
	const upsert = { resource: 'location', operation: 'upsert' };

	const answers = [...Object.keys(RECORDS), ...Object.keys(RECEIPTS)];
	test.each(answers.filter((name) => name !== 'what was sent'))('PATCH %s', async (name) => {
		const service = backend({
			updated: (record, _call, before) =>
				name in RECORDS ? RECORDS[name][0](record, before) : RECEIPTS[name],
		});
		const [{ id, name: called, address }] = service.records.locations;
		const fields = columns({ name: called, address, city: 'York' });
		const { json, error } = await service.run({ ...upsert, fields });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id, name: called, updated: true }]);
		expect(service.requests).toEqual(['GET /locations', `PATCH /locations/${String(id)}`]);
	});

	test.each([201, 202])('a POST that is answered with %i and nothing', async (status) => {
		const service = backend({ created: () => ({ status }) });
		const row = { name: 'New Shop', address: '9 Mill Lane' };
		const { json, error } = await service.run({ ...upsert, fields: columns(row) });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ ...row, created: true }]);
		expect(service.requests).toEqual(['GET /locations', 'POST /locations']);
	});
});

describe('a keyword is deleted', () => {
	const remove = {
		resource: 'keyword',
		operation: 'delete',
		keywordId: byId('={{ $json.keyword_id }}'),
	};
	const ANSWERS: Record<string, [(record: Fields, left: Fields[]) => Answer, boolean?]> = {
		'204': [() => ({ status: 204 })],
		'200 without a body': [() => ({})],
		'200, null': [() => ({ body: null })],
		'202, a job': [() => ({ status: 202, body: { data: { id: 'job_1', status: 'queued' } } })],
		'200, a text': [
			() => ({ body: 'Deleted', headers: { 'Content-Type': 'text/plain; charset=utf-8' } }),
		],
		'200, a text that is labeled as HTML': [
			() => ({ body: 'Deleted', headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
		],
		'200, a code that is no HTTP error': [
			() => ({ body: { code: 20_000, message: 'success', data: null } }),
		],
		'200, a text in JSON': [() => ({ body: '"Keyword deleted"' })],
		'200, { message }': [() => ({ body: { message: 'Keyword deleted' } })],
		'200, { data: { message } }': [() => ({ body: { data: { message: 'Keyword deleted' } } })],
		'200, { success: true }': [() => ({ body: { success: true } })],
		'200, { data: [] }': [() => ({ body: { data: [] } })],
		'200, a count': [() => ({ body: 1 })],
		'200, { data: { deleted: 1 } }': [() => ({ body: { data: { deleted: 1 } } })],
		'200, { id }': [({ id }) => ({ body: { id } })],
		'200, the record': [(data) => ({ body: { data } }), true],
		'200, the record alone': [(body) => ({ body }), true],
		'200, the record in a list': [(record) => ({ body: { data: [record] } }), true],
		'200, what is left': [(_, data) => ({ body: { data } })],
		'200, what is left, with meta': [
			(_, data) => ({ body: { data, meta: { total: data.length } } }),
		],
		'200, what is left, alone': [(_, body) => ({ body })],
		'200, the one that is left': [(_, left) => ({ body: { data: left.slice(0, 1) } })],
		'200, its location': [
			({ location_id }) => ({ body: { data: { id: location_id, name: 'Corner Bakery' } } }),
		],
	};

	test.each(Object.entries(ANSWERS))('%s', async (_, [says, isRecord]) => {
		const deleted: Switches['deleted'] = (record) => says(record, service.records.keywords);
		const service = backend({ deleted });
		const location_id = service.location();
		const [keyword] = ['plumber', 'boiler repair', 'bathroom'].map((text) =>
			service.add('keywords', { location_id, keyword: text }),
		);
		const { json, ...said } = await service.run(remove, [{ keyword_id: keyword.id }]);
		expect(saidIn(said)).toEqual([]);
		expect(json).toMatchObject([{ id: keyword.id, deleted: true }]);
		// Nothing of another record.
		expect([keyword.keyword, undefined]).toContain(json[0].keyword);
		expect(json[0].name).toBeUndefined();
		if (isRecord) expect(json).toEqual([{ ...keyword, deleted: true }]);
		expect(service.requests).toEqual([`DELETE /keywords/${String(keyword.id)}`]);
	});

	test('without a body there is no Content-Type', async () => {
		const service = backend();
		const { id } = service.add('keywords', { location_id: service.location(), keyword: 'a' });
		await service.run(remove, [{ keyword_id: id }]);
		const [{ headers = {} }] = service.calls;
		expect([headers['content-type'], headers.accept]).toEqual([undefined, 'application/json']);
	});
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
		const { json, error } = await service.run(automatic, rows);
		expect([error, json[0]?.city]).toEqual([undefined, 'York']);
		const { name, address, country, status } = record;
		expect(service.sent('PATCH')).toEqual([{ name, address, city: 'York', country, status }]);
	});

	test('so does a create; Additional Fields are sent whatever they are', async () => {
		const service = strict();
		service.addPosts(1);
		const [row] = rowsFor(service, 1);
		const of = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
		await service.run(postSheet, [{ ...row, ...of }]);
		expect(service.sent('POST')).toEqual([sentOf(row)]);
		const field = { name: 'created_at', value: '2026-01-01T00:00:00Z' };
		const options = { additionalFields: { fields: [field] } };
		const { error } = await service.run({ ...createPosts, options }, [row]);
		expect(error?.description).toContain('prohibited');
	});

	test('an additional field goes before the column that is called so', async () => {
		const service = backend({});
		const [record] = service.records.locations;
		const field = { name: 'rank_score', type: 'number', value: '={{ $json.rank_score + 1 }}' };
		const sheet = { ...automatic, options: { additionalFields: { fields: [field] } } };
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

	test('a row with nothing else is refused', async () => {
		const service = strict();
		const [{ id, rank_score }] = service.records.locations;
		const { error } = await service.run(automatic, [{ id, rank_score }]);
		expect(error?.message).toContain('nothing but what the service sets itself: rank_score');
		expect(service.sent('PATCH')).toEqual([]);
	});
});
