import { playAll } from '../simulation';
import { PLAIN } from './dimensions';
import { play, simulation } from './run';

// `npx gulp worlds` tries others, and more of them.

test('no row exists twice, and no report is wrong, in 500 services with faults', async () => {
	const { failures, total } = await playAll(simulation, 1, 500);
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
