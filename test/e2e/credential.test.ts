import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { http } from '../../dev/n8n/http';
import { useN8n } from '../support/n8n';
import { step, to } from '../../dev/n8n/workflow';

describe("the credential in n8n's HTTP Request node", () => {
	const n8n = useN8n();
	const askedElsewhere: Array<string | undefined> = [];
	let elsewhere: Server;
	let webhook: string;

	beforeAll(async () => {
		elsewhere = createServer(({ headers }, response) => {
			askedElsewhere.push(headers.authorization);
			response.end('{}');
		});
		await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
		webhook = await n8n.publish(httpRequestWorkflow());
	});
	afterAll(() => elsewhere.close());

	const other = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/steal`;
	const ask = async (url: string) => await http.post<Record<string, unknown>>(webhook, { url });

	/** A webhook says which address the HTTP Request node is to ask with the credential. */
	function httpRequestWorkflow() {
		const request = {
			method: 'GET',
			url: '={{ $json.body.url }}',
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'localSeoApi',
			options: {},
		};
		const start = { path: 'ask', httpMethod: 'POST', responseMode: 'lastNode' };
		return {
			name: 'ask',
			nodes: [
				step('Start', 'n8n-nodes-base.webhook', 2, start, { webhookId: 'ask' }),
				step('Ask', 'n8n-nodes-base.httpRequest', 4.2, request, {
					credentials: { localSeoApi: n8n.credential },
				}),
			],
			connections: { Start: to('Ask') },
		};
	}

	test('it serves for what this node does not cover', async () => {
		const { status, data } = await ask(`${n8n.sandbox.baseUrl}/locations?per_page=2`);
		expect(status).toBe(200);
		expect(data.data).toHaveLength(2);
	});

	test('a workflow cannot send the key to another host', async () => {
		const { status } = await ask(other());
		expect(status).toBe(500);
		expect(askedElsewhere).toEqual([]);
	});

	test('nor can a redirect', async () => {
		const response = { status: 302, headers: { location: other() } };
		n8n.sandbox.faults.add({ times: 1, response });
		await ask(`${n8n.sandbox.baseUrl}/locations`);
		expect(askedElsewhere).toEqual([]);
	});
});
