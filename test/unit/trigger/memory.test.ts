import { randomUUID } from 'node:crypto';

import times from 'lodash/times';

import { ids, learned, reportedAfter, Trigger } from '../../support/polledTrigger';
import { EVENTS } from '../../support/trigger';

const DAY = 86_400_000;
const at = (time: number) => new Date(time).toISOString();

/** Fills the account: 20 keywords and 50 posts for each location, two scans a day on two devices. */
function fill(trigger: Trigger, locations: number) {
	const now = trigger.clock.now();
	trigger.locations = times(locations, () => ({
		...{ id: randomUUID(), name: 'Marlow Dental Care', address: '12 Main St', city: 'York' },
		...{ country: 'GB', rank_score: 71, status: 'active', keywords_count: 20 },
		...{ last_scan_at: at(now), created_at: at(now) },
	}));
	for (const { id: location_id } of trigger.locations) {
		const path = `/locations/${location_id as string}`;
		const keywords = times(20, (nth) => ({ id: randomUUID(), keyword: `dentist near me ${nth}` }));
		trigger.lists[`${path}/keywords`] = keywords;
		trigger.lists[`${path}/posts`] = times(50, (nth) => ({
			...{ id: randomUUID(), location_id, title: `Post ${nth}`, content: 'x', image_url: null },
			...{ status: 'published', publish_at: at(now), created_at: at(now), updated_at: at(now) },
		}));
		for (const { id } of keywords) {
			trigger.lists[`/keywords/${id}/scans`] = times(20, (nth) => ({
				...{ id: randomUUID(), position: 3, device: nth % 2 ? 'mobile' : 'desktop' },
				scanned_at: at(now - Math.floor(nth / 2) * (DAY / 2)),
			}));
		}
	}
}

test('takes at most 3 MB for 300 locations, with all events', async () => {
	const trigger = new Trigger({ events: EVENTS });
	trigger.latency = () => 1;
	fill(trigger, 300);
	// Until it has learned all that is there.
	const stored = () => (trigger.stored.state as { text: string }).text;
	do expect(await trigger.reported()).toEqual([]);
	while (stored().includes('"next"'));
	expect(Buffer.byteLength(stored())).toBeLessThan(3_000_000);
	// It knows all of it nevertheless.
	const path = `/locations/${trigger.locations[0].id as string}`;
	trigger.lists[`${path}/posts`][7].title = 'Other';
	trigger.lists[`${path}/keywords`].splice(3, 1);
	trigger.locations[0].keywords_count = 19;
	trigger.locations[0].city = 'Leeds';
	const told = ['locationChanged', 'postChanged', 'keywordRemoved'];
	expect((await trigger.items()).map(({ event }) => event)).toEqual(told);
});

/** n8n has saved this, whatever polls have written since. */
const restored = (trigger: Trigger, saved: string) => (trigger.stored.state = JSON.parse(saved));

test('what polls without an event have learned is kept in the process', async () => {
	const trigger = await learned('postChanged', { posts: [{ id: 'p_1', title: 'x' }] });
	const saved = JSON.stringify(trigger.stored.state);
	// A field that is new is learned.
	const [quiet, loud] = ['x', 'y'].map((image) => ({ posts: [{ id: 'p_1', title: 'x', image }] }));
	expect(await reportedAfter(trigger, quiet)).toEqual([[]]);
	restored(trigger, saved);
	expect(await reportedAfter(trigger, loud)).toEqual([['postChanged p_1']]);
});

test('what n8n has not saved after an event was not reported', async () => {
	const trigger = await learned('postAdded');
	const saved = JSON.stringify(trigger.stored.state);
	expect(await reportedAfter(trigger, { posts: ids('p_1') })).toEqual([['postAdded p_1']]);
	restored(trigger, saved);
	expect(await trigger.reported()).toEqual(['postAdded p_1']);
});

test('a process goes on with what n8n has saved, and one where another execution has saved over it', async () => {
	const trigger = await learned('postAdded');
	expect(await reportedAfter(trigger, { posts: ids('p_1') })).toEqual([['postAdded p_1']]);
	trigger.restart('init');
	expect(await trigger.reported()).toEqual([]);
	delete trigger.stored.state;
	expect(await reportedAfter(trigger, { posts: ids('p_1', 'p_2') })).toEqual([['postAdded p_2']]);
});

test('two triggers of a workflow have memories of their own', async () => {
	const [one, other] = [await learned('postAdded'), new Trigger({ events: ['keywordAdded'] })];
	Object.assign(other, { name: 'Another', memory: one.memory });
	await other.reported();
	expect(await reportedAfter(one, { posts: ids('p_1') })).toEqual([['postAdded p_1']]);
	expect(
		await reportedAfter(other, { keywords: ids('kw_1') }, ...Array(12).fill({})),
	).toContainEqual(['keywordAdded kw_1']);
});
