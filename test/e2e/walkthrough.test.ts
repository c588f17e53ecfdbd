import { putWorkflows } from '../../dev/demo/setup';
import { until } from '../../dev/n8n/until';
import { step } from '../../dev/n8n/workflow';
import { Editor } from '../support/editor';
import { useN8n } from '../support/n8n';

/** The steps of docs/walkthrough.md that no other test goes: from the credential to a schedule. */
const n8n = useN8n();
let editor: Editor;
beforeAll(async () => {
	editor = await Editor.open(n8n);
});
afterAll(async () => await editor?.close());

test('the credential says whether it works, as soon as it is saved', async () => {
	const { page } = editor;
	const fill = async (name: string, value: string) =>
		await editor.parameter(name).locator('input').fill(value);
	const save = async () => await page.getByTestId('credential-save-button').click();
	await editor.goTo('/home/credentials');
	await page.getByTestId('add-resource-credential').click();
	await page.getByTestId('new-credential-type-select').locator('input').fill('Local SEO');
	await page.getByText('Local SEO API').last().click();
	await page.getByTestId('new-credential-type-button').click();
	await page.getByText('Posting needs the write scope').waitFor();
	await fill('baseUrl', n8n.sandbox.origin);
	await fill('apiKey', 'sk_mistyped');
	await save();
	await page.getByText('More details').click();
	await page.getByText('does not accept this API key').waitFor();
	await editor.picture('credential-refused', page.getByRole('dialog'));

	// As it is copied from a request.
	await fill('apiKey', `Bearer ${n8n.sandbox.keys.read}`);
	await save();
	await page.getByText('Connection tested successfully').waitFor();
	await editor.closeToasts();
	await page.keyboard.press('Escape');
});

test('the next node knows the fields of a location before anything has run, and all come', async () => {
	const parameters = { resource: 'location', operation: 'getAll', returnAll: true };
	const list = step('Locations', 'n8n-nodes-local-seo.localSeo', 1, parameters, {
		credentials: { localSeoApi: n8n.credential },
	});
	await editor.openSteps(list, step('Next', 'n8n-nodes-base.set', 3.4, { options: {} }));
	await editor.openNode('Next');
	for (const field of ['name', 'city', 'rank_score']) {
		const input = editor.page.getByTestId('ndv-input-panel');
		await input.getByText(field, { exact: true }).waitFor();
	}
	await editor.closeNode();
	await editor.openNode('Locations');
	const output = await editor.executeStep();
	await output.getByText('rank_score').first().waitFor();
	await editor.picture('locations');
});

test('a trigger from the empty canvas: a rank that dropped, with a sample in the form of the event, and published', async () => {
	const { page } = editor;
	await editor.addFirst('event', 'rank', 'rank score dropped');
	await editor.chooseCredential(n8n.credential.name);
	await page.getByText('Rank Score Dropped').first().waitFor();
	await page.getByText('Leave empty to watch all locations').waitFor();
	await page.getByText('Dropped means that the number became lower').waitFor();
	await page.getByText('every poll reads the account anew').waitFor();
	const output = await editor.executeStep();
	await output.getByText('1 item').waitFor();
	for (const text of ['rankScoreDropped', 'A sample: a record from your account', 'change']) {
		await output.getByText(text).first().waitFor();
	}
	await editor.closeNode();
	await editor.publish();
});

test('the examples are run by hand, and one is published for every Monday', async () => {
	const { page } = editor;
	n8n.sandbox.reset();
	const workflows = await putWorkflows(n8n.rest, n8n.credential);
	await editor.openWorkflow(workflows.spreadsheet);
	await editor.executeWorkflow('Save posts-results.csv');
	await page.getByTestId('zoom-to-fit').click();
	await editor.picture('posts-from-spreadsheet');

	await editor.openWorkflow(workflows.insights);
	await editor.executeWorkflow('Save insights.csv');
	await page.getByTestId('zoom-to-fit').click();
	await editor.picture('insights-export');
	await editor.openNode('Insights as rows');
	const output = page.getByTestId('output-panel');
	await output.getByText(/^1,?920 items/).waitFor();
	await editor.picture('insights-rows');
	await editor.closeNode();
	await editor.openNode('Every Monday');
	await editor.picture('schedule');
	await editor.closeNode();
	await editor.publish();
	await until('the publication', async () => {
		const path = `/workflows/${workflows.insights}`;
		return (await n8n.rest.get<{ active: boolean }>(path)).active;
	});
});
