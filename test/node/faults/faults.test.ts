import { ledgerOf, NOTHING_WRONG } from '../../../dev/n8n/ledger';
import type { Fault } from '../../../dev/sandbox';
import { MAX_ATTEMPTS } from '../../../nodes/LocalSeo/client/http/send';
import { fixtureOf, freshSandbox, goOn } from '../../support/fixture';
import { type DrawnBy, fc, RUNS, SEED } from '../../support/random';
import { useShortWatch } from '../../support/shortWatch';
import { postSheet, sheetOf } from '../../support/sheet';

// Faults on real connections: no row is lost, none is posted twice. What is done late is a matter of
// virtual time (test/simulation/worlds): here a busy machine would decide.

useShortWatch(1 / 50);
jest.setTimeout(1_200_000 + RUNS * 1_000);

/** Milliseconds; what is answered is answered far sooner, also on a slow machine with all tests under way. */
const TIMEOUT = 6_000;
const parameters = { ...postSheet, requestOptions: { timeout: TIMEOUT } };

// The first request loads half of n8n-core, which on a busy machine takes longer than a timeout.
beforeAll(async () => {
	const sandbox = await freshSandbox();
	await fixtureOf(() => sandbox).run(postSheet, { rows: sheetOf(sandbox, 1) });
	await sandbox.close();
});

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
			body: fc.constantFrom({ message: 'Something is off' }, '<html></html>', undefined),
		}),
		actFirst: fc.boolean(),
	}),
	fc
		.constantFrom<
			Record<string, string>
		>(...[{ 'retry-after': '0' }, { 'retry-after': '-3' }, { 'retry-after': '0.2' }], { ratelimit: '"default";r=0;t=1', 'retry-after': '0.1' })
		.map((headers) => ({ response: { status: 429, headers } })),
	fc.record({ delayMs: fc.constantFrom(20, TIMEOUT + 100), actFirst: fc.constant(true) }),
);
const fault = fc
	.tuple(happening, fc.constantFrom('POST', 'POST', 'GET'))
	.map(([what, method]): Fault => ({ ...what, when: { method }, times: 1 }));
const schedule = fc.record({
	// One less than the attempts of a request: all of them may hit the same one.
	faults: fc.array(fault, { maxLength: MAX_ATTEMPTS - 1 }),
	count: fc.integer({ min: 1, max: 24 }),
	pageSize: fc.integer({ min: 1, max: 20 }),
	/** Requests a second; undefined: no limit. */
	requestsPerSecond: fc.option(fc.integer({ min: 15, max: 60 }), { nil: undefined, freq: 3 }),
});

/** True if a create may have been left without an answer of the service, or got its own 500. */
function isLost({ when, response = {}, dropConnection, delayMs = 0 }: Fault): boolean {
	const { status = 0, cutAfterBytes } = response;
	const isSilent = dropConnection ?? (delayMs > TIMEOUT || cutAfterBytes !== undefined);
	return when?.method === 'POST' && (isSilent || status >= 500 || status === 408);
}

const check = async (drawn: DrawnBy<typeof schedule>, repeats = 2): Promise<void> => {
	const { faults, count, ...options } = drawn;
	const sandbox = await freshSandbox({ locations: 3, ...options });
	const rows = sheetOf(sandbox, count);
	for (const one of faults) sandbox.faults.add(one);
	const { json, error } = await fixtureOf(() => sandbox).run(parameters, { rows, ...goOn });
	expect(error).toBeUndefined();
	const { failed, ...wrong } = ledgerOf(sandbox, rows, json);
	expect({ ...wrong, failed: [] }).toEqual(NOTHING_WRONG);
	// A row fails that got a 500, or that was lost twice.
	const lost = faults.filter(isLost);
	const refused = lost.filter(({ response }) => response?.status === 500).length;
	const most = refused + Math.floor((lost.length - refused) / 2);
	await sandbox.close();
	// On a busy machine, other requests may time out, too.
	if (failed.length > most && repeats > 0) return await check(drawn, repeats - 1);
	expect(failed.length).toBeLessThanOrEqual(most);
	for (const one of failed) {
		expect(JSON.stringify(one)).toMatch(
			/Could not confirm|Connection lost|did not respond|unable to|rejected/,
		);
	}
};

/** Schedules wait most of the time: several go on side by side. */
const AT_ONCE = 8;
test(`${RUNS} random schedules of faults (seed ${SEED})`, async () => {
	const numRuns = Math.ceil(RUNS / AT_ONCE);
	const property = fc.asyncProperty(schedule, async (one) => await check(one));
	const seeds = Array.from({ length: AT_ONCE }, (_, index) => SEED + index);
	const how = { numRuns, endOnFailure: true };
	await Promise.all(seeds.map(async (seed) => await fc.assert(property, { ...how, seed })));
});
