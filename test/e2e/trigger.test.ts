import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';

import { exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { useN8n } from '../support/n8n';
import { AFTER_A_POLL, until } from '../../dev/n8n/until';
import { step, to } from '../../dev/n8n/workflow';

// n8n polls once a minute at most.
jest.setTimeout(600_000);

interface Message {
	location: string;
	keyword: string;
	from: string;
	to: string;
	message: string;
}

const n8n = useN8n();
let receiver: FastifyInstance;
const messages: Message[] = [];

beforeAll(async () => {
	receiver = fastify();
	receiver.post('/', async (request) => messages.push(request.body as Message));
	await receiver.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => await receiver?.close());

/** An example as it ships, but polling every minute. */
function polling(file: string, credential = n8n.credential) {
	const workflow = exampleWith(credential, file);
	const trigger = workflow.nodes.find(({ type }) =>
		type.endsWith('localSeoTrigger'),
	) as unknown as {
		parameters: { pollTimes: unknown };
	};
	trigger.parameters.pollTimes = { item: [{ mode: 'everyMinute' }] };
	return workflow;
}

/** The message of the example is sent to this test. */
function alert() {
	const workflow = polling(WORKFLOWS.rankDrop);
	const { port } = receiver.server.address() as { port: number };
	const report = step('Report', 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url: `http://127.0.0.1:${port}/`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ $json }}',
		options: {},
	});
	return {
		...workflow,
		nodes: [...workflow.nodes, report],
		connections: { ...workflow.connections, 'The message': to('Report') },
	};
}

/** The sheets that the other example has written. */
function sheets(): string {
	return readdirSync(n8n.files)
		.filter((name) => name.startsWith('scans-'))
		.map((name) => readFileSync(join(n8n.files, name), 'utf8'))
		.join('\n');
}

/** A keyword falls to a place that it never had. */
function fall(index: number, position: number) {
	const { account } = n8n.sandbox;
	const location = account.locations[index];
	const keyword = account.keywordsOf(location.id).find((one) => one.position !== null)!;
	account.addScan(keyword, position);
	return {
		location: `${location.name}, ${location.city}`,
		keyword: keyword.keyword,
		to: String(position),
	};
}

/** Polls with a key that listed the locations to their last page. */
function polls(key: 'read' | 'write'): number {
	const { requests, account } = n8n.sandbox;
	const listed = requests.filter(({ path, scope }) => scope === key && path.endsWith('/locations'));
	return Math.floor(listed.length / Math.ceil(account.locations.length / 15));
}

/** True if the scans of all keywords have been asked for with a key: the first polls only learn. */
function hasLearned(key: 'read' | 'write'): boolean {
	const { requests, account } = n8n.sandbox;
	const scans = requests.filter(({ path, scope }) => scope === key && path.endsWith('/scans'));
	const keywords = account.locations.flatMap(({ id }) => account.keywordsOf(id));
	return new Set(scans.map(({ path }) => path)).size >= keywords.length;
}

test('a published workflow is started once by a rank that dropped, even across a restart', async () => {
	// Polls are counted by their requests; other suites had some.
	n8n.sandbox.requests.length = 0;
	// Each with a key of its own, so that their requests can be distinguished.
	await n8n.activate(alert());
	await n8n.activate(polling(WORKFLOWS.scans, n8n.readOnly));
	await until(
		'what is there to be learned by both',
		() => hasLearned('write') && hasLearned('read'),
		{ seconds: 2 * AFTER_A_POLL.seconds },
	);
	// The responses of the last requests.
	await wait(3_000);
	const first = fall(0, 91);
	await until('the first message', () => messages.length === 1, AFTER_A_POLL);
	expect(messages[0]).toMatchObject(first);
	expect(messages[0].message).toBe(
		`${first.location}: "${first.keyword}" fell from ${messages[0].from} to 91`,
	);

	await until('the sheet', () => sheets() !== '');
	expect(sheets()).toContain(`,${first.keyword},91,${messages[0].from}`);

	await n8n.stop();
	const second = fall(1, 92);
	await n8n.start();
	await until('the second message', () => messages.length === 2, AFTER_A_POLL);
	expect(messages[1]).toMatchObject(second);

	// The next poll, a minute later, has nothing new to report.
	const before = polls('write');
	await until('another poll', () => polls('write') > before, AFTER_A_POLL);
	await wait(3_000);
	expect(messages).toHaveLength(2);
});
