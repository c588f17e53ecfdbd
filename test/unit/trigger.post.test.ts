import { postSubject } from '../../nodes/LocalSeo/trigger/post';
import { compare, locationMemory, reported, timeAt, watching } from '../support/trigger';

const BOTH = watching(['postAdded', 'postChanged']);
const post = (id: string, more: object = {}) => ({ id, title: `Title of ${id}`, ...more });

/** Compares one list of posts after the other; what the last one came to. */
function after(...lists: object[][]) {
	let result = compare(postSubject, locationMemory({ posts: [] }), {}, BOTH);
	for (const posts of lists) {
		result = compare(postSubject, result.memory, { posts: posts as never }, BOTH);
	}
	return result;
}

test('a field that one of several posts gets was empty before; one that all get is no change', () => {
	const all = [post('post_1'), post('post_2')];
	const [failed, other] = all.map((one) => ({ ...one, failure: 'rejected' }));
	expect(after(all, [failed, all[1]]).events).toMatchObject([
		{ before: { failure: null }, changed: ['failure'] },
	]);
	expect(after(all, [failed, other]).events).toEqual([]);
	// The second one to get it shows that it is no field that the service has added.
	expect(after(all, [failed, all[1]], [failed, other]).events).toHaveLength(1);
});

test.each([
	['one list', [[]]],
	['one list of others', [[post('post_2')]]],
	['any number of empty lists', [[], [], []]],
])(
	'a post that is missing from %s is not new afterwards, and its changes are reported',
	(_, gap) => {
		const others = gap.flat();
		expect(after([post('post_1'), ...others], ...gap, [post('post_1'), ...others]).events).toEqual(
			[],
		);
		const changed = [post('post_1', { title: 'Other' }), ...others];
		expect(after([post('post_1'), ...others], ...gap, changed).events).toMatchObject([
			{ event: 'postChanged', changed: ['title'] },
		]);
	},
);

test('before the first list, one that was created since the first poll is new', () => {
	const posts = [
		post('post_1', { created_at: timeAt(-1) }),
		post('post_2', { created_at: timeAt(1) }),
		post('post_3'),
		post('post_4', { created_at: '3026-01-01T00:00:00Z' }),
	];
	const { events } = compare(postSubject, locationMemory(), { posts }, BOTH);
	expect(reported(events)).toEqual([['postAdded', 'post_2']]);
});

test('without Content Post Changed no fields are remembered', () => {
	const settings = watching(['postAdded']);
	const lists = { posts: [post('post_1')] };
	const { memory } = compare(postSubject, locationMemory({ posts: [] }), lists, settings);
	expect(memory.posts).toEqual([{ id: 'post_1' }]);
});
