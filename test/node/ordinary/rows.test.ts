import { columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Switches, useBackend } from './backend';
import { rowsFor, SAME_ID, sentOf } from './rows';

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
		expect(hints.join()).toMatch(isSameId ? SAME_ID : /^$/);
		expect(service.requests).toHaveLength(3);
	});

	test('identical rows: with Skip the Row the first one is', async () => {
		const service = start();
		const [row] = rowsFor(service, 1);
		const { json, error } = await service.run(postSheet, [row, row, row]);
		expect(error).toBeUndefined();
		expect(json.map(({ skipped }) => skipped)).toEqual([undefined, true, true]);
		expect(service.requests).toHaveLength(2);
	});

	test('of two rows that are the same, the first one is posted, though it has more columns', async () => {
		const service = start();
		const [row] = rowsFor(service, 1);
		const { json } = await service.run(postSheet, [
			{ ...row, image_url: 'https://a.example/1', tag: 'x' },
			row,
		]);
		expect(json.map(({ skipped }) => skipped)).toEqual([undefined, true]);
		expect(service.records.posts).toMatchObject([{ tag: 'x' }]);
	});

	test('rows that are nearly alike are all created', async () => {
		const service = start();
		const [row] = rowsFor(service, 1);
		const titles = ['Sale', 'Sale!', 'SALE', 'Sale 1', 'Sale 11', '🎉', '🍕', '1.5 €', '15 €'];
		const { json, error } = await service.run(
			postSheet,
			titles.map((title) => ({ ...row, title })),
		);
		expect([json.length, error]).toEqual([titles.length, undefined]);
		expect(service.records.posts.map(({ title }) => title).sort()).toEqual([...titles].sort());
		expect(service.requests).toHaveLength(titles.length + 1);
	});

	test('the same texts for two times are two posts', async () => {
		const service = start();
		const [row] = rowsFor(service, 1);
		const rows = ['2999-12-24', '2999-12-31'].map((publish_at) => ({ ...row, publish_at }));
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
		expect([service.countOf('GET'), service.countOf('POST')]).toEqual([2, 6]);
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
		expect([service.countOf('GET'), service.countOf('POST')]).toEqual([1, 100]);
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

test.each(
	['Datum', 'Termin', 'Publish Date', 'scheduled_for', 'Go live'].flatMap((heading) => [
		[heading, 0, 'There is no content post yet that shows a field'],
		[heading, 3, 'None of the content posts has a field'],
	]) as Array<[string, number, string]>,
)(
	'a time in the column %p, beside %p posts that show none, is not sent',
	async (heading, count, said) => {
		const service = backend();
		service.addPosts(count);
		for (const one of service.records.posts) delete one.publish_at;
		const [row, other] = rowsFor(service);
		const rows = [{ ...row, [heading]: '24.12.2999 10:00' }, other];
		const settings = { onError: 'continueRegularOutput' };
		const { json } = await service.run(postSheet, rows, { settings } as never);
		expect((json[0].error as { message: string }).message).toContain(said);
		expect(service.countOf('POST')).toBe(1);
		expect(json[1]).toMatchObject({ title: other.title });
	},
);

describe('an account whose posts call the time otherwise', () => {
	const start = (name: string) => {
		const service = backend();
		service.addPosts(3);
		for (const one of service.records.posts) one[name] = '2027-01-01T00:00:00Z';
		return service;
	};
	const publish_at = '24.12.2999 10:00';

	test.each(['publishAt', 'PublishAt', 'publish-at'])(
		'%s is what publish_at means',
		async (name) => {
			const service = start(name);
			const [row] = rowsFor(service, 1);
			const { error } = await service.run(postSheet, [{ ...row, publish_at }]);
			expect(error).toBeUndefined();
			expect(service.sent('POST')).toEqual([
				{ ...sentOf(row), [name]: '2999-12-24T10:00:00-05:00' },
			]);
		},
	);

	test.each(['scheduled_at', 'scheduledFor', 'publish_date', 'go_live_at'])(
		'beside %s, publish_at would be lost: refused, however it is mapped',
		async (name) => {
			const service = start(name);
			const [row] = rowsFor(service, 1);
			const texts = { title: '={{ $json.title }}', content: '={{ $json.content }}' };
			const mapped = columns({ ...texts, publish_at: '={{ $json.publish_at }}' });
			for (const sheet of [postSheet, createPosts, { ...postSheet, fields: mapped }]) {
				const { error } = await service.run(sheet, [{ ...row, publish_at }]);
				expect(error?.message).toContain('this one could go live at once');
				expect(error?.description).toContain(name);
			}
			const right = columns({ ...texts, [name]: '2999-12-24' });
			const { error } = await service.run({ ...postSheet, fields: right }, [row]);
			expect(error).toBeUndefined();
			expect(service.countOf('POST')).toBe(1);
		},
	);
});
