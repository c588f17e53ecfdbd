import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import type { INode } from 'n8n-workflow';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FORM_PATH, publishForm, upload as uploadAsProgram } from '../../dev/demo/form';
import { exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { until } from '../../dev/n8n/until';
import { openPage, useN8n } from '../support/n8n';

/*
 * The examples that take and give a spreadsheet, with sheets as people have them: other headings than ours,
 * rows that fail, rows that are there already, and files as a German Excel saves them. `npm start` runs
 * them with our own (npmStart.test.ts).
 */
const n8n = useN8n();
const folder = mkdtempSync(join(tmpdir(), 'local-seo-sheets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const POST = 'Post the rows';
const CHECK = 'Check only: nothing is posted';

/** A file as Excel's "CSV UTF-8" is. */
const csvOf = (...lines: string[]) => `\uFEFF${lines.join('\r\n')}\r\n`;
const linesOf = (csv: string | Buffer, delimiter = ','): Array<Record<string, string>> =>
	parse(csv, { columns: true, bom: true, delimiter });

const WINDOWS: Record<string, number> = { '€': 0x80, '„': 0x84, '“': 0x93, '–': 0x96 };
/** A file as a German Excel's "CSV (Trennzeichen-getrennt)" is: semicolons, and the letters of Windows. */
const germanCsv = (rows: string[][]) =>
	Buffer.from(
		[...`${rows.map((cells) => cells.join(';')).join('\r\n')}\r\n`].map(
			(sign) => WINDOWS[sign] ?? sign.charCodeAt(0),
		),
	);

const locations = () => n8n.sandbox.account.locations;
const postsOf = (id: string) => n8n.sandbox.account.postsOf(id);

type Example = ReturnType<typeof exampleWith>;
const parametersOf = ({ nodes }: Example, wanted: string) =>
	(nodes.find(({ name }) => name === wanted) as INode).parameters;

/** Publishes the form as a user has changed it; resolves with its ID. */
async function publishExample(change: (workflow: Example) => void) {
	const workflow = exampleWith(n8n.credential, WORKFLOWS.form);
	change(workflow);
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
	await publishForm(n8n.rest, n8n.url, id);
	return id;
}

/** Fills in the form, in a browser. */
async function fillIn(page: Page, file: string | Buffer, what: string, name: string) {
	await page.goto(`${n8n.url}${FORM_PATH}`);
	const mimeType = name.endsWith('.csv') ? 'text/csv' : 'application/octet-stream';
	const buffer = Buffer.from(file as string);
	await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
	await page.getByRole('combobox').selectOption(what);
	await page.getByRole('button', { name: 'Go' }).click();
}

describe('uploaded in a form', () => {
	let page: Page;
	let id: string;
	beforeAll(async () => {
		page = await openPage();
		id = await publishExample(() => {});
	});
	afterAll(async () => {
		await page?.close();
		await n8n.rest.post(`/workflows/${id}/deactivate`, {});
	});

	const said = async () => (await page.locator('body').innerText()).replace(/\s+/g, ' ');

	/** Uploads a sheet: what the last page says, and the file that the browser saves. */
	async function upload(csv: string | Buffer, what = POST, separator = ',') {
		const saved = page.waitForEvent('download');
		await fillIn(page, csv, what, 'posts.csv');
		const download = await saved;
		expect(download.suggestedFilename()).toBe('posts-results.csv');
		const file = readFileSync((await download.path())!, 'utf8');
		await page.getByText('posts-results.csv').waitFor();
		return { said: await said(), results: linesOf(file, separator) };
	}

	/** Uploads what can't be read: what the last page says. */
	async function refused(file: string | Buffer, name = 'posts.csv') {
		await fillIn(page, file, POST, name);
		await page.getByText('The file could not be read').waitFor();
		return await said();
	}

	const header = 'location_id,title,content,publish_at';
	const rowOf = (title: string, where = locations()[0].id, when = '') =>
		`${where},${title},From 8 to 12.,${when}`;

	test('columns that are no field: nothing is posted, and page and file name them', async () => {
		const { said: page, results } = await upload(csvOf('Kunde,status', 'Bäckerei,new'));
		expect(page).toContain('No row was posted 0 of 1 row was posted, 1 could not be posted.');
		expect(page).toMatch(/The first reason: .*read shows these columns: Kunde\./);
		const message = expect.stringContaining('read shows these columns: Kunde.');
		expect(results).toEqual([
			{ status: 'not posted', post_id: '', message, Kunde: 'Bäckerei', input_status: 'new' },
		]);
	});

	test('to check only, nothing is posted, and neither page nor file says so', async () => {
		const before = postsOf(locations()[0].id).length;
		const rows = [rowOf('A $& $1'), rowOf('B', undefined, '2027-12-24 9:00'), rowOf('#REF!')];
		const { said, results } = await upload(csvOf(header, ...rows), CHECK);
		expect(said).toContain(
			"Check only: nothing was posted 2 of 3 rows would be posted, 1 of them at once, without a time, 1 can't be posted.",
		);
		const [status, post_id] = ['checked: would be posted', ''];
		expect(results).toMatchObject([
			{ status, post_id, message: 'Goes live at once.' },
			{ status, post_id, message: expect.stringMatching(/^Goes live Fri, Dec 24, 2027, 09:00 \(/) },
			{ status: 'invalid', post_id, message: expect.stringContaining('#REF!') },
		]);
		expect(postsOf(locations()[0].id)).toHaveLength(before);
	});

	test('each row is posted once; only if all are there, it says Done', async () => {
		const first = await upload(csvOf(header, rowOf('Grüße $& $1'), rowOf('Tuesday')));
		expect(first.said).toContain(
			'Done 2 of 2 rows were posted. Your browser has saved posts-results',
		);
		const post = postsOf(locations()[0].id).find(({ title }) => title === 'Grüße $& $1')!;
		const [message, location_id, content] = ['Goes live at once.', post.location_id, post.content];
		expect(first.results[0]).toEqual({
			...{ status: 'posted', post_id: post.id, message },
			...{ location_id, title: 'Grüße $& $1', content },
		});
		const rows = [rowOf('Tuesday'), rowOf('Wednesday'), rowOf('Thursday', 'loc_nowhere')];
		const { said, results } = await upload(csvOf(header, ...rows));
		expect(said).toContain(
			'Not every row was posted 1 of 3 rows was posted, 1 was already there, 1',
		);
		const statuses = results.map(({ status }) => status);
		expect(statuses).toEqual(['already there', 'posted', 'not posted']);
	});

	test.each([
		['semicolons in UTF-8', ';', '\uFEFF', 'utf8'],
		["semicolons in Excel's letters", ';', '', 'latin1'],
		['tabs', '\t', '\uFEFF', 'utf8'],
		["Excel's own first line", '|', '\uFEFFsep=|\r\n', 'utf8'],
	] as const)('the separator is found: %s', async (name, separator, first, encoding) => {
		const cells = [locations()[0].id, `Über ${name}`, 'A, B'];
		const text = `${first}${['location_id', 'title', '"content"'].join(separator)}\n${cells.join(separator)}\n`;
		const { said, results } = await upload(Buffer.from(text, encoding), POST, separator);
		expect(said).toContain('1 of 1 row was posted.');
		expect(said.includes('is not UTF-8 and was read as Windows-1252')).toBe(encoding === 'latin1');
		expect(results).toMatchObject([{ status: 'posted', title: cells[1], content: 'A, B' }]);
	});

	test('what can not be read ends with a page that says what is wrong', async () => {
		const before = postsOf(locations()[0].id).length;
		const long = await refused(csvOf(header, rowOf('A'), `${rowOf('B')},one too many`));
		expect(long).toMatch(/posts\.csv: Invalid Record Length.* on line 3\..*Nothing was posted\./);
		expect(await refused(csvOf(header))).toContain('There are no rows below the column headings.');
		const noWorkbook = Buffer.from('PK\u0003\u0004 no workbook');
		expect(await refused(noWorkbook, 'posts.xlsx')).toContain('posts.xlsx: ');
		expect(postsOf(locations()[0].id)).toHaveLength(before);
	});
});

/** The form as a user in Germany changes it. */
const inGerman = (workflow: Example) => {
	Object.assign(workflow.settings!, { timezone: 'Europe/Berlin' });
	const parameters = parametersOf(workflow, 'Headings');
	const fields = "{ Filiale: 'location_id', Titel: 'title', Text: 'content', Datum: 'publish_at' }";
	const changed = String(parameters.jsCode).replace(/(?<=FIELDS = )\{[^}]+\}/, fields);
	expect(changed).toContain(fields);
	parameters.jsCode = changed;
};

test('a German file: what can be posted is posted at its time, once; again changes nothing', async () => {
	n8n.sandbox.reset();
	const id = await publishExample(inGerman);
	const file = join(folder, 'Beiträge.csv');
	/** Uploads the file: what became of each row, in its order. */
	const post = async () => linesOf(await uploadAsProgram(n8n.rest, n8n.url, file), ';');
	const { account } = n8n.sandbox;
	const [shop, second] = locations();
	account.addLocation({ name: second.name, city: 'Ulm' });
	const before = postsOf(shop.id).length;
	const [title, text, christmas] = ['Größe „neu“', 'Von 8 bis 12 – für 5 €.', '24.12.2027 10:00'];
	const rows = [
		[shop.name, title, text, christmas],
		[shop.name, 'Am dritten', text, '3.12.2027 9:00'],
		[shop.name.slice(0, -1), 'Vertippt', text, christmas],
		[second.name, 'Wessen?', text, christmas],
		[shop.name, 'Ohne Text', '', christmas],
		[shop.name, title, text, christmas],
	];
	writeFileSync(file, germanCsv([['Filiale', 'Titel', 'Text', 'Datum'], ...rows]));
	const results = await post();
	const [posted, not, there] = ['posted', 'not posted', 'already there'];
	expect(results.map(({ status }) => status)).toEqual([posted, posted, not, not, not, there]);
	expect(results[2].message).toContain(`There is ${shop.name}`);
	expect(results[3].message).toMatch(/^.*2 locations are called /);
	expect(results[4].message).toMatch(/content/i);
	const made = postsOf(shop.id).slice(0, postsOf(shop.id).length - before);
	const times = made.map((one) => [one.title, one.content, one.publish_at]);
	expect(times.sort()).toEqual([
		['Am dritten', text, '2027-12-03T08:00:00.000Z'],
		[title, text, '2027-12-24T09:00:00.000Z'],
	]);

	const again = (await post()).map(({ status }) => status);
	expect(again).toEqual([there, there, not, not, not, there]);
	expect(postsOf(shop.id)).toHaveLength(before + 2);
	await n8n.rest.post(`/workflows/${id}/deactivate`, {});
});

test('insights of last week are downloaded as an Excel file', async () => {
	const workflow = exampleWith(n8n.credential, WORKFLOWS.download);
	Object.assign(workflow.settings!, { timezone: 'UTC' });
	await n8n.activate(workflow);
	const page = await openPage();
	const address = `${n8n.url}/form/insights-of-all-locations`;
	await until('the form', async () => (await fetch(address)).status === 200);
	await page.goto(address);
	await page.getByRole('combobox').selectOption('Last 7 days');
	const saved = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Get the table' }).click();
	const download = await saved;
	expect(download.suggestedFilename()).toMatch(/^insights-(\d{4}-\d\d-\d\d(-to-|\.xlsx$)){2}/);
	const { readSheet } = await import('read-excel-file/node');
	const [headings, ...rows] = await readSheet((await download.path())!);
	await page.close();
	expect(headings.slice(0, 3)).toEqual(['date', 'location_id', 'location_name']);
	expect(rows).toHaveLength(7 * locations().length);
	expect(new Set(rows.map(([date]) => date)).size).toBe(7);
});
