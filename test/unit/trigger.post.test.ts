import { type PostMemory, postSubject } from '../../nodes/LocalSeo/trigger/post';
import { compare, reported, timeAt, watching } from '../support/trigger';

const BOTH = watching(['postAdded', 'postChanged']);
const post = (id: string, more: object = {}) => ({ id, title: `Title of ${id}`, ...more });

/** Compares one list of posts after the other; what the last one came to. */
function after(...lists: object[][]) {
	let result = compare<PostMemory>(postSubject, { posts: new Map() }, {}, BOTH);
	for (const posts of lists) {
		result = compare(postSubject, result.memory, { posts: posts as never }, BOTH, result.account);
	}
	return result;
}

test('a post that was not listed before was added', () => {
	const { events } = after([post('post_1')], [post('post_1'), post('post_2')]);
	expect(reported(events)).toEqual([['postAdded', 'post_2']]);
	expect(events[0]).toMatchObject({ before: null, changed: [] });
});

test('a field that is different was changed; the earlier value comes along', () => {
	const scheduled = post('post_1', { status: 'scheduled' });
	const { events } = after([scheduled], [{ ...scheduled, status: 'published' }]);
	expect(events).toMatchObject([
		{ event: 'postChanged', before: { status: 'scheduled' }, changed: ['status'] },
	]);
});

test('a field that one of several posts gets was empty before', () => {
	const others = [post('post_2'), post('post_3')];
	const failed = post('post_1', { failure: 'rejected' });
	const { events } = after([post('post_1'), ...others], [failed, ...others]);
	expect(events).toMatchObject([{ before: { failure: null }, changed: ['failure'] }]);
});

test('a post that is missing from one list is not new afterwards, and its changes are reported', () => {
	expect(after([post('post_1')], [], [post('post_1')]).events).toEqual([]);
	const { events } = after([post('post_1')], [], [post('post_1', { title: 'Other' })]);
	expect(events).toMatchObject([{ event: 'postChanged', changed: ['title'] }]);
});

test('a post that is missing from two lists is forgotten', () => {
	const [kept, gone] = [post('post_1'), post('post_2')];
	const { memory } = after([kept, gone], [kept], [kept]);
	expect([...memory.posts!.keys()]).toEqual(['post_1']);
});

test('before the first list, a post is new if it was created since the first poll', () => {
	const posts = [
		post('post_1', { created_at: timeAt(-1) }),
		post('post_2', { created_at: timeAt(1) }),
		post('post_3'),
	];
	const { events } = compare(postSubject, { posts: undefined }, { posts }, BOTH);
	expect(reported(events)).toEqual([['postAdded', 'post_2']]);
});

test('without Content Post Changed no fields are remembered', () => {
	const posts = [post('post_1')];
	const settings = watching(['postAdded']);
	const { memory } = compare(postSubject, { posts: new Map() }, { posts }, settings);
	expect(memory.posts).toEqual(new Map([['post_1', []]]));
});

test('an empty list says nothing: no post is forgotten', () => {
	expect(after([post('post_1')], [], [], [], [post('post_1')]).events).toEqual([]);
});

test.each(['!a', '!!a', '=a', '=!a', '__dataChanged', '__proto__'])(
	'a post with the ID %p is new once, and its changes are reported',
	(id) => {
		const other = post('a');
		expect(reported(after([other], [post(id), other]).events)).toEqual([['postAdded', id]]);
		expect(after([post(id), other], [other], [post(id), other]).events).toEqual([]);
		const { events } = after([post(id), other], [post(id, { title: 'Other' }), other]);
		expect(reported(events)).toEqual([['postChanged', id]]);
	},
);

test.each(['constructor', 'toString', '__proto__'])('a field may be called %p', (name) => {
	const odd = (value: unknown) => JSON.parse(`{"id":"post_1","${name}":${JSON.stringify(value)}}`);
	const other = post('post_2');
	expect(after([odd(1), other], [odd(1), other]).events).toEqual([]);
	const { events } = after([odd(1), other], [odd(2), other]);
	expect(events).toMatchObject([{ changed: [name] }]);
	expect(Object.entries(events[0].before!)).toEqual([[name, 1]]);
});

test('the keys of an object may come in another order', () => {
	const [one, other] = [
		{ a: 1, b: { c: 2, d: [3] } },
		{ b: { d: [3], c: 2 }, a: 1 },
	];
	expect(after([post('p', { of: one })], [post('p', { of: other })]).events).toEqual([]);
	expect(after([post('p', { of: one })], [post('p', { of: { a: 1 } })]).events).toHaveLength(1);
});

test('no more than 200 fields are remembered', () => {
	const lists = Array.from({ length: 300 }, (_, index) => [post('p', { [`field ${index}`]: 1 })]);
	const { memory, account } = after(...lists);
	expect(account.postFields.names).toHaveLength(200);
	expect(memory.posts!.get('p')).toHaveLength(200);
});

test('before the first list, a date that is far ahead does not make a post new', () => {
	const posts = [post('post_1', { created_at: '3026-01-01T00:00:00Z' })];
	expect(compare(postSubject, { posts: undefined }, { posts }, BOTH).events).toEqual([]);
});
