import { drawn } from '../../../support/random';
import { worlds } from './dimensions';
import { play } from './run';

/** `npx gulp worlds:trigger` tries others, and more of them. */
const WORLDS = 200;

test(`every change is reported once in ${WORLDS} services made at random`, async () => {
	const wrong: string[] = [];
	const count = { events: 0, polls: 0, failed: 0, checked: 0 };
	for (let seed = 1; seed <= WORLDS; seed++) {
		const verdict = await play(drawn(worlds, seed));
		for (const name of Object.keys(count) as Array<keyof typeof count>) {
			count[name] += verdict.count[name];
		}
		if (verdict.wrong.length > 0) wrong.push(`seed ${seed}: ${verdict.wrong.join('; ')}`);
	}
	expect(wrong).toEqual([]);
	// The test would pass as well for a trigger that never reports anything, or always fails.
	expect(count.events).toBeGreaterThan(WORLDS);
	expect(count.checked).toBeGreaterThan(5 * WORLDS);
	expect(count.failed).toBeLessThan(count.polls / 10);
}, 300_000);
