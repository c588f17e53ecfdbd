import { byId, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { ledgerOf } from '../../harness/ledger';
import { createPosts, sheetOf } from '../support/sheet';

useShortWatch();
const service = useSandbox();
const { run, requests } = service;

/** n8n's setting: the node is run again, with every row. */
const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const posts = () => requests().filter((request) => request.startsWith('POST')).length;

test('with one bad row first, every good row is posted once in three tries', async () => {
	const rows = [
		{ ...sheetOf(service.sandbox, 1)[0], location_id: 'loc_nowhere' },
		...sheetOf(service.sandbox, 6),
	];
	const { error } = await run(createPosts, { rows, settings });
	expect(error?.message).toMatch(
		/^1 of 7 rows failed \(1\); 6 were posted\. Problem: There is no location/,
	);
	expect(posts()).toBe(3 + 6);
	expect(ledgerOf(service.sandbox, rows.slice(1), []).twice).toEqual([]);
});

test('also with Continue, where n8n repeats the node if the first row failed', async () => {
	const rows = [
		{ ...sheetOf(service.sandbox, 1)[0], location_id: 'loc_nowhere' },
		...sheetOf(service.sandbox, 6),
	];
	const { json } = await run(createPosts, {
		rows,
		settings: { ...settings, onError: 'continueRegularOutput' },
	});
	expect(json.map(({ id }) => typeof id)).toEqual(['undefined', ...Array(6).fill('string')]);
	expect(posts()).toBe(3 + 6);
});

test('a row that is rejected at first is posted by a later try, and the others return their first result', async () => {
	service.sandbox.faults.add({ when: { method: 'POST' }, times: 1, response: { status: 409 } });
	const rows = sheetOf(service.sandbox, 5);
	const { json, error } = await run(createPosts, { rows, settings });
	expect(error).toBeUndefined();
	expect(ledgerOf(service.sandbox, rows, json)).toEqual({ lost: [], twice: [], failed: [] });
	expect(posts()).toBe(6);
});

test('a post that may exist is looked for by the next try before anything is sent', async () => {
	const { faults } = service.sandbox;
	faults.add({ when: { method: 'POST' }, times: 1, dropConnection: true, actFirst: true });
	faults.add({ when: { method: 'GET' }, times: 1, response: { status: 403 } });
	const rows = sheetOf(service.sandbox, 1);
	const { json, error } = await run(createPosts, { rows, settings });
	expect(error).toBeUndefined();
	expect(ledgerOf(service.sandbox, rows, json)).toEqual({ lost: [], twice: [], failed: [] });
	expect(posts()).toBe(1);
});

test('a keyword is deleted once', async () => {
	const { account } = service.sandbox;
	const [{ id }] = account.keywordsOf(account.locations[0].id);
	const { json } = await run(
		{ resource: 'keyword', operation: 'delete', keywordId: byId('={{ $json.id }}') },
		{
			rows: [{ id: 'kw_nowhere' }, { id }],
			settings: { ...settings, onError: 'continueRegularOutput' },
		},
	);
	expect(json[1]).toEqual({ id, deleted: true });
	expect(requests().filter((request) => request === `DELETE /keywords/${id}`)).toHaveLength(1);
});

test('another execution with the same rows is not held back', async () => {
	const rows = sheetOf(service.sandbox, 2);
	await run(createPosts, { rows, settings });
	await run(createPosts, { rows, settings });
	expect(posts()).toBe(4);
});

test('the same content in two rows of one run is two posts', async () => {
	const [row] = sheetOf(service.sandbox, 1);
	const { json } = await run(createPosts, { rows: [row, row], settings });
	expect(posts()).toBe(2);
	expect(new Set(json.map(({ id }) => id)).size).toBe(2);
});

test('a post that was answered with a web page, and is seen only later, is not sent again', async () => {
	const { faults } = service.sandbox;
	const page = '<html><title>Welcome</title></html>';
	faults.add({
		when: { method: 'POST' },
		times: 1,
		actFirst: true,
		response: { status: 200, body: page },
	});
	faults.add({ when: { method: 'GET' }, times: 1, response: { status: 403 } });
	const rows = sheetOf(service.sandbox, 1);
	const { json, error } = await run(createPosts, { rows, settings });
	expect(error).toBeUndefined();
	expect(ledgerOf(service.sandbox, rows, json)).toEqual({ lost: [], twice: [], failed: [] });
	expect(posts()).toBe(1);
});
