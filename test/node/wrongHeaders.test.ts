import { byId, incomingRow, useSandbox } from '../support/fixture';
import { locationWithPosts } from '../support/operations';
import { createPosts } from '../support/sheet';

const service = useSandbox();
const sent = () => service.requests().filter((request) => !request.startsWith('GET'));
const reads = () => service.requests().filter((request) => request.startsWith('GET'));
const withPosts = () => locationWithPosts(service).id;
const EXPECTED = 'The service expects: title, content, type, image_url, status, publish_at.';
const MESSAGE = `Your columns: headline, text. ${EXPECTED} Rename them or map each column.`;

describe.each([
	['run by the node itself', {}],
	["run by n8n's routing", { isRoutedByHost: true }],
])('rows with headers that the service does not know, %s', (_, route) => {
	const run: typeof service.run = async (parameters, more) =>
		await service.run(parameters, { ...more, ...route });

	test('are refused before anything is sent, with their headers and those expected', async () => {
		const rows = [{ location_id: withPosts(), row_number: 2, headline: 'A', text: 'B' }];
		const { error } = await run(createPosts, { rows });
		expect(error?.message).toBe(`Row 2: ${MESSAGE}`);
		expect(error?.description).toBe(
			"Nothing was sent. To map each column, set 'Mapping Column Mode' to Map Each Column Manually.",
		);
		expect(sent()).toEqual([]);
	});

	test('are all refused alike, and the fields are read once for all of them', async () => {
		const { locations } = service.sandbox.account;
		const rows = Array.from({ length: 30 }, (__, index) => ({
			location_id: index === 0 ? withPosts() : locations[index].id,
			headline: `Post ${index}`,
			text: 'B',
		}));
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await run(createPosts, { rows, settings });
		const messages = json.map(({ error }) => (error as { message: string }).message);
		expect(messages).toEqual(rows.map((__, row) => `Item ${row + 1}: ${MESSAGE}`));
		expect(sent()).toEqual([]);
		expect(reads().length).toBeLessThanOrEqual(2);
	});

	test('beside one that it knows are left to the service; the fields are read once', async () => {
		const row = { location_id: withPosts(), title: 'A', content: 'B', text: 'C' };
		await run(createPosts, { rows: [row, { ...row, title: 'B' }] });
		const bodies = service.sandbox.requests.filter(({ method }) => method === 'POST');
		expect(bodies.map(({ body }) => body)).toEqual([
			{ title: 'A', content: 'B', text: 'C' },
			{ title: 'B', content: 'B', text: 'C' },
		]);
		expect(reads()).toEqual([`GET /locations/${withPosts()}/posts`]);
	});

	test('beside a row that has none of those it knows filled, that row is named', async () => {
		const location_id = withPosts();
		const rows = [
			{ location_id, title: 'A', content: 'B', notes: 'by Ann' },
			{ location_id, title: ' ', notes: 'ask Ann' },
		];
		const { json } = await run(createPosts, {
			rows,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json[1].error).toMatchObject({
			message: 'Item 2: title and content are empty',
			description: 'Nothing was sent. The row has: notes. Fill it, or remove the row.',
		});
		expect(sent()).toHaveLength(1);
	});

	test("are sent if the account's records have such a field", async () => {
		const location_id = withPosts();
		Object.assign(service.sandbox.account.postsOf(location_id)[0], { headline: 'As it is' });
		await run(createPosts, { rows: [{ location_id, headline: 'A', content: 'B' }] });
		expect(sent()).toHaveLength(1);
	});

	test('are sent if the editor offers such a field', async () => {
		const column = { id: 'headline', displayName: 'Headline', display: true, required: false };
		const fields = { ...incomingRow, schema: [{ ...column, defaultMatch: false }] };
		const rows = [{ location_id: withPosts(), headline: 'A', content: 'B' }];
		await run({ ...createPosts, fields }, { rows });
		expect(sent()).toEqual([`POST /locations/${withPosts()}/posts`]);
	});

	test('if there is no record anywhere, the row is sent: the names are only assumed', async () => {
		const { account } = service.sandbox;
		for (const { id } of [...account.locations]) account.removeLocation(id);
		const { id } = account.addLocation({ name: 'New' });
		const rows = [{ location_id: id, headline: 'A', text: 'B' }];
		const { error } = await run(createPosts, { rows });
		expect(error?.message).toMatch(/^Invalid data: .*The title field is required/);
		expect(sent()).toHaveLength(1);
	});

	test('the fields are read from other locations if the one of the row shows none', async () => {
		const { id } = service.sandbox.account.addLocation({ name: 'New' });
		const { error } = await run(createPosts, {
			rows: [{ location_id: id, headline: 'A', text: 'B' }],
		});
		expect(error?.message).toBe(MESSAGE);
	});
});

test('JSON is sent as it is', async () => {
	const parameters = {
		resource: 'post',
		operation: 'create',
		locationId: byId(withPosts()),
		dataToSend: 'json',
		jsonBody: '{ "headline": "A" }',
		ifExists: 'create',
	};
	await service.run(parameters);
	expect(service.requests()).toEqual([`POST /locations/${withPosts()}/posts`]);
});
