import { playAll } from '../simulation';
import { PLAIN } from './dimensions';
import { play, simulation } from './run';

// `npx gulp worlds` tries others, and more of them.

test('no row exists twice, and no report is wrong, in 500 services with faults', async () => {
	const { failures, total } = await playAll(simulation, 1, 500);
	expect([...failures]).toEqual([]);
	// Measured: 10 %, nearly all where others post, the list shows other texts, or it was not read before.
	expect(total.unconfirmed).toBeLessThan(total.done / 8);
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
