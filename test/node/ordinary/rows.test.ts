import { columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Switches, useBackend } from './backend';
import { READS_OF_NEW_ACCOUNT, rowsFor, SAME_ID, saidIn, sentOf } from './rows';

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

test.each(
	['Datum', 'Termin', 'Publish Date', 'Live ab', 'publicação'].flatMap((heading) => [
		[heading, 0],
		[heading, 3],
	]) as Array<[string, number]>,
)('a time in the column %p, beside %p posts, stops the run', async (heading, count) => {
	const service = backend();
	service.addPosts(count);
	const [row, other] = rowsFor(service);
	const rows = [{ ...row, [heading]: '24.12.2099 10:00' }, other];
	const { error } = await service.run(postSheet, rows);
	expect(error?.message).toMatch(new RegExp(`these columns.*: ${heading}$`));
	expect(service.countOf('POST')).toBe(0);
});

describe('an account whose posts call the time otherwise', () => {
	const publish_at = '24.12.2099 10:00';

	test.each(['scheduled_at', 'scheduledFor', 'publishAt', 'go_live_at'])(
		'%s: publish_at would be lost, so the name is asked for, however it is mapped',
		async (name) => {
			const service = backend();
			service.addPosts(3);
			for (const one of service.records.posts) one[name] = '2027-01-01T00:00:00Z';
			const [row] = rowsFor(service, 1);
			const texts = { title: '={{ $json.title }}', content: '={{ $json.content }}' };
			const mapped = columns({ ...texts, publish_at: '={{ $json.publish_at }}' });
			for (const sheet of [postSheet, createPosts, { ...postSheet, fields: mapped }]) {
				const { error } = await service.run(sheet, [{ ...row, publish_at }]);
				expect(error?.message).toContain('None of the 3 content posts read shows');
				expect(error?.description).toContain(name);
			}
			expect(service.countOf('POST')).toBe(0);
			const right = columns({ ...texts, [name]: '={{ $json.publish_at }}' });
			const options = { publishTimeField: name };
			const sheet = { ...postSheet, fields: right, options };
			const { error } = await service.run(sheet, [{ ...row, publish_at }]);
			expect(error).toBeUndefined();
			expect(service.sent('POST')).toEqual([
				{ ...sentOf(row), [name]: '2099-12-24T10:00:00-05:00' },
			]);
		},
	);
});

describe('no post goes live at once by a time that was not understood', () => {
	test.each([{ ignoreExtraColumns: true }, {}])(
		'a filled publish_at is asked about if no post shows it, also where rows may have none (%j)',
		async (options) => {
			const service = backend();
			service.addPosts(3);
			for (const one of service.records.posts) one.scheduled_for = '2027-01-01T00:00:00Z';
			const rows = rowsFor(service).map((row) => ({ ...row, publish_at: '24.12.2099 10:00' }));
			const sheet = { ...postSheet, whenToPublish: 'either', options };
			const { error } = await service.run(sheet, rows);
			expect(service.countOf('POST')).toBe(0);
			expect(error?.description).toContain("'Publish Time Field'");
			expect(error?.description).not.toContain("'Exclude Columns': publish_at");
		},
	);

	test.each(['tomorrow', '03/04/2099', '#REF!'])(
		'%p is refused for what it is alone: the row has a time',
		async (publish_at) => {
			const service = backend();
			const [row] = rowsFor(service, 1);
			const sheet = { ...postSheet, whenToPublish: 'scheduled' };
			const { error } = await service.run(sheet, [{ ...row, publish_at }]);
			expect(error?.message).toMatch(/^Item 1: publish_at|^publish_at/);
			expect(`${error?.message} ${String(error?.description)}`).not.toMatch(/is empty|at once/i);
		},
	);

	test('a column whose heading has a question mark does not say what empty means', async () => {
		const service = backend();
		const [row] = rowsFor(service, 1);
		const time = `={{ DateTime.fromFormat($json["When?"], 'dd.MM.yyyy HH:mm').toISO() }}`;
		const fields = columns({
			...{ title: '={{ $json.title }}', content: '={{ $json.content }}' },
			publish_at: time,
		});
		const { error } = await service.run({ ...postSheet, fields }, [
			{ ...row, 'When?': '24.12.2099' },
		]);
		expect(error?.message).toContain('the expression came out empty');
		expect(service.countOf('POST')).toBe(0);
	});
});

test('a field of days is told as the day that is sent', async () => {
	const service = backend();
	service.addPosts(1);
	service.records.posts[0].publish_at = '2027-01-01';
	const [row] = rowsFor(service, 1);
	const { items, hints } = await service.run(postSheet, [{ ...row, publish_at: '2099-12-24' }]);
	expect(service.sent('POST')).toMatchObject([{ publish_at: '2099-12-24' }]);
	expect(String(items[0].json.goes_live)).toContain('Dec 24, 2099');
	expect(hints.join()).toContain('on Dec 24, 2099');
});
