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

test('without Content Post Changed or Published, no fields are remembered', () => {
	const settings = watching(['postAdded']);
	const lists = { posts: [post('post_1')] };
	const { memory } = compare(postSubject, locationMemory({ posts: [] }), lists, settings);
	expect(memory.posts).toEqual([{ id: 'post_1' }]);
});

describe('Content Post Published', () => {
	const PUBLISHED = watching(['postPublished']);
	/** What two lists come to; the second one is read an hour after the first poll. */
	const between = (earlier: object[], later: object[], settings = PUBLISHED) => {
		const first = compare(
			postSubject,
			locationMemory({ posts: [] }),
			{ posts: earlier as never },
			settings,
		);
		return compare(postSubject, first.memory, { posts: later as never }, settings);
	};
	const scheduled = post('post_1', { status: 'scheduled', published_at: null, views: 1 });

	test.each([
		['published', { status: 'published' }, ['status']],
		['LIVE', { status: 'LIVE' }, ['status']],
		['posted', { status: 'posted' }, ['status']],
		[
			'a time in published_at',
			{ status: 'sent', published_at: timeAt(59) },
			['status', 'published_at'],
		],
		[
			'a time as a number',
			{ status: 'ok', published_at: 1_772_442_000 },
			['status', 'published_at'],
		],
		['both', { status: 'published', published_at: timeAt(59) }, ['status', 'published_at']],
	])('%s', (_, change, changed) => {
		const { events, memory } = between([scheduled], [{ ...scheduled, views: 2, ...change }]);
		expect(events).toMatchObject([{ event: 'postPublished', changed, record: change }]);
		const before = { status: 'scheduled', published_at: null };
		for (const name of changed) {
			expect(events[0].before).toHaveProperty(name, before[name as keyof typeof before]);
		}
		// The other field may follow, or be taken back: the post is published already.
		const posts = [{ ...scheduled, ...change, status: 'published', published_at: timeAt(58) }];
		expect(compare(postSubject, memory, { posts }, PUBLISHED).events).toEqual([]);
	});

	test.each([
		['another status', { status: 'failed' }],
		['a text', { title: 'Published' }],
		['a time that is still to come', { published_at: timeAt(90) }],
		['an empty time', { published_at: '' }],
		['the zero date of MySQL', { published_at: '0000-00-00 00:00:00' }],
		['a switch that is off', { published_at: false }],
		['a word', { published_at: 'never' }],
		['zero', { published_at: 0 }],
		['a number that is still to come', { published_at: Date.parse(timeAt(90)) / 1000 }],
		['a time beside a status that denies it', { published_at: timeAt(-90) }],
		['a draft with a time', { status: 'Draft', published_at: timeAt(-90) }],
	])('%s is none', (_, change) => {
		expect(between([scheduled], [{ ...scheduled, ...change }]).events).toEqual([]);
	});

	test('a post that is new and published already is one, too; one that was there at first is none', () => {
		const live = post('post_2', { status: 'published' });
		expect(between([scheduled], [scheduled, live]).events).toMatchObject([
			{ event: 'postPublished', record: { id: 'post_2' }, before: null, changed: [] },
		]);
		const memory = locationMemory({ posts: undefined });
		expect(compare(postSubject, memory, { posts: [live] as never }, PUBLISHED).events).toEqual([]);
	});

	test('a field that the service has just added to all its posts publishes none of them', () => {
		const all = [post('post_1', { status: 'done' }), post('post_2', { status: 'done' })];
		const dated = all.map((one) => ({ ...one, published_at: timeAt(-90) }));
		expect(between(all, dated).events).toEqual([]);
	});

	test('beside Content Post Changed, each says its own', () => {
		const { events } = between(
			[scheduled],
			[{ ...scheduled, status: 'published', views: 2 }],
			watching(['postChanged', 'postPublished']),
		);
		expect(events).toMatchObject([
			{ event: 'postChanged', changed: ['status', 'views'] },
			{ event: 'postPublished', changed: ['status'], before: { status: 'scheduled' } },
		]);
	});

	test('only what shows the publication is remembered', () => {
		const { memory } = between([scheduled], [scheduled]);
		const fields = { status: 'scheduled', published_at: null };
		expect(memory.posts).toEqual([{ id: 'post_1', fields, isPublished: false }]);
	});
});
