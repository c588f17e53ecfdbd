import { timeOf } from '../../nodes/LocalSeo/client';
import { datedScans, scanSubject } from '../../nodes/LocalSeo/trigger/scan';
import type { LocationMemory, Scan } from '../../nodes/LocalSeo/trigger/subject';
import {
	compare,
	LOCATION,
	locationMemory,
	minutesLater,
	reported,
	timeAt,
	watching,
} from '../support/trigger';

/** A day, in minutes. */
const DAY = 24 * 60;
const ALL = watching(['rankScanCompleted']);
const ONLY_POSITION_CHANGES = watching(['rankScanCompleted'], { onlyPositionChanges: true });
const KEYWORD = { id: 'kw_1', keyword: 'dentist near me' };
const OTHER_KEYWORD = { id: 'kw_2', keyword: 'dentist' };
const memory = (more: Partial<LocationMemory> = {}) => locationMemory({ knownScans: [], ...more });
const scan = (id: string, minutes: number, position = 1, keyword = KEYWORD): Scan => {
	const record = { id, scanned_at: timeAt(minutes), position };
	return { record, keyword, at: minutesLater(minutes), key: `${keyword.id} ${id}` };
};
/** Compares scans, the latest first. */
const compareScans = (known: LocationMemory, scans: Scan[], settings = ALL) =>
	compare(scanSubject, known, { scans }, settings);

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
	const [ahead, one, two] = [scan('ahead', 1_000_000), scan('scan_1', -5 * DAY), scan('scan_2', 2)];
	const first = compareScans(memory({ scansAfter: minutesLater(-9 * DAY) }), [one]);
	expect(first.memory.scansAfter).toBe(minutesLater(-9 * DAY));
	const second = compareScans(first.memory, [ahead, one]);
	expect(second.memory.scansAfter).toBe(minutesLater(-6 * DAY));
	const { events } = compareScans(second.memory, [ahead, two, one]);
	expect(reported(events)).toEqual([['rankScanCompleted', 'scan_2']]);
});

test.each([
	['a moment', timeAt(1)],
	['a day', '2026-03-02'],
])(
	'all scans of one run are reported that have %s in common, listed one after the other',
	(_, date) => {
		const ids = ['kw_1', 'kw_2', 'kw_3', 'kw_4'];
		const listed: Scan[] = [];
		let known = memory({ scansAfter: timeOf('2026-03-01')! });
		for (const id of ids) {
			listed.push(...datedScans([{ id: `scan of ${id}`, date }], { id, keyword: id }));
			const { events, memory: next } = compareScans(known, listed);
			expect(reported(events)).toEqual([['rankScanCompleted', `scan of ${id}`]]);
			known = compareScans(next, listed).memory;
		}
	},
);

test.each([
	['status', { status: 'running' }, { status: 'completed' }],
	['status before it starts', { status: 'not_started' }, { status: 'completed' }],
	['time', { scanned_at: null }, { scanned_at: timeAt(3) }],
])('a scan is reported when it is over, as its %s says', (_, running, over) => {
	const record = { id: 'scan_1', created_at: timeAt(1), position: null };
	const first = compareScans(memory(), datedScans([{ ...record, ...running }], KEYWORD));
	expect(first.events).toEqual([]);
	const done = { ...record, ...over, position: 7 };
	const { events } = compareScans(first.memory, datedScans([done], KEYWORD));
	expect(events).toMatchObject([{ record: { position: 7 } }]);
});

test('a status may be anything', () => {
	const record = { id: 'scan_1', scanned_at: timeAt(3), status: { toString: 1 } };
	expect(datedScans([record], KEYWORD)).toHaveLength(1);
});

test('a scan that has failed is not reported', () => {
	const record = { id: 'scan_1', scanned_at: timeAt(3), status: 'failed', position: null };
	expect(datedScans([record], KEYWORD)).toEqual([]);
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

test.each([
	['the latest', { created_at: timeAt(1), completed: timeAt(3), url: 'https://a.example' }],
	['when it was over', { scanned_at: timeAt(3), created_at: timeAt(4), updated_at: timeAt(9) }],
	['in camel case', { scannedAt: timeAt(3), updatedAt: timeAt(9) }],
	['not when its record was written again', { created_at: timeAt(3), updated_at: timeAt(9) }],
	['in seconds', { completed_at: minutesLater(3) / 1000 }],
	['in milliseconds', { scanned_at: minutesLater(3), updated_at: timeAt(9) }],
	['the only one', { scanned_at: timeAt(3) }],
	['not that of the next scan', { scanned_at: timeAt(3), next_scan_at: timeAt(9) }],
	['not the end of its validity', { scanned_at: timeAt(3), valid_until: timeAt(9) }],
	['not a date where there is a time', { scanned_at: timeAt(3), date: '2026-03-03' }],
	['a date where there is no time', { date: '2026-03-02' }, Date.UTC(2026, 2, 2)],
])('the time of a scan is %s in its record', (_, record, at = minutesLater(3)) => {
	// What is no record, or has no date, is left out.
	expect(datedScans([record, { id: 'b', note: 'in 2026' }, 'text', null], KEYWORD)).toEqual([
		{ record, keyword: KEYWORD, at, key: expect.stringMatching(/^.{8}$/) },
	]);
});

test('a scan is recognized by its keyword and ID, or by its content', () => {
	const keyOf = (record: object, keyword = KEYWORD) =>
		datedScans([{ scanned_at: timeAt(1), ...record }], keyword)[0].key;
	expect(keyOf({ id: 1, position: 3 })).toBe(keyOf({ id: 1, position: 4 }));
	expect(keyOf({ id: 1 })).not.toBe(keyOf({ id: 1 }, OTHER_KEYWORD));
	expect(keyOf({ position: 3 })).toBe(keyOf({ position: 3 }));
	expect(keyOf({ position: 3 })).not.toBe(keyOf({ position: 4 }));
});

test('a scan is compared with one that is dated before it, not with one of the same moment', () => {
	const scans = [scan('scan_3', 2, 7), scan('scan_2', 2, 5), scan('scan_1', 1, 3)];
	const { events } = compareScans(memory(), scans);
	expect(events.map(({ before }) => before?.id)).toEqual([undefined, 'scan_1', 'scan_1']);
});

test('when the scans of a location are listed first, those dated after the last known one are new', () => {
	const listed = [scan('ahead', 1_000_000), scan('new', 1), scan('old', -1)];
	const { events } = compareScans(memory({ knownScans: undefined }), listed);
	expect(reported(events)).toEqual([['rankScanCompleted', 'new']]);
	// At an added location, all are.
	const added = memory({ scansAfter: 0 });
	expect(compareScans(added, listed).events).toHaveLength(3);
});

describe('a location that was never scanned', () => {
	const never = { ...LOCATION, last_scan_at: null };
	const scanned = { ...LOCATION, last_scan_at: timeAt(1) };
	const unread = () => memory({ knownScans: undefined, scansAfter: 0 });
	const dated = (date: string) => datedScans([{ id: 'scan_1', date }], KEYWORD);

	test.each(['2026-03-02', '2026-03-02 08:30:00', timeAt(1)])(
		'all that it has later is new, dated %s',
		(date) => {
			const lists = { location: scanned, scans: dated(date) };
			const { events, memory: known } = compare(scanSubject, unread(), lists, ALL);
			expect(reported(events)).toEqual([['rankScanCompleted', 'scan_1']]);
			expect(compare(scanSubject, known, lists, ALL).events).toEqual([]);
		},
	);

	test('also where its lists were read before, and were empty', () => {
		const { memory: known } = compare(scanSubject, unread(), { location: never }, ALL);
		const lists = { location: scanned, scans: dated('2026-03-02') };
		expect(compare(scanSubject, known, lists, ALL).events).toHaveLength(1);
	});

	test('where it says so against its own list, only what is dated since then is new', () => {
		const scans = [scan('new', 1), scan('old', -1)];
		const { events, memory: known } = compare(
			scanSubject,
			unread(),
			{ location: never, scans },
			ALL,
		);
		expect(reported(events)).toEqual([['rankScanCompleted', 'new']]);
		expect(compare(scanSubject, known, { location: never, scans }, ALL).events).toEqual([]);
	});
});

test('a scan with 200,000 dates has the latest of them', () => {
	const fields = Array.from({ length: 200_000 }, (_, nth) => [`date_${nth}`, timeAt(nth % 60)]);
	const [{ at }] = datedScans([Object.fromEntries(fields)], KEYWORD);
	expect(at).toBe(minutesLater(59));
});

test('what a keyword has that could not be read is reported later, whatever its dates', () => {
	const location = { ...LOCATION, last_scan_at: timeAt(5) };
	const readable = [scan('scan_2', 5)];
	let known = memory();
	for (let times = 0; times < 3; times++) {
		const lists = { location, scans: readable, isComplete: false };
		known = compare(scanSubject, known, lists, ALL).memory;
	}
	expect(scanSubject.mayHaveChanged(known, location)).toBe(true);
	const scans = [...readable, scan('scan_1', 1, 1, OTHER_KEYWORD)];
	const { events } = compare(scanSubject, known, { location, scans }, ALL);
	expect(reported(events)).toEqual([['rankScanCompleted', 'scan_1']]);
});
