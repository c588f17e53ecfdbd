import type { INode } from 'n8n-workflow';

import { customOperations } from '../../nodes/LocalSeo/rows/run';
import { contextOf } from '../support/engine';
import { incomingRow, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { ledgerOf } from '../../dev/n8n/ledger';
import { createPosts, sheetOf } from '../support/sheet';

useShortWatch();
const service = useSandbox();
const { run, requests } = service;

/** n8n's setting: the node is run again, with every row. */
const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const posts = () => requests().filter((request) => request.startsWith('POST')).length;

// With Continue, n8n runs the node again if its first item has an error.
test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'with one bad row first, every good row is posted once in three tries: %s',
	async (onError) => {
		const good = sheetOf(service.sandbox, 6);
		const rows = [{ ...good[0], location_id: 'loc_nowhere' }, ...good];
		const { json, error } = await run(createPosts, { rows, settings: { ...settings, onError } });
		if (onError === 'stopWorkflow') {
			expect(error?.message).toMatch(
				/^1 of 7 items failed; 6 were posted\. Item 1: There is no location/,
			);
		} else {
			expect(json.map(({ id }) => typeof id)).toEqual(['undefined', ...Array(6).fill('string')]);
		}
		// The bad row is refused each time.
		expect(posts()).toBe(6 + 3);
		expect(ledgerOf(service.sandbox, good, []).twice).toEqual([]);
	},
);

test('a location that an earlier try has updated comes out as updated', async () => {
	const bakery = service.sandbox.account.addLocation({
		name: 'Bakery',
		address: '1 Mill Lane',
		city: 'York',
	});
	service.sandbox.faults.add({ when: { method: 'POST' }, times: 1, response: { status: 409 } });
	const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };
	const rows = [
		{ name: 'Bakery', address: bakery.address, city: 'York', country: 'GB' },
		{ name: 'New one', address: '2 Mill Lane', city: 'York' },
	];
	const { json } = await run(upsert, { rows, settings });
	expect(json).toMatchObject([{ outcome: 'updated' }, { outcome: 'created' }]);
});

test('two nodes of a workflow that share an ID are two: each posts its rows', async () => {
	const { baseUrl, keys } = service.sandbox;
	const credential = { baseUrl, apiKey: keys.write };
	const rows = sheetOf(service.sandbox, 1);
	const context = contextOf({ parameters: createPosts, credential, rows });
	const { create } = customOperations.post;
	await create.call(context);
	await create.call(context); // as Retry On Fail does
	expect(posts()).toBe(1);
	// n8n hands out copies of the node.
	Object.assign((context as unknown as { node: INode }).node, { name: 'Local SEO1' });
	context.getInputData()[0].json.title = 'Another text';
	await create.call(context);
	expect(posts()).toBe(2);
});
