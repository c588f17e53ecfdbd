import { playAll } from '../simulation';
import { simulation } from './run';

/** `npx gulp worlds:trigger` tries others, and more of them. */
const WORLDS = 200;

test(`every change is reported once in ${WORLDS} services made at random`, async () => {
	const { failures, total } = await playAll(simulation, 1, WORLDS);
	expect([...failures]).toEqual([]);
	// The test would pass as well for a trigger that never reports anything, or always fails.
	expect(total.events).toBeGreaterThan(WORLDS);
	expect(total.checked).toBeGreaterThan(5 * WORLDS);
	expect(total.failed).toBeLessThan(total.polls / 10);
});
