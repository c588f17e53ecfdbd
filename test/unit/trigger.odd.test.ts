import fc from 'fast-check';

import { isIdentified, isRecord, type JsonObject } from '../../nodes/LocalSeo/client';
import { eventTypes, listSubjects } from '../../nodes/LocalSeo/trigger/events';
import { compareListing, hasOddScore, type Memories } from '../../nodes/LocalSeo/trigger/location';
import { neverMatching } from '../../nodes/LocalSeo/trigger/neverMatching';
import { newestFirst } from '../../nodes/LocalSeo/trigger/records';
import { datedScans } from '../../nodes/LocalSeo/trigger/scan';
import { oddBodies, oddJson } from '../support/oddJson';
import { Trigger } from '../support/polledTrigger';
import { RUNS, SEED } from '../support/property';
import { accountMemory, EVENTS, timeAt, watching } from '../support/trigger';

const location = (id: string) => ({
	id,
	name: 'Marlow Dental Care',
	city: 'Marlow',
	rank_score: 61,
	keywords_count: 1,
	last_scan_at: timeAt(-5),
	created_at: timeAt(-500),
});
const keyword = { id: 'kw_1', keyword: 'dentist', created_at: timeAt(-400) };
const post = { id: 'post_1', title: 'A', status: 'draft', tags: ['a'], created_at: timeAt(-300) };
const scan = { id: 'scan_1', position: 3, scanned_at: timeAt(-5), url: 'https://a.example' };

const ACCOUNT = {
	locations: [location('loc_1')],
	keywords: [keyword],
	posts: [post],
	scans: [scan],
};
const recordsIn = (account: unknown, name: string): unknown[] => {
	const list = isRecord(account) ? account[name] : account;
	return Array.isArray(list) ? (list as unknown[]) : [list];
};

/** All that the trigger does with records, from two readings of the same location. */
function compareAll(accounts: unknown[]): void {
	const settings = watching(EVENTS, {
		locationIds: new Set(['loc_1', '__proto__', 'undefined']),
		fieldsToWatch: [],
		onlyPositionChanges: true,
	});
	let memories: Memories = new Map();
	for (const [index, given] of accounts.entries()) {
		const watch = { settings, account: accountMemory({ polls: index + 1 }) };
		const listed = recordsIn(given, 'locations').filter(isIdentified);
		neverMatching(settings, listed);
		neverMatching(watching(EVENTS, { fieldsToWatch: ['toString', 'name'] }), listed);
		listed.map(hasOddScore);
		({ memories } = compareListing(memories, listed, watch));
		const [of = location('loc_1')] = listed;
		const keywords = newestFirst(recordsIn(given, 'keywords').filter(isIdentified));
		const scans = datedScans(recordsIn(given, 'scans'), keywords[0] ?? keyword);
		const posts = recordsIn(given, 'posts').filter(isIdentified);
		const lists = { location: of, keywords, scans, posts, isComplete: true, isScanning: false };
		for (const { sample } of eventTypes) sample(lists, settings);
		for (const subject of listSubjects) {
			for (const [id, memory] of memories) {
				subject.mayHaveChanged(memory, of);
				memories.set(id, subject.compare(memory, lists, watch).memory);
			}
		}
		// As n8n stores it.
		memories = new Map(JSON.parse(JSON.stringify([...memories])) as Array<[string, never]>);
	}
}

test('whatever records hold, they can be compared', () => {
	const accounts = fc.array(oddBodies(ACCOUNT), { minLength: 2, maxLength: 3 });
	fc.assert(fc.property(accounts, compareAll), { numRuns: 5 * RUNS, seed: SEED });
});

const LISTS = [
	'/locations',
	'/locations/loc_1/keywords',
	'/locations/loc_1/posts',
	'/keywords/kw_1/scans',
];

/** A trigger that watches two locations, and has polled. */
async function watchingTwo(): Promise<Trigger> {
	const trigger = new Trigger({ events: EVENTS });
	trigger.locations = [location('loc_1'), location('loc_2')];
	trigger.lists = {
		'/locations/loc_1/keywords': [keyword],
		'/locations/loc_1/posts': [post],
		'/keywords/kw_1/scans': [scan],
		'/locations/loc_2/posts': [{ ...post, id: 'post_2' }],
	};
	await trigger.poll();
	return trigger;
}

/** Whether an error is one that the service caused, and not a mistake of the code. */
function isDocumented({ name, cause, message }: Error): boolean {
	const isOwnMistake = cause instanceof TypeError || cause instanceof RangeError;
	return ['NodeApiError', 'NodeOperationError'].includes(name) && message !== '' && !isOwnMistake;
}

test('whatever a response holds: other locations go on, only documented errors come, and the next poll works', async () => {
	const bodies = fc.oneof(
		oddBodies({ data: [post], meta: { current_page: 1, per_page: 15, total: 1 } }),
		oddBodies({ data: [location('loc_1'), location('loc_2')], links: { next: null } }),
		oddBodies({ data: [scan, { ...scan, id: 'scan_2', scanned_at: timeAt(3) }] }),
		oddJson.map((meta) => ({ data: [keyword], meta })),
	);
	const property = fc.asyncProperty(fc.constantFrom(...LISTS), bodies, async (path, body) => {
		const trigger = await watchingTwo();
		trigger.locations[0] = { ...location('loc_1'), last_scan_at: timeAt(3), keywords_count: 2 };
		trigger.bodies = { [path]: body };
		const added = { ...post, id: 'post_3' };
		trigger.lists['/locations/loc_2/posts'].push(added as JsonObject);
		const first = await trigger.reported().catch((error: Error) => error);
		if (first instanceof Error) {
			// Of all locations, nothing is known without their list.
			expect(path).toBe('/locations');
			expect(isDocumented(first)).toBe(true);
		} else if (path !== '/locations') {
			expect(first).toContain('postAdded post_3');
		}
		expect(trigger.warnings.filter((line) => line.includes('could not be checked'))).toEqual([]);
		trigger.bodies = {};
		// What looked like another account may have made it start from scratch.
		if (path === '/locations') await trigger.poll();
		trigger.lists['/locations/loc_2/posts'].push({ ...post, id: 'post_4' });
		expect(await trigger.reported()).toContain('postAdded post_4');

		trigger.mode = 'manual';
		trigger.bodies = { [path]: body };
		const sample = await trigger.reported().catch((error: Error) => error);
		if (sample instanceof Error) expect(isDocumented(sample)).toBe(true);
	});
	await fc.assert(property, { numRuns: 3 * RUNS, seed: SEED });
});
