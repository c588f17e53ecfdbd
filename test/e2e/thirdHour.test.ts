import { parse } from 'csv-parse/sync';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FORM_PATH, publishForm, upload } from '../../dev/demo/form';
import { exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { EXAMPLES } from '../../dev/n8n/home';
import { until } from '../../dev/n8n/until';
import { Editor } from '../support/editor';
import { useN8n } from '../support/n8n';

jest.setTimeout(240_000);

/**
 * The third hour of someone who looks after many shops and has a German Excel: a sheet with German
 * headings, the shops' names, dates as people write them there, and the mistakes that sheets have.
 */
const n8n = useN8n();
const folder = mkdtempSync(join(tmpdir(), 'local-seo-sheets-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Row {
	Shop: string;
	title: string;
	content: string;
	when: string | Date;
}

const COLUMNS = ['Filiale', 'Titel', 'Text', 'Datum'];
const IN_WINDOWS: Record<string, number> = { '€': 0x80, '„': 0x84, '“': 0x93, '–': 0x96 };

/** As Excel saves "CSV (Trennzeichen-getrennt)": semicolons, and the letters of Windows. */
function asCsv(rows: Row[]): Buffer {
	const lines = [COLUMNS, ...rows.map((row) => Object.values(row))].map((cells) => cells.join(';'));
	const text = `${lines.join('\r\n')}\r\n`;
	return Buffer.from([...text].map((sign) => IN_WINDOWS[sign] ?? sign.charCodeAt(0)));
}

async function asWorkbook(rows: Row[], path: string): Promise<void> {
	const { default: writeXlsxFile } = await import('write-excel-file/node');
	const cells = rows.map(({ when, ...texts }) => [
		...Object.values(texts).map((value) => (value === '' ? null : { value, type: String })),
		when instanceof Date
			? { value: when, type: Date, format: 'dd.mm.yyyy hh:mm' }
			: { value: when, type: String },
	]);
	await writeXlsxFile([COLUMNS.map((value) => ({ value })), ...cells], {}).toFile(path);
}

describe.each(['csv', 'xlsx'] as const)('a German file, .%s', (kind) => {
	const file = join(folder, `Beiträge.${kind}`);
	const account = () => n8n.sandbox.account;
	let shop: { id: string; name: string };
	let rows: Row[];

	/** Uploads the file: what became of each row, in its order. */
	async function post() {
		const results = await upload(n8n.rest, n8n.url, file);
		const delimiter = kind === 'csv' ? ';' : ',';
		return parse(results, { columns: true, bom: true, delimiter }) as Array<Record<string, string>>;
	}

	beforeAll(async () => {
		n8n.sandbox.reset();
		const [first, second] = account().locations;
		shop = first;
		account().addLocation({ name: second.name, city: 'Ulm' });
		const christmas = kind === 'csv' ? '24.12.2027 10:00' : new Date('2027-12-24T10:00:00Z');
		const row = { Shop: shop.name, content: 'Von 8 bis 12 – für 5 €.', when: christmas };
		const sign = kind === 'csv' ? '' : ' 🎄';
		rows = [
			{ ...row, title: `Größe „neu“${sign}` },
			{ ...row, title: `Am dritten, ${kind}`, when: '3.12.2027 9:00' },
			{ ...row, title: 'Vertippt', Shop: `${shop.name.slice(0, -1)}` },
			{ ...row, title: 'Wessen?', Shop: second.name },
			{ ...row, title: 'Ohne Text', content: '' },
			{ ...row, title: `Größe „neu“${sign}` },
		].map(({ Shop, title, content, when }) => ({ Shop, title, content, when }));
		if (kind === 'csv') writeFileSync(file, asCsv(rows));
		else await asWorkbook(rows, file);
		const workflow = exampleWith(n8n.credential, WORKFLOWS.form);
		Object.assign(workflow.settings as object, { timezone: 'Europe/Berlin' });
		const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
		await publishForm(n8n.rest, n8n.url, id);
		deactivate = async () => void (await n8n.rest.post(`/workflows/${id}/deactivate`, {}));
	});
	let deactivate = async () => {};
	afterAll(async () => await deactivate());

	test('what can be posted is posted at its time, once; the rest says why', async () => {
		const before = account().postsOf(shop.id).length;
		const results = await post();
		expect(results.map(({ status }) => status)).toEqual([
			'posted',
			'posted',
			'not posted',
			'not posted',
			'not posted',
			'already there',
		]);
		expect(results[2].message).toContain(`There is ${shop.name}`);
		expect(results[3].message).toMatch(/^.*2 locations are called /);
		expect(results[4].message).toMatch(/content/i);
		const all = account().postsOf(shop.id);
		const posts = all.slice(0, all.length - before);
		expect(posts.map(({ title, publish_at }) => [title, publish_at]).sort()).toEqual(
			[
				[rows[0].title, '2027-12-24T09:00:00.000Z'],
				[rows[1].title, '2027-12-03T08:00:00.000Z'],
			].sort(),
		);
	});

	test('the same file again changes nothing', async () => {
		const before = account().postsOf(shop.id).length;
		const results = await post();
		const there = results.filter(({ status }) => status === 'already there');
		expect(there).toHaveLength(3);
		expect(results.some(({ status }) => status === 'posted')).toBe(false);
		expect(account().postsOf(shop.id)).toHaveLength(before);
	});
});

test('in the editor, from the file of the example to the first posts: at most 20 actions', async () => {
	n8n.sandbox.reset();
	const [shop] = n8n.sandbox.account.locations;
	const row = { Shop: shop.name, content: 'Von 8 bis 12.' };
	const days = ['24.12.2027 10:00', '3.12.2027 9:00'];
	const rows = days.map((when, nth) => ({ ...row, title: `Geöffnet ${nth}`, when }));
	const name = 'Beiträge.csv';
	const buffer = asCsv(
		rows.map(({ Shop, title, content, when }) => ({ Shop, title, content, when })),
	);
	const sheet = { name, mimeType: 'text/csv', buffer };

	const editor = await Editor.open(n8n);
	const { page } = editor;
	let actions = 0;
	const act = async (action: Promise<unknown>) => {
		actions++;
		await action;
	};
	try {
		await act(editor.newWorkflow());
		await act(page.getByTestId('workflow-menu').click());
		await act(page.getByRole('menuitem', { name: 'Import' }).hover());
		const chooser = page.waitForEvent('filechooser');
		await act(page.getByText('From file').click());
		await act((await chooser).setFiles(join(EXAMPLES, WORKFLOWS.form)));
		await editor.nodeOf('Create the post').waitFor();
		await act(editor.openNode('Create the post'));
		actions++; // it clicks twice
		await act(editor.chooseCredential(n8n.credential.name));
		await act(page.getByText('Parameters', { exact: true }).click());
		await act(page.keyboard.press('Escape'));
		await page.getByTestId('output-panel').waitFor({ state: 'hidden' });
		await act(page.getByTestId('workflow-open-publish-modal-button').click());
		const publish = page.getByRole('dialog').getByRole('button', { name: 'Publish' });
		await act(publish.click());
		await publish.waitFor({ state: 'hidden' });
		await until('the form', async () => (await fetch(n8n.url + FORM_PATH)).status === 200);

		const send = async (what: string) => {
			await act(page.goto(n8n.url + FORM_PATH));
			await act(page.locator('input[type=file]').setInputFiles(sheet));
			await act(page.getByRole('combobox').selectOption(what));
			await act(page.getByRole('button', { name: 'Go' }).click());
		};
		await send('Check only: nothing is posted');
		await page.getByText('has each row with the time at which it goes live').waitFor();
		await send('Post the rows');
		await page.getByText('2 of 2 rows were posted').waitFor();
	} finally {
		await editor.close();
	}
	const posts = n8n.sandbox.account.postsOf(shop.id).slice(0, 2);
	expect(posts.map(({ publish_at }) => publish_at).sort()).toEqual([
		'2027-12-03T09:00:00.000Z',
		'2027-12-24T10:00:00.000Z',
	]);
	expect(actions).toBeLessThanOrEqual(20);
});
