import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import type { INode } from 'n8n-workflow';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FORM_PATH, publishForm, upload as uploadAsProgram } from '../../dev/demo/form';
import { exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { runByHand } from '../../dev/n8n/execution';
import { EXAMPLES } from '../../dev/n8n/home';
import { until } from '../../dev/n8n/until';
import { Editor } from '../support/editor';
import { openPage, useN8n } from '../support/n8n';
import { SHEET_CASES, sheetOf } from '../support/sheetCases';

/*
 * The two examples that post a spreadsheet, with sheets as people have them: other headings than ours,
 * rows that fail, rows that are there already, and files as a German Excel saves them. `npm start` runs
 * them with our own (npmStart.test.ts).
 */
const n8n = useN8n();
const folder = mkdtempSync(join(tmpdir(), 'local-seo-sheets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RESULT_COLUMNS = ['status', 'post_id', 'message'];
const POST = 'Post the rows';
const CHECK = 'Check only: nothing is posted';

const rowOfCsv = (cells: string[]) =>
	cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
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

/** Publishes the example, as a user has changed it; resolves with its ID. */
async function publishExample(change: (workflow: ReturnType<typeof exampleWith>) => void) {
	const workflow = exampleWith(n8n.credential, WORKFLOWS.form);
	change(workflow);
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
	await publishForm(n8n.rest, n8n.url, id);
	return id;
}
const withdraw = async (id: string) => await n8n.rest.post(`/workflows/${id}/deactivate`, {});

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
		await withdraw(id);
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

	const header = 'location_id,title,content,Price. EUR,status';
	const ignoreOthers = async () => {
		const workflow = exampleWith(n8n.credential, WORKFLOWS.form);
		const create = workflow.nodes.find(({ name }) => name === 'Create the post') as Partial<INode>;
		Object.assign(create.parameters!.options as object, { ignoreExtraColumns: true });
		await n8n.rest.patch(`/workflows/${id}`, workflow);
		await publishForm(n8n.rest, n8n.url, id);
	};
	const rowOf = (title: string, where = locations()[0].id) =>
		`${where},${title},Von 8 bis 12.,"3,50",new`;

	test('columns that are no field: nothing is posted, the page names them, the file is recognizable', async () => {
		const rows = ['Montag', 'Dienstag'].map((Tag) => ({ Kunde: 'Bäckerei', Tag }));
		const sheet = csvOf('Kunde,Tag', ...rows.map((row) => Object.values(row).join(',')));
		const posted = await upload(sheet);
		expect(posted.said).toContain('No row was posted');
		expect(posted.said).toContain('0 of 2 rows were posted, 2 could not be posted.');
		expect(posted.said).toMatch(/The first reason: .*read shows these columns: Kunde, Tag/);
		expect(posted.said).not.toContain('Done');
		expect(Object.keys(posted.results[0])).toEqual([...RESULT_COLUMNS, 'Kunde', 'Tag']);
		const message = expect.stringContaining('read shows these columns: Kunde, Tag');
		expect(posted.results).toEqual(
			rows.map((row) => ({ status: 'not posted', post_id: '', message, ...row })),
		);
		const checked = await upload(sheet, CHECK);
		expect(checked.said).toContain('Check only: nothing was posted');
		expect(checked.said).toContain("0 of 2 rows would be posted, 2 can't be posted.");
		expect(checked.results).toMatchObject([{ status: 'invalid' }, { status: 'invalid' }]);
	});

	test('to check only, nothing is posted, and neither page nor file says so', async () => {
		await ignoreOthers();
		const before = postsOf(locations()[0].id).length;
		const titles = ['Grüße $& $1', 'Dated', '#REF!'];
		const times = ['', '2027-12-24 9:00', ''];
		const rows = titles.map((title, nth) => `${rowOf(title)},${times[nth]}`);
		const { said, results } = await upload(csvOf(`${header},publish_at`, ...rows), CHECK);
		expect(said).toContain('Check only: nothing was posted');
		expect(said).toContain(
			"2 of 3 rows would be posted, 1 of them at once, without a time, 1 can't be posted.",
		);
		const [status, post_id] = ['checked: would be posted', ''];
		expect(results).toMatchObject([
			{ status, post_id, message: 'Goes live at once.' },
			{ status, post_id, message: expect.stringMatching(/^Goes live Fri, Dec 24, 2027, 09:00 \(/) },
			{ status: 'invalid', post_id, message: expect.stringContaining('#REF!') },
		]);
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
		expect(postsOf(locations()[0].id)[0]).not.toHaveProperty('Price. EUR');
	});

	test('what was already there is counted, and so is what could not be posted; nothing else is Done', async () => {
		const rows = [rowOf('Tuesday'), rowOf('Wednesday'), rowOf('Thursday', 'loc_nowhere')];
		const { said, results } = await upload(csvOf(header, ...rows));
		expect(said).toContain('Not every row was posted');
		expect(said).toContain('1 of 3 rows was posted, 1 was already there, 1 could not be posted.');
		const statuses = results.map(({ status }) => status);
		expect(statuses).toEqual(['already there', 'posted', 'not posted']);
		const again = await upload(csvOf(header, ...rows.slice(0, 2)));
		expect(again.said).toContain('Done');
		expect(again.said).toContain('0 of 2 rows were posted, 2 were already there.');
	});

	test.each([
		['semicolons in UTF-8', ';', ''],
		['tabs', '\t', ''],
		["Excel's own first line", '|', 'sep=|\r\n'],
	])('the separator is found: %s', async (_, separator, first) => {
		const title = `Über ${separator.charCodeAt(0)}`;
		const lines = [
			['location_id', 'title', 'content', '"Note, for us, and others, and more"'],
			[locations()[0].id, title, 'A, B', 'x'],
		].map((cells) => cells.join(separator));
		const file = `\uFEFF${first}${lines.join('\n')}\n`;
		const { said, results } = await upload(file, POST, separator);
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
});

describe.each(['csv', 'xlsx'] as const)('a German file, .%s', (kind) => {
	const HEADINGS = ['Filiale', 'Titel', 'Text', 'Datum'];
	const file = join(folder, `Beiträge.${kind}`);
	let id: string;
	beforeAll(async () => {
		n8n.sandbox.reset();
		id = await publishExample(({ settings }) => {
			Object.assign(settings!, { timezone: 'Europe/Berlin' });
		});
	});
	afterAll(async () => await withdraw(id));

	async function asWorkbook(rows: Array<Array<string | Date>>): Promise<void> {
		const { default: writeXlsxFile } = await import('write-excel-file/node');
		const cells = rows.map((row) =>
			row.map((value) => {
				if (value instanceof Date) return { value, type: Date, format: 'dd.mm.yyyy hh:mm' };
				return value === '' ? null : { value, type: String };
			}),
		);
		await writeXlsxFile([HEADINGS.map((value) => ({ value })), ...cells], {}).toFile(file);
	}

	/** Uploads the file: what became of each row, in its order. */
	const post = async () =>
		linesOf(await uploadAsProgram(n8n.rest, n8n.url, file), kind === 'csv' ? ';' : ',');

	test('what can be posted is posted at its time, once; the rest says why; again changes nothing', async () => {
		const { account } = n8n.sandbox;
		const [shop, second] = locations();
		account.addLocation({ name: second.name, city: 'Ulm' });
		const before = postsOf(shop.id).length;
		const text = 'Von 8 bis 12 – für 5 €.';
		const title = `Größe „neu“${kind === 'csv' ? '' : ' 🎄'}`;
		const christmas = kind === 'csv' ? '24.12.2027 10:00' : new Date('2027-12-24T10:00:00Z');
		const rows = [
			[shop.name, title, text, christmas],
			[shop.name, `Am dritten, ${kind}`, text, '3.12.2027 9:00'],
			[shop.name.slice(0, -1), 'Vertippt', text, christmas],
			[second.name, 'Wessen?', text, christmas],
			[shop.name, 'Ohne Text', '', christmas],
			[shop.name, title, text, christmas],
		];
		if (kind === 'csv') writeFileSync(file, germanCsv([HEADINGS, ...(rows as string[][])]));
		else await asWorkbook(rows);
		const results = await post();
		const [posted, not, there] = ['posted', 'not posted', 'already there'];
		expect(results.map(({ status }) => status)).toEqual([posted, posted, not, not, not, there]);
		expect(results[2].message).toContain(`There is ${shop.name}`);
		expect(results[3].message).toMatch(/^.*2 locations are called /);
		expect(results[4].message).toMatch(/content/i);
		const made = postsOf(shop.id).slice(0, postsOf(shop.id).length - before);
		const times = made.map((one) => [one.title, one.content, one.publish_at]);
		expect(times.sort()).toEqual([
			[`Am dritten, ${kind}`, text, '2027-12-03T08:00:00.000Z'],
			[title, text, '2027-12-24T09:00:00.000Z'],
		]);

		const again = (await post()).map(({ status }) => status);
		expect(again).toEqual([there, there, not, not, not, there]);
		expect(postsOf(shop.id)).toHaveLength(before + 2);
	});
});

test('from the file of the example to the first posts: at most 20 actions', async () => {
	n8n.sandbox.reset();
	const [shop] = locations();
	const days = ['24.12.2027 10:00', '3.12.2027 9:00'];
	const rows = days.map((when, nth) => [shop.name, `Geöffnet ${nth}`, 'Von 8 bis 12.', when]);
	const sheet = germanCsv([['Filiale', 'Titel', 'Text', 'Datum'], ...rows]);
	const editor = await Editor.open(n8n);
	const { page } = editor;
	let actions = 0;
	const act = async (action: Promise<unknown>, count = 1) => {
		actions += count;
		await action;
	};
	await act(editor.newWorkflow());
	await act(page.getByTestId('workflow-menu').click());
	await act(page.getByRole('menuitem', { name: 'Import' }).hover());
	const chooser = page.waitForEvent('filechooser');
	await act(page.getByText('From file').click());
	await act((await chooser).setFiles(join(EXAMPLES, WORKFLOWS.form)));
	await editor.nodeOf('Create the post').waitFor();
	await act(editor.openNode('Create the post'));
	await act(editor.chooseCredential(n8n.credential.name), 2);
	await act(page.getByText('Parameters', { exact: true }).click());
	await act(editor.closeNode());
	await act(editor.publish(), 2);
	await until('the form', async () => (await fetch(n8n.url + FORM_PATH)).status === 200);
	await act(fillIn(page, sheet, CHECK, 'Beiträge.csv'), 4);
	await page.getByText('has each row with the time at which it goes live').waitFor();
	await act(fillIn(page, sheet, POST, 'Beiträge.csv'), 4);
	await page.getByText('2 of 2 rows were posted').waitFor();
	await page.getByText('is not UTF-8 and was read as Windows-1252').waitFor();
	await editor.close();
	const times = postsOf(shop.id).map(({ publish_at }) => publish_at);
	expect(times.slice(0, 2).sort()).toEqual([
		'2027-12-03T09:00:00.000Z',
		'2027-12-24T10:00:00.000Z',
	]);
	expect(actions).toBeLessThanOrEqual(20);
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
	const name = download.suggestedFilename();
	expect(name).toMatch(/^insights-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.xlsx$/);
	const { readSheet } = await import('read-excel-file/node');
	const [headings, ...rows] = await readSheet((await download.path())!);
	await page.getByText(`Your browser has saved ${name}`).waitFor();
	await page.close();
	expect(headings.slice(0, 3)).toEqual(['date', 'location_id', 'location_name']);
	expect(rows).toHaveLength(7 * locations().length);
	expect(new Set(rows.map(([date]) => date)).size).toBe(7);
});

describe.each([false, true])('a file that the workflow reads, Dry Run %s', (dryRun) => {
	test.each(SHEET_CASES)('with $name, the results say what happened', async (one) => {
		const workflow = exampleWith(n8n.credential, WORKFLOWS.spreadsheet);
		const create = workflow.nodes.find(({ name }) => name === 'Create the post') as Partial<INode>;
		const locationId = { __rl: true, mode: 'name', value: '={{ $json.Shop }}' };
		Object.assign(create.parameters!, { dryRun, locationId });
		const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
		const location = locations().find((any) => postsOf(any.id).length > 0)!;
		const before = postsOf(location.id).length;
		const { cells, statuses, posts } = sheetOf(
			one,
			dryRun,
			{ id: location.name },
			postsOf(location.id)[0],
		);
		const file = join(n8n.files, 'posts-results.csv');
		rmSync(file, { force: true });
		writeFileSync(
			join(n8n.files, 'posts.csv'),
			csvOf('Shop,title,content', ...cells.map(rowOfCsv)),
		);
		await runByHand(n8n.rest, id);
		const results = existsSync(file) ? linesOf(readFileSync(file)) : [];
		const columns = [...RESULT_COLUMNS, 'Shop', 'title', 'content'];
		for (const result of results) expect(Object.keys(result)).toEqual(columns);
		expect(results.map(({ status }) => status)).toEqual(statuses);
		expect(postsOf(location.id)).toHaveLength(before + posts);
	});
});
