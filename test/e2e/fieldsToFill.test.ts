import { Editor } from '../support/editor';
import { useN8n } from '../support/n8n';

/** As a new user meets the node: nothing but an empty canvas, and no credential. */
const n8n = useN8n();
let editor: Editor;

const OWN = ['Title', 'Content', 'Publish At', 'Type', 'Image URL'];
const VIEWPORT = { width: 1280, height: 720 };

beforeAll(async () => {
	for (const { id } of [n8n.credential, n8n.readOnly]) await n8n.rest.delete(`/credentials/${id}`);
	editor = await Editor.open(n8n, VIEWPORT);
});
afterAll(async () => await editor?.close());

/** No other fields, and not n8n's own error below the column mapper. */
async function expectFields(labels: string[]): Promise<void> {
	await editor.mappedFields().getByText(labels.at(-1)!, { exact: true }).first().waitFor();
	expect(await editor.fieldLabels()).toEqual(labels);
	expect(await editor.page.getByText('No fields found').count()).toBe(0);
}

async function openAgain(): Promise<void> {
	await editor.closeNode();
	await editor.openNode('Create and publish content post');
}

test('from the empty canvas, a new node asks for its credential, and has the fields of the account then', async () => {
	await editor.addFirst('action', 'local seo', 'Create and publish content post');
	await editor.page.getByText('click Retry once a credential is chosen').waitFor();
	await editor.createCredential(n8n.sandbox.baseUrl, n8n.sandbox.keys.write);
	expect(await editor.readFields()).toBe(1);
	await expectFields(OWN);
});

test('when to publish and the title are in view', async () => {
	for (const name of ['whenToPublish', 'title']) {
		const box = (await editor.parameter(name).locator('input, textarea').first().boundingBox())!;
		const panel = (await editor.page.getByTestId('node-parameters').boundingBox())!;
		expect(box.y + box.height).toBeLessThanOrEqual(panel.y + panel.height);
		expect(box.y + box.height).toBeLessThanOrEqual(VIEWPORT.height);
	}
});

test('what is filled in stays when a location is picked, and another one, and when the node is opened again', async () => {
	const title = editor.parameter('title').locator('input, textarea').first();
	await title.fill('Open on Sunday');
	await editor.pick('locationId', 'backerei', /Bäckerei/, 'pick-location');
	await editor.pick('locationId', 'zahnarzt', /Zahnarzt/);
	expect(await title.inputValue()).toBe('Open on Sunday');
	await openAgain();
	await expectFields(OWN);
	expect(await title.inputValue()).toBe('Open on Sunday');
});
