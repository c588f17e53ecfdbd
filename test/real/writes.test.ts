import { Editor } from '../support/editor';
import { byId, incomingRow } from '../support/fixture';
import { useN8n } from '../support/n8n';
import { step, to } from '../../harness/workflow';

jest.setTimeout(240_000);

const n8n = useN8n();
let editor: Editor;
beforeAll(async () => {
	editor = await Editor.open(n8n, { width: 1280, height: 720 });
});
afterAll(async () => await editor?.close());

const WRITE = 'Write it';

/** A workflow that writes something of each row, with nothing set that has a default. */
async function open(resource: string, rows: object[], operation = 'create'): Promise<void> {
	const start = step('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const sheet = step('Rows', 'n8n-nodes-base.code', 2, {
		jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));`,
	});
	const locationId = byId('={{ $json.location_id }}');
	const parameters = { resource, operation, locationId, fields: incomingRow };
	const write = step(WRITE, 'n8n-nodes-local-seo.localSeo', 1, parameters, {
		credentials: { localSeoApi: n8n.credential },
	});
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', {
		name: `Write a ${resource}`,
		settings: { executionOrder: 'v1' },
		nodes: [start, sheet, write].map((node, index) => ({ ...node, position: [index * 208, 0] })),
		connections: { Start: to('Rows'), Rows: to(WRITE) },
	});
	await editor.openWorkflow(id);
	await editor.openNode(WRITE);
}

const anyLocation = () => n8n.sandbox.account.locations[0].id;

test('a dry run says what would happen to each row, and changes nothing', async () => {
	const id = anyLocation();
	const before = n8n.sandbox.account.postsOf(id).length;
	const rows = [id, 'loc_unknown'].map((location_id, index) => ({
		row_number: index + 2,
		location_id,
		title: 'Wednesday',
		content: 'Open on Wednesday',
	}));
	await open('post', rows);
	await editor.addOption('Dry Run');
	const output = await editor.executeStep();
	await output
		.getByText('Dry run, nothing was changed: 1 would be created, 1 invalid (row 3).')
		.waitFor();
	for (const column of ['action', 'problem', 'location_name', 'title', 'request']) {
		await output.getByText(column, { exact: true }).first().waitFor();
	}
	await editor.picture('dry-run');
	expect(n8n.sandbox.account.postsOf(id)).toHaveLength(before);
});

test('locations from a sheet are created or updated, and left alone where nothing differs', async () => {
	const { account } = n8n.sandbox;
	const [{ name, address }] = account.locations;
	const rows = [
		{ name, address, city: 'Zug' },
		{ name: 'New Shop', address: '1 Main Street', city: 'Zug' },
	];
	await open('location', rows, 'upsert');
	const output = await editor.executeStep();
	await output.getByText('1 created, 1 updated').waitFor();
	expect(account.locations[0].city).toBe('Zug');
	await editor.executeStep();
	await output.getByText('2 unchanged').waitFor();
	expect(account.locations.filter((one) => one.name === 'New Shop')).toHaveLength(1);
});
