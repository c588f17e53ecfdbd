import { setTimeout as passing } from 'node:timers/promises';

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

test.each([
	['a row that waits', 1],
	['rows that wait', 5],
])('a stopped execution stops waiting at once: %s for a limit', async (_, count) => {
	const { sandbox, run } = service;
	sandbox.faults.add(limited);
	const stop = new AbortController();
	const rows = sheetOf(sandbox, count);
	const running = run(createPosts, { rows, signal: stop.signal });
	await until('the first post', () => posts().length > 0);
	await passing(300); // its response has come
	stop.abort();
	expect((await running).error?.message).toMatch(/aborted|stopped/);
	// What was under way at the stop may still arrive; the others wait behind the refusal.
	await passing(200);
	const sent = posts().map(({ body }) => (body as { title: string }).title);
	expect(sent).toHaveLength(new Set(sent).size);
	expect(sent.length).toBeLessThanOrEqual(8);
});
