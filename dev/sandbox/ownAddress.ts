import type { FastifyInstance, FastifyRequest } from 'fastify';

const NAMES = ['127.0.0.1', 'localhost'];

/**
 * Answers only to the sandbox's own address, so that a website that has its name point to 127.0.0.1
 * (DNS rebinding) is not served; and lets no other website use the controls, which need no key.
 */
export function requireOwnAddress(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ headers, routeOptions, socket }, reply) => {
		const own = NAMES.map((name) => `${name}:${socket.localPort}`);
		if (!own.includes(headers.host ?? '')) {
			return reply
				.code(421)
				.type('text/plain')
				.send(`This sandbox answers only to http://${own[0]}\n`);
		}
		// The route, not the address: that may be encoded.
		if (routeOptions.url?.startsWith('/sandbox/') && isForeign(headers, own)) {
			return reply
				.code(403)
				.type('text/plain')
				.send('The controls of the sandbox are not open to other websites.\n');
		}
		return undefined;
	});
}

/** Browsers name the website that a request comes from; other programs do not. */
function isForeign(headers: FastifyRequest['headers'], own: string[]): boolean {
	const { origin } = headers;
	const site = headers['sec-fetch-site'];
	const isOwnOrigin = origin === undefined || own.some((host) => origin === `http://${host}`);
	const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
	return !isOwnOrigin || !isOwnSite;
}
