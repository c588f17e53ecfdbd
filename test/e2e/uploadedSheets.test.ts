import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FORM_PATH, publishForm } from '../../dev/demo/form';
import { exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { ROOT } from '../../dev/n8n/home';
import { until } from '../../dev/n8n/until';
import { takePicture } from '../support/editor';
import { openPage, useN8n } from '../support/n8n';

/*
 * The examples that take and give a spreadsheet, as people have them: other headings than ours, rows that
 * can't be posted, rows that are there already, and files as a German Excel saves them. `npm start` runs
 * them with our own (npmStart.test.ts).
 */
const n8n = useN8n();
type Cell = string | number;

const WINDOWS: Record<string, number> = { '€': 0x80, '„': 0x84, '“': 0x93, '–': 0x96 };
/** A file as a German Excel's "CSV (Trennzeichen-getrennt)" is: semicolons, and the letters of Windows. */
const germanCsv = (rows: Cell[][]) => {
	const asCell = (cell: Cell) =>
		/["\n;]/.test(`${cell}`) ? `"${`${cell}`.replace(/"/g, '""')}"` : cell;
	const text = rows.map((cells) => `${cells.map(asCell).join(';')}\r\n`).join('');
	return Buffer.from([...text].map((sign) => WINDOWS[sign] ?? sign.charCodeAt(0)));
};
/** Node.js 20 takes Windows-1252 for Latin-1. */
const fromWindows = (file: Buffer) =>
	Object.entries(WINDOWS).reduce(
		(text, [sign, code]) => text.replaceAll(String.fromCharCode(code), sign),
		file.toString('latin1'),
	);

/** n8n's own library for Excel files. */
const { utils, write } = createRequire(join(ROOT, 'dev/n8n/pinned/package.json'))('@e965/xlsx') as {
	utils: { aoa_to_sheet(rows: Cell[][]): object };
	write(book: object, options: object): Buffer;
};
const excelFile = (rows: Cell[][]) =>
	write({ SheetNames: ['A'], Sheets: { A: utils.aoa_to_sheet(rows) } }, { type: 'buffer' });

const SERVICE = { name: 'Local SEO sandbox', type: 'localSeoApi' };
const locations = () => n8n.sandbox.account.locations;
const posts = () => locations().flatMap(({ id }) => n8n.sandbox.account.postsOf(id));

/** A person at the form, who counts what they do. */
class Visitor {
	actions = 0;
	/** Shown in the documentation. */
	isShown = false;

	constructor(readonly page: Page) {}

	async open(): Promise<void> {
		this.actions = 0;
		await this.page.goto(`${n8n.url}${FORM_PATH}`);
	}

	async give(name: string, buffer: Buffer): Promise<void> {
		this.actions++;
		const mimeType = name.endsWith('.csv') ? 'text/csv' : 'application/octet-stream';
		await this.page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
	}

	async choose(column: string, heading: string): Promise<void> {
		this.actions++;
		await this.page.getByLabel(column, { exact: true }).selectOption(heading);
	}

	async pick(option: string | RegExp): Promise<void> {
		this.actions++;
		await this.page.getByLabel(option).check();
	}

	async press(button: string): Promise<void> {
		this.actions++;
		await this.page.getByRole('button', { name: button }).click();
	}

	/** Waits for a page: what it says. */
	async reads(title: string, picture?: string): Promise<string> {
		await this.page.getByRole('heading', { name: title, exact: true }).waitFor();
		if (picture && this.isShown) await takePicture(this.page, picture, this.page.locator('.card'));
		return (await this.page.locator('body').innerText()).replace(/\s+/g, ' ');
	}

	/** The first cells of each row of the table. */
	async table(): Promise<string[][]> {
		const rows = await this.page.locator('tbody tr').all();
		return await Promise.all(rows.map(async (row) => await row.locator('td').allInnerTexts()));
	}

	/** Uploads a file, and chooses columns that are not found. */
	async check(name: string, file: Buffer, columns: Record<string, string> = {}): Promise<void> {
		await this.open();
		await this.give(name, file);
		await this.reads('Posts from a spreadsheet', 'form-upload');
		await this.press('Next');
		await this.reads('Columns');
		for (const [column, heading] of Object.entries(columns)) await this.choose(column, heading);
		await this.reads('Columns', 'form-columns');
		await this.press('Check the rows');
	}

	/** Posts what is shown: the last page, and the file that the browser saves. */
	async post(title = 'Done'): Promise<{ name: string; file: Buffer; said: string }> {
		const saved = this.page.waitForEvent('download');
		await this.pick(/^Post th/);
		await this.press('Go on');
		const download = await saved;
		const said = await this.reads(title, 'form-done');
		return {
			name: download.suggestedFilename(),
			file: readFileSync((await download.path())!),
			said,
		};
	}
}

describe('uploaded in a form', () => {
	let visitor: Visitor;
	let id: string;
	beforeAll(async () => {
		visitor = new Visitor(await openPage({ width: 1000, height: 1080 }));
		const workflow = exampleWith(n8n.credential, WORKFLOWS.form);
		Object.assign(workflow.settings!, { timezone: 'Europe/Berlin' });
		({ id } = await n8n.rest.post<{ id: string }>('/workflows', workflow));
		await publishForm(n8n.rest, n8n.url, id);
	});
	afterAll(async () => {
		await visitor?.page.close();
		await n8n.rest.post(`/workflows/${id}/deactivate`, {});
	});

	const TEXT = 'Von 8 bis 12 – für 5 € & <b>mehr</b>; Frühstück.';
	const HEADINGS = ['Filiale', 'Titel', 'Beitragstext', 'Live ab', 'Notiz'];
	const COLUMNS = { Content: 'Beitragstext', 'Time to publish': 'Live ab' };
	const rowsFor = (what: string, at: Cell = '24.12.2027 10:00') => {
		const [{ name: first }, { name: second }] = locations();
		const text = `${TEXT} (${what})`;
		return [
			[first, `Weihnachtsmenü (${what})`, text, at, 'intern'],
			[second, `Winterangebot (${what})`, text, '3.12.2027 9:00', ''],
			[second, `Frühstück (${what})`, text, '', 'Termin noch offen'],
			[first, `Neue Öffnungszeiten (${what})`, text, '?', ''],
		];
	};

	test.each([
		['csv', germanCsv, '24.12.2027 10:00', '24.12.2027 10:00'],
		['xlsx', excelFile, 25569 + Date.UTC(2027, 11, 24, 10) / 86_400_000, '2027-12-24 10:00'],
	] as const)(
		'own headings, as .%s: what is right is posted at its time, in 7 actions',
		async (kind, made, time, timeBack) => {
			visitor.isShown = kind === 'csv';
			const before = posts().length;
			const file = `Beiträge.${kind}`;
			const rows = rowsFor(kind, time);
			await visitor.check(file, made([HEADINGS, ...rows]), COLUMNS);
			const asked = await visitor.reads('Check', 'form-check');
			expect(asked).toContain(
				'2 of 4 rows would be posted, for 2 locations, between Fri, Dec 3, 2027, 09:00 and Fri, Dec 24, 2027, 10:00; 2 with something wrong; not sent: Notiz; time zone Europe/Berlin.',
			);
			expect(await visitor.table()).toEqual([
				['2', rows[0][0], rows[0][1], 'Fri, Dec 24, 2027, 10:00', ''],
				['3', rows[1][0], rows[1][1], 'Fri, Dec 3, 2027, 09:00', ''],
				['4', rows[2][0], rows[2][1], '', expect.stringMatching(/^Live ab is e.* Enter a time, s/)],
				['5', rows[3][0], rows[3][1], '', expect.stringMatching(/^Live ab: "\?" c.* Write it as/)],
			]);
			expect(posts()).toHaveLength(before);

			const { name, file: saved, said } = await visitor.post('Not every row was posted');
			expect(visitor.actions).toBeLessThanOrEqual(7);
			expect(said).toContain('2 of 4 rows posted');
			const arrived = posts().filter(({ title }) => title.includes(kind));
			expect(arrived.map((one) => [one.title, one.content, one.publish_at]).sort()).toEqual([
				[rows[0][1], rows[0][2], '2027-12-24T09:00:00.000Z'],
				[rows[1][1], rows[1][2], '2027-12-03T08:00:00.000Z'],
			]);
			expect(name).toBe(`Beiträge-results.${kind}`);
			const results = await readBack(kind, saved);
			expect(results[0]).toEqual([...HEADINGS, 'status', 'post_id', 'message']);
			expect(results.slice(1).map((cells) => cells.slice(0, 6).map((cell) => cell ?? ''))).toEqual(
				rows.map((cells, at) => [
					...(at === 0 ? cells.with(3, timeBack) : cells),
					at < 2 ? 'posted' : 'not posted',
				]),
			);
			expect(results[4][7]).toContain('Write it as 2027');

			// The file that came back, once more.
			visitor.isShown = false;
			await visitor.check(name, saved, COLUMNS);
			expect(await visitor.reads('No row can be posted')).toContain('2 already there');
			expect(posts()).toHaveLength(before + 2);
		},
	);

	async function readBack(kind: string, file: Buffer): Promise<unknown[][]> {
		if (kind === 'csv') return parse(fromWindows(file), { delimiter: ';' });
		const { readSheet } = await import('read-excel-file/node');
		return await readSheet(file);
	}

	test.each([
		['no column for the time', { 'Time to publish': '(none)' }, /Choose the column of the times/],
		['times, and all at once', { 'When to publish': 'At once' }, /at once, choose \(none\) for/],
	])('nothing is public by mistake: %s', async (what, columns, why) => {
		const before = posts().length;
		const file = germanCsv([HEADINGS, ...rowsFor(what).filter(([, , , time]) => time !== '')]);
		await visitor.check('Beiträge.csv', file, { ...COLUMNS, ...columns });
		expect(await visitor.reads('No row can be posted')).toMatch(why);
		expect(posts()).toHaveLength(before);
	});

	test('one file from two people at once is posted once; an edited row is asked about', async () => {
		const other = new Visitor(await openPage({ width: 1000, height: 1080 }));
		const both = [visitor, other];
		const [one, two, late] = rowsFor('zwei');
		const file = germanCsv([HEADINGS, one, two]);
		for (const each of both) await each.check('zwei.csv', file, COLUMNS);
		for (const each of both) await each.reads('Check');
		await Promise.all(both.map(async (each) => await each.post()));
		await other.page.close();
		expect(posts().filter(({ title }) => title.includes('zwei'))).toHaveLength(2);
		const odd = [two.with(0, `${two[0]}x`), two.with(0, ''), late.with(3, '1.1.2020 9:00')];
		const edited = germanCsv([HEADINGS, one.with(2, 'Neu'), two, ...odd]);
		await visitor.check('zwei.csv', edited, COLUMNS);
		const said = await visitor.reads('No row can be posted');
		expect(said).toMatch(/1 already there; 4 with something wrong/);
		expect(said).toMatch(/one more of title.* There is .* Fill the cell.* Enter a later time/);
	});

	test('300 rows, with signs that have a meaning elsewhere', async () => {
		const headings = ['Filiale', 'Titel "groß" & <b>$1</b> {{ 1 + 1 }}', 'Text', 'Datum'];
		const rows = Array.from({ length: 300 }, (_, at) => [
			locations()[at % 3].name,
			`Größe ${at} <i>$&</i> {{ $json }} „neu“`,
			`${TEXT} ${at}`,
			`${1 + (at % 28)}.3.2028 8:00`,
		]);
		await visitor.check('viele.csv', germanCsv([headings, ...rows]), { Title: headings[1] });
		expect(await visitor.reads('Check')).toContain(
			'300 of 300 rows would be posted, for 3 locations',
		);
		const shown = await visitor.table();
		expect(shown.map(([, , title]) => title)).toEqual(rows.map(([, title]) => title));
		const { file } = await visitor.post();
		const titles = new Set(posts().map(({ title }) => title));
		expect(rows.filter(([, title]) => !titles.has(title))).toEqual([]);
		const results = parse(fromWindows(file), { delimiter: ';' }) as string[][];
		expect(results.slice(1).map((cells) => cells.slice(0, 5))).toEqual(
			rows.map((cells) => [...cells, 'posted']),
		);
	});

	test('what can not be read, or checked, has a page that says why; who stops posts nothing', async () => {
		const before = posts().length;
		// All that a file may have: repo/exampleWorkflows.
		const broken = { '': 'The file is empty.', 'PK\u0003\u0004': "can't be read as an Excel" };
		for (const [text, why] of Object.entries(broken)) {
			await visitor.open();
			await visitor.give('a.xlsx', Buffer.from(text));
			await visitor.press('Next');
			expect(await visitor.reads('The file could not be read')).toContain(why);
		}
		const file = germanCsv([HEADINGS, ...rowsFor('stop'), ['', 'T', 'T', '', '']]);
		await visitor.check('d.csv', file, COLUMNS);
		await visitor.reads('Check');
		await visitor.pick('Stop: post nothing');
		await visitor.press('Go on');
		expect(await visitor.reads('Stopped')).toContain('Nothing was posted.');
		await visitor.page.getByRole('link', { name: 'Upload another file' }).click();
		await visitor.reads('Posts from a spreadsheet');

		const data = { baseUrl: n8n.sandbox.baseUrl, apiKey: 'none' };
		await n8n.rest.patch(`/credentials/${n8n.credential.id}`, { ...SERVICE, data });
		await visitor.check('e.csv', file, COLUMNS);
		const said = await visitor.reads('The rows could not be checked');
		expect(said.split('The service does not accept this API key')).toHaveLength(2);
		data.apiKey = n8n.sandbox.keys.write;
		await n8n.rest.patch(`/credentials/${n8n.credential.id}`, { ...SERVICE, data });
		expect(posts()).toHaveLength(before);
	});
});

// Three actions: the address, the days, the button.
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
	expect(await page.locator('body').innerText()).not.toContain('missing');
	const { readSheet } = await import('read-excel-file/node');
	const [headings, ...rows] = await readSheet((await download.path())!);
	await page.close();
	expect(headings.slice(0, 3)).toEqual(['location_id', 'location_name', 'date']);
	expect(rows).toHaveLength(7 * locations().length);
	expect(new Set(rows.map(([, , date]) => date)).size).toBe(7);
});
