import { inARow, step } from '../../dev/n8n/workflow';
import { Editor } from '../support/editor';
import { useN8n } from '../support/n8n';
import { turn } from './choose';

jest.setTimeout(300_000);

/** The second hour of someone who does not code: a sheet with mistakes, and all shops at once. */
const n8n = useN8n();
beforeAll(async () => await n8n.rest.delete(`/credentials/${n8n.readOnly.id}`));

/** A canvas with these nodes, one after the other. */
async function openAfter(editor: Editor, nodes: Array<ReturnType<typeof step>>): Promise<void> {
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', inARow('My posts', nodes));
	await editor.openWorkflow(id);
}

/** The same, with a sheet that has just been read. */
async function openSheet(editor: Editor, rows: object[]): Promise<void> {
	const jsCode = `return ${JSON.stringify(rows.map((json) => ({ json })))};`;
	await openAfter(editor, [
		step('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		step('Sheet', 'n8n-nodes-base.code', 2, { jsCode }),
	]);
	await editor.executeWorkflow('Sheet');
}

describe('in the editor', () => {
	let editor: Editor;
	let actions = 0;
	const act = async (action: Promise<unknown>) => {
		actions++;
		await action;
	};
	beforeAll(async () => {
		n8n.sandbox.reset();
		editor = await Editor.open(n8n, { width: 1920, height: 1080 });
	});
	beforeEach(() => (actions = 0));
	afterAll(async () => await editor?.close());

	/** Finds the node and opens it by what it does: three actions. */
	async function addNode(action: string): Promise<void> {
		const { page } = editor;
		const items = page.getByTestId('item-iterator-item');
		await act(page.getByTestId('node-creator-search-bar').fill('local seo'));
		await act(items.filter({ hasText: 'Local SEO' }).first().click());
		await act(items.filter({ hasText: action }).first().click());
		await page.getByTestId('output-panel').waitFor();
	}

	test('a sheet with mistakes is checked in a dry run that reads as a table', async () => {
		const [{ id, name }] = n8n.sandbox.account.locations;
		const before = n8n.sandbox.account.postsOf(id).length;
		await openSheet(editor, [
			{ shop: name, title: 'Open on Sunday', content: 'From 8 to 12.', publish_at: '2099-12-20' },
			{ shop: name, title: 'Closed', content: 'Over Christmas.', publish_at: 'next Friday' },
			{ shop: name, title: 'New bread', content: '', publish_at: '' },
		]);
		const { page } = editor;
		await act(page.getByTestId('canvas-handle-plus').last().click());
		await addNode('Create content post');
		await act(editor.chooseMode('locationId', 'By Name'));
		await act(editor.map('shop', 'locationId'));
		await act(editor.mapAutomatically());
		await act(turn(editor, 'dryRun'));
		const output = await editor.executeStep();
		await output
			.getByText(/1 would be created.*2 invalid/)
			.first()
			.waitFor();
		await editor.picture('second-hour-dry-run');
		const headings = await output.locator('thead th').allInnerTexts();
		expect(
			headings
				.map((text) => text.trim())
				.filter(Boolean)
				.slice(0, 4),
		).toEqual(expect.arrayContaining(['action', 'location_name']));
		const text = await output.innerText();
		expect(text).not.toMatch(/undefined|null|empty array|\{\w+Id\}/);
		expect(n8n.sandbox.account.postsOf(id)).toHaveLength(before);
		expect(actions + 1).toBeLessThanOrEqual(10);
	});

	test('the insights of all shops come in at most six actions', async () => {
		const { page } = editor;
		await openAfter(editor, [step('Every Monday', 'n8n-nodes-base.scheduleTrigger', 1.2, {})]);
		await act(page.getByTestId('canvas-handle-plus').last().click());
		await addNode('Get insights');
		await act(editor.parameter('allLocations').locator('.el-switch').click());
		await editor.picture('second-hour-all-locations');
		expect(await editor.parameter('locationId').count()).toBe(0);
		const output = await editor.executeStep();
		actions++;
		await output.getByText('location_name', { exact: true }).first().waitFor();
		await editor.picture('second-hour-insights');
		expect(actions).toBeLessThanOrEqual(6);
	});
});
