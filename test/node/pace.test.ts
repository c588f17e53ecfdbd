import { setTimeout as passing } from 'node:timers/promises';

import type { Fault, Sandbox } from '../../dev/sandbox';
import { until } from '../../dev/n8n/until';
import { onItsOwn } from '../support/fixture';
import { failure } from '../support/hostFeatures';
import { ledgerOf, NOTHING_WRONG } from '../../dev/n8n/ledger';
import { createPosts, sheetOf } from '../support/sheet';

const list = { resource: 'location', operation: 'getAll', returnAll: true };

test.concurrent(
	'a request gives up after Max Wait, and says how long it waited and what the service said',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add({
			response: { status: 429, body: { message: 'Daily quota' }, headers: { 'retry-after': '1' } },
		});
		const { error } = await run({ ...list, options: { maxWait: 15 } });
		expect(error).toMatchObject({ httpCode: '429', ...failure({ cause: 'rate-limited' }) });
		expect(error?.description).toMatch(
			/The service said: "Daily quota"\. This request was sent \d+ times in [\d.]+ s/,
		);
	}),
);

test.concurrent(
	'no response for longer than Max Wait: it is not sent again',
	onItsOwn(async ({ sandbox, run, requests }) => {
		sandbox.faults.add({ delayMs: 60_000 });
		const requestOptions = { timeout: 2_000 };
		const { error } = await run({ ...list, options: { maxWait: 1 }, requestOptions });
		expect(error?.message).toBe('The service did not respond in time');
		expect(requests()).toHaveLength(1);
	}),
);

test.concurrent(
	'waiting behind other rows of the same sheet does not count',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.setRateLimit(10);
		const rows = sheetOf(sandbox, 80);
		const { json, error } = await run({ ...createPosts, options: { maxWait: 4 } }, { rows });
		expect(error).toBeUndefined();
		expect(ledgerOf(sandbox, rows, json)).toEqual(NOTHING_WRONG);
	}),
);

const refused = { when: { method: 'POST' }, response: { status: 401 }, delayMs: 1_500 };
const postsTo = (sandbox: Sandbox) => sandbox.requests.filter(({ method }) => method === 'POST');
const continues = { onError: 'continueRegularOutput' as const };

test.concurrent(
	'a key that is refused in the middle of a sheet is not sent for the rows that wait, and they say so',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add(refused);
		const rows = sheetOf(sandbox, 30);
		const { json } = await run(createPosts, { rows, settings: continues });
		expect(postsTo(sandbox)).toHaveLength(8);
		const errors = json.map(({ error }) => JSON.stringify(error));
		expect(errors.filter((error) => error.includes('not accept this API key'))).toHaveLength(30);
		expect(errors.filter((error) => error.includes('this one was not sent'))).toHaveLength(22);
	}),
);

test.concurrent(
	'requests that queue behind a long wait are given up without being sent',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add({
			when: { method: 'POST' },
			response: { status: 429, headers: { 'retry-after': '600' } },
		});
		const { json } = await run(
			{ ...createPosts, options: { maxWait: 2 } },
			{ rows: sheetOf(sandbox, 30), settings: { onError: 'continueRegularOutput' } },
		);
		const messages = json.map(({ error }) => (error as { message: string }).message);
		expect(messages).toHaveLength(30);
		expect(messages[29]).toMatch(
			/^Item 30: Rate limit reached: the service asks to wait another 10 minutes/,
		);
		expect(postsTo(sandbox).length).toBeLessThanOrEqual(8);
		expect(JSON.stringify(json[29])).toMatch(/Could not create a content post .* had no effect/);
	}),
);

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
