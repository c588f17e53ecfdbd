import fc from 'fast-check';

import type { Sandbox } from '../../sandbox';
import { runNode } from '../support/engine';
import { always, RUNS, SEED, withSandbox } from '../support/property';

jest.setTimeout(60_000 + RUNS * 1_000);

/** What happens to the list between two requests of its pages. */
const change = fc.record({
	/** Before the request of this number. */
	before: fc.integer({ min: 1, max: 8 }),
	what: fc.constantFrom('add', 'remove'),
	/** Which record is removed, as a part of the list. */
	where: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

const reading = fc.record({
	locations: fc.integer({ min: 1, max: 40 }),
	pageSize: fc.integer({ min: 1, max: 12 }),
	/** One at a time: a total does not show that one was added and another removed in between. */
	changes: fc.uniqueArray(change, { maxLength: 5, selector: ({ before }) => before }),
	/** Newest first, as many services list. */
	isNewestFirst: fc.boolean(),
});

function apply(sandbox: Sandbox, { what, where }: { what: string; where: number }) {
	const { account } = sandbox;
	if (what === 'add') {
		account.addLocation({ name: 'Added while it was read' });
	} else {
		const one = account.locations[Math.floor(where * account.locations.length)];
		if (one) account.removeLocation(one.id);
	}
}

test(`${RUNS} lists that change while they are read: none twice, none missing, or it is reported (seed ${SEED})`, async () => {
	let reported = 0;
	let whole = 0;
	await always(reading, RUNS, async ({ locations, pageSize, changes, isNewestFirst }) => {
		await withSandbox({ locations, pageSize }, async (sandbox) => {
			const { account } = sandbox;
			const before = account.locations.map(({ id }) => id);
			let requests = 0;
			sandbox.faults.add({
				transform: ({ meta }, { query }) => {
					requests++;
					for (const one of changes) if (one.before === requests) apply(sandbox, one);
					const page = Number(query.page ?? 1);
					const all = isNewestFirst ? [...account.locations].reverse() : account.locations;
					return {
						data: all.slice((page - 1) * pageSize, page * pageSize),
						meta: { ...meta, current_page: page, total: all.length },
					};
				},
			});
			const { json, error } = await runNode({
				parameters: { resource: 'location', operation: 'getAll', returnAll: true },
				credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.read },
			});
			if (error) {
				reported++;
				expect(error.message).toMatch(/^(Row .*)?Incomplete list: /);
				return;
			}
			whole++;
			const ids = json.map(({ id }) => id as string);
			expect(ids).toEqual([...new Set(ids)]);
			const always = before.filter((id) => account.locations.some((one) => one.id === id));
			expect(always.filter((id) => !ids.includes(id))).toEqual([]);
		});
	});
	// The property would hold as well for a node that always complains.
	expect(reported).toBeLessThan(whole / 4);
});
