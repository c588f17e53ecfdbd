import { compareListing, latestTimeIn } from '../../nodes/LocalSeo/trigger/listing';
import { emptyState, type State } from '../../nodes/LocalSeo/trigger/remembered';
import type { Settings } from '../../nodes/LocalSeo/trigger/subject';
import { accountMemory, reported, timeAt, watching } from '../support/trigger';

const ADDED = watching(['locationAdded']);
const location = (id: string, more: object = {}) => ({ id, name: `Name of ${id}`, ...more });

/** Polls once more; checks that what was remembered is still as it was. */
function poll(state: State, listed: Array<ReturnType<typeof location>>, settings: Settings) {
	const begun = { ...state, account: { ...state.account, polls: state.account.polls + 1 } };
	const before = structuredClone(begun);
	const outcome = compareListing(begun, listed, settings);
	expect(begun).toEqual(before);
	return outcome;
}
function firstPoll(ids: string[], settings: Settings): State {
	const state = { ...emptyState(), account: accountMemory({ polls: 0 }) };
	const { events, remembered } = poll(
		state,
		ids.map((id) => location(id)),
		settings,
	);
	expect(events).toEqual([]);
	return remembered;
}

test('after the first poll, a location that is not known was added', () => {
	const state = firstPoll(['loc_1'], ADDED);
	const { events, remembered } = poll(state, [location('loc_1'), location('loc_2')], ADDED);
	expect(reported(events)).toEqual([['locationAdded', 'loc_2']]);
	expect(remembered.locations.get('loc_2')?.keywords).toEqual(new Map());
});

test('of one that is older than the latest in the list before, what it has is not new', () => {
	const old = location('loc_2', { created_at: timeAt(-60) });
	const { events, remembered } = poll(firstPoll(['loc_1'], ADDED), [old], ADDED);
	expect(reported(events)).toEqual([['locationAdded', 'loc_2']]);
	expect(remembered.locations.get('loc_2')?.keywords).toBeUndefined();
});

test('of locations that are not selected, only their being added is reported', () => {
	const settings = watching(['locationAdded', 'locationChanged'], {
		locationIds: new Set(['loc_1']),
	});
	const state = firstPoll(['loc_1', 'loc_2'], settings);
	const renamed = ['loc_1', 'loc_2'].map((id) => location(id, { name: 'Renamed' }));
	const { events } = poll(state, [...renamed, location('loc_3')], settings);
	expect(reported(events)).toEqual([
		['locationChanged', 'loc_1'],
		['locationAdded', 'loc_3'],
	]);
});

test('where only selected locations matter, no others are remembered', () => {
	const settings = watching(['locationChanged'], { locationIds: new Set(['loc_1']) });
	expect([...firstPoll(['loc_1', 'loc_2'], settings).locations.keys()]).toEqual(['loc_1']);
});

test('a location is remembered for eleven polls that do not list it', () => {
	let state = firstPoll(['loc_1', 'loc_2'], ADDED);
	for (let polls = 0; polls < 11; polls++) {
		state = poll(state, [location('loc_1')], ADDED).remembered;
	}
	expect(poll(state, [location('loc_1'), location('loc_2')], ADDED).events).toEqual([]);
	const { remembered } = poll(state, [location('loc_1')], ADDED);
	expect([...remembered.locations.keys()]).toEqual(['loc_1']);
});

test('an empty list says nothing: no location is forgotten', () => {
	let state = firstPoll(['loc_1'], ADDED);
	for (let polls = 0; polls < 30; polls++) state = poll(state, [], ADDED).remembered;
	expect(state.locations.size).toBe(1);
});

test('a location that is dated far ahead does not make later ones seem old', () => {
	const account = accountMemory();
	const far = location('loc_1', { created_at: '3026-01-01T00:00:00Z', last_scan_at: timeAt(3) });
	expect(latestTimeIn([far], account)).toBe(Date.parse(timeAt(3)));
});
