import { DateTime } from 'luxon';

import { customOperations } from '../../nodes/LocalSeo/rows/run';
import { contextOf } from '../support/engine';
import { byId, columns, goOn, incomingRow, useSandbox } from '../support/fixture';
import { createPosts } from '../support/sheet';

// What is sent of a row. Whole sheets, and what is asked about their columns: sheets/.

const service = useSandbox();
const { account, run } = service;
const home = () => account().locations[0].id;
const post = (more: object) => ({ ...createPosts, locationId: byId(home()), ...more });
const bodies = () =>
	service.sandbox.requests.flatMap(({ method, body }) => (method === 'GET' ? [] : [body]));

test('what the node reads from a column is what n8n would make of the expression', async () => {
	const values: unknown[] = ['Text', '', '0', '={{ 1 }}', 0, 1.5, true, false, null, undefined];
	values.push([1], { a: 1 }, '\ud800 half', new Date(0), DateTime.utc());
	const rows = values.map((value, at) => ({ location_id: home(), title: `Post ${at}`, value }));
	// n8n is asked for the second form.
	const sent = ['={{ $json.value }}', '={{ $json["value"] }}'].map(async (content) => {
		const fields = columns({ title: '={{ $json.title }}', content });
		const { json } = await run({ ...createPosts, fields }, { rows, ...goOn });
		return json.map((item) => [item.content, item.error]);
	});
	const [own, byHost] = await Promise.all(sent);
	expect(own).toEqual(byHost);
	expect(own).toHaveLength(values.length);
});

test('the credential is read for the first and the last row alone; if they differ, nothing is sent', async () => {
	/** How often it is read in a run of so many rows, each of a location of its own. */
	const readings = async (count: number, credentialOf: (row: number) => object = () => ({})) => {
		const rows = Array.from({ length: count }, (_, at) => ({ location_id: `loc_${at}` }));
		const credential = { baseUrl: 'https://no address', apiKey: 'sk_live_123456' };
		const context = contextOf({ parameters: createPosts, credential, rows });
		const read: number[] = [];
		context.getCredentials = (async (_: string, row: number) => {
			read.push(row);
			return await Promise.resolve({ ...credential, ...credentialOf(row) });
		}) as typeof context.getCredentials;
		const run = customOperations.post.create.call(context);
		return { read, error: (await run.catch((error: unknown) => error)) as Error };
	};
	expect((await readings(2_000)).read).toEqual([0, 1_999]);
	expect((await readings(1)).read).toEqual([0]);
	const { error } = await readings(3, (row) => ({ apiKey: `sk_live_${row}_0123456` }));
	expect(error.message).toContain('The rows of this run have different credentials');
	expect(service.requests()).toEqual([]);
});

describe('automatic mapping', () => {
	test('keeps the types of values, and leaves out what is empty', async () => {
		const texts = { title: 'Typed', content: 'All of them', text: '007' };
		const kept = { ...texts, zero: 0, no: false, yes: true, half: 0.5 };
		const row = { row_number: 2, ...kept, blank: '', space: ' \u00a0', nothing: null };
		account().addPost(account().locations[0], { ...kept, blank: 'x', space: 'x', nothing: 'x' });
		await run(post({}), { rows: [row] });
		expect(bodies()).toEqual([kept]);
	});

	test('sends dates as n8n has them as ISO text', async () => {
		const publish_at = new Date('2026-12-31T18:00:00Z');
		const zoned = DateTime.fromISO('2026-12-31T19:00:00+01:00', { setZone: true });
		account().addPost(account().locations[0], { zoned: 'of old' });
		const row = { title: 'New Year', content: 'Open', publish_at, zoned };
		await run(post({}), { rows: [row] });
		const sent = { publish_at: '2026-12-31T18:00:00Z', zoned: zoned.toISO() };
		expect(bodies()).toEqual([{ title: 'New Year', content: 'Open', ...sent }]);
	});
});

test.each([
	['a row with nothing in it', incomingRow],
	['columns that are all empty', columns({ title: '', content: '' })],
	['no columns', { mappingMode: 'defineBelow', value: null }],
])('%s: there is nothing to send', async (_, fields) => {
	const { error } = await run(post({ fields }), { rows: [{ row_number: 2 }] });
	expect(error?.message).toBe('Row 2: There is nothing to send: every field is empty');
	expect(bodies()).toEqual([]);
});

describe('columns mapped one by one', () => {
	const typed = (type: string, value: unknown) =>
		post({
			...{ whenToPublish: 'now', options: { publishTimeField: 'publish_at' } },
			fields: {
				...columns({ title: 'A', content: 'B', extra: value }),
				schema: ['title', 'content', 'extra'].map((id) => ({
					...{ id, displayName: id, type: id === 'extra' ? type : 'string' },
				})),
			} as never,
		});

	test.each([
		// In n8n's zone, New York.
		['dateTime', '2026-12-31T18:00:00', '2026-12-31T18:00:00-05:00'],
		['dateTime', '2026-12-31T18:00:00+01:00', '2026-12-31T18:00:00+01:00'],
		['dateTime', '={{ DateTime.fromISO("2026-12-31T18:00:00Z") }}', expect.stringMatching(/^2026/)],
	])('%s: %p is sent as %p', async (type, value, extra) => {
		await run(typed(type, value));
		expect(bodies()).toEqual([{ title: 'A', content: 'B', extra }]);
	});

	test('are sent with what their expressions make, unless that is empty', async () => {
		const texts = { title: '={{ $json["My name"].toUpperCase() }}', content: '={{ $json.at }}' };
		const others = { price: '={{ $json.price }}', open: '={{ false }}', no: '={{ $json.no }}' };
		// No expression reads a column without a heading.
		const rows = [{ '': '0', 'My name': 'one', at: new Date(0), price: 0, no: '' }];
		await run(post({ fields: columns({ ...texts, ...others }) }), { rows });
		const content = '1970-01-01T00:00:00.000Z';
		expect(bodies()).toEqual([{ title: 'ONE', content, price: 0, open: false }]);
	});

	test('one that was removed is not sent', async () => {
		const schema = ['title', 'content'].map((id) => ({ id, removed: id === 'content' }));
		await run(post({ fields: { ...columns({ title: 'A', content: 'B' }), schema } as never }));
		expect(bodies()).toEqual([{ title: 'A' }]);
	});
});

describe('additional fields', () => {
	const withFields = (...fields: object[]) =>
		post({ fields: columns({ title: 'A' }), options: { additionalFields: { fields } } });

	test('are sent with their types, text by default, and win over the columns', async () => {
		await run(
			withFields(
				{ name: 'title', type: 'string', value: 'C' },
				{ name: 'count', type: 'number', value: '0' },
				{ name: 'pinned', type: 'boolean', value: 'false' },
				{ name: 'tags', type: 'json', value: '["a", 1]' },
				{ name: 'cleared', type: 'json', value: 'null' },
				{ name: 'now', type: 'json', value: '={{ [$now] }}' },
				{ name: 'code', value: 7 },
				{ name: 'blank', type: 'string', value: '' },
			),
		);
		const now = [expect.stringMatching(/^2\d{3}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/)];
		const added = { count: 0, pinned: false, tags: ['a', 1], cleared: null, now, code: '7' };
		expect(bodies()).toEqual([{ title: 'C', ...added }]);
	});

	test.each([
		['odd', 'number', 'seven', 'odd: "seven" is not a number'],
		['odd', 'any', '={{ [new Date(NaN)] }}', "odd: an invalid date can't be kept exactly"],
		['odd', 'any', '={{ Infinity }}', "odd: Infinity can't be kept exactly"],
		['odd', 'dateTime', 'offer 12', 'odd: "offer 12" can\'t be read as a time'],
		['', 'string', 'x', 'An additional field has no name'],
	])('%p, %s: %p is refused', async (name, type, value, message) => {
		const { error } = await run(withFields({ name, type, value }));
		expect(error?.message).toContain(message);
		expect(error?.description).toMatch(/\w/);
		expect(bodies()).toEqual([]);
	});
});
