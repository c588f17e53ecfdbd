import { setTimeout as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Outcome } from '../faults';
import { PLAIN, type World } from './dimensions';
import type { Played } from './judge';
import { play } from './run';

const MB = 1024 * 1024;
const lost: Outcome = { acts: 0, after: 0, reply: 'ECONNRESET' };
const silent: Outcome = { acts: Infinity, after: Infinity };

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

test('a service that is silent for good costs 1,000 rows one patience, and few requests', async () => {
	const world = posting(1_000, 'nothing', Array<Outcome>(5_000).fill(silent));
	const { wrong, service, reports } = await play(world);
	expect(wrong).toEqual([]);
	expect(reports.some(({ said }) => said === 'done')).toBe(false);
	const began = Math.min(...reports.map(({ calledAt }) => calledAt));
	expect(Math.max(...reports.map(({ endedAt }) => endedAt)) - began).toBeLessThan(375_000);
	expect(service.requests.length).toBeLessThan(300);
});

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
