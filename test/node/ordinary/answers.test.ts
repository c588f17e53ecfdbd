import omit from 'lodash/omit';
import { byId, columns, goOn } from '../../support/fixture';
import { drawn, fc } from '../../support/random';
import { createPosts, postSheet } from '../../support/sheet';
import {
	type Answer,
	type Fields,
	rowsFor,
	saidIn,
	type Switches,
	textsOf,
	useBackend,
} from '../backend';

// A write that the service calls a success is done: one request, and its item is the record in `data`, or
// what was sent. Every row ends once, and is skipped the second time, whatever the service is like.

const backend = useBackend();

type Form = [name: string, says: (record: Fields) => Answer, isRecord: boolean];
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
	['no body', () => ({}), false],
	['no content', () => ({ status: 204 }), false],
	['no content, and a form to reset', () => ({ status: 205 }), false],
	// Express labels every text as HTML: `response.send('Created')`.
	['a text', () => ({ body: 'Created', headers: { 'Content-Type': 'text/html' } }), false],
];

const text = (change: (text: string) => string) => (fields: Fields) =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(String(value))]));
/** What services make of texts; true if a text is still the same by its key. */
const TEXTS: Array<[Switches['stores'], boolean]> = [
	[text((one) => one), true],
	[text((one) => one.trim().replace(/\s+/g, ' ')), true],
	[text((one) => `<p>${one}</p>`), true],
	[text((one) => one.replaceAll('&', '&amp;').replaceAll("'", '&#39;')), true],
	[text((one) => one.slice(0, 18)), false],
	[text((one) => `[Corner Bakery] ${one}`), false],
	[text((one) => one.replaceAll("'", '’')), false],
	[text((one) => one.replaceAll(/\d/g, '*')), false],
	[text((one) => `ÜBERSETZT ${one.length}: ${one.split('').reverse().join('')}`), false],
	[text((one) => one.toUpperCase()), false],
	[({ title, content }) => ({ title: { en: title }, content: { html: content } }), false],
];

const hex = (number: number, length: number) => number.toString(16).padStart(length, '0');
/** How services write the ID of a record. */
const IDS: Array<Switches['id']> = [
	(number) => ({ id: `post_${hex(number, 8)}` }),
	(number) => ({ id: number }),
	(number) => ({ id: String(number) }),
	(number) => ({ id: `0190a6c2-7b1e-7c3d-8e4f-${hex(number, 12)}` }),
	(number) => ({ id: `gid://shop/Post ${number}?v=1#ä` }),
	(number) => ({ id: 1_000_000_000_000_000 + number }),
	() => ({}),
];

/** The records that a list shows; `isOld` says which were there before. */
const LISTS: Array<Partial<Switches>> = [
	{},
	{ shows: (all) => [...all].reverse() },
	{ shows: (all) => all.filter(({ isOld }) => isOld) },
	{ shows: () => [] },
	{ shows: (all) => all.slice(-2) },
	{ staleness: 60_000, saysAge: true },
];

const nth = <T>(all: readonly T[], index: number) => all[index % all.length];
const rest = fc.record({
	list: fc.constantFrom(...LISTS),
	status: fc.constantFrom(200, 201, 202, 207),
	// A clock may be off by an hour, or by days.
	offset: fc.constantFrom(0, -4_000, 90_000, -3_600_000, 86_400_000, -259_200_000),
	hasDate: fc.boolean(),
	pageSize: fc.constantFrom(10, 15, 100),
	there: fc.constantFrom(0, 20, 40),
});

const HARD = "  The owner's & others' offer 1:  2 for 1 ";
/** A match field that comes back otherwise is said. */
const REWRITTEN = /^\d with a warning: .* The first says: The service changed the (title|content)/;

test.each(FORMS.map(([name], index) => [name, index] as const))(
	'a create that is answered with %s: every row is posted once, at once, and skipped the second time',
	async (_, index) => {
		const [, says, isRecord] = FORMS[index];
		const [stores, isKept] = nth(TEXTS, index);
		const { list, status, there, ...more } = drawn(rest, index);
		const service = backend({
			...{ ...more, ...list, stores },
			id: (number, kind, all) => (kind === 'locations' ? {} : nth(IDS, index)(number, kind, all)),
			created: (record) => ({ status, ...says(record) }),
		});
		service.addPosts(
			...textsOf(there, 'Old').map((post) => ({ ...stores(post, 'posts', true), isOld: true })),
		);
		const made = () => service.all('posts').slice(there);
		const rows = rowsFor(service, 3);
		rows[0].title = HARD;
		const own = () =>
			service.requests.filter((one) => one.startsWith(`GET /locations/${service.location()}/`));

		const first = await service.run(postSheet, { rows });
		const said = saidIn(first);
		expect([said.length > 0, said.filter((line) => !REWRITTEN.test(line))]).toEqual([
			isRecord && !isKept,
			[],
		]);
		const items = first.records.map((record) => omit(record, 'warning'));
		const sent = rows.map((row) => omit(row, 'location_id'));
		expect(items).toEqual(isRecord ? made() : sent);
		expect(service.sent('POST')).toHaveLength(3);
		const shown = list.shows?.(service.all('posts').slice(0, there), {} as never).length ?? there;
		expect(own()).toHaveLength(shown > 0 ? Math.ceil(shown / more.pageSize) : 1);

		const others = await service.run(postSheet, { rows: rowsFor(service, 1, 'Event') });
		expect([others.error, others.json.length]).toEqual([undefined, 1]);
		const again = await service.run(postSheet, { rows: [...rows].reverse(), ...goOn });
		const said2 = again.json.map(({ outcome, error }) => outcome ?? (error as Error).message);
		// A text that the service has changed is asked about, if it shows another one as it was.
		const asked = expect.stringMatching(
			/^(skipped|.*A content post with this .* is there( \(ID .*\))?, with another .*)$/,
		);
		expect(said2).toEqual(Array(3).fill(isKept ? 'skipped' : asked));
		expect(service.sent('POST')).toHaveLength(4);
		// A page of the list shows the fields; nothing else is read of what is created anyway.
		const before = own().length;
		const more3 = await service.run(createPosts, { rows });
		expect([more3.error, more3.json.length]).toEqual([undefined, 3]);
		expect([service.sent('POST').length, own().length - before]).toEqual([7, 1]);
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
