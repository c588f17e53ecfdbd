import type { FastifyInstance } from 'fastify';
import escape from 'lodash/escape';
import type { SampleAccount } from './sampleAccount';

const NAMES = ['127.0.0.1', 'localhost'];

/**
 * Answers only to the sandbox's own address, so that a website that has its name point to 127.0.0.1
 * (DNS rebinding) is not served.
 */
export function requireOwnAddress(app: FastifyInstance): void {
	app.addHook('onRequest', async ({ headers, socket }, reply) => {
		const own = NAMES.map((name) => `${name}:${socket.localPort}`);
		if (own.includes(headers.host ?? '')) return undefined;
		const text = `This sandbox answers only to http://${own[0]}\n`;
		return await reply.code(421).type('text/plain').send(text);
	});
}

/** The page at `/`: posts as they arrive. What a client sent is text there, never markup. */
export function addPage(app: FastifyInstance, account: SampleAccount, requests: unknown[]): void {
	app.get('/', async (_request, reply) => {
		const { posts, postCount } = account.received();
		const articles = posts.map(({ location, title, content, type, image_url, status, ...post }) => {
			const details = [type, image_url, `${status}, ${post.publish_at}`, post.id].filter(Boolean);
			return `<article>
				<small>${escape(location)}</small>
				<h3>${escape(title)}</h3>
				<p>${escape(content)}</p>
				<small>${escape(details.join(' · '))}</small>
			</article>`;
		});
		const policy = "default-src 'none'; style-src 'unsafe-inline'";
		reply.type('text/html').header('content-security-policy', policy);
		return await reply.send(`<!doctype html>
			<meta charset="utf-8" />
			<meta http-equiv="refresh" content="2" />
			<title>Local SEO sandbox</title>
			<style>
				:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
				body { max-width: 720px; margin: auto }
				article { border-top: 1px solid gray; padding: 8px 0; overflow-wrap: anywhere }
				h3, p { margin: 0 }
			</style>
			<h1>Local SEO sandbox</h1>
			<p>${postCount} content posts received, ${requests.length} requests</p>
			${articles.join('\n')}`);
	});
}
