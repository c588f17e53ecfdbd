import { Account, type JsonObject } from '../../nodes/LocalSeo/client';
import type { Existing } from '../../nodes/LocalSeo/operation/existing';
import { assertNotHidden, noteMade } from '../../nodes/LocalSeo/operation/madeBefore';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const MINUTE = 60_000;
/** Rows of a list that are remembered. */
const MOST = 10_000;

let clock: VirtualClock;
let account: Account;
beforeEach(() => {
	clock = new VirtualClock();
	account = new Account(clock, seededRandom());
});

const newPost = (body: JsonObject | string, locationId = 'loc_1') => ({
	method: 'POST' as const,
	path: '/locations/{locationId}/posts',
	ids: { locationId },
	query: {},
	body,
	noun: 'content post',
});
const listWith = (...ids: Array<string | undefined>) =>
	({ listed: new Set(ids) }) as unknown as Existing;
const check = (body: JsonObject | string, list = listWith(), locationId = 'loc_1') =>
	assertNotHidden(account, newPost(body, locationId), list, 'do something else');
const draft = { title: 'A draft' };

test('a row that was created, and that a list hides, is not new', () => {
	noteMade(account, newPost(draft), { id: 'post_1' });
	expect(() => check(draft)).toThrow(
		'This row became a content post within the last hour (ID post_1), which the list of content posts does not show',
	);
	try {
		check(draft);
	} catch (error) {
		expect((error as { description: string }).description).toBe(
			'It was not sent again. The service may hide new content posts: drafts, say, or those to be approved. If it was deleted, do something else.',
		);
	}
	// JSON text with the same fields is the same row.
	expect(() => check('{ "title": "A draft" }')).toThrow('post_1');
});

test('another row is new, and so is the same one in another location, or in another account', () => {
	noteMade(account, newPost(draft), { id: 'post_1' });
	expect(() => check({ title: 'Another' })).not.toThrow();
	expect(() => check(draft, listWith(), 'loc_2')).not.toThrow();
	account = new Account(clock, seededRandom());
	expect(() => check(draft)).not.toThrow();
});

test('a list that shows anything that was created here hides nothing: the record was deleted', () => {
	noteMade(account, newPost(draft), { id: 'post_1' });
	noteMade(account, newPost({ title: 'Shown' }), { id: 'post_2' });
	expect(() => check(draft, listWith('post_0', 'post_2'))).not.toThrow();
	expect(() => check(draft, listWith('post_0'))).toThrow('post_1');
});

test('a record without an ID can not be looked for, and is not remembered', () => {
	noteMade(account, newPost(draft), { title: 'A draft' });
	expect(() => check(draft)).not.toThrow();
	// Nor does a list with records that have none show it.
	noteMade(account, newPost({ title: 'Hidden' }), { id: 'post_2' });
	expect(() => check({ title: 'Hidden' }, listWith(undefined))).toThrow('post_2');
});

test('a row is remembered for an hour', async () => {
	noteMade(account, newPost(draft), { id: 'post_1' });
	await clock.run(clock.sleep(59 * MINUTE));
	expect(() => check(draft)).toThrow('post_1');
	await clock.run(clock.sleep(61 * MINUTE));
	expect(() => check(draft)).not.toThrow();
});

test('rows are remembered beside those of other lists', () => {
	for (let index = 0; index < 50; index++) {
		noteMade(account, newPost({ title: `${index}` }), { id: `post_${index}` });
	}
	noteMade(account, newPost(draft, 'loc_2'), { id: 'post_99' });
	expect(() => check({ title: '0' })).toThrow('post_0');
	expect(() => check(draft, listWith(), 'loc_2')).toThrow('post_99');
});

test(`of a list, the latest ${MOST} rows are remembered`, () => {
	for (let index = 0; index <= MOST; index++) {
		noteMade(account, newPost(`{"title":"${index}"}`), { id: `post_${index}` });
	}
	expect(() => check({ title: '0' })).not.toThrow();
	expect(() => check({ title: '1' })).toThrow('post_1');
});
