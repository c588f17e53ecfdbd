import PACKAGE from '../../package.json';
import { putWorkflows } from '../../dev/demo/setup';
import { Editor } from '../support/editor';
import { byId, incomingRow } from '../support/fixture';
import { useN8n } from '../support/n8n';
import { choose } from './choose';
import { until } from '../../dev/n8n/until';
import type { INode } from 'n8n-workflow';
import { inARow, step } from '../../dev/n8n/workflow';

jest.setTimeout(240_000);

const n8n = useN8n();
let editor: Editor;
beforeAll(async () => {
	editor = await Editor.open(n8n);
});
afterAll(async () => await editor?.close());

/** A workflow of nodes in a line that is started by hand. */
async function newWorkflow(name: string, ...steps: INode[]): Promise<string> {
	const nodes = [step('Start', 'n8n-nodes-base.manualTrigger', 1, {}), ...steps];
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', inARow(name, nodes));
	return id;
}

/** One row, as a sheet would give it. */
const sheet = (row: object) =>
	step('Rows of the sheet', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify(row),
		options: {},
	});

const localSeo = (name: string, parameters: object, credential = n8n.credential) =>
	step(name, 'n8n-nodes-local-seo.localSeo', 1, parameters, {
		credentials: { localSeoApi: credential },
	});

test('the package is installed by its name', async () => {
	const { page } = editor;
	await editor.goTo('/settings/community-nodes');
	await page.getByRole('button', { name: 'Install a community node' }).click();
	await page.getByTestId('package-name-input').fill(PACKAGE.name);
	await editor.picture('install', page.getByRole('dialog'));

	// n8n would look for it at npm, where a version that is being developed is not.
	const installs: unknown[] = [];
	await page.route('**/rest/community-packages', async (route) => {
		if (route.request().method() !== 'POST') return await route.continue();
		installs.push(route.request().postDataJSON());
		await route.fulfill({ status: 500, json: { message: 'Not from npm' } });
	});
	await page.getByTestId('user-agreement-checkbox').click();
	await page.getByTestId('install-community-package-button').click();
	await page.getByText('Not from npm').first().waitFor();
	expect(installs).toEqual([{ name: 'n8n-nodes-local-seo' }]);
	// While anything is routed, the browser caches nothing, and each page of the editor takes seconds more.
	await page.unrouteAll();
});

test('the credential says whether it works, as soon as it is saved', async () => {
	const { page } = editor;
	await editor.goTo('/home/credentials');
	await page.getByTestId('add-resource-credential').click();
	await page.getByTestId('new-credential-type-select').locator('input').fill('Local SEO');
	await page.getByText('Local SEO API').last().click();
	await page.getByTestId('new-credential-type-button').click();
	await page.getByText('Posting needs the write scope').waitFor();
	await editor.parameter('baseUrl').locator('input').fill('http://127.0.0.1:9');
	await editor.parameter('apiKey').locator('input').fill('sk_mistyped');
	await page.getByTestId('credential-save-button').click();
	await page.getByText('More details').click();
	await page.getByText('No service is listening').waitFor();

	await editor.parameter('baseUrl').locator('input').fill(n8n.sandbox.origin);
	await page.getByTestId('credential-save-button').click();
	await page.getByText('does not accept this API key').waitFor();
	await editor.closeToasts();
	await editor.picture('credential-refused', page.getByRole('dialog'));

	// As it is copied from a request.
	await editor.parameter('apiKey').locator('input').fill(`Bearer ${n8n.sandbox.keys.read}`);
	await page.getByTestId('credential-save-button').click();
	await page.getByText('Connection tested successfully').waitFor();
	await editor.closeToasts();
	await page.keyboard.press('Escape');
});

describe('a post from a row of a sheet', () => {
	test('is created with a picked location and dragged columns', async () => {
		const row = { headline: 'Open on Sunday', text: 'From 8 to 12.' };
		await editor.openWorkflow(await newWorkflow('A post from a row', sheet(row)));
		await editor.executeWorkflow('Rows of the sheet');
		await editor.addNode('Create content post', 'add-node');
		await editor.chooseCredential(n8n.credential.name);
		await editor.pick('locationId', 'backerei', 'pick-location');
		await choose(editor, 'whenToPublish', 'At Once');
		await editor.map('headline', 'title');
		await editor.map('text', 'content');
		const output = await editor.executeStep();
		await output.getByText('1 item').waitFor();
		await output.getByText('Open on Sunday').waitFor();
		await editor.page.emulateMedia({ colorScheme: 'dark' });
		await editor.picture('node-panel-dark');
		await editor.page.emulateMedia({ colorScheme: 'light' });
	});

	test('what is mapped stays when the expression in Location is deleted, or another one stands there', async () => {
		const [{ id }] = n8n.sandbox.account.locations;
		const row = { location_id: id, headline: 'Open on Monday', text: 'From 8 to 12.' };
		await editor.openWorkflow(await newWorkflow('Mapped first', sheet(row)));
		await editor.executeWorkflow('Rows of the sheet');
		await editor.addNode('Create content post');
		await editor.chooseCredential(n8n.credential.name);
		await editor.map('headline', 'title');
		await editor.map('text', 'content');
		await editor.map('location_id', 'locationId');
		const { page } = editor;
		const areMapped = async () => {
			await page.waitForTimeout(3_000); // n8n would have loaded the fields again by then
			for (const [field, column] of [
				['title', 'headline'],
				['content', 'text'],
			]) {
				await editor.parameter(field).getByText(`$json.${column}`).waitFor({ timeout: 5_000 });
			}
		};
		await editor.parameter('locationId').locator('.cm-content').click();
		await page.keyboard.press('Control+a');
		await page.keyboard.press('Delete');
		await areMapped();
		await page.keyboard.insertText(`{{ "${id}" }}`);
		await areMapped();
	});

	const createPost = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		whenToPublish: 'now',
		fields: incomingRow,
	};

	test('a sheet without a location is reported before anything runs', async () => {
		const row = { title: 'Open on Sunday', content: 'From 8 to 12.' };
		const steps = [sheet(row), localSeo('Create the post', createPost)];
		await editor.openWorkflow(await newWorkflow('No location', ...steps));
		await editor.openNode('Rows of the sheet');
		await editor.executeStep();
		await editor.page.keyboard.press('Escape');
		await editor.openNode('Create the post');
		const hint = editor.page.getByTestId('node-hint');
		await hint.getByText('The incoming data has no location').waitFor();
		await editor.picture('no-location', hint);
	});

	test('with a key that may only read, the error says what the key lacks', async () => {
		const [{ id }] = n8n.sandbox.account.locations;
		const row = { location_id: id, title: 'Open on Sunday', content: 'From 8 to 12.' };
		const steps = [sheet(row), localSeo('Create the post', createPost, n8n.readOnly)];
		await editor.openWorkflow(await newWorkflow('Wrong scope', ...steps));
		await editor.openNode('Create the post');
		const output = await editor.executeStep();
		await output.getByText(/scope/).first().waitFor();
		expect(await output.innerText()).not.toContain('sk_');
		await editor.picture('wrong-scope', output);
	});
});

describe('hints about results', () => {
	test('an empty list says what to check', async () => {
		const { id } = n8n.sandbox.account.addLocation({ name: 'Brand-new shop' });
		const parameters = { resource: 'keyword', operation: 'getAll', locationId: byId(id) };
		await editor.openWorkflow(await newWorkflow('Nothing', localSeo('Keywords', parameters)));
		await editor.openNode('Keywords');
		const output = await editor.executeStep();
		await output.getByText('No keywords were found.').waitFor();
	});

	test('locations come with all their fields', async () => {
		const parameters = { resource: 'location', operation: 'getAll', returnAll: true };
		await editor.openWorkflow(await newWorkflow('Paused', localSeo('Locations', parameters)));
		await editor.openNode('Locations');
		const output = await editor.executeStep();
		await output.getByText('rank_score').first().waitFor();
		await editor.picture('locations');
	});

	test('the next node knows the fields before anything has run', async () => {
		const parameters = { resource: 'location', operation: 'getAll' };
		const next = step('Next', 'n8n-nodes-base.set', 3.4, { options: {} });
		const steps = [localSeo('Locations', parameters), next];
		await editor.openWorkflow(await newWorkflow('Before a run', ...steps));
		await editor.openNode('Next');
		const input = editor.page.getByTestId('ndv-input-panel');
		for (const field of ['name', 'city', 'rank_score']) {
			await input.getByText(field, { exact: true }).waitFor();
		}
	});
});

describe('the trigger', () => {
	test('says what a poll costs, and fetches a sample of each event', async () => {
		const parameters = { events: ['rankScanCompleted', 'postChanged'] };
		const trigger = step('Watch', 'n8n-nodes-local-seo.localSeoTrigger', 1, parameters, {
			credentials: { localSeoApi: n8n.credential },
		});
		const { id } = await n8n.rest.post<{ id: string }>('/workflows', {
			name: 'Trigger',
			settings: { executionOrder: 'v1' },
			nodes: [trigger],
			connections: {},
		});
		await editor.openWorkflow(id);
		await editor.openNode('Watch');
		await editor.page.getByText('every poll reads the account anew').waitFor();
		const output = await editor.executeStep();
		await output.getByText('2 items').waitFor();
		for (const name of parameters.events) {
			await output.getByText(name).first().waitFor();
		}
	});

	test('says on the screen which setting can never match, and what is meant', async () => {
		for (const [name, options, locationIds, ...said] of [
			['Watched', { fieldsToWatch: 'Status' }, [], /no field "Status"/, /They have: .*status/],
			[
				'Gone',
				{},
				['loc_gone'],
				/No location has the ID "loc_gone"/,
				/Correct 'Location Names or IDs'/,
			],
		] as const) {
			const parameters = { events: ['locationChanged'], options, locationIds: [...locationIds] };
			const trigger = step(name, 'n8n-nodes-local-seo.localSeoTrigger', 1, parameters, {
				credentials: { localSeoApi: n8n.credential },
			});
			await editor.openWorkflow(await newWorkflow(name, trigger));
			await editor.openNode(name);
			const output = await editor.executeStep();
			for (const text of said) await output.getByText(text).first().waitFor();
		}
	});

	test('from the empty canvas: a rank that dropped, with a sample in the form of the event', async () => {
		const { page } = editor;
		await editor.newWorkflow();
		await page.getByTestId('canvas-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill('rank');
		const items = page.getByTestId('item-iterator-item');
		await items.filter({ hasText: 'Local SEO' }).first().click();
		await items.filter({ hasText: 'rank score dropped' }).first().click();
		await page.getByTestId('output-panel').waitFor();
		await editor.chooseCredential(n8n.credential.name);
		await page.getByText('Rank Score Dropped').first().waitFor();
		await page.getByText('Leave empty to watch all locations').waitFor();
		await page.getByText('Dropped means that the number became lower').waitFor();
		const output = await editor.executeStep();
		await output.getByText('1 item').waitFor();
		for (const text of ['rankScoreDropped', 'A sample: a record from your account', 'change']) {
			await output.getByText(text).first().waitFor();
		}
	});
});

test('insights of a picked location: the form is chosen in view, and a sheet can sum up the rows', async () => {
	const { page } = editor;
	await editor.openWorkflow(await newWorkflow('Insights'));
	await editor.addNode('Get insights');
	await editor.chooseCredential(n8n.credential.name);
	await editor.pick('locationId', 'backerei');
	await page.getByText(/choose Daily Rows and add 'Period' under Options/).waitFor();
	await expect(editor.parameter('output').locator('input').inputValue()).resolves.toBe(
		'Daily Rows',
	);
	const days = await editor.executeStep();
	await days.getByText('30 items').waitFor();
	for (const column of ['date', 'location_id', 'location_name', 'views']) {
		await days.getByText(column, { exact: true }).first().waitFor();
	}

	await editor.addOption('Period');
	await editor.parameter('range').locator('input').click();
	await page.locator('.el-select-dropdown__item:visible').getByText('Last 28 Days').click();
	const weeks = await editor.executeStep();
	await weeks.getByText('28 items').waitFor();

	await editor.parameter('output').locator('input').click();
	await page.locator('.el-select-dropdown__item:visible').getByText('One Row per Location').click();
	const totals = await editor.executeStep();
	await totals.getByText('1 item').waitFor();
	await totals.getByText('views', { exact: true }).first().waitFor();
	expect(await totals.getByText('totals_views').count()).toBe(0);
});

describe('from an example to a schedule', () => {
	let workflows: Awaited<ReturnType<typeof putWorkflows>>;
	beforeAll(async () => {
		n8n.sandbox.reset();
		workflows = await putWorkflows(n8n.rest, n8n.credential as never);
	});

	test('posts from a spreadsheet', async () => {
		await editor.openWorkflow(workflows.spreadsheet);
		await editor.executeWorkflow('Save posts-results.csv');
		await editor.page.getByTestId('zoom-to-fit').click();
		await editor.picture('posts-from-spreadsheet');
		await editor.page.goto(n8n.sandbox.origin);
		await editor.page.getByText('Open until 7 pm on Thursdays').first().waitFor();
	});

	test('insights as rows, run by hand and then published for every Monday', async () => {
		await editor.openWorkflow(workflows.insights);
		await editor.executeWorkflow('Save insights.csv');
		await editor.page.getByTestId('zoom-to-fit').click();
		await editor.picture('insights-export');
		await editor.openNode('Insights as rows');
		await editor.page
			.getByTestId('output-panel')
			.getByText(/^1,?920 items/)
			.waitFor();
		await editor.picture('insights-rows');
		await editor.page.keyboard.press('Escape');
		await editor.openNode('Every Monday');
		await editor.picture('schedule');
		await editor.page.keyboard.press('Escape');
		await editor.page.getByTestId('workflow-open-publish-modal-button').click();
		const publish = editor.page.getByRole('dialog').getByRole('button', { name: 'Publish' });
		await publish.click();
		// n8n may open another one after it.
		await publish.waitFor({ state: 'hidden' });
		await until('the publication', async () => {
			const path = `/workflows/${workflows.insights}`;
			return (await n8n.rest.get<{ active: boolean }>(path)).active;
		});
	});
});
