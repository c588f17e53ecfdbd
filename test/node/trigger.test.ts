import type { TriggerEvent } from '../../nodes/LocalSeo/trigger/events';
import { useSandbox } from '../support/fixture';
import { EVENTS } from '../support/trigger';

// The trigger as n8n polls it. Its rules: unit/trigger; no change is lost: simulation/worlds/trigger.

type Item = TriggerEvent & { sample: string };

/** Never ahead of the real one, by which the trigger knows what was there before it. */
let clock = Math.min(Date.parse('2026-11-21T12:00:00Z'), Date.now() - 3_600_000);

const service = useSandbox({ locations: 16, now: () => new Date(clock) });
const { account } = service;
const location = (index = 0) => account().locations[index];
const keywordsOf = (index = 0) => account().keywordsOf(location(index).id);
const addScan = (position: number, index = 0) => {
	clock += 60_000;
	return account().addScan(keywordsOf(index)[0], position);
};

async function watching(events: string[], locationIds: string[] = [], more = {}) {
	const poller = service.poller({ events, locationIds }, more);
	expect(await poller.poll()).toEqual([]);
	return poller;
}

test('an item has the form of its event', async () => {
	const poller = await watching(['locationChanged', 'rankScoreChanged', 'rankScanCompleted']);
	const before = account().scansOf(keywordsOf()[0].id)[0];
	const scan = addScan(3);
	Object.assign(location(), { name: 'Renamed', rank_score: location().rank_score + 5 });
	const items = await poller.poll<Item>();
	const told = (event: string) => items.filter((item) => item.event === event);
	expect(told('locationChanged')).toEqual([
		{
			event: 'locationChanged',
			location_name: 'Renamed',
			before: null,
			record: location(),
			changed: ['name'],
		},
	]);
	const [score] = told('rankScoreChanged');
	expect(score).toMatchObject({ change: 5, record: location() });
	// The first columns of n8n's table.
	expect(Object.keys(score).slice(0, 4)).toEqual(['event', 'location_name', 'change', 'before']);
	expect(told('rankScanCompleted')).toMatchObject([
		{ record: scan, before, keyword: keywordsOf()[0], location: location() },
	]);
	expect(await poller.poll()).toEqual([]);
});

test('a poll that begins while another one is under way leaves everything to that', async () => {
	const poller = await watching(['postAdded']);
	account().addPost(location(), { title: 'A', content: 'B' });
	const both = await Promise.all([poller.poll(), poller.poll()]);
	expect(both.map(({ length }) => length)).toEqual([1, 0]);
});

describe('Fetch Test Event', () => {
	test('gives records of the account for each event, said first, nothing invented', async () => {
		const poller = service.poller({ events: EVENTS });
		const [{ location: first }] = await poller.sample<Item>();
		const [keyword] = account().keywordsOf(String(first!.id));
		clock += 60_000;
		const scan = account().addScan(keyword, 3);
		const items = await poller.sample<Item>();
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
		const { id, keyword: text, location_id } = keyword;
		expect(told('keywordRemoved')!.record).toEqual({ id, keyword: text, location_id });
		expect(told('locationChanged')).toMatchObject({ record: { id: first!.id } });
		expect(told('postPublished')).toMatchObject({ record: { status: 'published' } });
		const [, before] = account().scansOf(keyword.id);
		expect(told('rankScanCompleted')).toMatchObject({ record: scan, before, keyword });
		expect(poller.stored).toBe('{}');
	});
});
