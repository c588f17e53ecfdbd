import type { IDataObject } from 'n8n-workflow';

import { customOperations } from '../../nodes/LocalSeo/rows/customOperations';
import { resources } from '../../nodes/LocalSeo/service';
import { executionAt, hostAt, type Respond, useVirtualTime } from '../support/nodeAt';

const clock = useVirtualTime();
const bread = { title: 'Bread', content: 'Fresh every day' };
const byRow = '={{ $json.shop }}';
const shops = [{ shop: 'loc_1' }, { shop: 'loc_2' }, { shop: 'loc_3' }];

/** A run of an operation over these rows, at a service that answers like this. */
function runOf(
	respond: Respond,
	[resource, operation]: [string, string],
	rows: object[],
	own: IDataObject = {},
	node: object = {},
) {
	const host = hostAt(clock, respond);
	const parameters = {
		...{ resource, operation, locationId: byRow, options: {}, returnAll: true },
		...{ dataToSend: 'fields', fields: { mappingMode: 'autoMapInputData', value: null } },
		...own,
	};
	const { context, hints } = executionAt(host, parameters, rows, node);
	const run = async () => {
		const [items] = (await clock.run(
			customOperations[resource][operation].call(context) as Promise<unknown>,
		)) as Array<Array<{ json: IDataObject; pairedItem: object }>>;
		return items;
	};
	return { host, context, run, hints, asked: host.asked };
}
const POSTS: [string, string] = ['post', 'getAll'];
const CREATE: [string, string] = ['post', 'create'];
/** A post for each location, but none for one of them, and none may be read of another. */
const postOf: Respond = ({ url }) => [{ id: `post of ${url.split('/')[2]}` }];
const jsons = (items: Array<{ json: object }>) => items.map(({ json }) => json);

test('every operation of every resource can be run', () => {
	for (const { value, operations } of resources) {
		expect(Object.keys(customOperations[value])).toEqual(operations.map((one) => one.value));
	}
});

describe('a run', () => {
	test('has the items of all rows in their order, each paired with its row', async () => {
		const slowFirst: Respond = ({ url }) => (url.includes('loc_2') ? [] : [{ id: url }, { id: 2 }]);
		const { run } = runOf(slowFirst, POSTS, shops);
		expect(await run()).toEqual([
			{ json: { id: '/locations/loc_1/posts' }, pairedItem: { item: 0 } },
			{ json: { id: 2 }, pairedItem: { item: 0 } },
			{ json: { id: '/locations/loc_3/posts' }, pairedItem: { item: 2 } },
			{ json: { id: 2 }, pairedItem: { item: 2 } },
		]);
	});

	test('says nothing where all went as it should', async () => {
		const { run, context, hints } = runOf(postOf, POSTS, shops);
		const added = jest.spyOn(context, 'addExecutionHints');
		await run();
		expect([added.mock.calls.length, hints]).toEqual([0, []]);
	});

	test('says for which rows there was nothing', async () => {
		const { run, hints } = runOf(({ url }) => (url.includes('loc_2') ? [] : [1]), POSTS, shops);
		await run();
		expect(hints).toEqual([expect.stringContaining('were found for 1 of 3 rows (2)')]);
	});

	test('has the columns of a row beside its results where the row wants that', async () => {
		const rows = [
			{ shop: 'loc_1', include: true },
			{ shop: 'loc_2', include: false },
		];
		const options = { includeInputFields: '={{ $json.include }}' };
		const { run } = runOf(postOf, POSTS, rows, { options });
		expect(jsons(await run())).toEqual([
			{ shop: 'loc_1', include: true, id: 'post of loc_1' },
			{ id: 'post of loc_2' },
		]);
	});

	test('says how many rows existed already', async () => {
		const { run, hints } = runOf(() => [{ id: 'post_1', ...bread }], CREATE, [
			{ shop: 'loc_1', ...bread },
		]);
		await run();
		expect(hints).toEqual(['1 skipped because it already exists.']);
	});

	test('that is dry says what would become of its rows', async () => {
		const rows = [{ shop: 'loc_1', ...bread }, { shop: 'loc_1' }];
		const { run, hints, asked } = runOf(() => [], CREATE, rows, { options: { dryRun: true } });
		const items = await run();
		expect(items.map(({ json }) => json.action)).toEqual(['create', 'invalid']);
		expect(hints).toEqual(['Dry run, nothing was changed: 1 would be created, 1 invalid (2).']);
		expect(asked().every((request) => request.startsWith('GET'))).toBe(true);
	});

	test('says what held it up for long', async () => {
		const began = clock.now();
		const limited: Respond = () => (clock.now() - began < 20_000 ? 429 : [{ id: 1 }]);
		const { run, hints } = runOf(limited, POSTS, [{ shop: 'loc_1' }]);
		await run();
		expect(hints).toEqual([expect.stringMatching(/^This run took \d+ s: the service /)]);
	});
});

describe('where rows fail', () => {
	/** The second shop may not be read. */
	const refusing: Respond = (sent) => (sent.url.includes('loc_2') ? 403 : postOf(sent));

	test('all rows are processed before the node stops, and it says which failed', async () => {
		const { run, asked, hints } = runOf(refusing, POSTS, shops);
		await expect(run()).rejects.toThrow(/^1 of 3 rows failed \(2\); 2 were read\. Problem: /);
		expect(asked()).toHaveLength(3);
		expect(hints).toEqual([]);
	});

	test('the first problem is that of the first row, whichever failed first', async () => {
		let answers = 0;
		const rows = [1, 2, 3, 4, 5, 6].map((id) => ({ shop: `loc_${id}` }));
		const { run, host, hints } = runOf(() => 403, POSTS, rows);
		const { httpRequestWithAuthentication: send } = host.own.helpers;
		host.own.helpers.httpRequestWithAuthentication = async function (...of) {
			await clock.sleep(1_000 - 100 * ++answers);
			return await send.apply(this, of);
		};
		host.continues = true;
		await run();
		expect(hints).toEqual([expect.stringContaining('All 6 rows failed. First problem: ')]);
		expect(hints[0]).toContain('of location "loc_1"');
	});

	test('they are items in their places where the node goes on', async () => {
		const { run, host, hints } = runOf(refusing, POSTS, shops);
		host.continues = true;
		expect(jsons(await run())).toEqual([
			{ id: 'post of loc_1' },
			{ shop: 'loc_2', error: expect.objectContaining({ httpCode: '403' }) as object },
			{ id: 'post of loc_3' },
		]);
		expect(hints).toEqual([
			expect.stringMatching(/^1 of 3 rows failed \(2\); .* has its reason in the field "error"\.$/),
		]);
	});

	test('they leave through the second output where it is connected', async () => {
		const node = { onError: 'continueErrorOutput' };
		const { run, host, hints } = runOf(refusing, POSTS, shops, {}, node);
		host.continues = true;
		expect(jsons(await run())[1]).toEqual({ error: expect.anything() as object });
		expect(hints).toEqual([expect.stringContaining('are on the error output')]);
	});

	test.each<[string, IDataObject, RegExp]>([
		['may be run again', {}, /You can safely run all rows again/],
		['must not be run again', { ifExists: 'create' }, /Do not run all rows again/],
	])('it says that the others %s, after a create', async (_, own, advice) => {
		const respond: Respond = ({ method, url, body }) => {
			if (url.includes('loc_2')) return 403;
			return method === 'GET' ? [] : { id: 'post_1', ...(JSON.parse(String(body)) as object) };
		};
		const rows = shops.map((shop) => ({ ...shop, ...bread }));
		const { run } = runOf(respond, CREATE, rows, own);
		await expect(run()).rejects.toMatchObject({
			description: expect.stringMatching(advice) as string,
		});
	});
});

describe('the settings of the node', () => {
	test('space its batches', async () => {
		const times: number[] = [];
		const began = clock.now();
		const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 10_000 } } };
		const respond: Respond = () => {
			times.push(Math.floor((clock.now() - began) / 10_000));
			return [1];
		};
		const rows = Array.from({ length: 5 }, () => ({ shop: 'loc_1' }));
		const { run } = runOf(respond, POSTS, rows, { requestOptions });
		await run();
		expect(times).toEqual([0, 0, 1, 1, 2]);
	});

	test('space no batches once the execution is stopped', async () => {
		const stop = new AbortController();
		const requestOptions = { batching: { batch: { batchSize: 1, batchInterval: 10_000 } } };
		const respond: Respond = () => {
			stop.abort(Object.assign(new Error('Aborted'), { name: 'AbortError' }));
			return [1];
		};
		const { run, host, asked } = runOf(respond, POSTS, shops, { requestOptions });
		host.stop = stop.signal;
		const began = clock.now();
		await expect(run()).rejects.toThrow('stopped');
		expect(clock.now() - began).toBeLessThan(1_000);
		expect(asked()).toHaveLength(1);
	});

	test('go with each request', async () => {
		const { run, host } = runOf(postOf, POSTS, shops, { requestOptions: { timeout: 7_000 } });
		await run();
		expect(host.requests).toHaveLength(shops.length);
		for (const request of host.requests) {
			expect(request).toMatchObject({ method: 'GET', timeout: 7_000 });
		}
	});
});

describe('the credential', () => {
	test('is read once for a row that begins at once', async () => {
		const { run, host } = runOf(postOf, POSTS, shops);
		await run();
		expect(host.credentialsRead).toBe(shops.length);
	});
});

test('rows whose outcomes stayed open are looked for where n8n tries them again, also much later', async () => {
	const created_at = new Date(clock.now()).toISOString();
	let listed: object[] | number = 403;
	const respond: Respond = ({ method }) => (method === 'GET' ? listed : 503);
	const rolls = { title: 'Rolls', content: 'Only on Sundays' };
	const rows = [bread, rolls].map((post) => ({ shop: 'loc_1', ...post }));
	const { run, asked } = runOf(respond, CREATE, rows, { ifExists: 'create' });
	await expect(run()).rejects.toThrow('Could not confirm whether the content post was created');
	const sent = asked().filter((request) => request.startsWith('POST')).length;
	await clock.run(clock.sleep(1_800_000));
	listed = [bread, rolls].map((post, id) => ({ id, ...post, created_at }));
	expect(jsons(await run())).toEqual(listed);
	expect(asked().filter((request) => request.startsWith('POST'))).toHaveLength(sent);
});

test('a row that n8n tries again is not sent again', async () => {
	const respond: Respond = ({ method }) => (method === 'GET' ? [] : { id: 'post_1', ...bread });
	const rows = [{ shop: 'loc_1', ...bread }];
	const { run, asked } = runOf(respond, CREATE, rows, { ifExists: 'create' });
	await run();
	await run();
	expect(asked()).toEqual(['POST /locations/loc_1/posts']);
});
