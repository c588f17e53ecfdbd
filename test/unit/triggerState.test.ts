import { Trigger } from '../support/polledTrigger';
import { seededRandom } from '../support/random';
import { EVENTS } from '../support/trigger';

const random = seededRandom();
/** Of 64 characters or so, which say nothing of each other. */
const id = () => Array.from({ length: 6 }, () => random().toString(36).slice(2)).join('');
const WORDS = ['"Zahnarzt\\', '歯科医院', 'dentist 🦷', 'Größe\n', '\u0001'];
const text = (length: number) =>
	Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');

/** Fills the account: 20 keywords and 50 posts for each location. */
function fill(trigger: Trigger, locations: number) {
	trigger.locations = Array.from({ length: locations }, () => ({
		...{ id: id(), name: text(20), address: text(20), city: text(1), country: 'DE' },
		...{ rank_score: 71, status: 'active', keywords_count: 20 },
		...{ last_scan_at: '2025-11-20T09:00:00Z', created_at: '2025-11-20T09:00:00Z' },
	}));
	for (const { id: location_id } of trigger.locations) {
		const keywords = Array.from({ length: 20 }, () => ({ id: id(), keyword: text(30) }));
		const path = `/locations/${location_id as string}`;
		trigger.lists[`${path}/keywords`] = keywords;
		trigger.lists[`${path}/posts`] = Array.from({ length: 50 }, () => ({
			...{ id: id(), location_id, title: text(10), content: text(40), image_url: null },
			...{ status: 'scheduled', publish_at: '2027-11-20T09:00:00Z', updated_at: text(1) },
		}));
		for (const keyword of keywords) {
			trigger.lists[`/keywords/${keyword.id}/scans`] = ['desktop', 'mobile'].map((device) => ({
				...{ id: id(), position: 3, device },
				scanned_at: new Date(Date.UTC(2025, 10, 20) + random() * 86_400_000).toISOString(),
			}));
		}
	}
}

test('takes less than half a megabyte for 300 locations, whatever their IDs and texts', async () => {
	const trigger = new Trigger({ events: EVENTS });
	trigger.latency = 1;
	fill(trigger, 300);
	const last = `/locations/${trigger.locations[299].id as string}/posts`;
	trigger.lists[last][0].field_of_one = 'x';
	// Until it has learned all that is there.
	do expect(await trigger.reported()).toEqual([]);
	while ((trigger.stored.state as { text: string }).text.includes('"next"'));
	expect(Buffer.byteLength(JSON.stringify(trigger.stored))).toBeLessThan(500_000);
	// It knows all of it nevertheless.
	const path = `/locations/${trigger.locations[0].id as string}`;
	trigger.lists[`${path}/posts`][7].title = 'Other';
	trigger.lists[`${path}/keywords`].splice(3, 1);
	trigger.locations[0].keywords_count = 19;
	const events = [...(await trigger.items()), ...(await trigger.items())];
	const told = ['locationChanged', 'postChanged', 'keywordRemoved'];
	expect(events.map(({ event }) => event)).toEqual(told);
});

test('names a keyword that was removed, as far as there is room', async () => {
	const trigger = new Trigger({ events: ['keywordRemoved'] });
	const near = { id: 'kw_1', keyword: 'dentist "near" me' };
	const long = { id: 'kw_2', keyword: `${'x'.repeat(140)} 🦷🦷🦷🦷🦷🦷🦷🦷🦷` };
	trigger.keywords = [near, long, { id: 'x'.repeat(200), keyword: 'braces' }];
	await trigger.poll();
	trigger.keywords = [];
	trigger.locations[0].keywords_count = 0;
	expect(await trigger.reported()).toEqual([]);
	const cut = expect.stringMatching(/^x{140} [^\ud83e]*…$/u);
	expect((await trigger.items()).map(({ record }) => record)).toEqual([
		{ ...near, location_id: 'loc_1' },
		{ ...long, location_id: 'loc_1', keyword: cut },
		{ location_id: 'loc_1', keyword: 'braces' },
	]);
});
