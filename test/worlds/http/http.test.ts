import { systemClock } from '../../../nodes/LocalSeo/client';
import { byId, incomingRow } from '../../support/fixture';
import { runNode } from '../../support/engine';
import { useShortWatch } from '../../support/shortWatch';
import { worldOf } from '../commandLine';
import { type World, worlds as all } from '../dimensions';
import { rowsAreOnce } from '../judge';
import { type Report, rowsOf, groupsOf } from '../run';

import { Service } from '../service';
import { serve } from './serve';

const WORLDS = 50;
const KILLED_WORLDS = 20;
const CONCURRENT = 10;
const KEY = 'seo_live_8kJ2+vQ/x41=z';
/** Of another process, which knows nothing of what the first one did. */
const OTHER_KEY = 'seo_live_Zm9v+bar/41=q';
/** Milliseconds until a process is killed. */
const KILLED_AFTER = 250;
/** Milliseconds; Max Wait is in seconds. */
const TIMEOUT = 600;
const MAX_WAIT = 5;
/** By how much everything is faster than in virtual time. */
const FASTER = 100;

// What a service may take is shortened like everything else.
useShortWatch({ unheard: 700, answered: 100, stale: 350 });

/** The first worlds in which rows are posted, at a speed at which they can be played in real time. */
function quickWorlds(count: number, isWanted: (world: World) => boolean = () => true): World[] {
	const worlds: World[] = [];
	for (let seed = 1; worlds.length < count; seed++) {
		const world = worldOf(all, seed);
		if (world.job !== 'post' || world.limit !== 'none' || !isWanted(world)) continue;
		worlds.push({
			...world,
			life: 'once',
			latency: world.latency / FASTER,
			list: { ...world.list, staleness: world.list.staleness / FASTER },
			// Seconds by which a record is listed later are more than is waited for here.
			odd: { ...world.odd, isListedLater: false },
			clock: { ...world.clock, jump: 0 },
			records: { ...world.records, before: Math.min(world.records.before, 60) },
			rows: { ...world.rows, count: Math.min(world.rows.count, 8) },
			writes: world.writes.map(quick),
			reads: world.reads.map(quick),
		});
	}
	return worlds;
}

/** Whether a sheet can be run again: the list shows the posts, and what they hold. */
function isReadable({ list, records, rows, reads, revokedAfter }: World): boolean {
	return (
		list.pageParameter === 'known' &&
		list.totals === 'right' &&
		list.firstPage === 1 &&
		list.changes.length === 0 &&
		records.hiddenFields === 'none' &&
		rows.duplicates === 0 &&
		reads.length === 0 &&
		revokedAfter === undefined
	);
}

function quick(outcome: World['writes'][number]): World['writes'][number] {
	return 'after' in outcome ? { ...outcome, after: outcome.after / FASTER } : outcome;
}

interface Played {
	wrong: string[];
	said: Record<Report['said'], number>;
}

const parametersOf = (ifExists: 'create' | 'skip') => ({
	resource: 'post',
	operation: 'create',
	locationId: byId('loc_1'),
	fields: incomingRow,
	ifExists,
	options: { maxWait: MAX_WAIT },
	requestOptions: { timeout: TIMEOUT },
});

/** The process is killed while it posts, and another one runs the sheet again, where what exists is skipped. */
async function playKilled(world: World): Promise<string[]> {
	const service = new Service(world, systemClock);
	const rows = rowsOf(world);
	const callerOf = ({ title }: { title?: unknown }) =>
		rows.find(({ fields }) => fields.title === title)?.name ?? 'a stranger';
	const served = await serve(service, [KEY, OTHER_KEY], callerOf);
	const run = async (apiKey: string, ifExists: 'create' | 'skip', signal?: AbortSignal) =>
		await runNode({
			credential: { baseUrl: served.baseUrl, apiKey },
			parameters: parametersOf(ifExists),
			rows: rows.map(({ fields }) => fields),
			settings: { onError: 'continueRegularOutput' },
			signal,
		});
	await run(KEY, 'create', AbortSignal.timeout(KILLED_AFTER));
	// What was under way has arrived by then.
	await systemClock.sleep(2 * TIMEOUT);
	await run(OTHER_KEY, 'skip');
	await served.close();
	const counts = rows.map(({ name }) => service.records.filter(({ row }) => row === name).length);
	return counts.some((count) => count > 1) ? [`1: ${counts.join(' ')} posts of each row`] : [];
}

/** Posts the rows through n8n's engine. */
async function play(world: World, index: number): Promise<Played> {
	const service = new Service(world, systemClock);
	const rows = rowsOf(world);
	const groups = groupsOf(rows);
	const callerOf = ({ title }: { title?: unknown }) =>
		rows.find(({ fields }) => fields.title === title)?.name ?? 'a stranger';
	const served = await serve(service, [KEY], callerOf);
	const { json, items, hints, error } = await runNode({
		credential: { baseUrl: served.baseUrl, apiKey: KEY },
		parameters: parametersOf('create'),
		rows: rows.map(({ fields }) => fields),
		settings: { onError: 'continueRegularOutput' },
		// Both ways through the node.
		isRoutedByHost: index % 2 === 1,
	});
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

/** Some at a time. */
async function each<T>(worlds: World[], work: (world: World, index: number) => Promise<T>) {
	const results: T[] = [];
	let next = 0;
	const worker = async () => {
		while (next < worlds.length) {
			const index = next++;
			results[index] = await work(worlds[index], index);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENT }, worker));
	return results;
}

test(`${WORLDS} worlds behind HTTP, through n8n's engine: no row twice, no false report, no key`, async () => {
	const worlds = quickWorlds(WORLDS);
	const played = await each(worlds, play);
	expect(
		played.flatMap(({ wrong }, index) =>
			wrong.map((flaw) => `${flaw} in ${JSON.stringify(worlds[index])}`),
		),
	).toEqual([]);
	// It would pass as well if nothing could be posted.
	expect(played.reduce((sum, { said }) => sum + said.done, 0)).toBeGreaterThan(WORLDS);
}, 300_000);

test(`in ${KILLED_WORLDS} worlds a process is killed, and another one runs the sheet again, where what exists is skipped`, async () => {
	const worlds = quickWorlds(KILLED_WORLDS, isReadable);
	const wrong = await each(worlds, playKilled);
	expect(
		wrong.flatMap((flaws, index) =>
			flaws.map((flaw) => `${flaw} in ${JSON.stringify(worlds[index])}`),
		),
	).toEqual([]);
}, 300_000);
