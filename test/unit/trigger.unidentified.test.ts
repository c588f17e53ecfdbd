import { compareListing } from '../../nodes/LocalSeo/trigger/listing';
import { emptyState } from '../../nodes/LocalSeo/trigger/remembered';
import { scanSubject } from '../../nodes/LocalSeo/trigger/scan';
import { accountMemory, compare, minutesLater, timeAt, watching } from '../support/trigger';

test('a scan without an ID is recognized by its content: it is reported once', () => {
	const settings = watching(['rankScanCompleted']);
	const keyword = { id: 'kw_1' };
	const scanOf = (position: number) => ({
		record: { position, scanned_at: timeAt(1) },
		at: minutesLater(1),
	});
	const poll = (known: ReturnType<typeof scanSubject.learnEmpty>, positions: number[]) => {
		const lists = { keywords: [keyword], scans: [positions.map(scanOf)] };
		const memory = { lastScanAt: null, scansAfter: minutesLater(0), knownScans: [], ...known };
		return compare(scanSubject, memory, lists, settings);
	};
	const first = poll({}, [3]);
	expect(first.events.map(({ record }) => record)).toEqual([scanOf(3).record]);
	const second = poll(first.memory, [3, 4]);
	expect(second.events.map(({ record }) => record)).toEqual([scanOf(4).record]);
	expect(poll(second.memory, [3, 4]).events).toEqual([]);
});

test('where no location was ever listed, one from before the first poll was only missing', () => {
	const settings = watching(['keywordAdded']);
	const state = { ...emptyState(), account: accountMemory({ newest: 0 }) };
	const listed = [
		{ id: 'loc_1', created_at: timeAt(-1) },
		{ id: 'loc_2', created_at: timeAt(1) },
	];
	const { locations } = compareListing(state, listed, settings).remembered;
	// What the first has is known already; all that the second has is new.
	expect(locations.get('loc_1')?.keywords).toBeUndefined();
	expect(locations.get('loc_2')?.keywords).toEqual(new Map());
});
