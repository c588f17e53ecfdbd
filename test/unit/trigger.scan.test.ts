import { datedScans, type ScanMemory, scanSubject } from '../../nodes/LocalSeo/trigger/scan';
import {
	accountMemory,
	compare,
	LOCATION,
	minutesLater,
	reported,
	timeAt,
	watching,
} from '../support/trigger';

const ALL = watching(['rankScanCompleted']);
const ONLY_POSITION_CHANGES = watching(['rankScanCompleted'], { onlyPositionChanges: true });
const KEYWORD = { id: 'kw_1', keyword: 'dentist near me' };
const memory = (more: Partial<ScanMemory> = {}): ScanMemory => ({
	lastScanAt: null,
	scansAfter: minutesLater(0),
	knownScans: [],
	...more,
});
const scan = (id: string, minutes: number, position?: number) => ({
	record: { id, scanned_at: timeAt(minutes), ...(position === undefined ? {} : { position }) },
	at: minutesLater(minutes),
});
type Scans = Array<ReturnType<typeof scan>>;
/** Compares the scans of one keyword, the latest first. */
const compareScans = (known: ScanMemory, scans: Scans, settings = ALL) =>
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

test('each is reported once, also where the list stays the same', () => {
	const scans = [scan('scan_2', 2), scan('scan_1', 1)];
	let known = compareScans(memory(), scans).memory;
	for (let times = 0; times < 3; times++) {
		const again = compareScans(known, scans);
		expect(again.events).toEqual([]);
		known = again.memory;
	}
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

test('a scan without a position is reported in any case', () => {
	const scans = [scan('scan_2', 2), scan('scan_1', -1)];
	expect(compareScans(memory(), scans, ONLY_POSITION_CHANGES).events).toHaveLength(1);
});

test('the time of a scan is the latest in its record; a record without one is left out', () => {
	const record = { id: 'a', created_at: timeAt(1), completed: timeAt(3), url: 'https://a.example' };
	expect(datedScans([record, { id: 'b', note: 'in 2026' }])).toEqual([
		{ record, at: minutesLater(3) },
	]);
});

test('at first, everything up to the second of the last scan is known', () => {
	const learn = (location: object) =>
		scanSubject.learn({ ...LOCATION, ...location }, accountMemory(), ALL);
	expect(learn({ last_scan_at: timeAt(2) }).scansAfter).toBe(minutesLater(2) + 999);
	expect(learn({ last_scan_at: null }).scansAfter).toBe(accountMemory().newest);
});
