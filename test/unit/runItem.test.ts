import type { IDataObject } from 'n8n-workflow';

import { Stopwatch, systemClock } from '../../nodes/LocalSeo/client';
import {
	type DeclaredRequest,
	type RowRun,
	runItem,
	runRouted,
} from '../../nodes/LocalSeo/operation/runItem';
import { resourceOf } from '../../nodes/LocalSeo/resources';
import { hostAt, type Respond, useVirtualTime } from '../support/nodeAt';
import { type RowOptions, rowContext } from '../support/rowContext';

const clock = useVirtualTime();
const bread = { title: 'Bread', content: 'Fresh every day' };
const east = { id: 'loc_1', name: 'Bakery East', address: '1 High Street', city: 'Leeds' };
const POST = 'POST /locations/loc_1/posts';
const LIST = 'GET /locations/loc_1/posts';

type More = Partial<Omit<RowOptions, 'parameters'>> & { run?: RowRun; declared?: object };

/** An operation at a service that answers like this: `row` runs it for one row. */
function operationAt(respond: Respond, resource: string, operation: string, own: object = {}) {
	const host = hostAt(clock, respond);
	const { request } = resourceOf(resource).operations.find(
		({ value }) => value === operation,
	)!.routing;
	const contextOf = ({ rows = [{}], ...more }: More, changed: object) => {
		const parameters = {
			...{ resource, operation, locationId: 'loc_1', options: {}, returnAll: true },
			...{ dataToSend: 'fields', fields: { mappingMode: 'autoMapInputData', value: null } },
			...own,
			...changed,
		} as IDataObject;
		return Object.assign(
			rowContext({ parameters: parameters as never, execution: 'run', rows, ...more }),
			host.own,
		);
	};
	const begin = async (more: More = {}, changed: object = {}) => {
		const declare = () => ({ ...request, ...more.declared }) as DeclaredRequest;
		return await runItem(contextOf(more, changed), declare, more.run);
	};
	const row: typeof begin = async (...of) => await clock.run(begin(...of));
	const routed = async (more: More = {}, changed: object = {}) => {
		const requestData = { options: request } as never;
		return await clock.run(runRouted.call(contextOf(more, changed), requestData));
	};
	return { host, begin, row, routed, asked: host.asked };
}
/** A service with these posts, in which whatever is created is the next one. */
function postsAt(existing: object[] = []): Respond {
	const posts = existing as IDataObject[];
	return ({ method, body }) => {
		if (method === 'GET') return posts;
		const post = { id: `post_${posts.length + 1}`, ...(JSON.parse(String(body)) as object) };
		posts.push(post);
		return post;
	};
}
const jsons = (items: Array<{ json: object }>) => items.map(({ json }) => json);

describe('what is read', () => {
	test('is an item for each record, paired with its row', async () => {
		const { row, asked } = operationAt(() => [{ id: 1 }, { id: 2 }], 'post', 'getAll');
		expect(await row({ rows: [{}, {}], index: 1 })).toEqual([
			{ json: { id: 1 }, pairedItem: { item: 1 } },
			{ json: { id: 2 }, pairedItem: { item: 1 } },
		]);
		expect(asked()).toEqual([LIST]);
	});

	test('is an item also where a record is no object', async () => {
		const { row } = operationAt(() => ['text', 7], 'post', 'getAll');
		expect(jsons(await row())).toEqual([{ value: 'text' }, { value: 7 }]);
	});

	test('is as many records as the user wants', async () => {
		const { row } = operationAt(() => [{ id: 1 }, { id: 2 }], 'post', 'getAll');
		expect(jsons(await row({}, { returnAll: false, limit: 1 }))).toEqual([{ id: 1 }]);
	});

	test('is simplified where the user wants that', async () => {
		const fields = (names: string) => Object.fromEntries([...names].map((name) => [name, 1]));
		const record = { ...fields('abcdefghij'), title: 'A', id: 1 };
		const { row } = operationAt(() => [record], 'post', 'getAll');
		expect(jsons(await row({}, { options: { simplify: false } }))).toEqual([record]);
		expect(jsons(await row({}, { options: { simplify: true } }))).toEqual([
			{ ...fields('abcdefgh'), title: 'A', id: 1 },
		]);
	});

	test('is a table where the resource has one', async () => {
		const days = [{ date: '2026-01-01', views: 1 }];
		const insights: Respond = () => ({ location_name: 'Bakery East', days });
		const { row } = operationAt(insights, 'insight', 'get', { output: 'rows' });
		expect(jsons(await row())).toEqual([
			{ date: '2026-01-01', location_id: 'loc_1', location_name: 'Bakery East', views: 1 },
		]);
	});

	test('is read also with Dry Run, which is for writes', async () => {
		const { row } = operationAt(() => [{ id: 1 }], 'post', 'getAll');
		expect(jsons(await row({}, { options: { dryRun: true } }))).toEqual([{ id: 1 }]);
		const declared = { method: undefined };
		expect(jsons(await row({ declared }, { options: { dryRun: true } }))).toEqual([{ id: 1 }]);
	});

	test('is of the location that its name means', async () => {
		const answer: Respond = ({ url }) => (url === '/locations' ? [east] : [{ id: 1 }]);
		const { row, asked } = operationAt(answer, 'post', 'getAll');
		await row({}, { locationId: { __rl: true, mode: 'name', value: 'bakery east' } });
		expect(asked()).toEqual(['GET /locations', LIST]);
	});
});

describe('a create', () => {
	test('is sent where its record does not exist, and the item is the record', async () => {
		const { row, asked } = operationAt(postsAt(), 'post', 'create');
		expect(await row({ rows: [bread] })).toEqual([
			{ json: { id: 'post_1', ...bread }, pairedItem: { item: 0 } },
		]);
		expect(asked().filter((request) => request === POST)).toHaveLength(1);
		expect(asked()[0]).toBe(LIST);
	});

	test('that was to be published at a time that is over is sent, and the run is told', async () => {
		const { row } = operationAt(postsAt(), 'post', 'create');
		const late: string[] = [];
		const post = async (publish_at?: string) => {
			const rows = [{ title: `Bread ${publish_at}`, content: 'Fresh', publish_at }];
			await row({ rows, run: { notes: () => late.push(String(publish_at)) } });
		};
		await post();
		await post('2025-01-05');
		await post('2999-01-05');
		await post('2025-01-05');
		expect(late).toEqual(['2025-01-05']);
	});

	test('is skipped where its record exists, and the run is told', async () => {
		const { row, asked } = operationAt(postsAt([{ id: 'post_1', ...bread }]), 'post', 'create');
		const told: string[] = [];
		const run = { becomes: (became: string) => told.push(became) };
		const [item] = await row({ rows: [bread], run });
		expect(item.json).toMatchObject({ id: 'post_1', skipped: true });
		expect(told).toEqual(['skipped']);
		expect(asked()).toEqual([LIST]);
		// Without a run that wants to know.
		await row({ rows: [bread] });
	});

	test('is sent without a look at the list where the user wants that, and nothing is told', async () => {
		const { row, asked } = operationAt(postsAt([{ id: 'post_1', ...bread }]), 'post', 'create');
		const told: string[] = [];
		const run = { becomes: (became: string) => told.push(became) };
		const [item] = await row({ rows: [bread], run }, { ifExists: 'create' });
		expect(item.json).toMatchObject({ id: 'post_2' });
		expect([told, asked()]).toEqual([[], [POST]]);
	});

	test('is not sent twice where n8n tries a row again', async () => {
		const { row, asked } = operationAt(postsAt(), 'post', 'create', { ifExists: 'create' });
		const again = await row({ rows: [bread] });
		expect(await row({ rows: [bread] })).toEqual(again);
		expect(asked()).toEqual([POST]);
	});

	test('is remembered where the list hides what was created', async () => {
		const hiding: Respond = ({ method }) => (method === 'GET' ? [] : { id: 'post_1', ...bread });
		const { row } = operationAt(hiding, 'post', 'create');
		await row({ rows: [bread] });
		await clock.run(clock.sleep(600_000));
		expect(jsons(await row({ rows: [bread], execution: 'a later one' }))).toEqual([
			{ id: 'post_1', ...bread, skipped: true },
		]);
	});

	test('with columns that no record has is refused', async () => {
		const posts = postsAt([{ id: 'post_1', ...bread }]);
		const { row, asked } = operationAt(posts, 'post', 'create');
		await expect(row({ rows: [{ Titel: 'A' }] })).rejects.toThrow('Your columns: Titel');
		expect(asked()).not.toContain(POST);
	});

	test('that may have worked is looked for, and the run learns how long that took', async () => {
		let posts = 0;
		const failing: Respond = ({ method }) =>
			method === 'GET' ? [] : ++posts === 1 ? 503 : { id: 'post_1', ...bread };
		const { row } = operationAt(failing, 'post', 'create');
		const looking = new Stopwatch(systemClock);
		expect(jsons(await row({ rows: [bread], run: { looking } }))).toEqual([
			{ id: 'post_1', ...bread },
		]);
		expect(looking.ms).toBeGreaterThan(1_000);
	});
});

describe('Create or Update', () => {
	const respond: Respond = ({ method, body }) =>
		method === 'GET' ? [east] : { id: 'loc_2', ...(JSON.parse(String(body)) as object) };
	const { id, ...same } = east;

	test.each([
		[{ ...same, name: 'Mill Bakery' }, 'created', 'POST /locations'],
		[{ ...same, city: 'York' }, 'updated', `PATCH /locations/${id}`],
		[same, 'unchanged', undefined],
	])('%j: the record is %s, and the run is told', async (fields, became, write) => {
		const { row, asked } = operationAt(respond, 'location', 'upsert');
		const told: string[] = [];
		const run = { becomes: (what: string) => told.push(what) };
		const [item] = await row({ rows: [fields], run });
		expect(item.json).toMatchObject({ [became]: true });
		expect(told).toEqual([became]);
		expect(asked().find((request) => !request.startsWith('GET'))).toBe(write);
	});
});

describe('a record that is changed', () => {
	test('is an item with what the service says of it', async () => {
		const { row, asked } = operationAt(() => ({ ...east, city: 'York' }), 'location', 'update');
		expect(jsons(await row({ rows: [{ city: 'York' }] }))).toEqual([{ ...east, city: 'York' }]);
		expect(asked()).toEqual(['PATCH /locations/loc_1']);
	});

	test('is an item with its ID where it is deleted', async () => {
		const { row } = operationAt(() => ({ note: 'Gone' }), 'keyword', 'delete', {
			keywordId: 'kw_1',
		});
		expect(jsons(await row())).toEqual([{ id: 'kw_1', deleted: true }]);
	});

	test('is nothing that already exists, whatever the service calls it', async () => {
		const { row } = operationAt(() => ({ ...east, skipped: true }), 'location', 'update');
		const told: string[] = [];
		await row({ rows: [{ city: 'Leeds' }], run: { becomes: (what) => told.push(what) } });
		expect(told).toEqual([]);
	});
});

describe('a dry run', () => {
	test('sends nothing, and its item is its plan, of which the run is told', async () => {
		const { row, asked } = operationAt(postsAt(), 'post', 'create', { options: { dryRun: true } });
		const plans: object[] = [];
		const items = await row({ rows: [bread], run: { plans: (plan) => plans.push(plan) } });
		expect(jsons(items)).toEqual(plans);
		expect(plans).toEqual([expect.objectContaining({ action: 'create', body: bread })]);
		expect(asked().every((request) => request.startsWith('GET'))).toBe(true);
		expect(jsons(await row({ rows: [bread] }))).toHaveLength(1);
	});

	test('says what is wrong with a row instead of failing', async () => {
		const { row } = operationAt(postsAt(), 'post', 'create', { options: { dryRun: true } });
		expect(jsons(await row({ rows: [{}] }))).toEqual([
			expect.objectContaining({
				action: 'invalid',
				problems: [expect.stringContaining('There is nothing to send')],
			}),
		]);
	});
});

describe('the requests of a row', () => {
	test('have the settings of the node, and the domains that n8n allows', async () => {
		const { host, row } = operationAt(() => [], 'post', 'getAll');
		const requestOptions = { timeout: 7_000, proxy: 'http://proxy.example.com:8080' };
		await row({ declared: { allowedDomains: 'api.example.com' } }, { requestOptions });
		expect(host.requests).toEqual([
			expect.objectContaining({
				timeout: 7_000,
				allowedDomains: 'api.example.com',
				proxy: { protocol: 'http', host: 'proxy.example.com', port: 8080 },
			}),
		]);
	});

	test('wait as long as the option Max Wait says', async () => {
		const { row } = operationAt(() => 503, 'post', 'getAll');
		const before = clock.now();
		await expect(row({}, { options: { maxWait: 0 } })).rejects.toMatchObject({ kind: 'rejected' });
		expect(clock.now() - before).toBeLessThan(1_000);
	});

	test('are sent with an account of which the run is told', async () => {
		const { row } = operationAt(() => [], 'post', 'getAll');
		const accounts = new Set<object>();
		for (const index of [0, 1]) {
			const run = { uses: (account: object) => accounts.add(account) };
			await row({ rows: [{}, {}], index, run });
		}
		expect(accounts.size).toBe(1);
	});
});

describe('where the key is refused', () => {
	/** Rows that begin together; a few are in flight, the others wait. */
	const tenRows = async (onRefusal: (host: ReturnType<typeof hostAt>) => void) => {
		const { host, begin } = operationAt(
			({ key }) => {
				if (key.startsWith('new')) return [{ id: 1 }];
				onRefusal(host);
				return 401;
			},
			'post',
			'getAll',
		);
		const rows = Array.from({ length: 10 }, () => ({}));
		const outcomes = rows.map(async (_, index) =>
			begin({ rows, index }).then(
				() => 'read',
				({ kind }: { kind: string }) => kind,
			),
		);
		return { outcomes: await clock.run(Promise.all(outcomes)), host };
	};

	test('rows that had not been sent use the key that replaced it meanwhile', async () => {
		const { outcomes, host } = await tenRows((one) => (one.key = `new ${one.requests[0].key}`));
		const refused = host.requests.filter(({ key }) => !key.startsWith('new')).length;
		const rejected = Array.from({ length: refused }, () => 'rejected');
		expect(outcomes).toEqual([...rejected, ...Array.from({ length: 10 - refused }, () => 'read')]);
		expect(refused).toBeLessThan(10);
	});

	test('they fail as well if it is still the same', async () => {
		const { outcomes, host } = await tenRows(() => {});
		expect(new Set(outcomes)).toEqual(new Set(['rejected']));
		expect(host.requests.length).toBeLessThan(10);
	});
});

describe('as a tool', () => {
	test('a row has its own columns beside the result where the user wants that', async () => {
		const { routed } = operationAt(() => [{ id: 1 }], 'post', 'getAll');
		const rows = [{ shop: 'Leeds' }];
		expect(jsons(await routed({ rows }))).toEqual([{ id: 1 }]);
		const options = { includeInputFields: true };
		expect(jsons(await routed({ rows }, { options }))).toEqual([{ shop: 'Leeds', id: 1 }]);
	});

	test('a row that fails says which it is', async () => {
		const { routed } = operationAt(() => 403, 'post', 'getAll');
		await expect(routed({ rows: [{}, {}], index: 1 })).rejects.toMatchObject({
			message: expect.stringMatching(/^Row 2 of 2: This API key/) as string,
		});
	});

	test('a row that fails is an item where the node goes on', async () => {
		const { host, routed } = operationAt(() => 403, 'post', 'getAll');
		host.continues = true;
		const [item] = await routed({ rows: [{ shop: 'Leeds' }] });
		expect(item.json).toMatchObject({ shop: 'Leeds', error: { httpCode: '403' } });
	});
});
