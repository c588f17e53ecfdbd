import { setTimeout as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Outcome } from '../faults';
import { PLAIN, type World } from './dimensions';
import type { Played } from './judge';
import { play } from './run';

const MB = 1024 * 1024;
const lost: Outcome = { acts: 0, after: 0, reply: 'ECONNRESET' };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes; what waits for its turn to be released is released. */
async function heapUsed(): Promise<number> {
	for (let times = 0; times < 3; times++) {
		await turn(20);
		collect();
	}
	return process.memoryUsage().heapUsed;
}

const posting = (count: number, more: World['more'], writes: Outcome[]): World => {
	return { ...PLAIN, readsFirst: false, count, more, writes };
};

/** Holds the memory of the client until the end, and nothing else of a world. */
const keep = ({ account, service }: Played) => ({ account, sent: service.requests.length });

test.each<[string, World['more'], number, Outcome[], number]>([
	['rows that were posted', 'nothing', 1_000, [], 1_000],
	['long rows whose response was lost', 'too much', 48, Array<Outcome>(48).fill(lost), 20],
])('less than 20 MB are kept of %s', async (_, more, count, writes, least) => {
	// The first run compiles and caches more than the client keeps.
	await play(posting(3, more, writes.slice(0, 1)));
	const before = await heapUsed();
	const { account, sent } = await play(posting(count, more, writes)).then(keep);
	expect((await heapUsed()) - before).toBeLessThan(20 * MB);
	expect(sent).toBeGreaterThanOrEqual(least);
	expect(account).toBeDefined();
});
