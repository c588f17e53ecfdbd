import sortBy from 'lodash/sortBy';

import { DEFAULT_PAGING, type HttpRequest, type JsonObject } from '../../../nodes/LocalSeo/client';
import { eventTypes } from '../../../nodes/LocalSeo/trigger/events';
import type { ScanMemory } from '../../../nodes/LocalSeo/trigger/memory';
import { readScans } from '../../../nodes/LocalSeo/trigger/scanPages';
import { compareScans } from '../../../nodes/LocalSeo/trigger/scans';
import { DEFAULTS, type Settings } from '../../../nodes/LocalSeo/trigger/settings';
import { serviceAnswering } from '../../support/accountTransport';
import { fc } from '../../support/random';
import { VirtualClock } from '../../support/virtualClock';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 1);
const SETTINGS: Settings = {
	...{ events: eventTypes, locationIds: [], fieldsToWatch: [] },
	...{ ...DEFAULTS, compareScansBy: ['device'] },
};

/** A service with the scans of a keyword, the oldest first unless `order` says otherwise. */
interface Service {
	scans: JsonObject[];
	order?: 'newest first' | 'oldest first' | 'none';
	hasTotal?: boolean;
	firstPage?: number;
	pageSize?: number;
	/** It shows page 1, whatever is asked for. */
	ignoresPage?: boolean;
}

let requests = 0;
let clock = new VirtualClock(NOW);
/** The time of a poll (ms). */
let now = NOW;
let known: ScanMemory | undefined;
beforeEach(() => {
	known = undefined;
	now = NOW;
});

/** Reads the scans as a poll does; the new ones, each with the one before. */
async function poll(service: Service, settings = SETTINGS) {
	const { scans, order, hasTotal = true, firstPage = 1, pageSize = 15, ignoresPage } = service;
	const mixed = () => sortBy(scans, ({ id }) => (Number(String(id).slice(1)) * 7_919) % 1_009);
	const all =
		{ 'newest first': () => scans.toReversed(), none: mixed }[order as 'none']?.() ?? scans;
	const respond = ({ query }: HttpRequest) => {
		const number = ignoresPage ? firstPage : Number(query.page ?? firstPage);
		const start = (number - firstPage) * pageSize;
		const meta = {
			current_page: number,
			per_page: pageSize,
			...(hasTotal && { total: all.length }),
		};
		return { body: { data: all.slice(start, start + pageSize), meta } };
	};
	clock = new VirtualClock(NOW);
	const { connection, run, ...seen } = serviceAnswering(respond, { clock });
	const reader = { connection, paging: DEFAULT_PAGING, settings };
	const read = await run(readScans(reader, { id: 'kw_1' }, known));
	requests = seen.requests.length;
	const { found, memory } = compareScans(read, known, settings, now / 1000);
	known = JSON.parse(JSON.stringify(memory)) as ScanMemory;
	return found;
}

const reported = async (service: Service, settings?: Settings) =>
	(await poll(service, settings)).map(({ record }) => record.id);

const scan = (nth: number, at: number, more: JsonObject = {}): JsonObject => ({
	...{ id: `s${nth}`, position: nth % 20, device: 'mobile' },
	...{ scanned_at: new Date(at).toISOString() },
	...more,
});

/** Scans on two devices, some seconds apart, up to now. */
const history = (count: number, every = 12 * HOUR) =>
	Array.from({ length: count }, (_, nth) =>
		[0, 1].map((second) => {
			const at = NOW - (count - nth) * every + second * 5_000;
			return scan(2 * nth + second, at, { device: second ? 'desktop' : 'mobile' });
		}),
	).flat();

test.each([
	['newest first', 1],
	['oldest first', 2],
	['none', 98],
] as const)('after a year, %s, a scan is found in %i requests of 98', async (order, expected) => {
	const scans = history(730);
	expect(await reported({ scans, order })).toEqual([]);
	if (order !== 'none') expect(requests).toBeLessThan(expected + 2);
	const more = [...scans, scan(2_000, NOW - HOUR), scan(2_001, NOW, { device: 'desktop' })];
	expect(await reported({ scans: more, order })).toEqual(['s2000', 's2001']);
	// Page 1, which shows no order, is read again with the others.
	expect(requests).toBe(order === 'none' ? expected + 1 : expected);
	expect(await reported({ scans: more, order })).toEqual([]);
});

test('drawn lists: each new scan is reported once, with the one before it', async () => {
	const drawn = fc.record({
		order: fc.constantFrom('newest first', 'oldest first'),
		hasTotal: fc.boolean(),
		firstPage: fc.constantFrom(0, 1),
		pageSize: fc.integer({ min: 2, max: 50 }),
		old: fc.integer({ min: 0, max: 80 }),
		fresh: fc.integer({ min: 0, max: 40 }),
		every: fc.constantFrom(HOUR / 4, HOUR, 12 * HOUR, 24 * HOUR, 7 * 24 * HOUR),
	});
	await fc.assert(
		fc.asyncProperty(drawn, async ({ old, fresh, every, ...service }) => {
			known = undefined;
			now = NOW - fresh * every;
			const all = history(old + fresh, every);
			const order = service.order as 'newest first';
			const before = all.slice(0, 2 * old);
			expect(await reported({ ...service, order, scans: before })).toEqual([]);
			const found = await poll({ ...service, order, scans: all });
			expect(found.map(({ record }) => record.id)).toEqual(all.slice(2 * old).map(({ id }) => id));
			for (const one of found) {
				const at = all.indexOf(one.record);
				const nth = all.findIndex(({ id }) => id === one.record.id);
				expect([at, one.before?.id]).toEqual([at, all[nth - 2]?.id]);
			}
			expect(await reported({ ...service, order, scans: all })).toEqual([]);
		}),
	);
});

test('a page of each scan, such as one of a grid: as many pages more show the one before', async () => {
	const settings = { ...SETTINGS, compareScansBy: ['point'] };
	const grid = (day: number) =>
		Array.from({ length: 49 }, (_, point) =>
			scan(day * 100 + point, NOW - (9 - day) * 24 * HOUR, { point }),
		);
	const [old, fresh] = [[...grid(1), ...grid(2), ...grid(3)], grid(4)];
	await reported({ scans: old, order: 'newest first' }, settings);
	const found = await poll({ scans: [...old, ...fresh], order: 'newest first' }, settings);
	expect(found).toHaveLength(49);
	for (const { record, before } of found) {
		expect(before?.id).toBe(`s${Number(String(record.id).slice(1)) - 100}`);
	}
	// The points of one scan have one time: none is before the other.
	known = undefined;
	await reported({ scans: old });
	const [first] = await poll({ scans: [...old, ...fresh] });
	expect(first.before?.id).toMatch(/^s3/);
});

test.each([
	['of the same device', 'device', ['s3 after s1: position', 's4 after s2: position']],
	[
		'whatever device it is of',
		'',
		['s3 after s2: position,device', 's4 after s3: position,device'],
	],
])('a scan is compared with the last earlier one %s', async (_, compareScansBy, told) => {
	const [mobile, desktop] = [{ device: 'mobile' }, { device: 'desktop' }];
	const old = [scan(1, NOW - 48 * HOUR, mobile), scan(2, NOW - 47 * HOUR, desktop)];
	const fresh = [scan(3, NOW - 24 * HOUR, mobile), scan(4, NOW - 23 * HOUR, desktop)];
	const settings = { ...SETTINGS, compareScansBy: compareScansBy ? [compareScansBy] : [] };
	await reported({ scans: old }, settings);
	const found = await poll({ scans: [...old, ...fresh] }, settings);
	expect(
		found.map(({ record, before, changed }) => {
			return `${String(record.id)} after ${String(before?.id)}: ${String(changed)}`;
		}),
	).toEqual(told);
});

test('a scan that is over late is new if it is at most a day older than the newest that was known', async () => {
	const scans = [scan(1, NOW - HOUR)];
	await reported({ scans });
	const late = [scan(2, NOW - 24 * HOUR), scan(3, NOW - 26 * HOUR)];
	expect(await reported({ scans: [...late, ...scans] })).toEqual(['s2']);
});

test('a scan without a time is not over yet', async () => {
	const scans = [scan(1, NOW - HOUR), scan(2, NOW, { scanned_at: null })];
	expect([await reported({ scans }), await reported({ scans })]).toEqual([[], []]);
	expect(await reported({ scans: [scans[0], scan(2, NOW)] })).toEqual(['s2']);
});

test('a scan that is planned does not hide those that are over before it', async () => {
	const scans = [scan(1, NOW - HOUR)];
	await reported({ scans });
	const planned = scan(2, NOW + 240 * HOUR);
	expect(await reported({ scans: [...scans, planned] })).toEqual(['s2']);
	expect(await reported({ scans: [...scans, scan(3, NOW), planned] })).toEqual(['s3']);
});

test('an empty list counts the second time in a row', async () => {
	const scans = [scan(1, NOW - HOUR)];
	await reported({ scans });
	expect(await reported({ scans: [] })).toEqual([]);
	expect(known?.isInDoubt).toBe(true);
	expect(await reported({ scans })).toEqual([]);
	await reported({ scans: [] });
	await reported({ scans: [] });
	expect(known?.isInDoubt).toBeUndefined();
});

test('scans without an ID are known by what they hold', async () => {
	const [old, fresh] = [NOW - 24 * HOUR, NOW].map((at) => scan(0, at, { id: undefined }));
	await reported({ scans: [old] });
	expect(await poll({ scans: [old, fresh] })).toHaveLength(1);
});

test('a service that shows page 1 for each is refused', async () => {
	const read = reported({ scans: history(20), order: 'oldest first', ignoresPage: true });
	await expect(read).rejects.toMatchObject({ facts: { kind: 'incomplete-list' } });
});

test.each<[JsonObject]>([[{ at: 'x' }], [{ id: 's1', scanned_at: 1_766 }]])(
	'if no time can be read, it says which fields there are: %j',
	async (fields) => {
		await expect(reported({ scans: [{ id: 's1', ...fields }] })).rejects.toMatchObject({
			message: 'No rank scan has a time in "scanned_at" that can be read',
			description: expect.stringMatching(/^A scan has: id, .*'Scan Time Field' under Options/),
		});
	},
);
