import { datedScans, scanSubject } from '../../nodes/LocalSeo/trigger/scan';
import type { LocationMemory } from '../../nodes/LocalSeo/trigger/subject';
import {
	compare,
	LOCATION,
	locationMemory,
	minutesLater,
	reported,
	timeAt,
	watching,
} from '../support/trigger';

const ALL = watching(['rankScanCompleted']);
const ONLY_POSITION_CHANGES = watching(['rankScanCompleted'], { onlyPositionChanges: true });
const KEYWORD = { id: 'kw_1', keyword: 'dentist near me' };
const OTHER_KEYWORD = { id: 'kw_2', keyword: 'dentist' };
const memory = (more: Partial<LocationMemory> = {}) => locationMemory({ knownScans: [], ...more });
const scan = (id: string, minutes: number, position?: number | null) => ({
	record: { id, scanned_at: timeAt(minutes), ...(position === undefined ? {} : { position }) },
	at: minutesLater(minutes),
});
type Scans = Array<ReturnType<typeof scan>>;
/** Compares the scans of one keyword, the latest first. */
const compareScans = (known: LocationMemory, scans: Scans, settings = ALL) =>
	compare(scanSubject, known, { keywords: [KEYWORD], scans: [scans] }, settings);

test('scans after the remembered time come in the order of their dates, each with the previous one', () => {
	const scans = [scan('scan_3', 2, 7), scan('scan_2', 1, 3), scan('scan_1', -1, 3)];
	const { events } = compareScans(memory(), scans);
	expect(reported(events)).toEqual([
		['rankScanCompleted', 'scan_2'],
		['rankScanCompleted', 'scan_3'],
	]);
	expect(events[0]).toMatchObject({ before: { id: 'scan_1' }, changed: [], keyword: KEYWORD });
	expect(events[1]).toMatchObject({ before: { id: 'scan_2' }, changed: ['position'] });
});

test('one that is listed late is reported although later ones were', () => {
	const { memory: known } = compareScans(memory(), [scan('scan_2', 5)]);
	const { events } = compareScans(known, [scan('scan_2', 5), scan('late', 3)]);
	expect(reported(events)).toEqual([['rankScanCompleted', 'late']]);
});

test('the remembered time moves up to scans that were known before, whatever the dates of others', () => {
	const farAhead = scan('ahead', 1_000_000);
	const first = compareScans(memory(), [scan('scan_1', 1)]);
	expect(first.memory.scansAfter).toBe(minutesLater(0));
	const second = compareScans(first.memory, [farAhead, scan('scan_1', 1)]);
	expect(second.memory.scansAfter).toBe(minutesLater(1));
	const { events } = compareScans(second.memory, [farAhead, scan('scan_2', 2), scan('scan_1', 1)]);
	expect(reported(events)).toEqual([['rankScanCompleted', 'scan_2']]);
});

test('a scan that is missing from one list is not reported again', () => {
	const both = [scan('scan_2', 2), scan('scan_1', 1)];
	const { memory: known } = compareScans(memory(), both);
	const { memory: later } = compareScans(known, [scan('scan_1', 1)]);
	expect(compareScans(later, both).events).toEqual([]);
});

test('the memory of scans that are not listed has a limit', () => {
	const knownScans = Array.from({ length: 2_000 }, (_, index) => String(index).padStart(4, '0'));
	expect(compareScans(memory({ knownScans }), []).memory.knownScans).toHaveLength(500);
	// Nor does it grow without end where no scan is ever passed.
	const many = Array.from({ length: 700 }, (_, index) => scan(`scan_${index}`, 700 - index));
	const { memory: later } = compareScans(memory(), many);
	expect(later.knownScans).toHaveLength(500);
	expect(later.scansAfter).toBe(minutesLater(200));
});

test('with Only Position Changes a scan with the position of the previous one is left out', () => {
	const scans = [scan('scan_3', 3, 4), scan('scan_2', 2, 3), scan('scan_1', 1, 3)];
	const { events } = compareScans(memory(), scans, ONLY_POSITION_CHANGES);
	expect(reported(events).map(([, id]) => id)).toEqual(['scan_1', 'scan_3']);
	// It counts as known all the same.
	expect(
		compareScans(compareScans(memory(), scans, ONLY_POSITION_CHANGES).memory, scans).events,
	).toEqual([]);
});

test('the time of a scan is the latest in its record; a record without one is left out', () => {
	const record = { id: 'a', created_at: timeAt(1), completed: timeAt(3), url: 'https://a.example' };
	expect(datedScans([record, { id: 'b', note: 'in 2026' }])).toEqual([
		{ record, at: minutesLater(3) },
	]);
});

test('a scan is compared with one that is dated before it, not with one of the same moment', () => {
	const scans = [scan('scan_3', 2, 7), scan('scan_2', 2, 5), scan('scan_1', 1, 3)];
	const { events } = compareScans(memory(), scans);
	expect(events.map(({ before }) => before?.id)).toEqual([undefined, 'scan_1', 'scan_1']);
});

test('a location is looked at again if it shows another time of its last scan', () => {
	const changed = (lastScanAt: string | null, last_scan_at: unknown) =>
		scanSubject.mayHaveChanged(memory({ lastScanAt }), { ...LOCATION, last_scan_at });
	expect(changed(timeAt(1), timeAt(1))).toBe(false);
	expect(changed(timeAt(1), timeAt(2))).toBe(true);
	expect(changed(null, timeAt(2))).toBe(true);
	expect(changed(null, 7)).toBe(false);
	expect(changed(null, undefined)).toBe(false);
});

test('scans of several keywords may have the same ID', () => {
	const lists = { keywords: [KEYWORD, OTHER_KEYWORD], scans: [[scan('1', 1)], [scan('1', 2)]] };
	const first = compare(scanSubject, memory(), lists, ALL);
	expect(first.events.map(({ keyword }) => keyword)).toEqual([KEYWORD, OTHER_KEYWORD]);
	expect(compare(scanSubject, first.memory, lists, ALL).events).toEqual([]);
});

test('when the scans of a location are listed first, those dated after the last known one are new', () => {
	const listed = [scan('ahead', 1_000_000), scan('new', 1), scan('old', -1)];
	const { events } = compareScans(memory({ knownScans: undefined }), listed);
	expect(reported(events)).toEqual([['rankScanCompleted', 'new']]);
	// At an added location, all are.
	const added = memory({ scansAfter: 0 });
	expect(compareScans(added, listed).events).toHaveLength(3);
});

test('a scan without an ID is recognized by its content: it is reported once', () => {
	const scanOf = (position: number) => ({
		record: { position, scanned_at: timeAt(1) },
		at: minutesLater(1),
	});
	const poll = (known: LocationMemory, positions: number[]) =>
		compare(scanSubject, known, { keywords: [KEYWORD], scans: [positions.map(scanOf)] }, ALL);
	const first = poll(memory(), [3]);
	const second = poll(first.memory, [3, 4]);
	const third = poll(second.memory, [3, 4]);
	const positions = [first, second, third].map(({ events }) =>
		events.map(({ record }) => record.position),
	);
	expect(positions).toEqual([[3], [4], []]);
});

test('what a keyword has that could not be read is reported later, whatever its dates', () => {
	const keywords = [KEYWORD, OTHER_KEYWORD];
	const location = { ...LOCATION, last_scan_at: timeAt(5) };
	const first = [scan('scan_2', 5)];
	let known = memory();
	for (let times = 0; times < 3; times++) {
		const lists = { location, keywords, scans: [first, undefined] };
		known = compare(scanSubject, known, lists, ALL).memory;
	}
	expect(scanSubject.mayHaveChanged(known, location)).toBe(true);
	const lists = { location, keywords, scans: [first, [scan('scan_1', 1)]] };
	const { events } = compare(scanSubject, known, lists, ALL);
	expect(reported(events)).toEqual([['rankScanCompleted', 'scan_1']]);
});

describe('the test event', () => {
	const [{ sample }] = scanSubject.events;
	const sampleOf = (scans: Scans, settings = ONLY_POSITION_CHANGES) =>
		sample({ location: LOCATION, keywords: [KEYWORD], scans: [scans], posts: [] }, settings);

	test('it shows the latest scan with the one before', () => {
		const scans = [scan('scan_3', 3, 7), scan('scan_2', 2, 3), scan('scan_1', 1, 1)];
		expect(sampleOf(scans)).toMatchObject({
			record: { id: 'scan_3' },
			before: { id: 'scan_2' },
			changed: ['position'],
		});
		const same = [scan('scan_2', 2, 7), scan('scan_1', 1, 7)];
		expect(sampleOf(same, ALL)).toMatchObject({ record: { id: 'scan_2' }, changed: [] });
	});

	test.each([
		[7, 8],
		[null, 1],
	])('where the position stayed %p, the earlier one is made up', (position, earlier) => {
		const scans = [scan('scan_2', 2, position), scan('scan_1', 1, position)];
		expect(sampleOf(scans)).toMatchObject({
			record: { id: 'scan_2', position },
			before: { id: 'scan_1', position: earlier },
			changed: ['position'],
		});
	});

	test('the only scan of a keyword has none before it', () => {
		expect(sampleOf([scan('scan_1', 1, 3)])).toMatchObject({ before: null, changed: [] });
		expect(sampleOf([])).toBeUndefined();
	});
});
