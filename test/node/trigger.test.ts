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
		before: null,
		record: location(),
		changed: expect.arrayContaining(['name', 'last_scan_at']),
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
	expect(told('postAdded')).toMatchObject([{ record: { title: 'C' }, before: null }]);
	expect(told('postChanged')).toMatchObject([{ before: null, changed: ['title'] }]);
	// A second list has to lack a keyword before it counts as removed.
	const { id, location_id, keyword } = removed;
	expect(await poller.poll()).toMatchObject([
		{ event: 'keywordRemoved', record: { id, location_id, keyword } },
	]);
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
	// The count is the same, so the turn of the location shows it; a second list confirms what is gone.
	for (let polls = 2; polls <= 14; polls++) items.push(...(await poller.poll<Item>()));
	expect(items.map(({ event }) => event).sort()).toEqual(watched);
});

test('what a poll costs', async () => {
	const listing = ['GET /locations', 'GET /locations'];
	const watched = ['locationAdded', 'locationChanged', 'rankScoreChanged'];
	const locations = await watching(watched);
	expect(requests()).toEqual(listing);
	await locations.poll();
	expect(requests()).toEqual(listing);

	const picked = [location(1), location(2)].map(({ id }) => id);
	const ofPicked = picked.map((id) => `GET /locations/${id}`);
	const scans = await watching(['rankScanCompleted'], picked);
	expect(requests()).toEqual(expect.arrayContaining(ofPicked));
	await scans.poll();
	expect(requests()).toEqual([...ofPicked].sort());
	addScan(3, 1);
	await scans.poll();
	const ofKeywords = keywordsOf(1).map(({ id }) => `GET /keywords/${id}/scans`);
	expect(requests()).toEqual(
		[...ofPicked, `GET /locations/${picked[0]}/keywords`, ...ofKeywords].sort(),
	);

	const posts = await watching(['postAdded'], picked);
	const ofPosts = [...ofPicked, ...ofPicked.map((path) => `${path}/posts`)].sort();
	expect(requests()).toEqual(ofPosts);
	await posts.poll();
	expect(requests()).toEqual(ofPosts);
});

test('Fetch Test Event: records of the account for each event, said first, nothing invented', async () => {
	const poller = service.poller({ events: EVENTS });
	const [{ location: first }] = await poller.sample<Item>();
	const [keyword] = account().keywordsOf(String(first!.id));
	clock += 60_000;
	const scan = account().addScan(keyword, 3);
	const items = await poller.sample<Item & { change?: number }>();
	expect(items.map(({ event }) => event)).toEqual(EVENTS);
	for (const item of items) {
		expect(Object.keys(item).slice(0, 3)).toEqual(['sample', 'event', 'location_name']);
		expect(item.sample).toMatch(/^A sample: a record from your account/);
		if (item.event === 'rankScanCompleted') continue;
		const { rank_score } = item.record;
		const isOfScore = item.event.startsWith('rankScore');
		expect(item.before).toEqual(isOfScore ? { rank_score } : null);
		expect([item.change, item.changed]).toEqual([isOfScore ? 0 : undefined, []]);
	}
	const told = (event: string) => items.find((item) => item.event === event);
	expect(told('keywordRemoved')).toMatchObject({ record: keyword, location: { id: first!.id } });
	expect(told('locationChanged')).toMatchObject({ record: { id: first!.id } });
	expect(told('postPublished')).toMatchObject({ record: { status: 'published' } });
	const [, before] = account().scansOf(keyword.id);
	expect(told('rankScanCompleted')).toMatchObject({ record: scan, before, keyword });
	expect(poller.stored).toBe('{}');
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
			before: null,
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
