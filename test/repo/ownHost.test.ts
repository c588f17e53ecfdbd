import { execa } from 'execa';
import { once } from 'node:events';
import { join } from 'node:path';

import { rawRequest } from '../support/rawRequest';

/** A server that knows nothing of the guard, as n8n's does not. */
const SERVER = `
	const server = require('node:http').createServer((request, response) => response.end('served'));
	server.on('upgrade', (request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\n'));
	server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const guard = join(__dirname, '..', '..', 'dev', 'n8n', 'ownHost.cjs');
const child = execa({ reject: false })(process.execPath, ['--require', guard, '-e', SERVER]);
let port: number;
beforeAll(async () => {
	port = Number(String(await once(child.stdout, 'data')));
});
afterAll(() => void child.kill());

const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };

test.each(['127.0.0.1', 'localhost'])('a server with the guard answers to %s', async (name) => {
	const host = `${name}:${port}`;
	expect(await rawRequest(port, '/', { headers: { host } })).toEqual({
		status: 200,
		text: 'served',
	});
	expect((await rawRequest(port, '/', { headers: { host, ...upgrade } })).status).toBe(101);
});

test.each([
	'evil.example',
	'evil.example:PORT',
	'127.0.0.1',
	'127.0.0.1:1',
	'localhost.evil.example:PORT',
])('and to no request for %p', async (name) => {
	const host = name.replace('PORT', String(port));
	const { status, text } = await rawRequest(port, '/', { headers: { host } });
	expect([status, text]).toEqual([421, `This n8n answers only to http://127.0.0.1:${port}\n`]);
	const asked = { host, expect: '100-continue' };
	expect((await rawRequest(port, '/', { headers: asked })).status).toBe(421);
	expect((await rawRequest(port, '/', { headers: { host, ...upgrade } })).status).toBe(421);
});
