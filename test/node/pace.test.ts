import { setTimeout as passing } from 'node:timers/promises';

import type { Fault, Sandbox } from '../../dev/sandbox';
import { until } from '../../dev/n8n/until';
import { onItsOwn } from '../support/fixture';
import { createPosts, sheetOf } from '../support/sheet';

const postsTo = (sandbox: Sandbox) => sandbox.requests.filter(({ method }) => method === 'POST');

/** Longer than a test may take: it ends only if the wait is cut short. */
const LONG = 200;
const limited = {
	when: { method: 'POST' },
	response: { status: 429, headers: { 'retry-after': `${LONG}` } },
};
const batching = { batch: { batchSize: 1, batchInterval: LONG * 1_000 } };

test.concurrent.each<[string, number, Fault[], object]>([
	['a row that waits for a limit', 1, [limited], {}],
	['rows that wait for a limit', 5, [limited], {}],
	['a batch that waits for the one before', 5, [], { requestOptions: { batching } }],
])(
	'a stopped execution stops waiting at once: %s',
	onItsOwn(async ({ sandbox, run }, _, count, faults, more) => {
		for (const fault of faults) sandbox.faults.add(fault);
		const stop = new AbortController();
		const rows = sheetOf(sandbox, count);
		const running = run({ ...createPosts, ...more }, { rows, signal: stop.signal });
		await until('the first post', () => postsTo(sandbox).length > 0);
		await passing(300); // its response has come
		stop.abort();
		expect((await running).error?.message).toMatch(/aborted|stopped/);
		// What was under way at the stop may still arrive; the others wait behind the refusal.
		await passing(200);
		const sent = postsTo(sandbox).map(({ body }) => (body as { title: string }).title);
		expect(sent).toHaveLength(new Set(sent).size);
		expect(sent.length).toBeLessThanOrEqual('requestOptions' in more ? 1 : 8);
	}),
);
