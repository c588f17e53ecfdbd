import { getEventListeners } from 'node:events';
import { setTimeout as passing } from 'node:timers/promises';

import { onItsOwn, useSandbox } from '../support/fixture';
import { failure } from '../support/hostFeatures';
import { ledgerOf, NOTHING_WRONG } from '../../harness/ledger';
import { createPosts, sheetOf } from '../support/sheet';
import { useShortWatch } from '../support/shortWatch';

// No further, or the hint about a long run would not come.
useShortWatch(1 / 15);

const list = { resource: 'location', operation: 'getAll', returnAll: true };

test.concurrent(
	'a rate limit needs no setting: every row is posted once',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.setRateLimit(20);
		const rows = sheetOf(sandbox, 100);
		const { json, error } = await run(createPosts, { rows });
		expect(error).toBeUndefined();
		expect(ledgerOf(sandbox, rows, json)).toEqual(NOTHING_WRONG);
	}),
);

test.concurrent(
	'a few requests start in parallel, and more as they are answered',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add({ delayMs: 300 });
		await run(createPosts, { rows: sheetOf(sandbox, 120) });
		const inFlight = sandbox.requests.map((request) => request.inFlight);
		expect(Math.max(...inFlight.slice(0, 4))).toBeLessThanOrEqual(4);
		expect(Math.max(...inFlight)).toBeGreaterThan(16);
		expect(Math.max(...inFlight)).toBeLessThanOrEqual(64);
	}),
);

test.concurrent(
	'the wait that the service asks for holds for every request of the key',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add({
			times: 1,
			response: { status: 429, headers: { 'retry-after': '1' } },
		});
		// Those that started with it are answered after it.
		sandbox.faults.add({ times: 3, delayMs: 500 });
		await run(createPosts, { rows: sheetOf(sandbox, 12) });
		const [first, ...others] = sandbox.requests;
		const after = others.slice(3);
		expect(after).toHaveLength(9);
		expect(Math.min(...after.map(({ at }) => at))).toBeGreaterThanOrEqual(first.at + 990);
	}),
);

test.concurrent(
	'a request gives up after Max Wait, and says how long it waited and what the service said',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add({
			response: { status: 429, body: { message: 'Daily quota' }, headers: { 'retry-after': '1' } },
		});
		const { error } = await run({ ...list, options: { maxWait: 5 } });
		expect(error).toMatchObject({ httpCode: '429', ...failure({ cause: 'rate-limited' }) });
		expect(error?.description).toMatch(
			/The service said: "Daily quota"\. This request was sent \d times in [\d.]+ s/,
		);
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
		// The last rows are refused as well, after they have waited for twice that time.
		sandbox.faults.add({
			when: { body: { title: 'Late' } },
			times: 1,
			response: { status: 429 },
		});
		const more = [...sheetOf(sandbox, 60), { ...rows[0], title: 'Late' }];
		const second = await run({ ...createPosts, options: { maxWait: 4 } }, { rows: more });
		expect(second.error).toBeUndefined();
	}),
);

test.concurrent(
	'a run that had to wait says why',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.setRateLimit(5);
		const { error, hints } = await run(createPosts, { rows: sheetOf(sandbox, 40) });
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			expect.stringMatching(/^This run took \d+ s: the service limits the number of requests\.$/),
		]);
		const quick = await run(createPosts, { rows: sheetOf(sandbox, 2) });
		expect(quick.hints).toEqual([]);
	}),
);

const refused = { response: { status: 401 }, delayMs: 1_500 };
const continues = { onError: 'continueRegularOutput' as const };

test.concurrent(
	'a key that is refused in the middle of a sheet is not sent for the rows that wait, and they say so',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add(refused);
		const rows = sheetOf(sandbox, 30);
		const { json } = await run(createPosts, { rows, settings: continues });
		expect(sandbox.requests).toHaveLength(4);
		const errors = json.map(({ error }) => error as { message: string; description: string });
		expect(errors).toHaveLength(30);
		expect(errors.every(({ message }) => message.includes('does not accept this API key'))).toBe(
			true,
		);
		const unsent = errors.filter(({ description }) =>
			description.includes('this one was not sent'),
		);
		expect(unsent).toHaveLength(26);
	}),
);

test.concurrent(
	'a wait of a day is given up at once, and does no harm to later requests',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add({
			times: 1,
			response: { status: 429, headers: { 'retry-after': '86400' } },
		});
		const { error } = await run({ ...list, options: { maxWait: 3 } });
		expect(error).toMatchObject(failure({ cause: 'rate-limited', retryAfterMs: 86_400_000 }));
		expect(sandbox.requests).toHaveLength(1);
	}),
);

test.concurrent(
	'requests that queue behind a long wait are given up without being sent',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add({ response: { status: 429, headers: { 'retry-after': '600' } } });
		const { json } = await run(
			{ ...createPosts, options: { maxWait: 2 } },
			{ rows: sheetOf(sandbox, 30), settings: { onError: 'continueRegularOutput' } },
		);
		const messages = json.map(({ error }) => (error as { message: string }).message);
		expect(messages).toHaveLength(30);
		expect(messages[29]).toMatch(
			/^Row 30 of 30: Rate limit reached: the service asks to wait another/,
		);
		expect(sandbox.requests.length).toBeLessThanOrEqual(4);
		expect(JSON.stringify(json[29])).toMatch(/Could not create a content post .* had no effect/);
	}),
);

const service = useSandbox();

test.each([1, 5])(
	'a stopped execution of %d rows stops waiting, and leaves no timers behind',
	async (rows) => {
		const timers: AbortSignal[] = [];
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		const made = jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
			const timer = timeout(milliseconds);
			if (milliseconds > 100_000) timers.push(timer);
			return timer;
		});
		// Longer than this test may take: it ends only if the wait is cut short.
		service.sandbox.faults.add({ response: { status: 429, headers: { 'retry-after': '200' } } });
		const stop = new AbortController();
		const running = service.run(createPosts, {
			rows: sheetOf(service.sandbox, rows),
			signal: stop.signal,
		});
		while (timers.length === 0) await passing(10);
		stop.abort();
		expect((await running).error?.message).toMatch(/aborted|stopped/);
		made.mockRestore();
		await passing(0);
		expect(timers.map((timer) => getEventListeners(timer, 'abort').length)).toEqual(
			timers.map(() => 0),
		);
		// What was under way at the stop may still arrive; the fifth row waits behind the refusal.
		await passing(200);
		const sent = service.sandbox.requests.map(({ body }) => (body as { title: string }).title);
		expect(sent).toHaveLength(new Set(sent).size);
		expect(sent.length).toBeLessThanOrEqual(Math.min(rows, 4));
	},
);

test.concurrent(
	'a create that failed without saying whether it worked is a reason for a run to take long, and the hint says so',
	onItsOwn(async ({ sandbox, run }) => {
		const response = { status: 503 };
		sandbox.faults.add({ when: { method: 'POST' }, times: 1, response });
		const rows = sheetOf(sandbox, 3);
		const { json, error, hints } = await run(createPosts, { rows });
		expect(error).toBeUndefined();
		expect(ledgerOf(sandbox, rows, json)).toEqual(NOTHING_WRONG);
		expect(hints).toEqual([
			expect.stringMatching(
				/^This run took \d+ s: after a failure of the service, the list is checked before anything is sent again\.$/,
			),
		]);
	}),
);
