import { compareListing, type Memories } from '../../nodes/LocalSeo/trigger/location';
import { accountMemory, minutesLater, reported, timeAt, watching } from '../support/trigger';

const ADDED = watching(['locationAdded']);
const location = (id: string, more: object = {}) => ({ id, name: `Name of ${id}`, ...more });

/** Polls once more; checks that what was remembered is still as it was. */
function poll(memories: Memories, listed: object[], settings = ADDED, polls = 2) {
	const before = structuredClone(memories);
	const account = accountMemory({ polls });
	const outcome = compareListing(memories, listed as never, { settings, account });
	expect(memories).toEqual(before);
	return outcome;
}
function firstPoll(ids: string[], settings = ADDED): Memories {
	const { events, memories } = poll(
		new Map(),
		ids.map((id) => location(id)),
		settings,
		1,
	);
	expect(events).toEqual([]);
	return memories;
}

test.each([
	['with no date or one since the first poll, what it has is new', {}, []],
	['created since the first poll, what it has is new', { created_at: timeAt(1) }, []],
	['that is dated before the first poll, it is not', { created_at: timeAt(-60) }, undefined],
])('a location that is not known was added; of one %s', (_, dated, keywords) => {
	const listed = [location('loc_1'), location('loc_2', dated)];
	const { events, memories } = poll(firstPoll(['loc_1']), listed);
	expect(reported(events)).toEqual([['locationAdded', 'loc_2']]);
	const { keywords: known, posts, knownScans } = memories.get('loc_2')!;
	expect([known, posts, knownScans]).toEqual([keywords, keywords, keywords]);
});

test.each([
	['up to the second of the last scan', timeAt(2), minutesLater(2) + 999],
	['up to now where it is not stated', undefined, accountMemory().polledAt],
	['not at all where there was none', null, 0],
	['not at all where it is empty', '', 0],
	['up to now where its date is far ahead', '3026-01-01T00:00:00Z', accountMemory().polledAt],
])('at first, scans are known %s', (_, last_scan_at, scansAfter) => {
	const { memories } = poll(new Map(), [location('loc_1', { last_scan_at })], ADDED, 1);
	expect(memories.get('loc_1')).toMatchObject({ scansAfter });
});

test('of locations that are not selected, only their being added is reported', () => {
	const locationIds = new Set(['loc_1']);
	const settings = watching(['locationAdded', 'locationChanged'], { locationIds });
	const memories = firstPoll(['loc_1', 'loc_2'], settings);
	const renamed = ['loc_1', 'loc_2'].map((id) => location(id, { name: 'Renamed' }));
	expect(reported(poll(memories, [...renamed, location('loc_3')], settings).events)).toEqual([
		['locationChanged', 'loc_1'],
		['locationAdded', 'loc_3'],
	]);
	// Where only selected locations matter, no others are remembered.
	const selected = firstPoll(['loc_1', 'loc_2'], watching(['locationChanged'], { locationIds }));
	expect([...selected.keys()]).toEqual(['loc_1']);
});

test('a field that only some locations have was empty before; one that all get is no change', () => {
	const settings = watching(['locationChanged']);
	const known = firstPoll(['loc_1', 'loc_2'], settings);
	const [first, second] = [location('loc_1', { phone: '030' }), location('loc_2')];
	expect(poll(known, [first, { ...second, phone: '031' }], settings).events).toEqual([]);
	expect(poll(known, [first, second], settings).events).toMatchObject([
		{ before: { phone: null }, changed: ['phone'] },
	]);
});

test('a location that returns, after however long, is not new', () => {
	let memories = firstPoll(['loc_1', 'loc_2']);
	for (let polls = 2; polls < 50; polls++) {
		({ memories } = poll(memories, polls % 2 ? [location('loc_1')] : [], ADDED, polls));
	}
	expect(poll(memories, [location('loc_1'), location('loc_2')]).events).toEqual([]);
});

test('of locations that are gone for good, a thousand are remembered', () => {
	const ids = Array.from({ length: 1_100 }, (_, nth) => `loc_${nth}`);
	const { memories } = poll(firstPoll(ids), [location('loc_7')]);
	expect(memories.size).toBe(1_001);
});

/** What is reported while the score of a location goes through all of these. */
function eventsOf(scores: unknown[], settings: ReturnType<typeof watching>) {
	let memories: Memories = new Map();
	return scores.flatMap((rank_score, index) => {
		const outcome = poll(memories, [location('loc_1', { rank_score })], settings, index + 1);
		memories = outcome.memories;
		return outcome.events;
	});
}

test.each([
	['both', 0, [50, 55, 50, 50, 49], [55, 50, 49]],
	['up', 0, [50, 55, 50, 52], [55, 52]],
	['down', 0, [50, 55, 50, 49], [50, 49]],
	['both', 5, [50, 52, 54, 56, 53, 50], [56, 50]],
	['up', 5, [50, 40, 44, 45, 47], [45]],
	['down', 5, [50, 60, 56, 55], [55]],
] as const)(
	'a rank score that goes %s by %p: of %p it reports %p',
	(direction, by, scores, expected) => {
		const settings = watching(['rankScoreChanged'], { direction, minimumChange: by });
		const reported = eventsOf([...scores], settings).map(({ record }) => record.rank_score);
		expect(reported).toEqual(expected);
	},
);

test.each([
	[
		'rankScoreDropped',
		[50, 60, 56, 55, 52, 50],
		[
			[60, 55],
			[55, 50],
		],
		-5,
	],
	[
		'rankScoreRose',
		[50, 40, 44, 45, 46, 50],
		[
			[40, 45],
			[45, 50],
		],
		5,
	],
] as const)(
	'%s: in one direction only, whatever the option says',
	(name, scores, expected, change) => {
		for (const direction of ['both', 'down', 'up'] as const) {
			const settings = watching([name], { direction, minimumChange: 5 });
			expect(eventsOf([...scores], settings)).toMatchObject(
				expected.map(([rank_score, score]) => ({
					before: { rank_score },
					record: { rank_score: score },
					change,
				})),
			);
		}
	},
);

test('each event compares with a score of its own', () => {
	const events = ['rankScoreChanged', 'rankScoreDropped', 'rankScoreRose'];
	const reported = eventsOf([50, 54, 49, 55], watching(events, { minimumChange: 5 }));
	expect(reported.map(({ event, before, change }) => [event, before?.rank_score, change])).toEqual([
		['rankScoreDropped', 54, -5],
		['rankScoreChanged', 50, 5],
		['rankScoreRose', 49, 6],
	]);
});

test.each([
	[['70', '72'], 2],
	[[70, '72.5'], 2.5],
	[[70.5, 69.2], -1.3],
	[['70.5', '69.2'], -1.3],
	[[0.3, 0.1], -0.2],
	[[1e-7, 3e-7], 2e-7],
	[[1e21, 3e21], 2e21],
])('a rank score is a number, also as text: %j is a change by %p', (scores, change) => {
	const events = ['rankScoreChanged'];
	// A change of just as much as the minimum is reported, too.
	for (const minimumChange of [0, Math.abs(change)]) {
		const reported = eventsOf(scores, watching(events, { minimumChange }));
		expect(reported).toMatchObject([{ change, record: { rank_score: scores[1] } }]);
		expect(reported[0].before).toEqual({ rank_score: Number(scores[0]) });
	}
});

test.each(['', ' ', 'n/a', '1e999', {}, [70], true])('%j is no rank score', (score) => {
	expect(eventsOf([50, score, 53], watching(['rankScoreChanged']))).toMatchObject([{ change: 3 }]);
});

test.each([[[50, null, 53]], [[null, 50, 53]]])(
	'while there is no score, the last one stays the reference: %j',
	(scores) => {
		expect(eventsOf(scores, watching(['rankScoreChanged']))).toMatchObject([
			{ before: { rank_score: 50 }, record: { rank_score: 53 } },
		]);
	},
);
