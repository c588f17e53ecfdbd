import { playAll } from '../simulation';
import { simulation } from './run';

// `npx gulp worlds` tries others, and more of them.

test('no row exists twice, and no report is wrong, in 500 services with faults', async () => {
	const { failures, total } = await playAll(simulation, 1, 500);
	expect([...failures]).toEqual([]);
	// Measured: 10 %, nearly all where others post, the list shows other texts, or it was not read before.
	expect(total.unconfirmed).toBeLessThan(total.done / 8);
});
