import type { INode } from 'n8n-workflow';

import { customOperations } from '../../nodes/LocalSeo/rows/run';
import { contextOf } from '../support/engine';
import { incomingRow, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { createPosts, postSheet, sheetOf } from '../support/sheet';

// n8n runs the node again with every row: what a row has done it has done. Rows in doubt: unit/client/createdOnce.

useShortWatch();
const service = useSandbox();
const { run, requests } = service;
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
			const message = /^1 of 7 items failed; 6 were posted\. Item 1: There is no location/;
			expect(error?.message).toMatch(message);
		} else {
			expect(json.map(({ id }) => typeof id)).toEqual(['undefined', ...Array(6).fill('string')]);
		}
		// The bad row is refused each time.
		expect(posts()).toBe(6 + 3);
	},
);

test('rows that an earlier try has posted come out as that, also where a later one stops', async () => {
	const sheet = sheetOf(service.sandbox, 3).map((row) => ({ ...row, teaser: 'y' }));
	const refused = { method: 'POST', body: { title: 'Offer number 1' } };
	service.sandbox.faults.add({ when: refused, response: { status: 422 } });
	// In the first try, posts show the field. Without it, its column stops the run.
	const when = { method: 'GET', path: '/locations/*/posts' };
	const showing = (teaser?: string) => (body: { data: object[] }) => ({
		...{ ...body, data: body.data.map((post) => ({ ...post, teaser })) },
	});
	service.sandbox.faults.add({ when, times: 3, transform: showing('x') });
	service.sandbox.faults.add({ when, transform: showing() });
	const more = { settings: { ...settings, onError: 'continueRegularOutput' as const } };
	const { json } = await run(postSheet, { rows: sheet, ...more });
	expect(json).toMatchObject([{ error: {} }, { outcome: 'created' }, { outcome: 'created' }]);
	expect(posts()).toBe(3);
});

test('a row in doubt that the list shows by the next try is created, and not sent again', async () => {
	const [row] = sheetOf(service.sandbox, 1);
	const { faults } = service.sandbox;
	faults.add({ when: { method: 'POST' }, times: 1, actFirst: true, dropConnection: true });
	// The list is shown before it is sent; each look at it is refused.
	const when = { method: 'GET', path: '/locations/*/posts' };
	faults.add({ when, times: 1, delayMs: 0 });
	faults.add({ when, times: 6, response: { status: 403 } });
	const { json } = await run(postSheet, { rows: [row], settings });
	expect(json).toMatchObject([{ outcome: 'created', title: row.title }]);
	expect(posts()).toBe(1);
});

test('a location that an earlier try has updated comes out as updated', async () => {
	const bakery = { name: 'Bakery', address: '1 Mill Lane', city: 'York' };
	service.sandbox.account.addLocation(bakery);
	service.sandbox.faults.add({ when: { method: 'POST' }, times: 1, response: { status: 409 } });
	const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };
	const rows = [
		{ ...bakery, country: 'GB' },
		{ ...bakery, name: 'New one', address: '2 Mill Lane' },
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
