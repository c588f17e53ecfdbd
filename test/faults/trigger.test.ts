import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { Poller } from '../support/engine';
import { always, RUNS, SEED, withSandbox } from '../support/property';
import { EVENTS } from '../support/trigger';

jest.setTimeout(60_000 + RUNS * 1_000);

/** A run has dozens of polls. */
const SEQUENCES = Math.ceil(RUNS / 5);

interface Item {
	event: string;
	record: IDataObject & { id: string };
	before: IDataObject | null;
}

/** What happens between two polls, or to one; `pick` chooses among what there is. */
const step = fc.record({
	what: fc.constantFrom(
		...['rename', 'score', 'addLocation', 'addKeyword', 'removeKeyword', 'swapKeyword', 'addPost'],
		...['changePost', 'scan', 'reorder', 'poll', 'poll', 'poll', 'failedPoll', 'restart'],
	),
	pick: fc.nat({ max: 1_000 }),
});

/** The account, and what a trigger ought to have reported of it in the end. */
class Model {
	readonly addedLocations: string[] = [];
	readonly addedPosts: string[] = [];
	readonly scans: string[] = [];
	readonly keywordsAtFirst: string[];
	private count = 0;

	constructor(
		private readonly sandbox: Sandbox,
		private readonly clock: { now: number },
	) {
		this.keywordsAtFirst = this.keywords().map(({ id }) => id);
	}

	keywords() {
		const { account } = this.sandbox;
		return account.locations.flatMap(({ id }) => account.keywordsOf(id));
	}

	apply({ what, pick }: { what: string; pick: number }) {
		const { account } = this.sandbox;
		const location = account.locations[pick % account.locations.length];
		const keywords = account.keywordsOf(location.id);
		const posts = account.postsOf(location.id);
		const unique = `${what} ${this.count++}`;
		this.clock.now += 60_000;
		if (what === 'rename') location.name = unique;
		if (what === 'score') location.rank_score = (location.rank_score + 1 + (pick % 7)) % 100;
		if (what === 'addLocation') this.addedLocations.push(account.addLocation({ name: unique }).id);
		if (what === 'addKeyword' || what === 'swapKeyword') {
			if (what === 'swapKeyword' && keywords.length > 0) account.removeKeyword(keywords[0]);
			account.addKeyword(location, { keyword: unique });
		}
		if (what === 'removeKeyword' && keywords.length > 0) {
			account.removeKeyword(keywords[pick % keywords.length]);
		}
		if (what === 'addPost') {
			this.addedPosts.push(account.addPost(location, { title: unique, content: unique }).id);
		}
		if (what === 'changePost' && posts.length > 0) posts[pick % posts.length].title = unique;
		if (what === 'scan' && keywords.length > 0) {
			const keyword = keywords[pick % keywords.length];
			this.scans.push(account.addScan(keyword, 1 + (pick % 20)).id);
		}
		if (what === 'reorder') account.locations.reverse();
	}
}

const idsOf = (items: Item[], event: string) =>
	items
		.filter((item) => item.event === event)
		.map(({ record }) => record.id)
		.sort();

/** Each event continues where the one before it ended, and the last one is how things are. */
function chainIsWhole(
	items: Item[],
	event: string,
	field: string,
	first: Map<string, unknown>,
	last: Map<string, unknown>,
) {
	const reported = new Map(first);
	for (const { event: kind, record, before } of items) {
		if (kind === 'locationAdded') reported.set(record.id, record[field]);
		if (kind !== event || !before || !(field in before)) continue;
		expect({ event, id: record.id, from: before[field] }).toEqual({
			event,
			id: record.id,
			from: reported.get(record.id),
		});
		expect(record[field]).not.toEqual(before[field]);
		reported.set(record.id, record[field]);
	}
	for (const [id, value] of last) {
		expect({ event, id, value: reported.get(id) }).toEqual({ event, id, value });
	}
}

test(`${SEQUENCES} random histories of an account: every change is reported once (seed ${SEED})`, async () => {
	const steps = fc.array(step, { minLength: 5, maxLength: 40 });
	const histories = fc.record({ history: steps, isForgetful: fc.boolean() });
	await always(histories, SEQUENCES, async ({ history, isForgetful }) => {
		const clock = { now: Date.parse('2026-11-21T12:00:00Z') };
		await withSandbox(
			{ locations: 3, pageSize: 4, now: () => new Date(clock.now) },
			async (sandbox) => {
				const { account } = sandbox;
				const model = new Model(sandbox, clock);
				const snapshot = (field: 'name' | 'rank_score') =>
					new Map<string, unknown>(account.locations.map((one) => [one.id, one[field]]));
				const first = { name: snapshot('name'), rank_score: snapshot('rank_score') };
				const poller = new Poller({
					parameters: { events: EVENTS, locationIds: [], options: {} },
					credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.read },
					isForgetful,
				});
				expect(await poller.poll()).toEqual([]);

				const items: Item[] = [];
				for (const one of history) {
					if (one.what === 'poll') items.push(...(await poller.poll<Item>()));
					else if (one.what === 'restart') poller.restart();
					else if (one.what === 'failedPoll') {
						const { id } = account.locations[one.pick % account.locations.length];
						const path = `/locations/${id}/posts`;
						sandbox.faults.add({ when: { path }, times: 1, response: { status: 400, body: {} } });
						// What was still under way when an earlier poll failed may meet the fault instead.
						items.push(...(await poller.poll<Item>().catch(() => [])));
					} else model.apply(one);
				}
				// A swap of keywords that leaves their count alone is found by the twelfth poll.
				for (let polls = 0; polls < 24; polls++) items.push(...(await poller.poll<Item>()));

				expect(idsOf(items, 'locationAdded')).toEqual([...model.addedLocations].sort());
				expect(idsOf(items, 'postAdded')).toEqual([...model.addedPosts].sort());
				const keywords = model.keywords().map(({ id }) => id);
				const there = (id: string) => keywords.includes(id);
				const old = (id: string) => model.keywordsAtFirst.includes(id);
				const reported = {
					added: idsOf(items, 'keywordAdded'),
					removed: idsOf(items, 'keywordRemoved'),
				};
				expect(reported.added.filter(there)).toEqual(keywords.filter((id) => !old(id)).sort());
				expect(reported.removed.filter(old)).toEqual(
					model.keywordsAtFirst.filter((id) => !there(id)).sort(),
				);
				// Of one that came and went both were reported, or neither.
				expect(reported.removed.filter((id) => !old(id))).toEqual(
					reported.added.filter((id) => !there(id)),
				);

				const scans = idsOf(items, 'rankScanCompleted');
				expect(new Set(scans).size).toBe(scans.length);
				const listed = keywords.flatMap((id) => account.scansOf(id)).map(({ id }) => id);
				const expected = model.scans.filter((id) => listed.includes(id));
				expect(expected.filter((id) => !scans.includes(id))).toEqual([]);
				expect(scans.filter((id) => !model.scans.includes(id))).toEqual([]);

				chainIsWhole(
					items,
					'rankScoreChanged',
					'rank_score',
					first.rank_score,
					snapshot('rank_score'),
				);
				chainIsWhole(items, 'locationChanged', 'name', first.name, snapshot('name'));
				const changes = items
					.filter(({ event }) => event === 'postChanged')
					.map(({ record }) => `${record.id} ${String(record.title)}`);
				expect(new Set(changes).size).toBe(changes.length);
			},
		);
	});
});
