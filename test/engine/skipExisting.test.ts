import { ledgerOf, NOTHING_WRONG } from '../../harness/ledger';
import { useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { createPosts, postSheet, sheetOf } from '../support/sheet';

useShortWatch();
const service = useSandbox();
const { run, requests } = service;

const posts = () => requests().filter((request) => request.startsWith('POST')).length;

test('a sheet that is run again posts nothing twice, and returns the existing posts', async () => {
	const rows = sheetOf(service.sandbox, 9);
	const first = await run(postSheet, { rows });
	const second = await run(postSheet, { rows });
	expect(posts()).toBe(9);
	expect(first.json.map(({ skipped }) => skipped)).toEqual(rows.map(() => undefined));
	expect(second.json).toEqual(first.json.map((post) => ({ ...post, skipped: true })));
	expect(second.items.map(({ pairedItem }) => pairedItem)).toEqual(
		rows.map((_, item) => ({ item })),
	);
});

test('the posts of a location are read once a run, not once a row', async () => {
	await run(postSheet, { rows: sheetOf(service.sandbox, 12) });
	const lists = requests().filter((request) => /^GET .*posts$/.test(request));
	expect(lists).toHaveLength(3);
});

test('the same row twice in one run is posted once', async () => {
	const [row] = sheetOf(service.sandbox, 1);
	const { json } = await run(postSheet, { rows: [row, row, row] });
	expect(posts()).toBe(1);
	expect(json.map(({ skipped }) => skipped)).toEqual([undefined, true, true]);
	expect(new Set(json.map(({ id }) => id)).size).toBe(1);
});

test('where the first of two same rows fails, the second is tried', async () => {
	const [row] = sheetOf(service.sandbox, 1);
	service.sandbox.faults.add({ when: { method: 'POST' }, times: 1, response: { status: 409 } });
	const { json } = await run(postSheet, {
		rows: [row, row],
		settings: { onError: 'continueRegularOutput' },
	});
	expect(json[0].error).toMatchObject({ httpCode: '409' });
	expect(json[1].id).toMatch(/^post_/);
	expect(json[1].skipped).toBeUndefined();
});

test('white space does not make another post, a different text does', async () => {
	const [row] = sheetOf(service.sandbox, 1);
	await run(postSheet, { rows: [row] });
	const spaced = { ...row, content: ` ${row.content as string}\r\n` };
	const other = { ...row, content: 'Something else' };
	const { json } = await run(postSheet, { rows: [spaced, other] });
	expect(json.map(({ skipped }) => skipped)).toEqual([true, undefined]);
});

test('the fields that identify a post can be chosen', async () => {
	const [row] = sheetOf(service.sandbox, 1);
	await run(postSheet, { rows: [row] });
	const again = { ...row, content: 'The same title with another text' };
	const { json } = await run(
		{ ...postSheet, options: { matchFields: 'title' } },
		{ rows: [again] },
	);
	expect(json[0].skipped).toBe(true);
	expect(posts()).toBe(1);
});

test('a match field that the listed posts do not have is rejected', async () => {
	const { account } = service.sandbox;
	const { id } = account.locations.find((location) => account.postsOf(location.id).length > 0)!;
	const rows = [{ location_id: id, title: 'A', content: 'B', headline: 'C' }];
	const { error } = await run({ ...postSheet, options: { matchFields: 'headline' } }, { rows });
	expect(error?.message).toMatch(/None of the existing content posts has a field "headline"/);
	expect(posts()).toBe(0);
});

test('a row without any of these fields is refused', async () => {
	const [{ location_id }] = sheetOf(service.sandbox, 1);
	const { error } = await run(
		{ ...postSheet, options: { matchFields: 'title' } },
		{ rows: [{ location_id, content: 'B' }] },
	);
	expect(error?.message).toMatch(/no value in any match field: title/);
	expect(requests()).toEqual([]);
});

test('if the posts cannot be read, nothing is posted', async () => {
	service.sandbox.faults.add({ when: { method: 'GET' }, response: { status: 403 } });
	const { error } = await run(postSheet, { rows: sheetOf(service.sandbox, 2) });
	expect(error).toMatchObject({ httpCode: '403' });
	expect(posts()).toBe(0);
});

describe('a list that shows posts in another form', () => {
	const shown = (change: (text: string) => string) =>
		service.sandbox.faults.add({
			when: { method: 'GET' },
			transform: ({ data, ...rest }) => ({
				...rest,
				data: [data].flat().map((post) => ({ ...post, content: change(String(post.content)) })),
			}),
		});

	test.each<[string, (text: string) => string]>([
		[
			'escaped',
			(text) => text.replaceAll("'", '&#39;').replaceAll('&', '&amp;').replaceAll('&amp;#', '&#'),
		],
		['as HTML', (text) => `<p>${text.replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')}</p>`],
		['with curly quotes', (text) => text.replaceAll("'", '’')],
		['truncated', (text) => `${text.slice(0, 45)}…`],
	])('%s: nothing is posted again', async (_name, change) => {
		const rows = sheetOf(service.sandbox, 6).map((row, index) => ({
			...row,
			content: `**Row ${index}** of the owner's & others' sheet, with what it has to say`,
		}));
		await run(postSheet, { rows });
		shown(change);
		const { json } = await run(postSheet, { rows });
		expect(posts()).toBe(6);
		expect(json.map(({ skipped }) => skipped)).toEqual(rows.map(() => true));
	});

	test('a similar post is named, and nothing is posted', async () => {
		const [row] = sheetOf(service.sandbox, 1);
		const { json } = await run(postSheet, { rows: [row] });
		shown((text) => text.slice(0, 30));
		// Another field: this row has not been posted here.
		row.language = 'en';
		const { error } = await run(postSheet, { rows: [row] });
		expect(posts()).toBe(1);
		expect(error?.message).toBe(
			`A similar content post already exists: "Offer number 1" (ID ${json[0].id as string})`,
		);
		expect(error?.description).toMatch(
			/option Match Fields, or run this row alone and set If It Already Exists to Create/,
		);
	});

	test('of the same text with another date, the date is named', async () => {
		const [row] = sheetOf(service.sandbox, 1);
		const at = (publish_at: string) => [{ ...row, publish_at }];
		await run(postSheet, { rows: at('2999-01-05T09:00:00Z') });
		const { error } = await run(postSheet, { rows: at('2999-01-12T09:00:00Z') });
		expect(posts()).toBe(1);
		expect(error?.description).toContain(
			'Its publish_at is another one: "2999-01-05T09:00:00.000Z". If it is the same content post',
		);
	});

	test('the similar row is posted when it is told to', async () => {
		const [row] = sheetOf(service.sandbox, 1);
		await run(postSheet, { rows: [row] });
		shown((text) => text.slice(0, 30));
		await run(createPosts, { rows: [row] });
		expect(posts()).toBe(2);
	});
});

test('rows of a sheet that resemble each other are all posted, and all found again', async () => {
	const [{ location_id }] = sheetOf(service.sandbox, 1);
	const content = 'Come by on Sunday, from 8 to 12';
	const titles = [
		'Sale',
		'Sale!',
		'SALE',
		'Sale 1',
		'Sale 11',
		'🎉',
		'🍕',
		'Sale: 1.5 €',
		'Sale: 15 €',
	];
	const rows = [
		...titles.map((title) => ({ location_id, title, content })),
		...['May', 'June'].map((end) => ({
			location_id,
			title: 'Long',
			content: `${'Come by and see. '.repeat(15)}Until ${end}`,
		})),
	];
	const first = await run(postSheet, { rows });
	expect(posts()).toBe(rows.length);
	const second = await run(postSheet, { rows });
	expect(posts()).toBe(rows.length);
	expect(second.json.map(({ id }) => id)).toEqual(first.json.map(({ id }) => id));
});

test('with Create Another One a sheet that is run again is posted again', async () => {
	const rows = sheetOf(service.sandbox, 2);
	await run(createPosts, { rows });
	await run(createPosts, { rows });
	expect(posts()).toBe(4);
});

test('a post whose response is lost is found, and was not skipped', async () => {
	const lost = {
		when: { method: 'POST' },
		times: 2,
		actFirst: true,
		dropConnection: true as const,
	};
	service.sandbox.faults.add(lost);
	const rows = sheetOf(service.sandbox, 6);
	const { json, hints } = await run(postSheet, { rows });
	expect(ledgerOf(service.sandbox, rows, json)).toEqual(NOTHING_WRONG);
	expect(json.map(({ skipped }) => skipped)).toEqual(rows.map(() => undefined));
	expect(hints.join()).not.toMatch(/skipped/);
});

test('a row whose post may exist is not posted by the next row that says the same', async () => {
	const [{ id }] = service.sandbox.account.locations;
	service.sandbox.faults.add({
		when: { method: 'POST' },
		times: 1,
		actFirst: true,
		dropConnection: true,
	});
	const row = { location_id: id, title: 'Twice in the sheet', content: 'The same text' };
	// The list is shown once, before anything is posted, and then no more.
	service.sandbox.faults.add({ when: { method: 'GET' }, times: 1, delayMs: 1 });
	service.sandbox.faults.add({ when: { method: 'GET' }, response: { status: 403 } });
	const { json } = await service.run(
		{ ...postSheet, options: { maxWait: 1 } },
		{ rows: [row, row], settings: { onError: 'continueRegularOutput' } },
	);
	const posts = service.sandbox.account.postsOf(id).filter(({ title }) => title === row.title);
	expect(posts).toHaveLength(1);
	expect(json).toHaveLength(2);
	for (const { error } of json) {
		expect(error).toMatchObject({
			message: expect.stringMatching(/Could not confirm/),
		});
	}
});
