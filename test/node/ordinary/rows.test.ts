import { createPosts, postSheet } from '../../support/sheet';
import { type Switches, useBackend } from './backend';
import { READS_OF_NEW_ACCOUNT, rowsFor, SAME_ID, saidIn } from './rows';

// Rows that are alike, at services that say more or less of what they have created.

const backend = useBackend();

const SAYS: Record<string, Switches['created']> = {
	'201, the record': (data) => ({ status: 201, body: { data } }),
	'202, a job': () => ({ status: 202, body: { job_id: 'job_1' } }),
	'201, nothing': () => ({ status: 201 }),
	'201, always the same ID': (record) => ({ status: 201, body: { data: { ...record, id: 1 } } }),
};

describe.each(Object.keys(SAYS))('%s', (name) => {
	const start = () => backend({ created: SAYS[name] });
	const isSameId = name.includes('same ID');

	test('identical rows: with Create Another One each is created', async () => {
		const service = start();
		const [row] = rowsFor(service, 1);
		const { json, hints, error } = await service.run(createPosts, [row, row, row]);
		expect([json.length, error]).toEqual([3, undefined]);
		expect(saidIn({ hints }).join()).toMatch(isSameId ? SAME_ID : /^$/);
		expect(service.requests).toHaveLength(3 + READS_OF_NEW_ACCOUNT);
	});

	test('identical rows: with Skip the Row the first one is', async () => {
		const service = start();
		const [row] = rowsFor(service, 1);
		const { json, error } = await service.run(postSheet, [row, row, row]);
		expect(error).toBeUndefined();
		expect(json.map(({ skipped }) => skipped)).toEqual([undefined, true, true]);
		expect(service.requests).toHaveLength(1 + READS_OF_NEW_ACCOUNT);
	});

	test('of two rows that are the same, the first one is posted, though it has more columns', async () => {
		const service = start();
		const [row] = rowsFor(service, 1);
		service.add('posts', { location_id: service.location(), title: 'A', content: 'B', tag: 'y' });
		const { json } = await service.run(postSheet, [{ ...row, tag: 'x' }, row]);
		expect(json.map(({ skipped }) => skipped)).toEqual([undefined, true]);
		expect(service.records.posts).toMatchObject([{ tag: 'y' }, { tag: 'x' }]);
	});

	test('the same texts for two times are two posts', async () => {
		const service = start();
		const [row] = rowsFor(service, 1);
		const rows = ['2099-12-24', '2099-12-31'].map((publish_at) => ({ ...row, publish_at }));
		const { json, error } = await service.run(postSheet, rows);
		expect([json.length, error]).toEqual([2, undefined]);
		expect(service.countOf('POST')).toBe(2);
	});

	test('the same rows for two locations', async () => {
		const service = start();
		const rows = rowsFor(service).flatMap((row) => [
			row,
			{ ...row, location_id: service.location(1) },
		]);
		const { json, error } = await service.run(postSheet, rows);
		expect([json.length, error]).toEqual([6, undefined]);
		expect(service.records.posts).toHaveLength(6);
		expect([service.countOf('GET'), service.countOf('POST')]).toEqual([3, 6]);
	});

	test('the same sheet in two executions at the same moment is posted once', async () => {
		const service = start();
		const rows = rowsFor(service, 5);
		const results = await Promise.all(
			[rows, rows].map(async (sheet) => await service.run(postSheet, sheet)),
		);
		expect(results.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(service.records.posts).toHaveLength(5);
		const skipped = results.flatMap(({ json }) => json).filter((item) => item.skipped === true);
		expect(skipped).toHaveLength(5);
	});

	test('a sheet of 100 rows: one request a row', async () => {
		const service = start();
		const { json, error } = await service.run(postSheet, rowsFor(service, 100));
		expect([json.length, error]).toEqual([100, undefined]);
		expect([service.countOf('GET'), service.countOf('POST')]).toEqual([READS_OF_NEW_ACCOUNT, 100]);
	});
});

test('of identical rows each is refused for what the first one is, after one request', async () => {
	const service = backend({ created: () => ({ status: 422, body: { message: 'Too short' } }) });
	const [row] = rowsFor(service, 1);
	const settings = { onError: 'continueRegularOutput' } as const;
	const { json } = await service.run(postSheet, [row, row, row], { settings });
	for (const { error } of json) expect(JSON.stringify(error)).toContain('Too short');
	expect([json.length, service.countOf('POST')]).toEqual([3, 1]);
});
