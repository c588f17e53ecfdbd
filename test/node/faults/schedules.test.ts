import type { Fault } from '../../../dev/sandbox';
import { MAX_ATTEMPTS } from '../../../nodes/LocalSeo/client/http/send';
import { runNode } from '../../support/engine';
import { useShortWatch } from '../../support/shortWatch';
import { ledgerOf, NOTHING_WRONG } from '../../../dev/n8n/ledger';
import { postSheet, sheetOf } from '../../support/sheet';
import { always, withSandbox } from '../../support/property';
import { fc, RUNS, SEED } from '../../support/random';

useShortWatch();
jest.setTimeout(60_000 + RUNS * 1_000);

/** Milliseconds; far above what a response takes here, also while other schedules are under way. */
const TIMEOUT = 4_000;

/** What may happen to a request; the service acts or not, and says so or not. */
const happening = fc.oneof(
	fc.record({ dropConnection: fc.constant(true as const), actFirst: fc.boolean() }),
	fc.record({
		response: fc.record({ cutAfterBytes: fc.nat({ max: 60 }) }),
		actFirst: fc.constant(true),
	}),
	fc.record({
		response: fc.record({
			status: fc.constantFrom(500, 502, 503, 504, 408),
			body: fc.constantFrom(
				{ message: 'Something is off' },
				'<html><title>Gateway</title></html>',
				undefined,
			),
		}),
		actFirst: fc.boolean(),
	}),
	fc.record({
		response: fc.record({
			status: fc.constantFrom(429, 503),
			headers: fc.constantFrom<Record<string, string>[]>(
				{ 'retry-after': '0' },
				{ 'retry-after': '-3' },
				{ 'retry-after': '0.2' },
				{ ratelimit: '"default";r=0;t=1', 'retry-after': '0.1' },
			),
		}),
	}),
	fc.record({ delayMs: fc.constantFrom(20, TIMEOUT + 100), actFirst: fc.constant(true) }),
);

/** To whom it happens: the next request of that kind. */
const fault = fc
	.tuple(happening, fc.constantFrom('POST', 'POST', 'GET'))
	.map(([what, method]): Fault => {
		return { ...what, when: { method }, times: 1 };
	});

/** Whether a create may have been left without an answer of the service, or got its own 500. */
function isLost({ when, response, dropConnection, delayMs = 0 }: Fault): boolean {
	const isSilent =
		dropConnection === true || delayMs > TIMEOUT || response?.cutAfterBytes !== undefined;
	const isOfGateway = (response?.status ?? 0) >= 500 || response?.status === 408;
	return when?.method === 'POST' && (isSilent || isOfGateway);
}

/** One less than the attempts of a request: all of them may hit the same one. */
const MOST_FAULTS = MAX_ATTEMPTS - 1;

const schedule = fc.record({
	faults: fc.array(fault, { maxLength: MOST_FAULTS }),
	rows: fc.integer({ min: 1, max: 24 }),
	pageSize: fc.integer({ min: 1, max: 20 }),
	/** Requests a second; undefined: no limit. */
	rate: fc.option(fc.integer({ min: 15, max: 60 }), { nil: undefined, freq: 3 }),
});

// The first request loads half of n8n-core, which on a busy machine takes longer than a timeout.
beforeAll(async () => {
	await withSandbox({ locations: 3 }, async (sandbox) => {
		const credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.write };
		await runNode({ parameters: postSheet, credential, rows: sheetOf(sandbox, 8) });
	});
});

test(`${RUNS} random schedules of faults: no row lost, none posted twice (seed ${SEED})`, async () => {
	await always(schedule, RUNS, async ({ faults, rows: count, pageSize, rate }) => {
		await withSandbox({ locations: 3, pageSize, requestsPerSecond: rate }, async (sandbox) => {
			const rows = sheetOf(sandbox, count);
			for (const one of faults) sandbox.faults.add(one);
			const { json, error } = await runNode({
				parameters: { ...postSheet, requestOptions: { timeout: TIMEOUT } },
				credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.write },
				rows,
				settings: { onError: 'continueRegularOutput' },
			});
			expect(error).toBeUndefined();
			const { failed, ...wrong } = ledgerOf(sandbox, rows, json);
			expect({ ...wrong, failed: [] }).toEqual(NOTHING_WRONG);
			// A row fails that got a 500, or that was lost twice.
			const lost = faults.filter(isLost);
			const refused = lost.filter(({ response }) => response?.status === 500).length;
			const most = refused + Math.floor((lost.length - refused) / 2);
			expect(failed.length).toBeLessThanOrEqual(most);
			for (const one of failed)
				expect(JSON.stringify(one)).toMatch(
					/Could not confirm|Connection lost|did not respond|unable to|rejected/,
				);
		});
	});
});
