import { setTimeout as passing } from 'node:timers/promises';

import type { Fault } from '../../dev/sandbox';
import { until } from '../../dev/n8n/until';
import { useSandbox } from '../support/fixture';
import { createPosts, sheetOf } from '../support/sheet';

const service = useSandbox();
const posts = () => service.sandbox.requests.filter(({ method }) => method === 'POST');

/** Longer than a test may take: it ends only if the wait is cut short. */
const LONG = 200;
const limited = {
	when: { method: 'POST' },
	response: { status: 429, headers: { 'retry-after': `${LONG}` } },
};
const batching = { batch: { batchSize: 1, batchInterval: LONG * 1_000 } };

test.each<[string, number, Fault[], object]>([
	['a row that waits for a limit', 1, [limited], {}],
	['rows that wait for a limit', 5, [limited], {}],
	['a batch that waits for the one before', 5, [], { requestOptions: { batching } }],
])('a stopped execution stops waiting at once: %s', async (_, count, faults, more) => {
	const { sandbox, run } = service;
	for (const fault of faults) sandbox.faults.add(fault);
	const stop = new AbortController();
	const rows = sheetOf(sandbox, count);
	const running = run({ ...createPosts, ...more }, { rows, signal: stop.signal });
	await until('the first post', () => posts().length > 0);
	await passing(300); // its response has come
	stop.abort();
	expect((await running).error?.message).toMatch(/aborted|stopped/);
	// What was under way at the stop may still arrive; the others wait behind the refusal.
	await passing(200);
	const sent = posts().map(({ body }) => (body as { title: string }).title);
	expect(sent).toHaveLength(new Set(sent).size);
	expect(sent.length).toBeLessThanOrEqual('requestOptions' in more ? 1 : 8);
});
