import { play } from './run';
import { worldOf } from './commandLine';
import { worlds } from './dimensions';

/** `npm run worlds` tries others, and more of them; mutation tests make do with fewer. */
const WORLDS = Number(process.env.WORLDS ?? 2_000);

test(`no row exists twice, and no report is wrong, in ${WORLDS} services made at random`, async () => {
	const wrong: string[] = [];
	const count = { done: 0, failed: 0, unconfirmed: 0 };
	for (let seed = 1; seed <= WORLDS; seed++) {
		const verdict = await play(worldOf(worlds, seed));
		// One that is overrun says 503 to many, of which each leaves a doubt; and dates that say nothing
		// leave most in doubt.
		const { bears, odd } = verdict.world;
		if (bears === Infinity && odd.listDates === 'the same') {
			for (const { said } of verdict.reports) count[said]++;
		}
		if (verdict.wrong.length > 0) wrong.push(`seed ${seed}: ${verdict.wrong.join('; ')}`);
	}
	expect(wrong).toEqual([]);
	// The test would pass as well for a client that never confirms anything.
	expect(count.unconfirmed).toBeLessThan(count.done / 4);
}, 300_000);
