import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SampleAccount } from './sampleAccount';

const PAGE = join(__dirname, 'page.html');
const NAMES = ['127.0.0.1', 'localhost'];

/**
 * Answers only to the sandbox's own address, so that a website that has its name point to 127.0.0.1
 * (DNS rebinding) is not served; and lets no other website press the page's button, which needs no key.
 */
export function requireOwnAddress(app: FastifyInstance): void {
	const refuse = async (reply: FastifyReply, status: number, text: string) =>
		await reply.code(status).type('text/plain').send(`${text}\n`);
	app.addHook('onRequest', async ({ headers, routeOptions, socket }, reply) => {
		const own = NAMES.map((name) => `${name}:${socket.localPort}`);
		if (!own.includes(headers.host ?? '')) {
			return await refuse(reply, 421, `This sandbox answers only to http://${own[0]}`);
		}
		// By the route, not the address: that may be encoded.
		if (routeOptions.url?.startsWith('/sandbox/') && isForeign(headers, own)) {
			return await refuse(reply, 403, 'The page is not open to other websites.');
		}
		return undefined;
	});
}

/** Browsers name the website that a request comes from; other programs do not. */
function isForeign(headers: FastifyRequest['headers'], own: string[]): boolean {
	const { origin } = headers;
	const site = headers['sec-fetch-site'] ?? 'none';
	const isOwnOrigin = origin === undefined || own.some((host) => origin === `http://${host}`);
	return !isOwnOrigin || !['same-origin', 'none'].includes(String(site));
}

/** The page at `/`: posts as they arrive, and a button that scans a location, as the service does by itself. */
export function addPage(app: FastifyInstance, account: SampleAccount, requests: unknown[]): void {
	app.get('/', async (_request, reply) => reply.type('text/html').send(readFileSync(PAGE)));
	app.get('/sandbox/state', async () => ({
		...account.received(),
		locations: account.locations,
		requests: requests.length,
	}));
	app.post<{ Params: { id: string } }>('/sandbox/scan/:id', async ({ params: { id } }, reply) => {
		const location = account.location(id);
		if (location) account.scanNow(location);
		return await reply.code(location ? 204 : 404).send();
	});
}
