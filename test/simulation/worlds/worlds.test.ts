import { drawn } from '../../support/random';
import { PLAIN, type Tier, TIERS, type World, worlds } from './dimensions';
import { isAtOnce } from './judge';
import { play } from './run';

/** How many of each tier; `npx gulp worlds` tries others, and more of them. */
const WORLDS: Record<Tier, number> = { ordinary: 300, faults: 600 };

/** Whether a list can show what became of a lost create: it was read before, and shows what was sent alone. */
function canTell({ readsFirst, others, list, records, rows, unlucky }: World): boolean {
	const isHidden = list.hidesAhead && rows.more === 'dates';
	const isKept =
		['plain', 'trimmed'].includes(records.text) && records.areListedWithout === 'nothing';
	const isAlone = others === undefined && list.changes.length === 0;
	// A page that comes again leaves open what follows.
	const isClear = !(list.totals === 'absent' && list.pastEnd === 'clamped');
	return readsFirst && isAlone && isClear && isKept && !isHidden && unlucky === undefined;
}

async function playAll(tier: Tier) {
	const wrong: string[] = [];
	const count = { done: 0, failed: 0, unconfirmed: 0, needless: 0 };
	for (let seed = 1; seed <= WORLDS[tier]; seed++) {
		const verdict = await play(TIERS[tier](drawn(worlds, seed)));
		// Nobody expects to know what became of an execution that was stopped.
		const isStopped = verdict.world.life === 'stopped';
		for (const { said } of verdict.reports) {
			if (isStopped && said === 'unconfirmed') continue;
			count[said]++;
			if (said === 'unconfirmed' && canTell(verdict.world)) count.needless++;
		}
		const flaws = [...verdict.wrong, ...(tier === 'ordinary' ? isAtOnce(verdict) : [])];
		if (flaws.length > 0) wrong.push(`seed ${seed}: ${flaws.join('; ')}`);
	}
	return { wrong, count };
}

test(`everything is done at once in ${WORLDS.ordinary} ordinary services`, async () => {
	const { wrong, count } = await playAll('ordinary');
	expect(wrong).toEqual([]);
	expect(count).toMatchObject({ failed: 0, unconfirmed: 0 });
}, 300_000);

test(`no row exists twice, and no report is wrong, in ${WORLDS.faults} services with faults`, async () => {
	const { wrong, count } = await playAll('faults');
	expect(wrong).toEqual([]);
	// Measured: 9.5 %, nearly all where others post, the list shows other texts, or it was not read before.
	expect(count.unconfirmed).toBeLessThan(count.done / 8);
	// Where a list can tell, it is nearly always believed: 0.5 % were measured.
	expect(count.needless).toBeLessThan(count.done / 100);
}, 300_000);

test.each([1, 3])(
	'a service that refuses all but %d at a time has each row in the end',
	async (bears) => {
		for (const count of [3, 8, 20, 70]) {
			const { wrong, reports } = await play({ ...PLAIN, bears, rows: { ...PLAIN.rows, count } });
			expect(wrong).toEqual([]);
			expect(reports.filter(({ said }) => said !== 'done')).toEqual([]);
		}
	},
);

test('an older post with the text of a row is not its record, although a list that changed had not shown it', async () => {
	// While the list is read, another post comes and one goes: the total agrees, and a post is missed.
	const { wrong } = await play({
		...PLAIN,
		records: { ...PLAIN.records, before: 30 },
		list: {
			...PLAIN.list,
			order: 'oldest-first',
			changes: [{ before: 2, what: 'remove', where: 0 }],
		},
		latency: 2_000,
		rows: { ...PLAIN.rows, duplicates: 1 },
		writes: [{ kind: 'late', status: 502, after: 20_000 }],
		reads: [{ kind: 'slow', after: 3_000 }],
		others: 5_000,
	});
	expect(wrong).toEqual([]);
});

test.each([
	['newest first', {}],
	['newest first, more in a second than on a page', { pageSize: 3 }],
	['oldest first', { order: 'oldest-first' }],
	['oldest first, a record on each page', { order: 'oldest-first', pageSize: 1 }],
	['in no order', { order: 'shuffled' }],
] as const)(
	'a list to which others post all the time is complete, or says that it is not: %s',
	async (_, list) => {
		for (const before of [0, 1, 14, 15, 60, 400]) {
			const world: World = {
				...PLAIN,
				job: 'list',
				records: { ...PLAIN.records, before },
				list: { ...PLAIN.list, ...list },
				others: 100,
			};
			const { wrong, reports } = await play(world);
			expect(wrong).toEqual([]);
			const [report] = reports;
			if (report.said !== 'done') expect(report.kind).toBe('incomplete-list');
		}
	},
);
