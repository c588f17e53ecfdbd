import { putWorkflows } from '../../dev/demo/setup';
import { until } from '../../dev/n8n/until';
import { type Named, step } from '../../dev/n8n/workflow';
import { Editor } from '../support/editor';
import { byId, incomingRow } from '../support/fixture';
import { useN8n } from '../support/n8n';

/** The steps of docs/walkthrough.md, and its pictures; its forms and drags have tests of their own. */
const n8n = useN8n();
let editor: Editor;
beforeAll(async () => {
	editor = await Editor.open(n8n);
});
afterAll(async () => await editor?.close());

const localSeo = (name: string, parameters: object, credential = n8n.credential) =>
	step(name, 'n8n-nodes-local-seo.localSeo', 1, parameters, {
		credentials: { localSeoApi: credential },
	});

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
	const next = step('Next', 'n8n-nodes-base.set', 3.4, { options: {} });
	await editor.openSteps(localSeo('Locations', parameters), next);
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

describe('a sheet', () => {
	/** Opens the node after the sheet's rows, set to post each to a location. */
	async function openCreate(rows: object[], locationId: object, credential?: Named) {
		const choices = { resource: 'post', operation: 'create', whenToPublish: 'now' };
		const options = { includeInputFields: true };
		const post = localSeo(
			'Create the post',
			{ ...choices, locationId, fields: incomingRow, options },
			credential,
		);
		await editor.openSheet(rows, { ...post, onError: 'continueRegularOutput' });
		await editor.openNode('Create the post');
	}
	const IN_ROW = byId('={{ $json.location_id }}');

	test('is checked: a table says what would become of each row', async () => {
		const [one, other] = n8n.sandbox.account.locations;
		const rows = [
			{ location_id: one.id, title: 'Open at night', content: 'Fresh bread from 8 to 12' },
			{ location_id: other.id, title: 'Rye bread', content: 'Baked with our own sourdough' },
			{ location_id: 'loc_5t7w1q', title: 'Summer menu', content: 'Ten dishes, in the yard' },
		].map((row, index) => ({ row_number: index + 2, ...row }));
		const before = [...n8n.sandbox.account.postsOf(one.id)];
		await openCreate(rows, IN_ROW);
		// The rows as a table, as a sheet shows them.
		const input = editor.page.getByTestId('ndv-input-panel');
		await input.getByText('Table', { exact: true }).click();
		await editor.turn('dryRun');
		const output = await editor.executeStep();
		await output
			.getByText(/nothing was changed: 2 would be created, 1 invalid: row 4 \("Summer menu"\)/)
			.waitFor();
		for (const column of ['action', 'problem', 'goes_live', 'location_name', 'title', 'request']) {
			await output.getByText(column, { exact: true }).first().waitFor();
		}
		expect(await output.innerText()).not.toMatch(/undefined|null|empty array|\{\w+Id\}/);
		expect(n8n.sandbox.account.postsOf(one.id)).toEqual(before);
		await editor.picture('dry-run');
	});

	test('without a location: a hint says so before anything runs', async () => {
		await openCreate([{ title: 'Open on Sunday', content: 'From 8 to 12.' }], IN_ROW);
		const hint = editor.page.getByTestId('node-hint');
		await hint.getByText('The incoming data has no location').waitFor();
		await editor.picture('no-location', hint);
	});

	test('a key that may only read: the error names the scope, and no key', async () => {
		const [{ id }] = n8n.sandbox.account.locations;
		const row = { title: 'Nobody has posted this', content: 'Nor this.' };
		await openCreate([row], byId(id), n8n.readOnly);
		const output = await editor.executeStep();
		await output.getByText(/scope/).first().waitFor();
		expect(await output.innerText()).not.toContain('sk_');
		await editor.picture('wrong-scope', output);
	});
});

test('a trigger from the empty canvas: a rank that dropped, with a sample in the form of the event', async () => {
	const { page } = editor;
	await editor.addFirst('event', 'rank', 'rank score dropped');
	await editor.chooseCredential(n8n.credential.name);
	await page.getByText('Leave empty to watch all locations').waitFor();
	const output = await editor.executeStep();
	await output.getByText('1 item').waitFor();
	for (const text of ['rankScoreDropped', 'A sample: a record from your account', 'change']) {
		await output.getByText(text).first().waitFor();
	}
	await editor.closeNode();
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
