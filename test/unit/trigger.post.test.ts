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
	expect(after([post('post_1')], [], []).memory.posts).toEqual(new Map());
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
