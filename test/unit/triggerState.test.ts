import { Trigger } from '../support/polledTrigger';
import { seededRandom } from '../support/random';
import { EVENTS } from '../support/trigger';

const random = seededRandom();
/** IDs of UUIDs' length, and texts as they are written in several languages. */
const id = () => Array.from({ length: 4 }, () => random().toString(36).slice(2, 11)).join('');
const WORDS = ['Zahnarzt', '歯科医院', 'dentist', 'near me', 'Größe', 'open "now"', 'emergency'];
const text = (length: number) =>
	Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
const names = (count: number) => Array.from({ length: count }, (_, nth) => `some_field_${nth}`);
const fieldsOf = (count: number) => Object.fromEntries(names(count).map((name) => [name, text(2)]));
const DAY = 86_400_000;

/** Fills the account: 20 keywords and 50 posts for each location, two scans a day, 22 fields. */
function fill(trigger: Trigger, locations: number) {
	trigger.locations = Array.from({ length: locations }, () => ({
		...{ id: id(), name: text(3), address: text(4), city: text(1), country: 'DE' },
		...{ rank_score: 71, status: 'active', keywords_count: 20, ...fieldsOf(12) },
		...{ last_scan_at: '2025-11-20T09:00:00Z', created_at: '2025-11-20T09:00:00Z' },
	}));
	for (const { id: location_id } of trigger.locations) {
		const keywords = Array.from({ length: 20 }, () => ({ id: id(), keyword: text(3) }));
		const path = `/locations/${location_id as string}`;
		trigger.lists[`${path}/keywords`] = keywords;
		trigger.lists[`${path}/posts`] = Array.from({ length: 50 }, () => ({
			...{ id: id(), location_id, title: text(10), content: text(40), image_url: null },
			...{ status: 'scheduled', publish_at: '2027-11-20T09:00:00Z', ...fieldsOf(15) },
		}));
		for (const keyword of keywords) {
			const start = Date.UTC(2025, 10, 20) + random() * DAY;
			trigger.lists[`/keywords/${keyword.id}/scans`] = Array.from({ length: 20 }, (_, nth) => ({
				...{ id: id(), position: 3, device: 'desktop' },
				scanned_at: new Date(start - (nth * DAY) / 2).toISOString(),
			}));
		}
	}
}

test('takes less than a megabyte for 300 locations', async () => {
	const trigger = new Trigger({ events: EVENTS });
	trigger.latency = () => 1;
	fill(trigger, 300);
	// Until it has learned all that is there.
	do expect(await trigger.reported()).toEqual([]);
	while ((trigger.stored.state as { text: string }).text.includes('"next"'));
	const bytes = Buffer.byteLength(JSON.stringify(trigger.stored));
	expect(bytes).toBeLessThan(1_000_000);
	// It knows all of it nevertheless.
	const path = `/locations/${trigger.locations[0].id as string}`;
	trigger.lists[`${path}/posts`][7].title = 'Other';
	trigger.lists[`${path}/keywords`].splice(3, 1);
	trigger.locations[0].keywords_count = 19;
	const events = [...(await trigger.items()), ...(await trigger.items())];
	const told = ['locationChanged', 'postChanged', 'keywordRemoved'];
	expect(events.map(({ event }) => event)).toEqual(told);
});

test('names a keyword that was removed; a long text is cut', async () => {
	const trigger = new Trigger({ events: ['keywordRemoved'] });
	const near = { id: 'kw_1', keyword: 'dentist "near" me' };
	const long = { id: 'x'.repeat(200), keyword: '🦷'.repeat(61) };
	trigger.keywords = [near, long];
	await trigger.poll();
	trigger.keywords = [];
	trigger.locations[0].keywords_count = 0;
	expect(await trigger.reported()).toEqual([]);
	expect((await trigger.items()).map(({ record }) => record)).toEqual([
		{ ...near, location_id: 'loc_1' },
		{ ...long, location_id: 'loc_1', keyword: `${'🦷'.repeat(59)}…` },
	]);
});
