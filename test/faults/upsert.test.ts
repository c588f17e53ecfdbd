import fc from 'fast-check';

import type { Fault } from '../../sandbox';
import { runNode } from '../support/engine';
import { incomingRow } from '../support/fixture';
import { always, RUNS, SEED, withSandbox } from '../support/property';
import { useShortWatch } from '../support/shortWatch';

useShortWatch();
/** Each waits for what is in doubt. */
const SHEETS = Math.ceil(RUNS / 4);
jest.setTimeout(60_000 + SHEETS * 2_000);

const ADDRESSES = ['1 High Street', '2 Mill Lane', '3 Park Row'];
const city = fc.constantFrom('Leeds', 'York', 'Hull', 'Ulm');
const country = fc.constantFrom('GB', 'DE', '');

/** A row of the sheet; an empty cell changes nothing. */
const row = fc.record({
	name: fc.constantFrom('Corner Bakery', 'corner  bakery', 'Corner Bakery '),
	address: fc.constantFrom(...ADDRESSES),
	city,
	country,
});

const fault = fc.record({
	when: fc.record({ method: fc.constantFrom('POST', 'PATCH') }),
	times: fc.constant(1),
	what: fc.oneof(
		fc.record({ dropConnection: fc.constant(true as const), actFirst: fc.boolean() }),
		fc.record({
			response: fc.record({ status: fc.constantFrom(500, 502, 504) }),
			actFirst: fc.boolean(),
		}),
		fc.record({ response: fc.record({ status: fc.constantFrom(403, 409, 422) }) }),
		fc.record({ delayMs: fc.constantFrom(5, 60), actFirst: fc.boolean() }),
	),
});

const sheet = fc.record({
	rows: fc.array(row, { minLength: 1, maxLength: 12 }),
	existing: fc.subarray(ADDRESSES),
	faults: fc.array(fault, { maxLength: 6 }),
	/** Seconds; with none, what is in doubt stays so. */
	maxWait: fc.constantFrom(0, 2),
});

test(`${SHEETS} sheets with rows for the same locations, and faults: none twice, the last row counts (seed ${SEED})`, async () => {
	let done = 0;
	let failed = 0;
	await always(sheet, SHEETS, async ({ rows, existing, faults, maxWait }) => {
		await withSandbox({ locations: 2 }, async (sandbox) => {
			const { account } = sandbox;
			for (const address of existing) {
				const shop = { name: 'Corner Bakery', address, city: 'Kiel', country: 'DE' };
				account.addLocation(shop).created_at = '2026-01-01T00:00:00Z';
			}
			for (const { what, ...one } of faults) sandbox.faults.add({ ...one, ...what } as Fault);
			const { json, error } = await runNode({
				parameters: {
					resource: 'location',
					operation: 'upsert',
					fields: incomingRow,
					options: { maxWait },
				},
				credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.write },
				rows,
				settings: { onError: 'continueRegularOutput' },
			});
			expect(error).toBeUndefined();
			expect(json).toHaveLength(rows.length);
			for (const address of ADDRESSES) {
				const shops = account.locations.filter((shop) => shop.address === address);
				expect(shops.length).toBeLessThanOrEqual(1);
				const own = rows.flatMap((one, index) => (one.address === address ? [index] : []));
				const successes = own.filter((index) => !('error' in json[index]));
				done += successes.length;
				failed += own.length - successes.length;
				for (const field of ['city', 'country'] as const) {
					const filled = (index: number) => rows[index][field] !== '';
					const last = successes.filter(filled).pop();
					if (last === undefined) continue;
					// A row that failed after it may have taken effect.
					const possible = own.filter((index) => index >= last && filled(index));
					const isPossible = (index: number) => index === last || 'error' in json[index];
					const values = possible.filter(isPossible).map((index) => rows[index][field]);
					expect(values).toContain(shops[0][field]);
				}
				const ids = successes.map((index) => json[index].id);
				expect(ids.every((id) => id === shops[0].id)).toBe(true);
			}
		});
	});
	// The property would hold as well for a node that always fails.
	expect(failed).toBeLessThan(done);
});
