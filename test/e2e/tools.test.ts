import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from '@playwright/test';

import { exampleWith, putFormLogin, WORKFLOWS } from '../../dev/demo/setup';
import { startChatModel } from '../support/chatModel';
import { byId, columns } from '../support/fixture';
import { takePicture } from '../support/editor';
import { basicAuth, openPage, useN8n } from '../support/n8n';
import { until } from '../../dev/n8n/until';
import { type Named, step, to } from '../../dev/n8n/workflow';

const n8n = useN8n();
beforeEach(() => n8n.sandbox.reset());

const fromAI = (name: string, description: string, type = 'string') =>
	`={{ $fromAI('${name}', '${description}', '${type}') }}`;

/** The node as a tool of an agent, with what the model is to fill in. */
const tool = (name: string, parameters: object) =>
	step(name, 'n8n-nodes-local-seo.localSeoTool', 1, parameters, {
		credentials: { localSeoApi: n8n.credential },
	});

const tools = () => [
	tool('List locations', {
		resource: 'location',
		operation: 'getAll',
		limit: fromAI('limit', 'How many locations to list', 'number'),
	}),
	tool('Create post', {
		resource: 'post',
		operation: 'create',
		whenToPublish: 'now',
		locationId: byId(fromAI('location_id', 'The ID of the location')),
		fields: columns({
			title: fromAI('title', 'The title of the post'),
			content: fromAI('content', 'The text of the post'),
		}),
	}),
];

describe('as tools of an MCP server', () => {
	const client = new Client({ name: 'test', version: '1.0.0' });

	beforeAll(async () => {
		const type = '@n8n/n8n-nodes-langchain.mcpTrigger';
		const server = step('Server', type, 2, { path: 'seo' }, { webhookId: 'seo' });
		const all = tools();
		await n8n.activate({
			name: 'MCP',
			nodes: [server, ...all],
			connections: Object.fromEntries(all.map(({ name }) => [name, to('Server', 'ai_tool')])),
		});
		const address = new URL(`${n8n.url}/mcp/seo`);
		const connect = async () => await client.connect(new StreamableHTTPClientTransport(address));
		await until('the server', async () => {
			const [{ status }] = await Promise.allSettled([connect()]);
			return status === 'fulfilled';
		});
	});
	afterAll(async () => await client.close());

	const records = async (name: string, args: Record<string, unknown>) => {
		const { content } = await client.callTool({ name, arguments: args });
		const [{ text }] = content as Array<{ text: string }>;
		return [JSON.parse(text)].flat(2) as Array<Record<string, unknown>>;
	};

	test('it lists locations and creates a post', async () => {
		const locations = await records('List_locations', { limit: 3 });
		expect(locations).toHaveLength(3);
		const { id } = locations[1] as { id: string };

		const text = { title: 'Open on Sunday', content: 'From 8 to 12.' };
		const [post] = await records('Create_post', { location_id: id, ...text });
		expect(post).toMatchObject(text);
		const posts = n8n.sandbox.account.postsOf(id).filter(({ title }) => title === text.title);
		expect(posts.map((one) => one.id)).toEqual([post.id]);
	});
});

describe('the example: an agent drafts, a person approves', () => {
	let model: Awaited<ReturnType<typeof startChatModel>>;
	let page: Page;
	const drafts = () =>
		n8n.sandbox.account.locations.slice(0, 2).map(({ name }) => ({
			location: name,
			title: `Open on Sunday & more at ${name}`,
			content: 'With music in the yard.',
		}));
	const posted = () =>
		n8n.sandbox.account.locations
			.flatMap(({ id }) => n8n.sandbox.account.postsOf(id))
			.filter(({ title }) => title.startsWith('Open on Sunday'));

	beforeAll(async () => {
		model = await startChatModel(({ messages, tools }) => {
			const said = messages.filter(({ role }) => role === 'tool').length;
			const [{ location }] = drafts();
			if (said === 0) return { tool: 'List_locations', arguments: {} };
			if (said === 1) return { tool: 'Posts_of_a_location', arguments: { location } };
			const ours = ['List_locations', 'Posts_of_a_location'];
			const format = tools.find(({ function: { name } }) => !ours.includes(name))!;
			return { tool: format.function.name, arguments: { output: { posts: drafts() } } };
		});
		const workflow = exampleWith(
			n8n.credential,
			WORKFLOWS.agent,
			await putFormLogin(n8n.rest, n8n.login),
		);
		const chatModel = workflow.nodes.find(({ type }) => type.endsWith('lmChatOpenAi'))!;
		const data = { apiKey: 'none', url: model.url };
		const body = { name: 'Stand-in', type: 'openAiApi', data };
		chatModel.credentials = { openAiApi: await n8n.rest.post<Named>('/credentials', body) };
		await n8n.activate(workflow);
		page = await openPage();
		await page.setExtraHTTPHeaders({ authorization: basicAuth(n8n.login) });
	});
	afterAll(async () => {
		await page?.close();
		await model.close();
	});

	test('nothing is posted before the approval, and each draft once after it', async () => {
		await until('the form', async () => {
			await page.goto(`${n8n.url}/form/draft-posts`);
			return await page.getByRole('textbox').isVisible();
		});
		await page.getByRole('textbox').fill('Open on Sunday before Christmas');
		await page.getByRole('button', { name: 'Draft the posts' }).click();
		await page.getByText('Nothing is posted before you say yes').waitFor();
		for (const { title } of drafts()) await page.getByText(title).waitFor();
		expect(posted()).toEqual([]);
		await takePicture(page, 'agent-drafts');

		await page.getByRole('combobox').selectOption('Yes');
		await page.getByRole('button', { name: 'Go on' }).click();
		await page.getByText('2 of 2 posts were created').waitFor();
		for (const { location, title } of drafts())
			await page.getByText(`${location}: ${title}posted; its status is "published"`).waitFor();
		const textsOf = (posts: Array<{ title: string; content: string }>) =>
			posts.map(({ title, content }) => `${title}: ${content}`).sort();
		expect(textsOf(posted())).toEqual(textsOf(drafts()));
	});
});
