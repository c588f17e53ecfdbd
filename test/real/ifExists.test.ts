import { Editor } from '../support/editor';
import { byId, incomingRow } from '../support/fixture';
import { useN8n } from '../support/n8n';
import { step, to } from '../../harness/workflow';

jest.setTimeout(240_000);

const n8n = useN8n();
let editor: Editor;
beforeAll(async () => {
	editor = await Editor.open(n8n);
	await editor.page.setViewportSize({ width: 1280, height: 720 });
});
afterAll(async () => await editor?.close());

const CREATE = 'Create it';

/** A workflow that creates something of each row, with nothing set that has a default. */
async function open(resource: string, rows: object[]): Promise<void> {
	const start = step('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const sheet = step('Rows', 'n8n-nodes-base.code', 2, {
		jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));`,
	});
	const locationId = byId('={{ $json.location_id }}');
	const parameters = { resource, operation: 'create', locationId, fields: incomingRow };
	const create = step(CREATE, 'n8n-nodes-local-seo.localSeo', 1, parameters, {
		credentials: { localSeoApi: n8n.credential },
	});
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', {
		name: `Create a ${resource}`,
		settings: { executionOrder: 'v1' },
		nodes: [start, sheet, create].map((node, index) => ({ ...node, position: [index * 208, 0] })),
		connections: { Start: to('Rows'), Rows: to(CREATE) },
	});
	await editor.openWorkflow(id);
	await editor.openNode(CREATE);
}

const anyLocation = () => n8n.sandbox.account.locations[0].id;

test('a sheet that is run twice posts nothing twice, and says so', async () => {
	const { page } = editor;
	const rows = ['Monday', 'Tuesday'].map((title) => ({
		...{ location_id: anyLocation(), title, content: `Open on ${title}` },
	}));
	await open('post', rows);
	await page.getByText('Executing this step publishes immediately.').waitFor();
	await page.getByText('If It Already Exists').waitFor();
	const output = await editor.executeStep();
	await output.getByText('2 items').waitFor();
	await editor.executeStep();
	await output.getByText('2 skipped because they already exist.').waitFor();
	const titles = n8n.sandbox.account.postsOf(anyLocation()).map(({ title }) => title);
	expect(titles.filter((title) => title === 'Monday')).toHaveLength(1);
});

test.each([
	['location', 'name, address'],
	['keyword', 'keyword'],
	['post', 'title, content'],
])('the match fields of a %s are %p', async (resource, usual) => {
	const { page } = editor;
	await open(resource, [{ location_id: anyLocation() }]);
	// The tab of settings has one too, which is hidden, and there before this one.
	await page.getByTestId('collection-parameter-add').filter({ visible: true }).click();
	await page.locator('.el-select-dropdown__item:visible').getByText('Match Fields').click();
	const input = editor.parameter('matchFields').locator('input');
	await input.waitFor();
	expect(await input.inputValue()).toBe(usual);
});
