import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keys } from './access';
import type { Latency } from './exchange';
import type { Faults, RecordedRequest } from './faults';
import type { SampleAccount } from './sampleAccount';

const PAGE = join(__dirname, 'page', 'index.html');
const NAMES = ['127.0.0.1', 'localhost'];

/** What a test can change and inspect in a running sandbox. */
export interface Controls {
	/** Every request to /api/v1 since the start or the last reset. */
	requests: RecordedRequest[];
	faults: Faults;
	/** Requests per second for each key; no limit without a number. */
	setRateLimit(perSecond?: number): void;
	/** How long requests take from now on. */
	setLatency(milliseconds: Latency): void;
	/** Restores the sample data; created records, faults and recorded requests are gone. */
	reset(): void;
}

/**
 * Answers only to the sandbox's own address, so that a website that has its name point to 127.0.0.1
 * (DNS rebinding) is not served; and lets no other website use the controls, which need no key.
 */
export function requireOwnAddress(app: FastifyInstance): void {
	const refuse = async (reply: FastifyReply, status: number, text: string) =>
		await reply.code(status).type('text/plain').send(`${text}\n`);
	app.addHook('onRequest', async ({ headers, routeOptions, socket }, reply) => {
		const own = NAMES.map((name) => `${name}:${socket.localPort}`);
		if (!own.includes(headers.host ?? '')) {
			return await refuse(reply, 421, `This sandbox answers only to http://${own[0]}`);
		}
		if (isControl(routeOptions) && isForeign(headers, own)) {
			return await refuse(reply, 403, 'The controls are not open to other websites.');
		}
		return undefined;
	});
}

/** By the route, not the address: that may be encoded. */
const isControl = ({ url }: FastifyRequest['routeOptions']) =>
	url?.startsWith('/sandbox/') === true;

/** Browsers name the website that a request comes from; other programs do not. */
function isForeign(headers: FastifyRequest['headers'], own: string[]): boolean {
	const { origin } = headers;
	const site = headers['sec-fetch-site'] ?? 'none';
	const isOwnOrigin = origin === undefined || own.some((host) => origin === `http://${host}`);
	return !isOwnOrigin || !['same-origin', 'none'].includes(String(site));
}

/** The page at `/` with its data, and the controls for other processes. */
export function addControls(app: FastifyInstance, sandbox: Controls, account: SampleAccount): void {
	app.get('/', async (_request, reply) => reply.type('text/html').send(readFileSync(PAGE)));
	app.get('/sandbox/state', async () => ({
		locations: account.locations.map(({ id, name, city, country, status, rank_score }) => {
			return { id, name, city, country, status, rank_score, posts: account.postsOf(id).length };
		}),
		...account.received(),
		requests: sandbox.requests.length,
		keys,
	}));

	/** What happens at a service by itself; resolves with status 204, or with 404 where it can not. */
	const press = (url: string, act: (params: Record<string, string>) => unknown) =>
		app.post<{ Params: Record<string, string> }>(`/sandbox/${url}`, async ({ params }, reply) =>
			reply.code(act(params) ? 204 : 404).send(),
		);
	press('reset', () => [sandbox.reset()]);
	press('posts/:id/publish', ({ id }) => account.publishNow(id));
	press('locations/:id/drop-rank', ({ id }) => account.dropRank(id));
	press('locations/:id/scan', ({ id }) => account.scanNow(id));
}
