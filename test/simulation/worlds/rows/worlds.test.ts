import { playAll } from '../simulation';
import { PLAIN, type World } from './dimensions';
import { play, simulationOf } from './run';

// `npx gulp worlds` tries others, and more of them.

test('everything is done at once in 200 ordinary services', async () => {
	const { failures, total } = await playAll(simulationOf('ordinary'), 1, 200);
	expect([...failures]).toEqual([]);
	expect(total).toMatchObject({ failed: 0, unconfirmed: 0 });
});

test('no row exists twice, and no report is wrong, in 500 services with faults', async () => {
	const { failures, total } = await playAll(simulationOf('faults'), 1, 500);
	expect([...failures]).toEqual([]);
	// Measured: 9.5 %, nearly all where others post, the list shows other texts, or it was not read before.
	expect(total.unconfirmed).toBeLessThan(total.done / 8);
	// Where a list can tell, it is nearly always believed: 0.5 % were measured.
	expect(total.needless).toBeLessThan(total.done / 100);
});

test.each([1, 3])('if a service refuses all but %d at a time, each row is done', async (bears) => {
	for (const count of [3, 8, 20, 70]) {
		const { wrong, reports } = await play({ ...PLAIN, bears, count });
		expect(wrong).toEqual([]);
		expect(reports.filter(({ said }) => said !== 'done')).toEqual([]);
	}
});

test('an older post with the text of a row is not its record, although a list that changed had not shown it', async () => {
	// While the list is read, another post comes and one goes: the total agrees, and a post is missed.
	const { wrong } = await play({
		...PLAIN,
		before: 30,
		order: 'oldest-first',
		changes: [{ before: 2, what: 'remove', where: 0 }],
		latency: 2_000,
		duplicates: 1,
		writes: [{ acts: 20_000, after: 0, reply: 'bad gateway' }],
		reads: [{ acts: 0, after: 3_000 }],
		others: 5_000,
	});
	expect(wrong).toEqual([]);
});

test.each<[string, Partial<World>]>([
	['newest first', {}],
	['newest first, more in a second than on a page', { pageSize: 3 }],
	['oldest first', { order: 'oldest-first' }],
	['oldest first, a record on each page', { order: 'oldest-first', pageSize: 1 }],
	['in no order', { order: 'shuffled' }],
])('a list to which others post all the time is whole, or said not to be: %s', async (_, list) => {
	for (const before of [0, 1, 14, 15, 60, 400]) {
		const { wrong, reports } = await play({ ...PLAIN, ...list, job: 'list', before, others: 100 });
		expect(wrong).toEqual([]);
		const [report] = reports;
		if (report.said !== 'done') expect(report.kind).toBe('incomplete-list');
	}
});
