import { compareListing, type Memories } from '../../nodes/LocalSeo/trigger/listing';
import { accountMemory, minutesLater, reported, SINCE, timeAt, watching } from '../support/trigger';

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
	['up to now where there was none', null, accountMemory().polledAt],
	['up to now where its date is far ahead', '3026-01-01T00:00:00Z', accountMemory().polledAt],
])('at first, scans are known %s', (_, last_scan_at, scansAfter) => {
	const { memories } = poll(new Map(), [location('loc_1', { last_scan_at })], ADDED, 1);
	expect(memories.get('loc_1')).toMatchObject({ scansAfter });
	expect(scansAfter).toBeGreaterThan(SINCE);
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
