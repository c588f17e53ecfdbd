import { useSandbox } from '../support/fixture';
import { locationWithPosts } from '../support/operations';
import { createPosts } from '../support/sheet';

const service = useSandbox();
const sent = () => service.requests().filter((request) => !request.startsWith('GET'));
const reads = () => service.requests().filter((request) => request.startsWith('GET'));
const withPosts = () => locationWithPosts(service).id;
const MESSAGE = /^None of the \d+ content posts read shows these columns: headline, text$/;

describe.each([
	['run by the node itself', false],
	["run by n8n's routing", true],
])('rows with headers that the service does not know, %s', (_, isRoutedByHost) => {
	const run: typeof service.run = async (parameters, more) =>
		await service.run(parameters, { ...more, isRoutedByHost });

	test('are refused before anything is sent, with their headers and those expected', async () => {
		const rows = [{ location_id: withPosts(), row_number: 2, headline: 'A', text: 'B' }];
		const { error } = await run(createPosts, { rows });
		expect(error?.message.replace(isRoutedByHost ? 'Row 2: ' : '', '')).toMatch(MESSAGE);
		expect(error?.description).toBe(
			"Nothing was sent. Rename those that are meant (title, content, publish_at, type, image_url). To leave out the others, add the option 'Ignore Extra Columns', or name them in 'Exclude Columns': headline, text. Or set 'Mapping Column Mode' to Map Each Column Manually: other columns are then ignored. To send one all the same, use the option 'Additional Fields'.",
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
		const numbers = messages.map((message) =>
			message.replace(/: (None of|The only) .+: headline, text$/, ''),
		);
		expect(numbers).toEqual(rows.map((__, row) => `Item ${row + 1}`));
		expect(sent()).toEqual([]);
		// One page of five locations; the routing hands over each row by itself.
		if (!isRoutedByHost) expect(reads()).toHaveLength(5);
	});

	test('are refused beside those that it knows, or left out if the user says so', async () => {
		const row = { location_id: withPosts(), title: 'A', content: 'B', text: 'C' };
		const rows = [row, { ...row, title: 'B' }];
		const { error } = await run(createPosts, { rows });
		expect(error?.message).toMatch(/shows these columns: text$/);
		expect(sent()).toEqual([]);
		await run({ ...createPosts, options: { ignoreExtraColumns: true } }, { rows });
		const bodies = service.sandbox.requests.filter(({ method }) => method === 'POST');
		expect(bodies.map(({ body }) => body)).toEqual([
			{ title: 'A', content: 'B' },
			{ title: 'B', content: 'B' },
		]);
	});

	test('a row that has none of those it knows filled is named', async () => {
		const location_id = withPosts();
		const rows = [
			{ location_id, title: 'A', content: 'B', notes: 'by Ann' },
			{ location_id, title: ' ', notes: 'ask Ann' },
		];
		const options = { ignoreExtraColumns: true };
		const { json } = await run(
			{ ...createPosts, options },
			{ rows, settings: { onError: 'continueRegularOutput' } },
		);
		expect(json[1].error).toMatchObject({
			message: 'Item 2: There is nothing to send: every field is empty',
			description:
				'This row was not sent. Fill a field, map the incoming data to the fields, or remove the row.',
		});
		expect(sent()).toHaveLength(1);
	});

	test("are sent if the account's records have such a field", async () => {
		const location_id = withPosts();
		Object.assign(service.sandbox.account.postsOf(location_id)[0], { headline: 'As it is' });
		await run(createPosts, { rows: [{ location_id, headline: 'A', content: 'B' }] });
		expect(sent()).toHaveLength(1);
	});

	test('if there is no record anywhere, the usual names are told', async () => {
		const { account } = service.sandbox;
		for (const { id } of [...account.locations]) account.removeLocation(id);
		const { id } = account.addLocation({ name: 'New' });
		const rows = [{ location_id: id, headline: 'A', text: 'B' }];
		const { error } = await run(createPosts, { rows });
		expect(error?.message).toBe(
			'There are no content posts yet, and these columns are not among the usual fields: headline, text',
		);
		expect(error?.description).toContain('that are meant (title, content, publish_at).');
		expect(sent()).toEqual([]);
	});

	test('the fields are read from other locations if the one of the row shows none', async () => {
		const { id } = service.sandbox.account.addLocation({ name: 'New' });
		const { error } = await run(createPosts, {
			rows: [{ location_id: id, headline: 'A', text: 'B' }],
		});
		expect(error?.message).toMatch(MESSAGE);
	});
});
