import type { IDataObject } from 'n8n-workflow';

import type { Keyword, Location } from '../../sandbox';
import { useSandbox } from '../support/fixture';
import { failure } from '../support/hostFeatures';
import { EVENTS } from '../support/trigger';

interface Item {
	event: string;
	record: IDataObject;
	before: IDataObject | null;
	changed: string[];
	change?: number;
	sample?: string;
	location: IDataObject;
	keyword?: IDataObject;
}

/** Never ahead of the real one, by which the trigger knows what was there before it. */
let clock = Math.min(Date.parse('2026-11-21T12:00:00Z'), Date.now());
const later = (milliseconds = 60_000) => (clock += milliseconds);

const service = useSandbox({ locations: 20, now: () => new Date(clock) });
const account = () => service.sandbox.account;
const location = (index = 0) => account().locations[index];
const keywordsOf = (index = 0) => account().keywordsOf(location(index).id);

/** A trigger that has polled once. */
async function watching(
	events: string[],
	options: IDataObject = {},
	locationIds: string[] = [],
	more: Parameters<typeof service.poller>[1] = {},
) {
	const poller = service.poller({ events, options: options as never, locationIds }, more);
	expect(await poller.poll()).toEqual([]);
	return poller;
}
const reported = (items: Item[]) => items.map(({ event, record }) => [event, record.id]);
/** `METHOD /path` of the requests since the last call. */
function requests() {
	const list = service.requests().map((request) => request.replace(/\?.*/, ''));
	service.sandbox.requests.length = 0;
	return list;
}

describe('what is reported', () => {
	test('the first poll reports nothing, nor does a poll of an unchanged account', async () => {
		const poller = await watching(EVENTS);
		for (let polls = 2; polls <= 25; polls++) expect(await poller.poll()).toEqual([]);
	});

	test('a location that was added', async () => {
		const poller = await watching(['locationAdded'], {}, [location().id]);
		const { id } = account().addLocation({ name: 'New' });
		const items = await poller.poll<Item>();
		expect(reported(items)).toEqual([['locationAdded', id]]);
		expect(items[0]).toMatchObject({ before: null, changed: [], record: { name: 'New' } });
		expect(await poller.poll()).toEqual([]);
	});

	test('a location that changed: which fields, and what they were', async () => {
		const poller = await watching(['locationChanged']);
		const { name } = location();
		location().name = 'Renamed';
		location(3).status = 'closed';
		const items = await poller.poll<Item>();
		expect(items).toEqual([
			{
				event: 'locationChanged',
				record: location(),
				before: { name },
				changed: ['name'],
				location: location(),
			},
			expect.objectContaining({ before: { status: 'active' }, changed: ['status'] }),
		]);
		expect(await poller.poll()).toEqual([]);
	});

	describe('rank scans', () => {
		const scan = (keyword: Keyword, position: number | null) => {
			later();
			return account().addScan(keyword, position);
		};

		test('those since the first poll, with the scan before, the keyword and the location', async () => {
			const poller = await watching(['rankScanCompleted']);
			const [first, second] = keywordsOf();
			const before = account().scansOf(first.id)[0];
			const scans = [scan(first, 3), scan(second, 4)];
			const items = await poller.poll<Item>();
			expect(items.map(({ record }) => record)).toEqual(scans);
			expect(items[0]).toMatchObject({ before, keyword: first, location: location() });
			expect(await poller.poll()).toEqual([]);
		});
	});

	describe('keywords', () => {
		const watched = ['keywordAdded', 'keywordRemoved'];

		test('one that was added and one that was removed', async () => {
			const poller = await watching(watched);
			const [gone] = keywordsOf();
			account().removeKeyword(gone);
			const { id } = account().addKeyword(location(1), { keyword: 'new' });
			const items = await poller.poll<Item>();
			expect(reported(items).sort()).toEqual([
				['keywordAdded', id],
				['keywordRemoved', gone.id],
			]);
			const removed = items.find(({ event }) => event === 'keywordRemoved');
			expect(removed?.before).toEqual({
				id: gone.id,
				location_id: location().id,
				keyword: gone.keyword,
			});
			expect(await poller.poll()).toEqual([]);
		});

		test('those of a location that was added', async () => {
			const poller = await watching(watched);
			clock = Date.now() + 60_000;
			const { id } = account().addLocation({ name: 'New' });
			account().addKeyword(account().location(id)!, { keyword: 'new' });
			expect((await poller.poll<Item>()).map(({ event }) => event)).toEqual(['keywordAdded']);
		});
	});

	describe('content posts', () => {
		const watched = ['postAdded', 'postChanged'];
		const withPosts = () => account().locations.find(({ id }) => account().postsOf(id).length > 1)!;

		test('one that was added, and one whose publishing went on', async () => {
			const poller = await watching(watched);
			const at = withPosts();
			const [earlier] = account().postsOf(at.id);
			const { status } = earlier;
			earlier.status = status === 'published' ? 'scheduled' : 'published';
			const { id } = account().addPost(at, { title: 'A', content: 'B' });
			const items = await poller.poll<Item>();
			expect(reported(items).sort()).toEqual([
				['postAdded', id],
				['postChanged', earlier.id],
			]);
			const changed = items.find(({ event }) => event === 'postChanged');
			expect(changed).toMatchObject({ before: { status }, changed: ['status'] });
			expect(await poller.poll()).toEqual([]);
		});
	});
});

describe('nothing false is reported', () => {
	test('by another order, a deletion, a location that is missing from one poll', async () => {
		const poller = await watching(EVENTS);
		const [first] = account().locations;
		account().removeLocation(first.id);
		account().locations.reverse();
		expect(await poller.poll()).toEqual([]);
		account().locations.unshift(first);
		(account() as unknown as { locationById: Map<string, Location> }).locationById.set(
			first.id,
			first,
		);
		expect(await poller.poll()).toEqual([]);
	});

	test('by scans that are dated within the same second as last_scan_at', async () => {
		for (const { record } of account().locations.map((one) => ({ record: one }))) {
			record.last_scan_at = record.last_scan_at!.replace(/\.\d+Z$/, 'Z');
			for (const { id } of account().keywordsOf(record.id)) {
				const [scan] = account().scansOf(id);
				scan.scanned_at = scan.scanned_at.replace(/\.\d+Z$/, '.400Z');
			}
		}
		const poller = await watching(['rankScanCompleted']);
		for (let polls = 2; polls <= 13; polls++) expect(await poller.poll()).toEqual([]);
	});
});

describe('nothing is lost', () => {
	test('over a restart', async () => {
		const poller = await watching(EVENTS);
		poller.restart();
		location().rank_score += 3;
		poller.restart();
		const items = await poller.poll<Item>();
		expect(items.map(({ event }) => event)).toEqual([
			'locationChanged',
			'rankScoreChanged',
			'rankScoreRose',
		]);
		poller.restart();
		expect(await poller.poll()).toEqual([]);
	});

	test('if n8n reads the saved state anew for each poll', async () => {
		const watched = ['keywordAdded', 'keywordRemoved'];
		const poller = await watching(watched, {}, [], { isForgetful: true });
		account().removeKeyword(keywordsOf()[0]);
		account().addKeyword(location(), { keyword: 'new' });
		const items: Item[] = [];
		for (let polls = 2; polls <= 24; polls++) items.push(...(await poller.poll<Item>()));
		expect(items.map(({ event }) => event).sort()).toEqual(watched);
	});
});

describe('what a poll costs', () => {
	const pages = Math.ceil(20 / 15);
	const listing = Array.from({ length: pages }, () => 'GET /locations');

	test.each([
		['locationAdded', 'locationChanged', 'rankScoreChanged', 'rankScanCompleted'],
		['rankScanCompleted'],
	])(
		'%s …: an unchanged account costs one listing of its locations, the first time too',
		async (...events) => {
			const poller = await watching(events);
			expect(requests()).toEqual(listing);
			for (let polls = 2; polls <= 11; polls++) await poller.poll();
			expect(requests()).toEqual(Array.from({ length: 10 }, () => listing).flat());
		},
	);

	test('a scanned location costs its keywords and one request for the scans of each', async () => {
		const poller = await watching(['rankScanCompleted']);
		requests();
		later();
		account().addScan(keywordsOf()[0], 3);
		await poller.poll();
		expect(requests().sort()).toEqual(
			[
				...listing,
				`GET /locations/${location().id}/keywords`,
				...keywordsOf().map(({ id }) => `GET /keywords/${id}/scans`),
			].sort(),
		);
	});

	test('keyword events: the first poll and every twelfth list the keywords of every location', async () => {
		const poller = await watching(['keywordAdded']);
		const full = [
			...listing,
			...account().locations.map(({ id }) => `GET /locations/${id}/keywords`),
		].sort();
		expect(requests().sort()).toEqual(full);
		for (let polls = 2; polls <= 11; polls++) {
			await poller.poll();
			expect(requests()).toEqual(listing);
		}
		await poller.poll();
		expect(requests().sort()).toEqual(full);
	});

	test('post events: every poll lists the posts of every watched location', async () => {
		const ids = [location(1).id, location(2).id];
		const poller = await watching(['postAdded'], {}, ids);
		const expected = [...listing, ...ids.map((id) => `GET /locations/${id}/posts`)].sort();
		expect(requests().sort()).toEqual(expected);
		await poller.poll();
		expect(requests().sort()).toEqual(expected);
	});
});

describe('the test event of the editor', () => {
	test.each(EVENTS)('%s: a recent record, in the form of the event', async (event) => {
		const poller = service.poller({ events: [event] });
		const [item] = await poller.sample<Item>();
		expect(item.event).toBe(event);
		expect(item.record.id).toMatch(/^(loc|kw|post|scan)_/);
		expect(item.location.id).toMatch(/^loc_/);
		expect(item.sample).toMatch(/^A sample /);
		if (event.endsWith('Changed')) expect(Object.keys(item.before!)).toEqual(item.changed);
		expect(poller.stored).toBe('{}');
	});

	test('of a scan the latest, with the one before', async () => {
		later();
		const added = account().addScan(keywordsOf(4)[0], 3);
		const before = account().scansOf(keywordsOf(4)[0].id)[1];
		const [item] = await service.poller({ events: ['rankScanCompleted'] }).sample<Item>();
		expect(item).toMatchObject({ record: added, before, location: location(4) });
	});
});

describe('what goes wrong', () => {
	test('no event is selected', async () => {
		await expect(service.poller({ events: [] }).poll()).rejects.toThrow('No event is selected');
		expect(service.requests()).toEqual([]);
	});

	test.each([
		[401, '401', 'unauthorized'],
		[403, '403', 'unauthorized'],
	])('a refused key (%p) is reported to the host as such', async (status, httpCode) => {
		service.sandbox.faults.add({ times: 10, response: { status, body: { message: 'no' } } });
		await expect(service.poller({ events: ['locationAdded'] }).poll()).rejects.toMatchObject({
			httpCode,
		});
	});

	test('a rate limit that does not end in time is reported as such, with the wait', async () => {
		service.sandbox.faults.add({
			response: { status: 429, headers: { 'retry-after': '100' } },
		});
		const poller = service.poller({ events: ['locationAdded'] }, { budget: 2_000 });
		await expect(poller.poll()).rejects.toMatchObject({
			httpCode: '429',
			...failure({ cause: 'rate-limited', retryAfterMs: expect.any(Number) }),
			description: expect.not.stringMatching(/option/i),
		});
		// A request that would have to wait for it fails the same way, without being sent.
		await expect(poller.poll()).rejects.toMatchObject({
			description: expect.stringMatching(/had no effect\. Run it again later\.$/),
		});
	});

	test('no response in time: the message names no option, since the trigger has none', async () => {
		service.sandbox.faults.add({ delayMs: 60_000 });
		const poller = service.poller({ events: ['locationAdded'] }, { budget: 1_000 });
		await expect(poller.poll()).rejects.toMatchObject({
			message: 'The service did not respond in time',
			description: expect.not.stringMatching(/option/i),
		});
	});
});

describe('the state', () => {
	const many = useSandbox({ locations: 5_000, pageSize: 5_000 });

	test('of 5,000 locations with 20 keywords each stays under 8 MB', async () => {
		for (const one of many.sandbox.account.locations) {
			const keywords = many.sandbox.account.keywordsOf(one.id);
			while (keywords.length < 20) many.sandbox.account.addKeyword(one, { keyword: 'bakery' });
		}
		const events = EVENTS.filter((event) => !event.startsWith('post'));
		const poller = many.poller({ events, options: {} });
		await poller.poll();
		expect(poller.stored.length).toBeGreaterThan(500_000);
		expect(poller.stored.length).toBeLessThan(8_000_000);
	}, 240_000);
});
