import { gzipSync } from 'node:zlib';

import omit from 'lodash/omit';
import { byId, columns, goOn } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Answer, type Fields, rowsFor, saidIn, textsOf, useBackend } from '../backend';

// A write that the service calls a success is done: one request, and its item is the record in `data`, or
// what was sent. Every row ends once, and is skipped the second time, whatever the service is like.

const backend = useBackend();

type Form = [name: string, says: (record: Fields) => Answer, isRecord: boolean];
/** JSON in a wrapping of frameworks and gateways. */
const wrapped = (name: string, pack: (json: string) => unknown, headers = {}): Form => [
	name,
	(data) => ({ body: pack(JSON.stringify({ data })), headers }),
	true,
];
const saying = (body: unknown): Form => [JSON.stringify(body) ?? '', () => ({ body }), false];

/** How services answer a write; true if that is the record. */
const FORMS: Form[] = [
	['{ data: record }', (data) => ({ body: { data } }), true],
	['{ data: [record] }', (record) => ({ body: { data: [record] } }), true],
	['{ success, data: record }', (data) => ({ body: { success: true, data } }), true],
	['{ errors: [], data: record }', (data) => ({ body: { errors: [], code: 45_012, data } }), true],
	['{ data: record, meta }', (data) => ({ body: { data, meta: { request_id: 'r-1' } } }), true],
	...[{ data: null }, { data: [] }, { data: {} }, { data: true }, { success: true }].map(saying),
	...[{}, [], null, { id: 'job_7' }, { message: 'Accepted' }, 1, 'Done', '"Done"', ''].map(saying),
	// PHP labels JSON so.
	wrapped('JSON as text/html', (json) => json, { 'Content-Type': 'text/html; charset=UTF-8' }),
	wrapped('a byte order mark', (json) => `\uFEFF${json}`),
	wrapped('gzip', gzipSync, { 'Content-Encoding': 'gzip' }),
	['no body', () => ({}), false],
	['no content', () => ({ status: 204 }), false],
	['no content, and a form to reset', () => ({ status: 205 }), false],
	// Express labels every text as HTML: `response.send('Created')`.
	['a text', () => ({ body: 'Created', headers: { 'Content-Type': 'text/html' } }), false],
];

/** What services make of texts: it is still the same by its key, or it is another one, which is said. */
const escaped = (text: string) =>
	`<p>${text.replaceAll('&', '&amp;').replaceAll("'", '&#39;')}</p>`;
const cut = (text: string) => text.slice(0, 18);
const REWRITTEN =
	/^\d with a warning: .* The first says: The service changed the title and content/;

test.each(
	FORMS.flatMap((form) => [escaped, cut].map((text) => [form[0], text.name, form, text] as const)),
)(
	'a create that is answered with %s: every row is posted once, and not a second time (texts %s)',
	async (...[, , [, says, isRecord], text]) => {
		const isKept = text === escaped;
		const stores = ({ title, content, ...more }: Fields) => ({
			...{ title: text(String(title)), content: text(String(content)), ...more },
		});
		const service = backend({ stores, created: says });
		service.addPosts(...textsOf(20, 'Old').map(stores));
		const rows = rowsFor(service, 3);
		rows[0].title = "  The owner's & others' offer 1:  2 for 1 ";

		const first = await service.run(postSheet, { rows });
		const said = saidIn(first);
		expect([said.length > 0, said.filter((line) => !REWRITTEN.test(line))]).toEqual([
			isRecord && !isKept,
			[],
		]);
		const items = first.records.map((record) => omit(record, 'warning'));
		const sent = rows.map((row) => omit(row, 'location_id'));
		expect(items).toEqual(isRecord ? service.all('posts').slice(20) : sent);
		expect(service.requests.map((request) => request.split(' ')[0]).join(' ')).toBe(
			'GET GET POST POST POST',
		);

		const again = await service.run(postSheet, { rows: [...rows].reverse(), ...goOn });
		// A text that the service has changed is asked about, if it shows another one as it was.
		const asked = expect.stringMatching(
			/^(skipped|.*A content post with this .* is there( \(ID .*\))?, with another .*)$/,
		);
		expect(again.json.map(({ outcome, error }) => outcome ?? (error as Error).message)).toEqual(
			Array(3).fill(isKept ? 'skipped' : asked),
		);
		expect(service.sent('POST')).toHaveLength(3);
		const another = await service.run(createPosts, { rows });
		expect([another.error, another.json.length]).toEqual([undefined, 3]);
		expect(service.sent('POST')).toHaveLength(6);
	},
);

const update = (fields: Fields) => ({
	...{ resource: 'location', operation: 'update', locationId: byId('={{ $json.id }}') },
	fields: columns(fields),
});
const remove = { resource: 'keyword', operation: 'delete', keywordId: byId('={{ $json.id }}') };

test.each<Form>([
	...FORMS,
	['what changed', () => ({ body: { data: { city: 'York', updated_at: 'x' } } }), false],
	['a job', () => ({ status: 202, body: { data: { id: 'job_9', state: 'waiting' } } }), false],
	['what is left', () => ({ body: { data: [{ id: 'kw_2' }, { id: 'kw_3' }] } }), false],
])(
	'a change that is answered with %s: an update, Create or Update, a deletion',
	async (_, says, isRecord) => {
		// An ID that has to be encoded.
		const id = (number: number, kind: string) =>
			kind === 'keywords' ? { id: `gid:shop:${number}?v=1#ä` } : {};
		const service = backend({ updated: says, deleted: says, id });
		const [location, { id: other, name, address, city }] = service.all('locations');
		const sent = { name: 'Corner Bakery & Café', city: 'York' };
		const keyword = service.add('keywords', { location_id: location.id, keyword: 'plumber' });

		const updated = await service.run(update(sent), { rows: [{ id: location.id }] });
		expect(saidIn(updated)).toEqual([]);
		const whole = isRecord ? location : expect.objectContaining({ id: location.id, ...sent });
		expect(updated.records).toEqual([whole]);
		const upsert = { ...update({ name, address, city, zip: '01067' }), operation: 'upsert' };
		const upserted = await service.run(upsert);
		expect(upserted.records).toMatchObject([{ id: other, name, zip: '01067', updated: true }]);
		const deleted = await service.run(remove, { rows: [{ id: keyword.id }] });
		expect([saidIn(deleted), deleted.records]).toEqual([[], [{ id: keyword.id, deleted: true }]]);
		expect(service.requests).toEqual([
			...['GET /locations', `PATCH /locations/${String(location.id)}`],
			...['GET /locations', `PATCH /locations/${String(other)}`],
			`DELETE /keywords/${encodeURIComponent(String(keyword.id))}`,
		]);
		// Without a body there is no Content-Type, which Fastify refuses.
		const { headers = {} } = service.calls.at(-1)!;
		expect([headers['content-type'], headers.accept]).toEqual([undefined, 'application/json']);
	},
);

test('a service that keeps other values than an update sent: its item has what was sent', async () => {
	const service = backend({ stores: ({ name }) => ({ name: String(name).trim() }) });
	const [location] = service.all('locations');
	const fields = { name: ' Corner Bakery & Café ', country: 'US' };
	const { records, ...said } = await service.run(update(fields), { rows: [{ id: location.id }] });
	expect([records, saidIn(said)]).toEqual([[{ ...location, ...fields }], []]);
});

test('a mock server gives each post the same ID: a hint says so', async () => {
	const service = backend({ id: (_, kind) => (kind === 'posts' ? { id: 'post_1' } : {}) });
	const { hints, json } = await service.run(createPosts, { rows: rowsFor(service, 3) });
	expect(json).toHaveLength(3);
	expect(hints).toContainEqual(expect.stringMatching(/^3 items came back with the same ID/));
});
