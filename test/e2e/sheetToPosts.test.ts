import { Editor } from '../support/editor';
import { useN8n } from '../support/n8n';

/** The path of someone who does not code: an empty canvas, no credential, and a sheet to make posts of. */
const n8n = useN8n();
let editor: Editor;

const VIEWPORT = { width: 1280, height: 720 };
const CREATE = 'Create and publish content post';

beforeAll(async () => {
	for (const { id } of [n8n.credential, n8n.readOnly]) await n8n.rest.delete(`/credentials/${id}`);
	editor = await Editor.open(n8n, VIEWPORT);
});
afterAll(async () => await editor?.close());

const titleInput = () => editor.parameter('title').locator('input, textarea').first();
const noErrors = async () => expect(await editor.page.getByText('No fields found').count()).toBe(0);

test('a new node asks for its credential, has the fields of the account then, and keeps what is filled in', async () => {
	await editor.addFirst('action', 'local seo', CREATE);
	await editor.page.getByText('click Retry once a credential is chosen').waitFor();
	await editor.createCredential(n8n.sandbox.baseUrl, n8n.sandbox.keys.write);
	expect(await editor.readFields()).toBe(1);
	const fields = ['Title', 'Content', 'Publish At', 'Type', 'Image URL'];
	await editor.mappedFields().getByText('Image URL', { exact: true }).first().waitFor();
	expect(await editor.fieldLabels()).toEqual(fields);
	await noErrors();
	// When to publish and the title are in view.
	const panel = (await editor.page.getByTestId('node-parameters').boundingBox())!;
	for (const name of ['whenToPublish', 'title']) {
		const box = (await editor.parameter(name).locator('input, textarea').first().boundingBox())!;
		const bottom = Math.min(panel.y + panel.height, VIEWPORT.height);
		expect(box.y + box.height).toBeLessThanOrEqual(bottom);
	}
	await titleInput().fill('Open on Sunday');
	await editor.pick('locationId', 'backerei', /Bäckerei/, 'pick-location');
	await editor.pick('locationId', 'zahnarzt', /Zahnarzt/);
	expect(await titleInput().inputValue()).toBe('Open on Sunday');
	await editor.closeNode();
	await editor.openNode(CREATE);
	expect(await titleInput().inputValue()).toBe('Open on Sunday');
	expect(await editor.fieldLabels()).toEqual(fields);
});

test('a sheet with columns of its own and names of shops is posted in 13 actions and nine characters', async () => {
	/** A drag is one, and so is a word that is typed. */
	let actions = 0;
	const act = async <T>(action: Promise<T>, count = 1) => {
		actions += count;
		return await action;
	};
	const [{ id, name }] = n8n.sandbox.account.locations;
	const title = 'Open on Sunday';
	await editor.openSheet([{ shop: name, headline: title, text: 'From 8 to 12.' }]);
	// The plus, nine characters, the node, its action.
	await act(editor.addNode(CREATE, 'add-node'), 4);
	const retries = await editor.readFields();
	await act(editor.chooseMode('By Name'), 2);
	await act(editor.map('shop', 'locationId'));
	await act(editor.choose('whenToPublish', 'At Once'), 2);
	await act(editor.map('headline', 'title'));
	await act(editor.map('text', 'content'));
	const output = await act(editor.executeStep());
	await output.getByText('1 item').waitFor();
	expect(n8n.sandbox.account.postsOf(id)[0]).toMatchObject({ title, content: 'From 8 to 12.' });
	await noErrors();
	expect(actions + retries).toBeLessThanOrEqual(13);
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	await editor.picture('node-panel-dark');
	await editor.page.emulateMedia({ colorScheme: 'light' });
});
