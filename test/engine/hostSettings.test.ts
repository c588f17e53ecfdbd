import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { byId, columns, useSandbox } from '../support/fixture';

const service = useSandbox();

const operations = {
	'content post create, which runs its rows itself': {
		resource: 'post',
		operation: 'create',
		locationId: byId('loc_1'),
		fields: columns({ title: 'A', content: 'B' }),
	},
	"location create, which n8n's routing runs": {
		resource: 'location',
		operation: 'create',
		fields: columns({ name: 'A' }),
	},
};

describe.each(Object.entries(operations))('%s', (_, parameters) => {
	let proxy: Server;
	const asked: IncomingMessage[] = [];

	beforeEach(async () => {
		asked.length = 0;
		proxy = createServer((request, response) => {
			asked.push(request);
			response.setHeader('content-type', 'application/json');
			response.end('{"data":{"id":"made_1"}}');
		});
		await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	});
	afterEach(() => proxy.close());

	test('goes through the proxy of the settings, with its login', async () => {
		const { port } = proxy.address() as AddressInfo;
		const { json } = await service.run(
			{ ...parameters, requestOptions: { proxy: `http://user:secret@127.0.0.1:${port}` } },
			{ credential: { baseUrl: 'http://localhost:9', apiKey: 'sk_1' } },
		);
		expect(json).toEqual([{ id: 'made_1' }]);
		const [{ url, headers }] = asked;
		expect(url).toMatch(/^http:\/\/localhost:9\/api\/v1\/locations/);
		expect(headers['proxy-authorization']).toBe(`Basic ${btoa('user:secret')}`);
	});

	test('keeps the timeout of the settings', async () => {
		service.sandbox.faults.add({ delayMs: 1_000 });
		const { error } = await service.run({
			...parameters,
			options: { maxWait: 0 },
			requestOptions: { timeout: 50 },
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/did not answer in time/);
	});
});
