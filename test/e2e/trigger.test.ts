import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';

import { exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { pollingOften, useN8n } from '../support/n8n';
import { AFTER_A_POLL, until } from '../../dev/n8n/until';
import { step, to } from '../../dev/n8n/workflow';

const n8n = useN8n();
let receiver: FastifyInstance;
const messages: Array<Record<string, string>> = [];

beforeAll(async () => {
	receiver = fastify();
	receiver.post('/', async (request) => messages.push(request.body as (typeof messages)[0]));
	await receiver.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => await receiver?.close());

/** The message of the example is sent to this test. */
function alert() {
	const workflow = pollingOften(exampleWith(n8n.credential, WORKFLOWS.rankDrop));
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

/** Polls with a key: each reads the first page of the locations once. */
const polls = (key: 'read' | 'write') =>
	n8n.sandbox.requests.filter(
		({ path, scope, query }) =>
			scope === key && path.endsWith('/locations') && query.page === undefined,
	).length;

/** Waits for two polls from now on: when the second begins, the first one is over. */
async function untilPolled(...keys: Array<'read' | 'write'>): Promise<void> {
	const before = keys.map(polls);
	const havePolled = () => keys.every((key, index) => polls(key) >= before[index] + 2);
	await until('two polls', havePolled, AFTER_A_POLL);
}

test('a published workflow is started once by a rank that dropped, even across a restart', async () => {
	// Two locations, which the first poll learns on any machine.
	const { account } = n8n.sandbox;
	for (const { id } of account.locations.slice(2)) account.removeLocation(id);
	// Each with a key of its own, so that their requests can be distinguished.
	await n8n.activate(alert());
	await n8n.activate(pollingOften(exampleWith(n8n.readOnly, WORKFLOWS.scans)));
	await untilPolled('write', 'read');
	const first = fall(0, 91);
	await until('the first message', () => messages.length === 1, AFTER_A_POLL);
	expect(messages[0]).toMatchObject(first);
	expect(messages[0].message).toBe(
		`${first.location}: "${first.keyword}" fell from ${messages[0].from} to 91`,
	);

	await until('the sheet', () => sheets() !== '', AFTER_A_POLL);
	expect(sheets()).toContain(`,${first.keyword},91,${messages[0].from}`);

	await n8n.stop();
	const second = fall(1, 92);
	await n8n.start();
	await until('the second message', () => messages.length === 2, AFTER_A_POLL);
	expect(messages[1]).toMatchObject(second);

	// What comes next has nothing new to report.
	await untilPolled('write');
	expect(messages).toHaveLength(2);
});
