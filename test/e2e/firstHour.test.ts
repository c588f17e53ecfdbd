import { inARow, step } from '../../dev/n8n/workflow';
import { Editor } from '../support/editor';
import { useN8n } from '../support/n8n';
import { choose } from './choose';

jest.setTimeout(300_000);

/** The first hour of someone with a sheet, from the credential on. */
const n8n = useN8n();
beforeAll(async () => await n8n.rest.delete(`/credentials/${n8n.readOnly.id}`));

/** A canvas with a sheet that has just been read. */
async function openSheet(editor: Editor, rows: object[]): Promise<void> {
	const nodes = [
		step('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		step('Sheet', 'n8n-nodes-base.code', 2, {
			jsCode: `return ${JSON.stringify(rows.map((json) => ({ json })))};`,
		}),
	];
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', inARow('My posts', nodes));
	await editor.openWorkflow(id);
	await editor.executeWorkflow('Sheet');
}

/** Posts a sheet that names its shops in a column. */
async function postByName(editor: Editor, rows: object[]) {
	await openSheet(editor, rows);
	await editor.addNode('Create content post');
	await editor.chooseMode('locationId', 'By Name');
	await editor.map('shop', 'locationId');
	await choose(editor, 'whenToPublish', 'At Once');
	await editor.mapAutomatically();
	return await editor.executeStep();
}

const postsOf = (id: string) => n8n.sandbox.account.postsOf(id).map(({ title }) => title);

describe('in the editor', () => {
	let editor: Editor;
	beforeAll(async () => {
		n8n.sandbox.reset();
		editor = await Editor.open(n8n, { width: 1280, height: 720 });
	});
	afterAll(async () => await editor?.close());

	const title = 'Open on Sunday';

	test('a sheet with columns of its own is posted in ten actions and nine characters', async () => {
		const [{ id }] = n8n.sandbox.account.locations;
		await openSheet(editor, [{ location_id: id, headline: title, text: 'From 8 to 12.' }]);
		let actions = 0;
		const act = async (action: Promise<unknown>) => {
			actions++;
			await action;
		};
		const { page } = editor;
		const items = page.getByTestId('item-iterator-item');
		await act(page.getByTestId('canvas-handle-plus').last().click());
		await act(page.getByTestId('node-creator-search-bar').fill('local seo'));
		await act(items.filter({ hasText: 'Local SEO' }).first().click());
		await act(items.filter({ hasText: 'Create content post' }).click());
		await editor.mappedFields().waitFor();
		await act(editor.map('location_id', 'locationId'));
		await act(choose(editor, 'whenToPublish', 'At Once'));
		actions++; // it clicks twice
		await act(editor.map('headline', 'title'));
		await act(editor.map('text', 'content'));
		await act(page.getByTestId('node-execute-button').first().click());
		await page.getByTestId('output-panel').getByText('1 item').waitFor();
		expect(postsOf(id)).toContain(title);
		expect(await page.getByText('No fields found').count()).toBe(0);
		expect(actions).toBeLessThanOrEqual(10);
	});

	test('the same sheet once more is skipped, and the result says so', async () => {
		const [{ id }] = n8n.sandbox.account.locations;
		const before = postsOf(id).length;
		const output = await editor.executeStep();
		await output.getByText(/skipped because (it|they) already exist/).waitFor();
		expect(postsOf(id)).toHaveLength(before);
	});

	test('a sheet of shop names is posted, and the row that names no shop is called by its number', async () => {
		const [{ id, name }] = n8n.sandbox.account.locations;
		const byNameTitle = 'Come in';
		const rows = [name.toUpperCase(), 'No Such Shop'].map((shop, index) => ({
			row_number: index + 2,
			shop,
			title: byNameTitle,
			content: 'Found by its name.',
		}));
		const output = await postByName(editor, rows);
		await output.getByText('1 of 2 rows failed; 1 was posted. Row 3:').first().waitFor();
		await output.getByText('No Such Shop').first().waitFor();
		expect(postsOf(id)).toContain(byNameTitle);
	});

	test('headers that the service does not know are named before anything is sent', async () => {
		const [{ id }] = n8n.sandbox.account.locations;
		const before = postsOf(id).length;
		await openSheet(editor, [{ location_id: id, headline: title, text: 'From 8 to 12.' }]);
		await editor.addNode('Create content post');
		await editor.map('location_id', 'locationId');
		await editor.mapAutomatically();
		const output = await editor.executeStep();
		await output
			.getByText(/content posts read shows these columns: headline, text/)
			.first()
			.waitFor();
		expect(postsOf(id)).toHaveLength(before);
	});
});

describe('without a mouse', () => {
	let editor: Editor;
	beforeAll(async () => {
		n8n.sandbox.reset();
		editor = await Editor.open(n8n);
	});
	afterAll(async () => await editor?.close());

	test('by keyboard alone, a sheet is posted', async () => {
		const { page } = editor;
		const { keyboard } = page;
		const press = async (...keys: string[]) => {
			for (const key of keys) {
				await keyboard.press(key);
				await page.waitForTimeout(300); // n8n opens and closes lists with an animation
			}
		};
		const isFocused = async (name: string) =>
			await page.evaluate(
				(id) =>
					document.activeElement?.closest('[data-test-id]')?.getAttribute('data-test-id') === id,
				name,
			);
		const pressUntil = async (key: string, name: string) => {
			for (let presses = 0; !(await isFocused(name)); presses++) {
				if (presses === 30) throw new Error(`${key} does not lead to ${name}`);
				await press(key);
			}
		};
		const chooseNext = ['Enter', 'ArrowDown', 'ArrowDown', 'Enter'];
		const [{ id }] = n8n.sandbox.account.locations;
		await openSheet(editor, [{ location_id: id, title: 'By keyboard', content: 'From 8 to 12.' }]);

		// Selects the last node, and adds the first action of the next one, connected with it.
		await press('Control+a', 'ArrowLeft', 'ArrowRight', 'n');
		await page.getByTestId('node-creator-search-bar').waitFor();
		await keyboard.type('local seo');
		// Enter chooses the item that n8n has made the active one, a moment after it shows the list.
		const active = page.locator('[data-test-id="item-iterator-item"][class*="_active_"]');
		await active.filter({ hasText: 'Local SEO' }).waitFor();
		await press('Enter');
		await active.filter({ hasText: 'Create content post' }).waitFor();
		await press('Enter');
		await editor.mappedFields().waitFor();

		// The list of locations would keep the focus, as n8n's lists do: so By ID. Then At Once, and Map Automatically.
		await pressUntil('Tab', 'rlc-mode-selector');
		await press(...chooseNext);
		await pressUntil('Tab', 'parameter-input-whenToPublish');
		await press(...chooseNext, 'Tab', ...chooseNext);
		await page.getByText('make sure the incoming data fields are named the same').waitFor();
		await pressUntil('Shift+Tab', 'rlc-input');
		// At once, as if pasted: n8n completes an expression that is typed slowly.
		await keyboard.insertText('{{ $json.location_id }}');
		await page.getByTestId('inline-expression-editor-output').getByText(id).waitFor();
		await press('Escape'); // out of the expression, where Tab would indent
		await pressUntil('Shift+Tab', 'node-execute-button');
		await press('Enter');
		await page.getByTestId('output-panel').getByText('1 item').waitFor();
		expect(postsOf(id)).toContain('By keyboard');
	});
});
