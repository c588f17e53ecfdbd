import { Animation } from '../support/animation';
import { Editor } from '../support/editor';
import { byId, incomingRow } from '../support/fixture';
import { useN8n } from '../support/n8n';
import { turn } from './choose';
import { inARow, step } from '../../dev/n8n/workflow';

jest.setTimeout(240_000);

const n8n = useN8n();
let editor: Editor;
beforeAll(async () => {
	editor = await Editor.open(n8n, { width: 1280, height: 720 });
});
afterAll(async () => await editor?.close());

const WRITE = 'Write it';

/** A workflow that writes something of each row. */
async function open(parameters: { resource: string; [name: string]: string }, rows: object[]) {
	const start = step('Start', 'n8n-nodes-base.manualTrigger', 1, {});
	const sheet = step('Rows', 'n8n-nodes-base.code', 2, {
		jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));`,
	});
	const locationId = byId('={{ $json.location_id }}');
	const all = { ...parameters, locationId, fields: incomingRow };
	const write = step(WRITE, 'n8n-nodes-local-seo.localSeo', 1, all, {
		credentials: { localSeoApi: n8n.credential },
	});
	const workflow = inARow(`Write a ${parameters.resource}`, [start, sheet, write]);
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
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
	await open({ resource: 'post', operation: 'create', whenToPublish: 'now' }, rows);
	await turn(editor, 'dryRun');
	const output = await editor.executeStep();
	await output
		.getByText('Dry run, nothing was changed: 1 would be created, 1 invalid (row 3).')
		.waitFor();
	await output.getByText('1 content post goes live at once.').waitFor();
	for (const column of ['action', 'problem', 'goes_live', 'location_name', 'title', 'request']) {
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
	await open({ resource: 'location', operation: 'upsert' }, rows);
	const output = await editor.executeStep();
	await output.getByText('1 created, 1 updated').waitFor();
	expect(account.locations[0].city).toBe('Zug');
	await editor.executeStep();
	await output.getByText('2 unchanged').waitFor();
	expect(account.locations.filter((one) => one.name === 'New Shop')).toHaveLength(1);
});

test('a sheet is checked, posted, and each row says what became of it', async () => {
	const { account } = n8n.sandbox;
	const [one, other] = account.locations;
	const rows = [
		{ location_id: one.id, title: 'Open on Sunday', content: 'Fresh bread from 8 to 12' },
		{ location_id: other.id, title: 'Rye bread', content: 'Baked with our own sourdough' },
		{ location_id: 'loc_5t7w1q', title: 'Summer menu', content: 'Ten dishes, in the yard' },
	].map((row, index) => ({ row_number: index + 2, ...row }));
	const sheet = step('Rows of the sheet', 'n8n-nodes-base.code', 2, {
		jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));`,
	});
	const parameters = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		whenToPublish: 'now',
		fields: incomingRow,
		options: { includeInputFields: true },
	};
	const post = step('Create the post', 'n8n-nodes-local-seo.localSeo', 1, parameters, {
		credentials: { localSeoApi: n8n.credential },
		onError: 'continueRegularOutput',
	});
	const columns = {
		title: '={{ $json.title }}',
		status: "={{ $json.error ? 'not posted' : $json.skipped ? 'already there' : 'posted' }}",
		post_id: "={{ $json.id ?? '' }}",
		message: "={{ $json.error?.message ?? '' }}",
	};
	const assignments = Object.entries(columns).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: 'string',
	}));
	const back = step('Write it back', 'n8n-nodes-base.set', 3.4, {
		assignments: { assignments },
		options: {},
	});
	const nodes = [step('Start', 'n8n-nodes-base.manualTrigger', 1, {}), sheet, post, back];
	const workflow = inARow('A sheet becomes posts', nodes);
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
	const animation = new Animation(editor.page);
	await editor.openWorkflow(id);
	await animation.frame(
		'A workflow: a sheet, a post for each row, and the outcome back to the sheet',
	);

	await editor.openNode('Rows of the sheet');
	await editor.executeStep();
	await editor.page.keyboard.press('Escape');

	await editor.openNode('Create the post');
	// The rows as a table, as a sheet shows them.
	const input = editor.page.getByTestId('ndv-input-panel');
	await input.getByText('Table', { exact: true }).click();
	await turn(editor, 'dryRun');
	const output = await editor.executeStep();
	await output.getByText('2 would be created, 1 invalid').waitFor();
	await animation.frame('Dry run: nothing is posted, and the row with a wrong location is found');

	await turn(editor, 'dryRun');
	await editor.executeStep();
	await output.getByText('1 of 3 rows failed; 2 were posted').waitFor();
	await animation.frame('Execute: each row is posted once');
	await editor.page.keyboard.press('Escape');

	await editor.openNode('Write it back');
	const result = await editor.executeStep();
	await result.getByText('not posted').waitFor();
	await animation.frame('Each row says what became of it');
	await editor.page.keyboard.press('Escape');

	await editor.openNode('Create the post');
	await editor.executeStep();
	await output.getByText('2 were skipped').waitFor();
	await animation.frame('Execute again: nothing is posted twice');
	await animation.save('sheet-to-posts');
	for (const [index, { title }] of rows.slice(0, 2).entries()) {
		const posts = account.postsOf(account.locations[index].id);
		expect(posts.filter((made) => made.title === title)).toHaveLength(1);
	}
});
