import type { JsonObject } from '../../nodes/LocalSeo/client';
import {
	learned,
	reportedAfter,
	scan,
	scanned,
	times,
	type Trigger,
} from '../support/polledTrigger';

test.each([
	['of the same device', undefined, ['d2 after d1: ', 'm2 after m1: ']],
	['of all', '', ['d2 after m1: device', 'm2 after d2: device']],
	['with the same values', 'device, engine', ['d2 after d1: ', 'm2 after m1: ']],
])('a scan is compared with the last earlier one %s', async (_, compareScansBy, told) => {
	const [mobile, desktop] = [{ device: 'mobile' }, { device: 'desktop' }];
	const old = [scan('m1', '20T09:05', mobile), scan('d1', '20T09:00', desktop)];
	const fresh = [scan('m2', '21T09:05', mobile), scan('d2', '21T09:00', desktop)];
	const options = compareScansBy === undefined ? {} : { compareScansBy };
	const trigger = await learned('rankScanCompleted', scanned(...old), { options });
	Object.assign(trigger, scanned(...fresh, ...old));
	const items = (await trigger.items()) as Array<Record<string, JsonObject>>;
	expect(
		items.map(({ record, before, changed }) => `${record.id} after ${before.id}: ${changed}`),
	).toEqual(told);
});

test('a scan without a time is not over, nor is one in the future', async () => {
	const old = scan('a', '20T09:00');
	const running = { id: 'b', scanned_at: null, position: null };
	const ahead = { id: 'c', scanned_at: '2099-01-01T00:00:00Z', position: 1 };
	// Others of the same second come later in the list.
	const [over, same] = [scan('b', '21T09:00'), scan('d', '21T09:00')];
	const trigger = await learned('rankScanCompleted', scanned(old));
	const lists = [
		[running, ahead, old],
		[over, ahead, old],
		[ahead, same, over, old],
	];
	const changes = lists.map((scans, poll) => ({
		...scanned(...scans),
		locations: [{ id: 'loc_1', keywords_count: 1, last_scan_at: `changed ${poll}` }],
	}));
	const reported = [[], ['rankScanCompleted b'], ['rankScanCompleted d']];
	expect(await reportedAfter(trigger, ...changes)).toEqual(reported);
});

const HOUR = 3_600;
const NEWEST = Date.parse('2025-11-20T09:00:00Z') / 1000;
/** A scan that was over so many seconds after the newest one that is known. */
const after = (id: string, seconds: number) => ({
	...scan(id, '20T09:00'),
	scanned_at: new Date(1_000 * (NEWEST + seconds)).toISOString(),
});
let lists = 0;
/** Another list, which the location shows by another `last_scan_at`. */
const changedTo = (...scans: JsonObject[]) => ({
	...scanned(...scans),
	locations: [{ id: 'loc_1', keywords_count: 1, last_scan_at: `list ${++lists}` }],
});
const told = (...scans: string[]) => scans.map((id) => `rankScanCompleted ${id}`);

test.each<[string, JsonObject[], string[]]>([
	['of the second of the newest one', [after('b', 0)], ['b']],
	['that ends late, by a day at most', [after('b', -24 * HOUR)], ['b']],
	['that ends later than a day', [after('b', -24 * HOUR - 1)], []],
	['of one second, several', [after('b', 9), after('c', 9), after('d', 9)], ['d', 'c', 'b']],
])('a scan %s', async (_, more, ids) => {
	const known = after('a', 0);
	const trigger = await learned('rankScanCompleted', scanned(known));
	const both = changedTo(...more, known);
	expect(await reportedAfter(trigger, both, changedTo(known), both)).toEqual([
		told(...ids),
		[],
		[],
	]);
});

test('a scan whose time moves on is told again', async () => {
	const trigger = await learned('rankScanCompleted', scanned(after('a', 0)));
	const moved = [changedTo(after('a', HOUR)), changedTo(after('a', HOUR))];
	expect(await reportedAfter(trigger, ...moved)).toEqual([told('a'), []]);
});

test('the last of a list that is in no order is found, on whichever page', async () => {
	const list = times(20, (nth) => after(`s_${nth}`, -60 * nth));
	const trigger = await learned('rankScanCompleted', { ...scanned(...list), pageSize: 5 });
	// The newest was created first. Then the 18th one ends, as the last of all.
	const later = list.with(17, after('s_17', 30));
	expect(await reportedAfter(trigger, changedTo(...later))).toEqual([told('s_17')]);
});

test('the newest 32 are known, and an earlier one is not new', async () => {
	const trigger = await learned('rankScanCompleted', scanned(after('first', -9 * HOUR)));
	const many = times(40, (nth) => after(`s_${nth}`, -60 * nth));
	const early = after('early', -60 * 35);
	const between = after('between', -60 * 20 + 1);
	const [found, ...later] = await reportedAfter(
		trigger,
		changedTo(...many),
		changedTo(...many, early),
		changedTo(between, ...many, early),
	);
	expect(found).toHaveLength(40);
	expect(later).toEqual([[], told('between')]);
});

describe('the scans of a keyword that is new', () => {
	const withKeyword = (trigger: Trigger, ...scans: JsonObject[]) => {
		Object.assign(trigger, {
			keywords: [{ id: 'kw_1' }, { id: 'kw_2' }],
			locations: [{ id: 'loc_1', keywords_count: 2, last_scan_at: 'new' }],
		});
		trigger.lists['/keywords/kw_2/scans'] = scans;
	};

	test('are told from the newest second of its location on, however old others are', async () => {
		const trigger = await learned('rankScanCompleted', scanned(after('a', 0)));
		withKeyword(trigger, after('c', 60), after('b', 0), after('old', -1));
		expect(await trigger.reported()).toEqual(told('b', 'c'));
		expect(await trigger.reported()).toEqual([]);
	});

	test('are all told in a location that had none', async () => {
		const trigger = await learned('rankScanCompleted', { keywords: [] });
		withKeyword(trigger, after('b', 0), after('a', -100 * 24 * HOUR));
		expect(await trigger.reported()).toEqual(told('a', 'b'));
	});
});

test('a scan that goes on is looked for by its keyword alone, until it is the turn', async () => {
	const running = { id: 'b', scanned_at: null };
	const trigger = await learned('rankScanCompleted', scanned(after('a', 0)));
	trigger.lists['/keywords/kw_2/scans'] = [after('z', 0)];
	const keywords = [{ id: 'kw_1' }, { id: 'kw_2' }];
	const askedNext = async () => {
		expect(await trigger.reported()).toEqual([]);
		return trigger.asked.slice(1);
	};
	const own = ['/locations/loc_1/keywords', '/keywords/kw_1/scans'];
	await reportedAfter(trigger, { ...changedTo(running, after('a', 0)), keywords });
	for (let polls = 3; polls <= 12; polls++) expect(await askedNext()).toEqual(own);
	expect(await askedNext()).toEqual([...own, '/keywords/kw_2/scans']);
	expect(await askedNext()).toEqual([]);
	await reportedAfter(trigger, changedTo(running, after('a', 0)));
	// What the location shows is the same from now on.
	trigger.scans = [after('b', 60), after('a', 0)];
	expect(await trigger.reported()).toEqual(told('b'));
	expect(await askedNext()).toEqual([]);
});
