import { DEFAULT_PAGING, type JsonObject } from '../../nodes/LocalSeo/client';
import { fieldsIn } from '../../nodes/LocalSeo/rows/accountFields';
import { post } from '../../nodes/LocalSeo/service';
import { readService, type Shown } from '../support/readService';
import { VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const POSTS = '/locations/loc_1/posts';
const request = {
	method: 'POST' as const,
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	noun: 'content post',
};

function accountWith(shown: Shown) {
	const { connection, asked } = readService(clock, shown);
	const read = async (resource = post, paging = DEFAULT_PAGING) =>
		await clock.run(fieldsIn(connection, resource, paging, request));
	return { read, asked };
}
const fieldsOf = async (...posts: JsonObject[]) =>
	await accountWith({ [POSTS]: posts, '/locations': [] }).read();

test('the fields of an account are those of the records of the location, the known ones first', async () => {
	const record = { id: 1, stars: 5, content: 'B', title: 'A', views_count: 7 };
	expect(await fieldsOf(record)).toEqual({
		sendable: ['title', 'content', 'stars'],
		seen: ['stars', 'content', 'title', 'views_count'],
		usual: [],
		types: { stars: 'number', content: 'string', title: 'string', views_count: 'number' },
	});
});

test('they are those of other locations, if it has no records', async () => {
	const shown = { [POSTS]: [], '/locations': [{ id: 'loc_2' }] };
	const elsewhere = [{ id: 1, headline: 'A' }];
	const { read } = accountWith({ ...shown, '/locations/loc_2/posts': elsewhere });
	expect(await read()).toMatchObject({ sendable: ['headline'], seen: ['headline'] });
});

test('where there is no record at all, those are known that the node assumes', async () => {
	expect(await fieldsOf()).toEqual({
		sendable: ['title', 'content'],
		seen: [],
		usual: [],
		types: {},
	});
});

describe('a known field is usual', () => {
	const three = (last: JsonObject) =>
		fieldsOf({ id: 1, title: 'A', content: 'B' }, { id: 2, title: 'A', content: 'B' }, last);

	test('if each of three records has filled it', async () => {
		const whole = { id: 3, title: 'A', content: 'B', stars: 5 };
		expect((await three(whole)).usual).toEqual(['title', 'content']);
		expect((await three({ ...whole, content: '' })).usual).toEqual(['title']);
		expect((await three({ ...whole, title: null })).usual).toEqual(['content']);
		expect((await three({ id: 3, title: 'A' })).usual).toEqual(['title']);
	});

	test('never where there are only two', async () => {
		const two = await fieldsOf({ id: 1, title: 'A' }, { id: 2, title: 'A' });
		expect(two.usual).toEqual([]);
	});
});

describe('the type of a field', () => {
	const typeOf = async (name: string, ...values: unknown[]) =>
		(await fieldsOf(...values.map((value, id) => ({ id, [name]: value })))).types[name];

	test('is that of its values, if they all have the same', async () => {
		expect(await typeOf('stars', 5, null, 4)).toBe('number');
		expect(await typeOf('stars', 5, 'many')).toBeUndefined();
		expect(await typeOf('stars', null, '')).toBeUndefined();
		expect(await typeOf('is_open', true)).toBe('boolean');
	});

	test('is a date where two values are, one of which may be chance', async () => {
		expect(await typeOf('note', '2026-01-01', '2026-01-02')).toBe('dateTime');
		expect(await typeOf('note', '2026-01-01', '')).toBeUndefined();
	});

	test.each([
		'publish_at',
		'publishAt',
		'date',
		'publish_date',
		'publish-date',
		'PublishDate',
		'Publish date',
		'time',
		'start_time',
	])('is a date where a single value is, and it is called %s', async (name) =>
		expect(await typeOf(name, '2026-01-01')).toBe('dateTime'),
	);

	test.each(['format', 'update', 'lifetime', 'dates', 'date_note', 'publish_at_all', 'time zone'])(
		'is not known where a single value is a date, and it is called %s',
		async (name) => expect(await typeOf(name, '2026-01-01')).toBeUndefined(),
	);
});

describe('the records', () => {
	const shown = { [POSTS]: [{ id: 1, title: 'A' }], '/locations': [] };

	test('are read once for the rows of a run, and again a minute later', async () => {
		const { read, asked } = accountWith(shown);
		for (let row = 0; row < 3; row++) {
			await read();
			await clock.run(clock.sleep(25_000));
		}
		// After 50 seconds from memory, after 75 again.
		expect(asked).toHaveLength(1);
		await read();
		expect(asked).toHaveLength(2);
	});

	test('are read again for another resource, and for pages of another kind', async () => {
		const { read, asked } = accountWith(shown);
		await read();
		await read({ ...post, value: 'another' });
		await read(post, { ...DEFAULT_PAGING, pageSize: 10 });
		expect(asked).toHaveLength(3);
	});

	test('that cannot be read say so', async () => {
		await expect(accountWith({ [POSTS]: 401 }).read()).rejects.toMatchObject({ kind: 'rejected' });
	});
});
