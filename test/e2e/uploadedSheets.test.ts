import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FORM_PATH, publishForm } from '../../dev/demo/form';
import { exampleWith, putFormLogin, WORKFLOWS } from '../../dev/demo/setup';
import { ROOT } from '../../dev/n8n/home';
import { until } from '../../dev/n8n/until';
import { takePicture } from '../support/editor';
import { basicAuth, openPage, useN8n } from '../support/n8n';

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
/** n8n's own library for Excel files. */
const { utils, write } = createRequire(join(ROOT, 'dev/n8n/pinned/package.json'))('@e965/xlsx') as {
	utils: { aoa_to_sheet(rows: Cell[][]): { '!rows'?: Array<{ hidden: boolean }> } };
	write(book: object, options: object): Buffer;
};
/** @param hidden the place of a row, from 0 */
const excelFile = (rows: Cell[][], guide?: string, hidden?: number) => {
	const posts = utils.aoa_to_sheet(rows);
	if (hidden !== undefined) posts['!rows'] = rows.map((_, at) => ({ hidden: at === hidden }));
	const sheets = guide ? { [guide]: utils.aoa_to_sheet([['Fill in the next sheet.']]) } : {};
	const Sheets = { ...sheets, A: posts };
	return write({ SheetNames: Object.keys(Sheets), Sheets }, { type: 'buffer' });
};

const SERVICE = { name: 'Local SEO sandbox', type: 'localSeoApi' };
const locations = () => n8n.sandbox.account.locations;
const posts = () => locations().flatMap(({ id }) => n8n.sandbox.account.postsOf(id));

/** A person at the form, who counts what they do. */
class Visitor {
	actions = 0;
	/** Shown in the documentation. */
	isShown = false;

	private constructor(readonly page: Page) {}

	static async come(): Promise<Visitor> {
		const page = await openPage({ width: 1240, height: 1080 });
		await page.setExtraHTTPHeaders({ authorization: basicAuth(n8n.login) });
		return new Visitor(page);
	}

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
		await this.page.getByLabel(column).selectOption(heading);
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

	/** The heading that is chosen for a field. */
	async chosen(field: string): Promise<string> {
		return await this.page.getByLabel(field).inputValue();
	}

	/** Checks the rows, and finds the same page again, since something is open. */
	async isAsked(what: string | RegExp): Promise<void> {
		await this.press('Check the rows');
		await this.page.getByText(what).waitFor();
	}

	/** The cells of each row of the table. */
	async table(): Promise<string[][]> {
		const rows = await this.page.locator('tbody tr').all();
		return await Promise.all(rows.map(async (row) => await row.locator('td').allInnerTexts()));
	}

	/** Uploads a file, and chooses columns that are not found. */
	async check(name: string, file: Buffer, columns: Record<string, string> = {}): Promise<void> {
		await this.open();
		await this.give(name, file);
		await this.reads('Posts from a spreadsheet');
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
		visitor = await Visitor.come();
		const formLogin = await putFormLogin(n8n.rest, n8n.login);
		const workflow = exampleWith(n8n.credential, WORKFLOWS.form, formLogin);
		Object.assign(workflow.settings!, { timezone: 'Europe/Berlin' });
		({ id } = await n8n.rest.post<{ id: string }>('/workflows', workflow));
		await publishForm(n8n.rest, n8n.url, id);
	});
	afterAll(async () => {
		await visitor?.page.close();
		await n8n.rest.post(`/workflows/${id}/deactivate`, {});
	});
	afterEach(async () => {
		n8n.sandbox.faults.clear();
		await useKey(n8n.sandbox.keys.write);
	});

	const useKey = async (apiKey: string) => {
		const data = { baseUrl: n8n.sandbox.baseUrl, apiKey };
		await n8n.rest.patch(`/credentials/${n8n.credential.id}`, { ...SERVICE, data });
	};

	const TEXT = 'Von 8 bis 12 – für 5 € & <b>mehr</b>; "Frühstück", 12" breit.';
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
			expect(asked).toContain('Nothing is posted before you choose Post.');
			expect(asked).toContain(
				'2 of 4 rows would be posted, for 2 locations, between Fri, Dec 3, 2027, 09:00 and Fri, Dec 24, 2027, 10:00; 2 to correct; not sent: Notiz; time zone Europe/Berlin.',
			);
			const shown = (row: number) => [`${row}`, ...rows[row - 2].slice(0, 3)];
			expect(await visitor.table()).toEqual([
				[...shown(4), '', expect.stringMatching(/^To correct Live ab is e.* Fill Live ab, or/)],
				[...shown(5), '', expect.stringMatching(/^To correct Live ab: "\?" c.* Write it as/)],
				[...shown(2), 'Fri, Dec 24, 2027, 10:00', 'To post'],
				[...shown(3), 'Fri, Dec 3, 2027, 09:00', 'To post'],
			]);
			expect(posts()).toHaveLength(before);

			const { name, file: saved, said } = await visitor.post('Not every row was posted');
			expect(visitor.actions).toBeLessThanOrEqual(7);
			expect(said).toContain('2 of 4 rows posted or planned');
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
					at < 2 ? 'planned' : 'not posted',
				]),
			);
			expect(results[1][7]).toBe(
				'Goes live Fri, Dec 24, 2027, 10:00. The service says: scheduled.',
			);
			expect(results[4][7]).toContain('Write it as 2027');

			// The file that came back, once more.
			visitor.isShown = false;
			await visitor.check(name, saved, COLUMNS);
			expect(await visitor.reads('No row can be posted')).toContain('2 with nothing new');
			expect(posts()).toHaveLength(before + 2);
		},
	);

	async function readBack(kind: string, file: Buffer): Promise<unknown[][]> {
		if (kind === 'csv') return parse(file, { delimiter: ';', bom: true });
		const { readSheet } = await import('read-excel-file/node');
		return await readSheet(file);
	}

	test('whose clock counts is said first; headings that come twice are not guessed; hours may stand apart', async () => {
		const [{ name }] = locations();
		const headings = ['Filiale', 'Titel', 'Text', 'Text', 'Datum', 'Uhrzeit'];
		const day = 25569 + Date.UTC(2027, 11, 24) / 86_400_000;
		const plan = [
			['Plan for December'],
			[],
			headings,
			[name, 'Apart 1', 'Public 1', 'for us', day, 10.5 / 24],
			[name, 'Apart 2', 'Public 2', 'for us', '25.12.2027', '9:15'],
		];
		const book = excelFile(plan, 'Read me & more', 4);
		await visitor.open();
		await visitor.give('plan.xlsx', book);
		await visitor.press('Next');
		expect(await visitor.reads('Columns')).toMatch(
			/which\? Your clock says \d\d:\d\d\? If not, .* Europe\/Berlin\. Hidden in Excel: row 5\..* 2 rows below the headings in row 3/,
		);
		expect(await visitor.page.getByLabel('Sheet').locator('option').allInnerTexts()).toEqual(
			expect.arrayContaining(['Read me & more', 'A']),
		);
		const fields = ['Location', 'Content', 'Time to publish', 'Time of day', 'Sheet'];
		expect(await Promise.all(fields.map((field) => visitor.chosen(field)))).toEqual([
			'Filiale',
			'',
			'Datum',
			'Uhrzeit',
			'A',
		]);
		// What would be public by mistake is asked about on the page.
		await visitor.choose('Content', 'Titel');
		await visitor.isAsked('Two fields have the same column, Titel.');
		await visitor.choose('Content', 'Text');
		await visitor.choose('Time to publish', '(none)');
		await visitor.isAsked('Choose the column of the times for Time to publish');
		await visitor.choose('Time to publish', 'Datum');
		await visitor.choose('When to publish', 'At once');
		await visitor.isAsked('To post now, choose (none) for Time to publish, too.');
		await visitor.choose('When to publish', 'At the time in each row');
		await visitor.choose('Time of day', '(none)');
		await visitor.press('Check the rows');
		expect(await visitor.reads('Check')).toContain(
			'All posts go live at 00:00. If Uhrzeit says the hour, stop',
		);

		await visitor.check('plan.xlsx', book, { Content: 'Text' });
		await visitor.reads('Check');
		const lives = (await visitor.table()).map((cells) => cells.slice(3));
		expect(lives).toEqual([
			['Public 1', 'Fri, Dec 24, 2027, 10:30', 'To post'],
			['Public 2', 'Sat, Dec 25, 2027, 09:15', 'To post Hidden in Excel.'],
		]);
	});

	test('"03/04/2027" is asked about, and guessed only where another date tells', async () => {
		const [{ name }] = locations();
		const headings = ['Shop', 'Title', 'Text', 'Date'];
		const rowsOf = (...dates: string[]) =>
			dates.map((date, at) => [name, `Order ${at}`, 'Text', date]);
		const file = germanCsv([headings, ...rowsOf('03/04/2027', '24/04/2027', '12/24/2027')]);
		const order = '03/04/2027 is';
		await visitor.check('mixed.csv', file, { [order]: 'March 4: the month first' });
		await visitor.page.getByText('Row 3: 24/04/2027 has another part first').waitFor();
		await visitor.choose(order, 'As it says: refuse what is not clear');
		await visitor.press('Check the rows');
		expect(await visitor.reads('Check')).toMatch(
			/Date: "03\/04\/2027" makes two days\. .* choose what "03\/04\/2027 is"/,
		);
		await visitor.check('us.csv', germanCsv([headings, ...rowsOf('03/04/2027', '12/24/2027')]));
		await visitor.reads('Check');
		const lives = (await visitor.table()).map((cells) => cells[4].slice(0, -7));
		expect(lives).toEqual(['Thu, Mar 4, 2027', 'Fri, Dec 24, 2027']);
	});

	test('one file from two people at once is posted once; an edited row, a row twice and a strange name are named', async () => {
		const other = await Visitor.come();
		const both = [visitor, other];
		const [one, two, late] = rowsFor('zwei');
		const file = germanCsv([HEADINGS, one, two]);
		for (const each of both) await each.check('zwei.csv', file, COLUMNS);
		for (const each of both) await each.reads('Check');
		const [{ file: saved }] = await Promise.all(both.map(async (each) => await each.post()));
		await other.page.close();
		expect(posts().filter(({ title }) => title.includes('zwei'))).toHaveLength(2);
		const strange = [two.with(0, `${two[0]}x`), two.with(0, 'Nirgendwo'), two.with(0, '')];
		const odd = [...strange, late.with(3, '1.1.2020 9:00')];
		await visitor.check(
			'zwei.csv',
			germanCsv([HEADINGS, one.with(2, 'Neu'), two, ...odd]),
			COLUMNS,
		);
		const said = await visitor.reads('No row can be posted');
		expect(said).toMatch(/1 with nothing new; 5 to correct/);
		expect(said).toMatch(
			/What is public stays as it is.*one more of title.* There is .*\(loc_.* The page lists all locations\. .* Fill Filiale.* Enter a later time.* The locations: Ashdown/,
		);

		// Two things of a posted row are changed in the file that came back: it is another post.
		const [, ...back] = parse(saved, { delimiter: ';', bom: true }) as string[][];
		const changed = back[0].with(1, 'Ganz neu (zwei)').with(3, '27.12.2027 10:00');
		const results = [...HEADINGS, 'status', 'post_id', 'message'];
		await visitor.check(
			'zwei-results.csv',
			germanCsv([results, changed, changed, back[1]]),
			COLUMNS,
		);
		await visitor.reads('Check');
		expect((await visitor.table()).map(([row, , , , , result]) => [row, result])).toEqual([
			['2', expect.stringMatching(/^To post This row was posted before.* stays public, too\./)],
			['3', 'Same as row 2'],
			['4', 'Nothing new'],
		]);
	});

	test('a key that fails and a post that is no more than a draft are not taken for posted rows', async () => {
		const rows = rowsFor('Antwort').slice(0, 2);
		const upload = async () =>
			await visitor.check('a.csv', germanCsv([HEADINGS, ...rows]), COLUMNS);
		const before = posts().length;
		await useKey('none');
		await upload();
		const unchecked = await visitor.reads('The rows could not be checked');
		expect(unchecked).toMatch(
			/Rows 2, 3: The service does not accept this API key.* Nothing was posted\. Your rows are fine\. .*; then upload this file again\./,
		);
		expect(unchecked.split('does not accept this API key')).toHaveLength(2);
		await useKey(n8n.sandbox.keys.read);
		await upload();
		await visitor.reads('Check');
		const refused = await visitor.post('No row was posted');
		expect(refused.said).toMatch(
			/Not posted The service rejected the request to create .* Your rows are fine\. .*; then upload this file: what was posted is skipped\. For whoever has set up this form\. Rows 2, 3: .*read scope/,
		);
		expect(refused.said).not.toContain('correct the rows');
		expect(posts()).toHaveLength(before);

		await useKey(n8n.sandbox.keys.write);
		n8n.sandbox.faults.add({
			when: { method: 'POST', body: { title: rows[1][1] } },
			transform: ({ data }) => ({ data: { ...data, status: 'draft' } }),
		});
		await upload();
		await visitor.reads('Check');
		const { said, file } = await visitor.post('Look at your posts');
		expect(said).toContain('1 to look at in the dashboard');
		const [first, second] = await visitor.table();
		expect(first.slice(4)).toEqual(['', 'Sent The service says: draft.']);
		expect(second.slice(4)).toEqual([
			'Fri, Dec 24, 2027, 10:00',
			'Planned The service says: scheduled.',
		]);
		expect(await visitor.page.locator('td > b').allInnerTexts()).toEqual(['Planned']);
		const [, , last] = parse(file, { delimiter: ';', bom: true }) as string[][];
		expect(last.slice(5)).toEqual([
			'sent',
			expect.stringMatching(/^post_/),
			'The service says: draft.',
		]);
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
		const results = parse(file, { delimiter: ';', bom: true }) as string[][];
		expect(results.slice(1).map((cells) => cells.slice(0, 5))).toEqual(
			rows.map((cells) => [...cells, 'planned']),
		);
	});

	test('what can not be read has a page that says why; who stops posts nothing', async () => {
		const before = posts().length;
		// All that a file may have: repo/exampleWorkflows.
		const broken = [
			['a.xlsx', '', 'The file is empty.'],
			['a.xlsx', 'PK\u0003\u0004', "can't be read as an Excel"],
			[
				'a.csv',
				'a,b,c\n1,2,3\n1,"2" x,3\n',
				'Row 3 has quotation marks that could be read in two ways',
			],
		];
		for (const [name, text, why] of broken) {
			await visitor.open();
			await visitor.give(name, Buffer.from(text));
			await visitor.press('Next');
			expect(await visitor.reads('The file could not be read')).toContain(why);
		}
		await visitor.check('d.csv', germanCsv([HEADINGS, ...rowsFor('stop')]), COLUMNS);
		await visitor.reads('Check');
		await visitor.pick('Stop: post nothing');
		await visitor.press('Go on');
		expect(await visitor.reads('Stopped')).toContain('Nothing was posted.');
		await visitor.page.getByRole('link', { name: 'Upload another file' }).click();
		await visitor.reads('Posts from a spreadsheet');
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
