import { step, to } from '../../dev/n8n/workflow';
import { Editor } from '../support/editor';
import { byId } from '../support/fixture';
import { useN8n } from '../support/n8n';

jest.setTimeout(240_000);

/** As a new user meets the node: nothing but an empty canvas, and no credential. */
const n8n = useN8n();
let editor: Editor;

/** n8n's own error under the column mapper. */
async function expectNothingRed(): Promise<void> {
	expect(await editor.page.getByText('No fields found').count()).toBe(0);
}

const ASSUMED = ['Title (assumed)', 'Content (assumed)', 'Publish At (assumed)'];
const OWN = ['Title', 'Content', 'Publish At', 'Type', 'Image URL', 'Status'];
const VIEWPORT = { width: 1280, height: 720 };

beforeAll(async () => {
	for (const { id } of await n8n.rest.get<Array<{ id: string }>>('/credentials')) {
		await n8n.rest.delete(`/credentials/${id}`);
	}
	editor = await Editor.open(n8n, VIEWPORT);
});
afterAll(async () => await editor?.close());

test('from the empty canvas, a new node has fields before it has a credential', async () => {
	await editor.newWorkflow();
	await editor.addFirstNode('Create content post');
	expect(await editor.fieldLabels()).toEqual(ASSUMED);
	await expectNothingRed();
});

test('when to publish and the title are in view', async () => {
	for (const name of ['whenToPublish', 'title']) {
		const box = (await editor.parameter(name).locator('input, textarea').first().boundingBox())!;
		const panel = (await editor.page.getByTestId('node-parameters').boundingBox())!;
		expect(box.y + box.height).toBeLessThanOrEqual(panel.y + panel.height);
		expect(box.y + box.height).toBeLessThanOrEqual(VIEWPORT.height);
	}
});

test('they stay when a credential is created', async () => {
	await editor.createCredential(n8n.sandbox.baseUrl, n8n.sandbox.keys.write);
	expect(await editor.fieldLabels()).toEqual(ASSUMED);
	await expectNothingRed();
});

test("they become the account's own when the node is opened again, before a location is picked", async () => {
	await editor.page.keyboard.press('Escape');
	await editor.openNode('Create content post');
	await editor.mappedFields().getByText('Image URL').waitFor();
	expect(await editor.fieldLabels()).toEqual(OWN);
	await expectNothingRed();
});

test('what is filled in stays when a location is picked, and another one, and when the node is opened again', async () => {
	const title = editor.parameter('title').locator('input, textarea').first();
	await title.fill('Open on Sunday');
	await editor.pick('locationId', 'backerei');
	await editor.pick('locationId', 'zahnarzt');
	expect(await title.inputValue()).toBe('Open on Sunday');
	await editor.page.keyboard.press('Escape');
	await editor.openNode('Create content post');
	await editor.mappedFields().getByText('Image URL').waitFor();
	expect(await title.inputValue()).toBe('Open on Sunday');
	expect(await editor.fieldLabels()).toEqual(OWN);
});

test("a new location has the account's fields", async () => {
	await editor.newWorkflow();
	await editor.addFirstNode('Create location');
	expect(await editor.fieldLabels()).toEqual(['Name', 'Address', 'City', 'Country', 'Status']);
});

test('assumed fields become those of the account at the next opening', async () => {
	n8n.sandbox.faults.add({ response: { status: 500 } });
	await editor.newWorkflow();
	await editor.addFirstNode('Create content post');
	expect(await editor.fieldLabels()).toEqual(ASSUMED);
	await expectNothingRed();
	n8n.sandbox.faults.clear();
	await editor.page.keyboard.press('Escape');
	await editor.openNode('Create content post');
	await editor.mappedFields().getByText('Image URL').waitFor();
	expect(await editor.fieldLabels()).toEqual(OWN);
});

test('what is filled in stays when rows arrive that name the location', async () => {
	const [{ id }] = n8n.sandbox.account.locations;
	const row = { location_id: id, headline: 'Open on Sunday' };
	const locationId = byId('={{ $json.location_id }}');
	const nodes = [
		step('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		step('Sheet', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify(row) }),
		step('Post', 'n8n-nodes-local-seo.localSeo', 1, {
			resource: 'post',
			operation: 'create',
			locationId,
		}),
	];
	const workflow = await n8n.rest.post<{ id: string }>('/workflows', {
		name: 'Rows arrive',
		settings: { executionOrder: 'v1' },
		nodes,
		connections: { Start: to('Sheet'), Sheet: to('Post') },
	});
	await editor.openWorkflow(workflow.id);
	await editor.openNode('Post');
	const title = editor.parameter('title').locator('input, textarea').first();
	await title.fill('From the sheet');
	await editor.page.getByRole('button', { name: 'Execute previous nodes' }).click();
	await editor.page.getByTestId('ndv-input-panel').getByText('headline').first().waitFor();
	await editor.page.waitForTimeout(2_000);
	expect(await title.inputValue()).toBe('From the sheet');
});
