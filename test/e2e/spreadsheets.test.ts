import type { Browser, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import type { INode } from 'n8n-workflow';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { FORM_PATH, publishForm } from '../../dev/demo/form';
import { exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { openBrowser } from '../support/browser';
import { runByHand } from '../../dev/n8n/execution';
import { until } from '../../dev/n8n/until';
import { SHEET_CASES, sheetOf } from '../support/sheetCases';
import { useN8n } from '../support/n8n';

/*
 * The two examples that post a spreadsheet, with sheets as people have them: other headings than ours,
 * rows that fail, and rows that are there already. `npm start` runs them with our own (main-job.test.ts).
 */
jest.setTimeout(240_000);

const n8n = useN8n();
const RESULT_COLUMNS = ['status', 'post_id', 'message'];

/** A file as Excel's "CSV UTF-8" is. */
const csvOf = (...lines: string[]) => `\uFEFF${lines.join('\r\n')}\r\n`;
const linesOf = (csv: string | Buffer, delimiter = ','): Array<Record<string, string>> =>
	parse(csv, { columns: true, bom: true, delimiter });

const locations = () => n8n.sandbox.account.locations;
const postsOf = (id: string) => n8n.sandbox.account.postsOf(id);

describe('posts from an uploaded spreadsheet', () => {
	let browser: Browser;
	let id: string;
	beforeAll(async () => {
		browser = await openBrowser();
		const workflow = exampleWith(n8n.credential, WORKFLOWS.form);
		({ id } = await n8n.rest.post<{ id: string }>('/workflows', workflow));
		await publishForm(n8n.rest, n8n.url, id);
	});
	afterAll(async () => await browser?.close());

	/** Sends a sheet in a browser. */
	async function send(file: string | Buffer, what: string, name: string) {
		const page = await browser.newPage();
		page.setDefaultTimeout(60_000);
		await page.goto(`${n8n.url}${FORM_PATH}`);
		const buffer = Buffer.from(file as string);
		const mimeType = name.endsWith('.csv') ? 'text/csv' : 'application/octet-stream';
		await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
		await page.getByRole('combobox').selectOption(what);
		const saved = page.waitForEvent('download').catch(() => undefined);
		await page.getByRole('button', { name: 'Go' }).click();
		return { page, saved };
	}

	const textOf = async (page: Page) =>
		(await page.locator('body').innerText()).replace(/\s+/g, ' ');

	/** Uploads a sheet: what the last page says, and the file that the browser saves. */
	async function upload(csv: string | Buffer, what = 'Post the rows', separator = ',') {
		const { page, saved } = await send(csv, what, 'posts.csv');
		const download = (await saved)!;
		expect(download.suggestedFilename()).toBe('posts-results.csv');
		const file = readFileSync((await download.path())!, 'utf8');
		await page.getByText('posts-results.csv').waitFor();
		const said = await textOf(page);
		await page.close();
		return { said, results: linesOf(file, separator) };
	}

	/** Uploads what can't be read: what the last page says. */
	async function refused(file: string | Buffer, name = 'posts.csv') {
		const { page } = await send(file, 'Post the rows', name);
		await page.getByText('The file could not be read').waitFor();
		const said = await textOf(page);
		await page.close();
		return said;
	}

	test('a sheet with unknown headings: the page says that no row was posted, the file is recognizable', async () => {
		const days = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'];
		const rows = days.map((day) => ({ Kunde: 'Bäckerei', Notiz: `Am ${day}`, Tag: day }));
		const { said, results } = await upload(
			csvOf('Kunde,Notiz,Tag', ...rows.map((row) => Object.values(row).join(','))),
		);
		expect(said).toContain('No row was posted');
		expect(said).toContain('0 of 6 rows were posted, 6 could not be posted.');
		expect(said).toContain('The first reason: ');
		expect(said).not.toContain('Done');
		expect(Object.keys(results[0])).toEqual([...RESULT_COLUMNS, 'Kunde', 'Notiz', 'Tag']);
		expect(results).toEqual(
			rows.map((row) => ({
				status: 'not posted',
				post_id: '',
				message: expect.stringContaining('read shows these columns: Kunde, Notiz, Tag'),
				...row,
			})),
		);
	});

	test('a sheet with a column that is no field: nothing is posted, and the page names it', async () => {
		const [one] = locations();
		const before = postsOf(one.id).length;
		const sheet = csvOf('location_id,title,content,Preis', `${one.id},Brot,Von 8 bis 12.,"3,50"`);
		const posted = await upload(sheet);
		expect(posted.said).toContain('No row was posted');
		expect(posted.said).toMatch(/The first reason: .*read shows these columns: Preis/);
		const checked = await upload(sheet, 'Check only: nothing is posted');
		expect(checked.said).toContain('Check only: nothing was posted');
		expect(checked.said).toContain("0 of 1 row would be posted, 1 can't be posted.");
		expect(checked.results).toMatchObject([{ status: 'invalid', post_id: '' }]);
		expect(postsOf(one.id)).toHaveLength(before);
	});

	test('the workflow can leave out the other columns of its sheets', async () => {
		const workflow = exampleWith(n8n.credential, WORKFLOWS.form);
		const create = workflow.nodes.find(({ name }) => name === 'Create the post') as Partial<INode>;
		Object.assign(create.parameters!.options as object, { ignoreExtraColumns: true });
		await n8n.rest.patch(`/workflows/${id}`, workflow);
		await publishForm(n8n.rest, n8n.url, id);
		const [one] = locations();
		const sheet = csvOf('location_id,title,content,Preis', `${one.id},Brot,Von 8 bis 12.,"3,50"`);
		const { said } = await upload(sheet);
		expect(said).toContain('1 of 1 row was posted.');
		expect(postsOf(one.id)[0]).not.toHaveProperty('Preis');
	});

	const header = 'location_id,title,content,Price. EUR,status';
	const rowOf = (title: string, id = locations()[0].id) =>
		`${id},${title},Von 8 bis 12.,"3,50",new`;

	test('to check only, nothing is posted, and neither page nor file says so', async () => {
		const before = postsOf(locations()[0].id).length;
		const rows = [rowOf('Grüße $& $1'), rowOf('#REF!')];
		const { said, results } = await upload(csvOf(header, ...rows), 'Check only: nothing is posted');
		expect(said).toContain('Check only: nothing was posted');
		expect(said).toContain(
			"1 of 2 rows would be posted, 1 of them at once, without a time, 1 can't be posted.",
		);
		expect(results).toMatchObject([
			{ status: 'checked: would be posted', post_id: '', message: 'Goes live at once.' },
			{ status: 'invalid', post_id: '', message: expect.stringContaining('#REF!') },
		]);
		const dated = rows.map((row, nth) => `${row},${nth === 0 ? '' : '2027-12-24 9:00'}`);
		const mixed = await upload(
			csvOf(`${header},publish_at`, dated[0], dated[1].replace('#REF!', 'Dated')),
			'Check only: nothing is posted',
		);
		expect(mixed.results.map(({ message }) => message)).toEqual([
			'Goes live at once.',
			expect.stringMatching(/^Goes live Fri, Dec 24, 2027, 09:00 \(/),
		]);
		expect(mixed.said).toContain('2 of 2 rows would be posted, 1 of them at once, without a time.');
		expect(postsOf(locations()[0].id)).toHaveLength(before);
	});

	test('all rows are posted; the columns of the sheet keep their names and values', async () => {
		const { said, results } = await upload(csvOf(header, rowOf('Grüße $& $1'), rowOf('Tuesday')));
		expect(said).toContain('Done');
		expect(said).toContain('2 of 2 rows were posted. Your browser has saved posts-results.csv');
		const idOf = (wanted: string) =>
			postsOf(locations()[0].id).find(({ title }) => title === wanted)!.id;
		const own = {
			message: 'Goes live at once.',
			location_id: locations()[0].id,
			content: 'Von 8 bis 12.',
			'Price. EUR': '3,50',
			input_status: 'new',
		};
		expect(results).toEqual([
			{ ...own, status: 'posted', post_id: idOf('Grüße $& $1'), title: 'Grüße $& $1' },
			{ ...own, status: 'posted', post_id: idOf('Tuesday'), title: 'Tuesday' },
		]);
	});

	test('what was already there is counted, and so is what could not be posted', async () => {
		const { said, results } = await upload(
			csvOf(header, rowOf('Tuesday'), rowOf('Wednesday'), rowOf('Thursday', 'loc_nowhere')),
		);
		expect(said).toContain('Not every row was posted');
		expect(said).toContain('1 of 3 rows was posted, 1 was already there, 1 could not be posted.');
		const statuses = results.map(({ status }) => status);
		expect(statuses).toEqual(['already there', 'posted', 'not posted']);
	});

	test('a file as a German Excel saves it: semicolons, Windows-1252, and semicolons come back', async () => {
		const { id } = locations()[1];
		const title = 'Größe – „neu“ für 5 €';
		const text = [
			'Standort;location_id;title;content',
			`Süd;${id};${title};"Von 8 bis 12, ""täglich"""`,
		].join('\r\n');
		const inWindows: Record<string, number> = { '€': 0x80, '„': 0x84, '“': 0x93, '–': 0x96 };
		const bytes = [...text].map((sign) => inWindows[sign] ?? sign.charCodeAt(0));
		const { said, results } = await upload(Buffer.from(bytes), 'Post the rows', ';');
		expect(said).toContain('1 of 1 row was posted.');
		expect(said).toContain('is not UTF-8 and was read as Windows-1252');
		const [post] = postsOf(id);
		const content = 'Von 8 bis 12, "täglich"';
		expect(post).toMatchObject({ title, content });
		expect(results).toEqual([
			{
				status: 'posted',
				post_id: post.id,
				message: 'Goes live at once.',
				Standort: 'Süd',
				location_id: id,
				title,
				content,
			},
		]);
	});

	test.each([
		['semicolons in UTF-8', ';', ''],
		['tabs', '\t', ''],
		["Excel's own first line", '|', 'sep=|\r\n'],
	])('the separator is found: %s', async (_, separator, first) => {
		const [{ id }] = locations();
		const title = `Über ${separator.charCodeAt(0)}`;
		const lines = [
			['location_id', 'title', 'content', '"Note, for us, and others, and more"'],
			[id, title, 'A, B', 'x'],
		].map((cells) => cells.join(separator));
		const { said, results } = await upload(
			`\uFEFF${first}${lines.join('\n')}\n`,
			'Post the rows',
			separator,
		);
		expect(said).toContain('1 of 1 row was posted.');
		expect(said).not.toContain('Windows-1252');
		expect(results).toMatchObject([{ status: 'posted', title, content: 'A, B' }]);
	});

	test('what can not be read ends with a page that says what is wrong', async () => {
		const before = postsOf(locations()[0].id).length;
		const [first, second] = [rowOf('A'), rowOf('B')];
		const long = await refused(csvOf(header, first, `${second},one too many`));
		expect(long).toMatch(/posts\.csv: Invalid Record Length.* on line 3\..*Nothing was posted\./);
		expect(await refused(csvOf(header, `${first},"`))).toContain('posts.csv: ');
		expect(await refused(csvOf(header))).toContain('There are no rows below the column headings.');
		const noWorkbook = Buffer.from('PK\u0003\u0004 no workbook');
		expect(await refused(noWorkbook, 'posts.xlsx')).toContain('posts.xlsx: ');
		expect(postsOf(locations()[0].id)).toHaveLength(before);
	});

	test('a sheet of which all rows are there already is done', async () => {
		const { said } = await upload(csvOf(header, rowOf('Tuesday'), rowOf('Wednesday')));
		expect(said).toContain('Done');
		expect(said).toContain('0 of 2 rows were posted, 2 were already there.');
	});
});

test('insights of last week are downloaded as an Excel file', async () => {
	const workflow = exampleWith(n8n.credential, WORKFLOWS.download);
	(workflow.settings as { timezone: string }).timezone = 'UTC';
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
	const { versionId } = await n8n.rest.get<{ versionId: string }>(`/workflows/${id}`);
	await n8n.rest.post(`/workflows/${id}/activate`, { versionId });
	const browser = await openBrowser();
	const page = await browser.newPage();
	page.setDefaultTimeout(60_000);
	const address = `${n8n.url}/form/insights-of-all-locations`;
	await until('the form', async () => (await fetch(address)).status === 200);
	await page.goto(address);
	await page.getByRole('combobox').selectOption('Last 7 days');
	const saved = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Get the table' }).click();
	const download = await saved;
	const name = download.suggestedFilename();
	expect(name).toMatch(/^insights-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.xlsx$/);
	const { readSheet } = await import('read-excel-file/node');
	const [headings, ...rows] = await readSheet((await download.path())!);
	await page.getByText(`Your browser has saved ${name}`).waitFor();
	await browser.close();
	expect(headings.slice(0, 3)).toEqual(['date', 'location_id', 'location_name']);
	expect(rows).toHaveLength(7 * locations().length);
	expect(new Set(rows.map(([date]) => date)).size).toBe(7);
});

test('posts from a spreadsheet with names of shops: the results carry the columns of the sheet', async () => {
	n8n.sandbox.reset();
	const [{ id, name }] = locations();
	const rows = [
		{ Shop: name, title: 'Grüße', content: 'Von 8 bis 12.' },
		{ Shop: 'No Such Shop', title: 'Nowhere', content: 'Von 8 bis 12.' },
	];
	const text = rows.map((row) => `"${Object.values(row).join('","')}"`);
	writeFileSync(join(n8n.files, 'posts.csv'), csvOf('Shop,title,content', ...text));
	const workflow = exampleWith(n8n.credential, WORKFLOWS.spreadsheet);
	for (const step of ['Create the post', 'Look first']) {
		const { parameters } = workflow.nodes.find(({ name }) => name === step) as Partial<INode>;
		Object.assign(parameters!, {
			locationId: { __rl: true, mode: 'name', value: '={{ $json.Shop }}' },
		});
	}
	const saved = await n8n.rest.post<{ id: string }>('/workflows', workflow);
	await runByHand(n8n.rest, saved.id);

	const results = linesOf(readFileSync(join(n8n.files, 'posts-results.csv')));
	expect(Object.keys(results[0])).toEqual([...RESULT_COLUMNS, 'Shop', 'title', 'content']);
	const [post] = postsOf(id);
	expect(results).toEqual([
		{ status: 'posted', post_id: post.id, message: 'Goes live at once.', ...rows[0] },
		{
			status: 'not posted',
			post_id: '',
			message: expect.stringContaining('No location is called "No Such Shop"'),
			...rows[1],
		},
	]);
});

describe.each([false, true])('posts from a spreadsheet, Dry Run %s', (dryRun) => {
	let run: () => Promise<unknown>;
	beforeAll(async () => {
		n8n.sandbox.reset();
		const workflow = exampleWith(n8n.credential as never, WORKFLOWS.spreadsheet);
		const create = workflow.nodes.find((node) => 'name' in node && node.name === 'Create the post');
		Object.assign((create as Partial<INode>).parameters!, { dryRun });
		const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
		run = async () => await runByHand(n8n.rest, id);
	});

	test.each(SHEET_CASES)('with $name, the results say what happened', async (one) => {
		const location = locations().find(({ id }) => postsOf(id).length > 0)!;
		const before = postsOf(location.id).length;
		const { cells, statuses, posts } = sheetOf(one, dryRun, location, postsOf(location.id)[0]);
		const text = cells.map(
			(row) => `"${row.map((cell) => cell.replaceAll('"', '""')).join('","')}"`,
		);
		const file = join(n8n.files, 'posts-results.csv');
		rmSync(file, { force: true });
		writeFileSync(join(n8n.files, 'posts.csv'), csvOf('location_id,title,content', ...text));
		await run();
		const results = existsSync(file) ? linesOf(readFileSync(file)) : [];
		expect(results.map(({ status }) => status)).toEqual(statuses);
		expect(postsOf(location.id)).toHaveLength(before + posts);
	});
});
