import { step } from '../../dev/n8n/workflow';
import { Editor } from '../support/editor';
import { byId, incomingRow } from '../support/fixture';
import { useN8n } from '../support/n8n';

/** Someone who does not code has a sheet, and makes posts of it in the editor. */
const n8n = useN8n();
let editor: Editor;
beforeAll(async () => {
	await n8n.rest.delete(`/credentials/${n8n.readOnly.id}`);
	editor = await Editor.open(n8n, { width: 1280, height: 720 });
});
afterAll(async () => await editor?.close());

const anyLocation = () => n8n.sandbox.account.locations[0];
const postsOf = (id: string) => n8n.sandbox.account.postsOf(id).map(({ title }) => title);

/** The node as it is after its action was chosen, with the columns of the incoming data. */
function create(locationId: object, credential = n8n.credential) {
	const choices = { resource: 'post', operation: 'create', whenToPublish: 'now' };
	const parameters = { ...choices, locationId, fields: incomingRow };
	return step('Create the post', 'n8n-nodes-local-seo.localSeo', 1, parameters, {
		credentials: { localSeoApi: credential },
	});
}

/** Actions of the user; a drag is one, and so is a word that is typed. */
let actions = 0;
const act = async <T>(action: Promise<T>) => {
	actions++;
	return await action;
};
beforeEach(() => (actions = 0));

test('a sheet with columns of its own is posted in eleven actions and nine characters', async () => {
	const { id } = anyLocation();
	const title = 'Open on Sunday';
	await editor.openSheet([{ location_id: id, headline: title, text: 'From 8 to 12.' }]);
	await act(editor.addNode('Create and publish content post', 'add-node'));
	actions += 3; // the list of nodes, nine characters, the node, its action
	const retries = await editor.readFields();
	await act(editor.map('location_id', 'locationId'));
	await act(editor.choose('whenToPublish', 'At Once'));
	actions++; // it clicks twice
	await act(editor.map('headline', 'title'));
	await act(editor.map('text', 'content'));
	const output = await act(editor.executeStep());
	await output.getByText('1 item').waitFor();
	expect(postsOf(id)).toContain(title);
	expect(await editor.page.getByText('No fields found').count()).toBe(0);
	expect(actions + retries).toBeLessThanOrEqual(11);
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	await editor.picture('node-panel-dark');
	await editor.page.emulateMedia({ colorScheme: 'light' });
});

test('a German sheet with names of shops, its rows read: right posts in at most 30 actions, and nothing else', async () => {
	const [{ id, name }] = n8n.sandbox.account.locations;
	const [first, second] = ['24.12.2027 10:00', '3.12.2027 9:00'];
	const before = postsOf(id).length;
	const rows = [first, second, '', '?'].map((at, nth) => ({
		...{ Filiale: name, Titel: `Angebot ${nth}`, Beitragstext: `Für Sie: ${nth}` },
		...{ 'Live ab': at, Notiz: 'intern' },
	}));
	await editor.openSheet(rows);
	await act(editor.addNode('Create and publish content post'));
	actions += 3 + (await editor.readFields());
	await act(editor.chooseMode('By Name'));
	await act(editor.map('Filiale', 'locationId'));
	await act(editor.choose('whenToPublish', 'At the Time in Each Row'));
	actions += 2; // both click twice
	await act(editor.map('Titel', 'title'));
	await act(editor.map('Beitragstext', 'content'));
	await act(editor.map('Live ab', 'publish_at'));
	await act(editor.turn('dryRun'));
	const output = await act(editor.executeStep());
	await output.getByText(/2 would be created, 2 invalid: items 3, 4/).waitFor();
	await output.getByText(/Etc\/UTC\).*set the time zone in the workflow's settings/).waitFor();
	expect(postsOf(id)).toHaveLength(before);
	await act(editor.turn('dryRun'));
	await act(editor.executeStep());
	await output
		.getByText(/2 of 4 items failed; 2 were posted/)
		.first()
		.waitFor();
	expect(actions).toBeLessThanOrEqual(30);
	const posted = n8n.sandbox.account.postsOf(id).filter(({ title }) => title.startsWith('Angebot'));
	expect(
		posted.map(({ title, content, publish_at }) => [title, content, publish_at]).sort(),
	).toEqual([
		['Angebot 0', 'Für Sie: 0', '2027-12-24T10:00:00.000Z'],
		['Angebot 1', 'Für Sie: 1', '2027-12-03T09:00:00.000Z'],
	]);
});

test('a sheet of which some rows go live at once: an expression says it for each row', async () => {
	const [{ id }] = n8n.sandbox.account.locations;
	const publish_at = '2099-12-24T10:00:00Z';
	const rows = [
		{ location_id: id, title: 'At noon', content: 'Today', publish_at: '', how: 'now' },
		{ location_id: id, title: 'At Christmas', content: 'Later', publish_at, how: 'scheduled' },
		{ location_id: id, title: 'Who knows', content: 'When', publish_at, how: 'soon' },
	];
	const post = create(byId('={{ $json.location_id }}'));
	Object.assign(post.parameters, {
		...{ whenToPublish: '={{ $json.how }}', options: { excludeColumns: 'how' } },
	});
	post.onError = 'continueRegularOutput';
	await editor.openSheet(rows, post);
	await editor.openNode('Create the post');
	const output = await editor.executeStep();
	await output
		.getByText(/1 of 3 items failed; 2 were posted/)
		.first()
		.waitFor();
	await output.getByText(/2 content posts .*: 1 goes live on .*2099.*, 1 at once/).waitFor();
	const posted = n8n.sandbox.account.postsOf(id).slice(0, 2);
	expect(posted.map(({ title }) => title).sort()).toEqual(['At Christmas', 'At noon']);
});

// What becomes of its rows then: e2e/recipes, in the sheet.
test('a sheet is checked: a table says what would become of each row', async () => {
	const { account } = n8n.sandbox;
	const [one, other] = account.locations;
	const rows = [
		{ location_id: one.id, title: 'Open at night', content: 'Fresh bread from 8 to 12' },
		{ location_id: other.id, title: 'Rye bread', content: 'Baked with our own sourdough' },
		{ location_id: 'loc_5t7w1q', title: 'Summer menu', content: 'Ten dishes, in the yard' },
	].map((row, index) => ({ row_number: index + 2, ...row }));
	const before = postsOf(one.id);
	const post = create(byId('={{ $json.location_id }}'));
	Object.assign(post.parameters, { options: { includeInputFields: true } });
	post.onError = 'continueRegularOutput';
	await editor.openSheet(rows, post);

	await editor.openNode('Create the post');
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
	expect(postsOf(one.id)).toEqual(before);
	await editor.picture('dry-run');
});

describe('what the panel says of a sheet', () => {
	const row = { title: 'Open on Sunday', content: 'From 8 to 12.' };

	test('that it has no location, before anything runs', async () => {
		await editor.openSheet([row], create(byId('={{ $json.location_id }}')));
		await editor.openNode('Create the post');
		const hint = editor.page.getByTestId('node-hint');
		await hint.getByText('The incoming data has no location').waitFor();
		await editor.picture('no-location', hint);
	});

	test('that the key may only read', async () => {
		const data = { baseUrl: n8n.sandbox.baseUrl, apiKey: n8n.sandbox.keys.read };
		const body = { name: 'May only read', type: 'localSeoApi', data };
		const readOnly = await n8n.rest.post<typeof n8n.readOnly>('/credentials', body);
		// One that is there already would be skipped.
		const unknown = { title: 'Nobody has posted this', content: 'Nor this.' };
		await editor.openSheet([unknown], create(byId(anyLocation().id), readOnly));
		await editor.openNode('Create the post');
		const output = await editor.executeStep();
		await output.getByText(/scope/).first().waitFor();
		expect(await output.innerText()).not.toContain('sk_');
		await editor.picture('wrong-scope', output);
	});
});
