import { systemClock } from '../../../nodes/LocalSeo/client';
import { byId, incomingRow } from '../../support/fixture';
import { runNode } from '../../support/engine';
import { useShortWatch } from '../../support/shortWatch';
import type { World } from '../dimensions';
import { rowsAreOnce } from '../judge';
import { type Report, rowsOf, groupsOf } from '../run';
import { worldOf } from '../seeds';
import { Service } from '../service';
import { serve } from './serve';

const WORLDS = 50;
const CONCURRENT = 10;
const KEY = 'seo_live_8kJ2+vQ/x41=z';
/** Milliseconds; Max Wait is in seconds. */
const TIMEOUT = 600;
const MAX_WAIT = 5;
/** By how much everything is faster than in virtual time. */
const FASTER = 100;

// What a service may take is shortened like everything else.
useShortWatch({ unheard: 700, answered: 100, stale: 350 });

/** The first worlds in which rows are posted, at a speed at which they can be played in real time. */
function quickWorlds(): World[] {
	const worlds: World[] = [];
	for (let seed = 1; worlds.length < WORLDS; seed++) {
		const world = worldOf(seed);
		if (world.job !== 'post' || world.limit !== 'none') continue;
		worlds.push({
			...world,
			life: 'once',
			latency: world.latency / FASTER,
			list: { ...world.list, staleness: world.list.staleness / FASTER },
			clock: { ...world.clock, jump: 0 },
			records: { ...world.records, before: Math.min(world.records.before, 60) },
			rows: { ...world.rows, count: Math.min(world.rows.count, 8) },
			writes: world.writes.map(quick),
			reads: world.reads.map(quick),
		});
	}
	return worlds;
}

function quick(outcome: World['writes'][number]): World['writes'][number] {
	return 'after' in outcome ? { ...outcome, after: outcome.after / FASTER } : outcome;
}

interface Played {
	wrong: string[];
	said: Record<Report['said'], number>;
}

/** Posts the rows through n8n's engine, and runs the sheet again with Skip Existing. */
async function play(world: World, index: number): Promise<Played> {
	const service = new Service(world, systemClock);
	const rows = rowsOf(world);
	const groups = groupsOf(rows);
	const callerOf = ({ title }: { title?: unknown }) =>
		rows.find(({ fields }) => fields.title === title)?.name ?? 'a stranger';
	const served = await serve(service, KEY, callerOf);
	const run = async (options: object) =>
		await runNode({
			credential: { baseUrl: served.baseUrl, apiKey: KEY },
			parameters: {
				...{
					resource: 'post',
					operation: 'create',
					locationId: byId('loc_1'),
					fields: incomingRow,
				},
				options: { maxWait: MAX_WAIT, ...options },
				requestOptions: { timeout: TIMEOUT },
			},
			rows: rows.map(({ fields }) => fields),
			settings: { onError: 'continueRegularOutput' },
			// Both ways through the node.
			isRoutedByHost: index % 2 === 1,
		});
	const { json, items, hints, error } = await run({});
	const reports = json.map((item, row): Report => {
		const who = rows[Number((items[row].pairedItem as { item: number }).item)].name;
		const times = { calledAt: 0, endedAt: 0 };
		if (item.error === undefined) return { who, ...times, said: 'done', records: [item] };
		const why = JSON.stringify(item.error);
		const isOpen = /Could not confirm|may or may not/.test(why);
		return { who, ...times, said: isOpen ? 'unconfirmed' : 'failed', why };
	});
	const said = { done: 0, failed: 0, unconfirmed: 0 };
	for (const report of reports) said[report.said]++;
	const wrong = rowsAreOnce({ service, reports, groups });
	if (error) wrong.push(`the node ended with ${error.message}`);
	if (reports.length !== rows.length) wrong.push(`${reports.length} items of ${rows.length} rows`);
	const shown = JSON.stringify([json, hints, error]);
	if (shown.includes(KEY)) wrong.push('8: the key comes out');
	wrong.push(...served.complaints.map((complaint) => `8: ${complaint}`));
	await served.close();
	return { wrong, said };
}

test(`${WORLDS} worlds behind HTTP, through n8n's engine: no row twice, no false report, no key`, async () => {
	const worlds = quickWorlds();
	const wrong: string[] = [];
	const count = { done: 0, failed: 0, unconfirmed: 0 };
	let next = 0;
	const work = async () => {
		while (next < worlds.length) {
			const index = next++;
			const played = await play(worlds[index], index);
			for (const flaw of played.wrong) wrong.push(`${flaw} in ${JSON.stringify(worlds[index])}`);
			for (const said of Object.keys(count) as Array<keyof typeof count>) {
				count[said] += played.said[said];
			}
		}
	};
	await Promise.all(Array.from({ length: CONCURRENT }, work));
	expect(wrong).toEqual([]);
	// It would pass as well if nothing could be posted.
	expect(count.done).toBeGreaterThan(WORLDS);
}, 300_000);
