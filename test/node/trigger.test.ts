import type { IDataObject } from 'n8n-workflow';

import { useSandbox } from '../support/fixture';
import { EVENTS } from '../support/trigger';

interface Item {
	event: string;
	record: IDataObject;
	before: IDataObject | null;
	changed: string[];
	sample?: string;
	/** Absent where the record is the location. */
	location?: IDataObject;
	location_name: string;
	keyword?: IDataObject;
}

/** Never ahead of the real one, by which the trigger knows what was there before it. */
let clock = Math.min(Date.parse('2026-11-21T12:00:00Z'), Date.now() - 3_600_000);

const service = useSandbox({ locations: 16, now: () => new Date(clock) });
const account = () => service.sandbox.account;
const location = (index = 0) => account().locations[index];
const keywordsOf = (index = 0) => account().keywordsOf(location(index).id);
const addScan = (position: number, index = 0) => {
	clock += 60_000;
	return account().addScan(keywordsOf(index)[0], position);
};

/** A trigger that has polled once. */
async function watching(
	events: string[],
	locationIds: string[] = [],
	more: Parameters<typeof service.poller>[1] = {},
) {
	const poller = service.poller({ events, options: {}, locationIds }, more);
	expect(await poller.poll()).toEqual([]);
	return poller;
}
/** `METHOD /path` of the requests since the last call, sorted. */
function requests() {
	const list = service.requests().map((request) => request.replace(/\?.*/, ''));
	service.sandbox.requests.length = 0;
	return list.sort();
}

test('the first poll reports nothing, nor does a poll of an unchanged account', async () => {
	const poller = await watching(EVENTS);
	for (let polls = 2; polls <= 13; polls++) expect(await poller.poll()).toEqual([]);
});

test('each change is reported once, in the form of its event', async () => {
	const poller = await watching(EVENTS);
	const [removed] = keywordsOf(1);
	const before = account().scansOf(keywordsOf()[0].id)[0];
	const { name } = location();
	const post = account().addPost(location(2), { title: 'A', content: 'B' });
	await poller.poll();

	clock += 60_000;
	account().addPost(location(2), { title: 'C', content: 'D' });
	post.title = 'Other';
	account().removeKeyword(removed);
	account().addKeyword(location(2), { keyword: 'new' });
	const scan = addScan(3);
	location().name = 'Renamed';
	location(3).rank_score += 5;
	account().addLocation({ name: 'New' });
	const items = await poller.poll<Item>();
	const told = (event: string) => items.filter((item) => item.event === event);
	expect(told('locationAdded')).toMatchObject([{ before: null, record: { name: 'New' } }]);
	const [renamed] = told('locationChanged');
	expect(renamed).toEqual({
		event: 'locationChanged',
		location_name: 'Renamed',
		before: { name, last_scan_at: expect.any(String) },
		record: location(),
		changed: ['name', 'last_scan_at'],
	});
	const [score] = told('rankScoreChanged');
	expect(score).toMatchObject({ change: 5, record: location(3) });
	// The first columns of n8n's table.
	expect(Object.keys(score).slice(0, 4)).toEqual(['event', 'location_name', 'change', 'before']);
	expect(told('rankScoreRose')).toHaveLength(1);
	expect(told('rankScoreDropped')).toEqual([]);
	expect(told('rankScanCompleted')).toMatchObject([
		{ record: scan, before, keyword: keywordsOf()[0], location: location() },
	]);
	expect(told('keywordAdded')).toMatchObject([{ record: { keyword: 'new' } }]);
	const { id, location_id, keyword } = removed;
	expect(told('keywordRemoved')).toMatchObject([{ before: { id, location_id, keyword } }]);
	expect(told('postAdded')).toMatchObject([{ record: { title: 'C' }, before: null }]);
	expect(told('postChanged')).toMatchObject([{ before: { title: 'A' }, changed: ['title'] }]);
	expect(await poller.poll()).toEqual([]);
});

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
	const poller = await watching(watched, [], { isForgetful: true });
	account().removeKeyword(keywordsOf()[0]);
	account().addKeyword(location(), { keyword: 'new' });
	const items: Item[] = [];
	for (let polls = 2; polls <= 13; polls++) items.push(...(await poller.poll<Item>()));
	expect(items.map(({ event }) => event).sort()).toEqual(watched);
});

test('what a poll costs', async () => {
	const listing = ['GET /locations', 'GET /locations'];
	const paths = (list: string, locations = account().locations) =>
		locations.map(({ id }) => `GET /locations/${id}/${list}`);
	const watched = ['locationAdded', 'locationChanged', 'rankScoreChanged', 'rankScanCompleted'];
	const scans = await watching(watched);
	expect(requests()).toEqual(listing);
	await scans.poll();
	expect(requests()).toEqual(listing);

	addScan(3);
	await scans.poll();
	const ofKeywords = keywordsOf().map(({ id }) => `GET /keywords/${id}/scans`);
	expect(requests()).toEqual(
		[...listing, ...paths('keywords', [location()]), ...ofKeywords].sort(),
	);

	// The first poll and every twelfth list the keywords of every location.
	const keywords = await watching(['keywordAdded']);
	const full = [...listing, ...paths('keywords')].sort();
	expect(requests()).toEqual(full);
	for (let polls = 2; polls <= 11; polls++) {
		await keywords.poll();
		expect(requests()).toEqual(listing);
	}
	await keywords.poll();
	expect(requests()).toEqual(full);

	const picked = [location(1), location(2)];
	const posts = await watching(
		['postAdded'],
		picked.map(({ id }) => id),
	);
	expect(requests()).toEqual([...listing, ...paths('posts', picked)].sort());
	await posts.poll();
	expect(requests()).toEqual([...listing, ...paths('posts', picked)].sort());
});

test('Fetch Test Event: a recent record, in the form of the event', async () => {
	const scan = addScan(3, 2);
	for (const event of EVENTS) {
		const poller = service.poller({ events: [event] });
		const [item] = await poller.sample<Item>();
		expect(Object.keys(item).slice(0, 2)).toEqual(['event', 'location_name']);
		expect(Object.keys(item).at(-1)).toBe('sample');
		expect(item.event).toBe(event);
		expect(item.record.id).toMatch(/^(loc|kw|post|scan)_/);
		expect((item.location ?? item.record).id).toMatch(/^loc_/);
		expect(item.sample).toMatch(/^A sample /);
		if (event.endsWith('Changed')) {
			expect(item.changed).toEqual(expect.arrayContaining(Object.keys(item.before!)));
		}
		if (event === 'rankScanCompleted') {
			const before = account().scansOf(keywordsOf(2)[0].id)[1];
			expect(item).toMatchObject({ record: scan, before, location: location(2) });
		}
		expect(poller.stored).toBe('{}');
	}
});

test('Fetch Test Event: all chosen events at once, each with a change', async () => {
	const items = await service.poller({ events: EVENTS }).sample<Item & { change?: number }>();
	expect(items.map(({ event }) => event)).toEqual(EVENTS);
	const changed = items.filter(({ event }) => !/Added|Removed|Scan/.test(event));
	for (const {
		record,
		before,
		changed: [name],
		change,
	} of changed) {
		expect(before![name]).not.toEqual(record[name]);
		if (name === 'rank_score') expect(change).not.toBe(0);
	}
});

test('a scheduled post that is published starts the workflow once', async () => {
	const post = account().addPost(location(2), {
		title: 'A',
		content: 'B',
		publish_at: new Date(clock + 3_600_000).toISOString(),
	});
	const poller = await watching(['postPublished']);
	expect(post.status).toBe('scheduled');
	post.title = 'Other';
	expect(await poller.poll()).toEqual([]);
	post.status = 'published';
	expect(await poller.poll<Item>()).toMatchObject([
		{
			event: 'postPublished',
			location_name: location(2).name,
			before: { status: 'scheduled' },
			changed: ['status'],
			record: { id: post.id },
		},
	]);
	expect(await poller.poll()).toEqual([]);
});

describe('one location of many whose lists are strange', () => {
	const POSTS = 'postAdded';
	const SCANS = 'rankScanCompleted';
	const odd = { has_more: { toString: 1 }, next: { constructor: null }, total: { valueOf: 1 } };
	const dates = Object.fromEntries(
		Array.from({ length: 150_000 }, (_, nth) => [`seen_${nth}`, '2026-11-20']),
	);

	test.each([
		['pages of posts that say odd things', POSTS, 'posts', { meta: odd, ...odd }],
		['posts that are none', POSTS, 'posts', { data: [7, 'a', null, { id: { toString: 1 } }] }],
		['a scan with 150,000 dates', SCANS, 'scans', { data: [{ id: 'x', ...dates }] }],
	])('does not hold back the others: %s', async (_, event, list, body) => {
		const poller = await watching([event], [location(0).id, location(1).id]);
		const { id } = event === POSTS ? location(0) : keywordsOf(0)[0];
		const path = new RegExp(`/${id}/${list}$`);
		service.sandbox.faults.add({ when: { path }, times: 100, response: { body } });
		addScan(5, 0);
		const scan = addScan(3, 1);
		clock += 60_000;
		const post = account().addPost(location(1), { title: 'A', content: 'B' });
		const items = await poller.poll<Item>();
		const expected = event === POSTS ? post : scan;
		expect(items.map(({ record }) => record.id)).toContain(expected.id);
	});
});

test('what goes wrong is reported to the host as such', async () => {
	await expect(service.poller({ events: [] }).poll()).rejects.toThrow('No event is selected');
	expect(service.requests()).toEqual([]);
	for (const status of [401, 403]) {
		service.sandbox.faults.clear();
		service.sandbox.faults.add({ times: 10, response: { status, body: { message: 'no' } } });
		const poller = service.poller({ events: ['locationAdded'] });
		await expect(poller.poll()).rejects.toMatchObject({ httpCode: String(status) });
	}
});
