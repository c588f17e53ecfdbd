import type { Browser } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { FORM_PATH, publishForm } from '../../demo/form';
import { exampleWith, WORKFLOWS } from '../../demo/setup';
import { openBrowser } from '../../harness/browser';
import { runByHand } from '../../harness/execution';
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
const linesOf = (csv: string | Buffer): Array<Record<string, string>> =>
	parse(csv, { columns: true, bom: true });

/** An example with the location read from the column Shop, as docs/recipes.md says. */
function byShop(file: string) {
	const workflow = exampleWith(n8n.credential as never, file);
	for (const { name, parameters } of workflow.nodes as unknown as Array<{
		name: string;
		parameters: Record<string, unknown>;
	}>) {
		if (name !== 'Create the post' && name !== 'Look first') continue;
		parameters.locationId = { __rl: true, mode: 'name', value: '={{ $json.Shop }}' };
	}
	return workflow;
}

const locations = () => n8n.sandbox.account.locations;
const postsOf = (id: string) => n8n.sandbox.account.postsOf(id);

describe('posts from an uploaded spreadsheet', () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await openBrowser();
		const workflow = exampleWith(n8n.credential as never, WORKFLOWS.form);
		const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
		await publishForm(n8n.rest, n8n.url, id);
	});
	afterAll(async () => await browser?.close());

	/** Uploads a sheet in a browser: what the last page says, and the file that the browser saves. */
	async function upload(csv: string, what = 'Post the rows') {
		const page = await browser.newPage();
		page.setDefaultTimeout(60_000);
		await page.goto(`${n8n.url}${FORM_PATH}`);
		await page.locator('input[type=file]').setInputFiles({
			name: 'posts.csv',
			mimeType: 'text/csv',
			buffer: Buffer.from(csv),
		});
		await page.getByRole('combobox').selectOption(what);
		const saved = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Go' }).click();
		const download = await saved;
		expect(download.suggestedFilename()).toBe('posts-results.csv');
		const results = linesOf(readFileSync((await download.path())!));
		await page.getByText('posts-results.csv').waitFor();
		const said = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
		await page.close();
		return { said, results };
	}

	test('a sheet with other headings: the page says that no row was posted, the file is recognizable', async () => {
		const days = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'];
		const rows = days.map((day) => ({ Shop: 'Bäckerei', Text: `Am ${day}`, When: day }));
		const { said, results } = await upload(
			csvOf('Shop,Text,When', ...rows.map((row) => Object.values(row).join(','))),
		);
		expect(said).toContain('No row was posted');
		expect(said).toContain('0 of 6 rows were posted, 6 could not be posted.');
		expect(said).toContain('posts-results.csv, which your browser has saved, says why.');
		expect(said).not.toContain('Done');
		expect(Object.keys(results[0])).toEqual([...RESULT_COLUMNS, 'Shop', 'Text', 'When']);
		expect(results).toEqual(
			rows.map((row) => ({
				status: 'not posted',
				post_id: '',
				message: expect.stringContaining('location'),
				...row,
			})),
		);
	});

	const header = 'location_id,title,content,Price. EUR,status';
	const rowOf = (title: string, id = locations()[0].id) =>
		`${id},${title},Von 8 bis 12.,"3,50",new`;

	test('to check only, nothing is posted, and neither page nor file says so', async () => {
		const before = postsOf(locations()[0].id).length;
		const rows = [rowOf('Grüße $& $1'), rowOf('#REF!')];
		const { said, results } = await upload(csvOf(header, ...rows), 'Check only: nothing is posted');
		expect(said).toContain('Check only: nothing was posted');
		expect(said).toContain("1 of 2 rows would be posted, 1 can't be posted.");
		expect(results).toMatchObject([
			{ status: 'checked: would be posted', post_id: '', message: '' },
			{ status: 'invalid', post_id: '', message: expect.stringContaining('#REF!') },
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
			message: '',
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

	test('a sheet of which all rows are there already is done', async () => {
		const { said } = await upload(csvOf(header, rowOf('Tuesday'), rowOf('Wednesday')));
		expect(said).toContain('Done');
		expect(said).toContain('0 of 2 rows were posted, 2 were already there.');
	});
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
	const workflow = byShop(WORKFLOWS.spreadsheet);
	const saved = await n8n.rest.post<{ id: string }>('/workflows', workflow);
	await runByHand(n8n.rest, saved.id);

	const results = linesOf(readFileSync(join(n8n.files, 'posts-results.csv')));
	expect(Object.keys(results[0])).toEqual([...RESULT_COLUMNS, 'Shop', 'title', 'content']);
	const [post] = postsOf(id);
	expect(results).toEqual([
		{ status: 'posted', post_id: post.id, message: '', ...rows[0] },
		{
			status: 'not posted',
			post_id: '',
			message: expect.stringContaining('No location is called "No Such Shop"'),
			...rows[1],
		},
	]);
});
