import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Account } from './account';
import type { Location, Post } from './records';
import type { RecordedRequest } from './requests';

const PAGE = join(__dirname, 'page', 'index.html');
const POSTS_SHOWN = 200;
const EVERY_MS = 150;

/** What the page is told: everything at first and after a reset, then what is new. */
interface News {
	anew: boolean;
	locations: Array<
		Pick<Location, 'id' | 'name' | 'city' | 'country' | 'status'> & { posts: number }
	>;
	/** The latest first. */
	posts: Array<Post & { location: string }>;
	requests: number;
}

/** The page at `/` and what feeds it: /sandbox/state, and /sandbox/events as Server-Sent Events. */
export function showLive(
	app: FastifyInstance,
	account: Account,
	requests: RecordedRequest[],
): void {
	const clients = new Set<ServerResponse>();
	let arrived: News['posts'] = [];
	let changed = new Set<Location>();
	let fresh = 0;
	let anew = false;
	let timer: NodeJS.Timeout | undefined;

	const view = (location: Location): News['locations'][number] => {
		const { id, name, city, country, status } = location;
		return { id, name, city, country, status, posts: account.postsOf(id).length };
	};
	const everything = (): News => ({
		anew: true,
		locations: account.locations.map(view),
		posts: arrived,
		requests: requests.length,
	});
	const news = (): News => ({
		anew: false,
		locations: [...changed].map(view),
		posts: arrived.slice(0, fresh),
		requests: requests.length,
	});

	const tell = () => {
		timer = undefined;
		const event = clients.size > 0 && eventOf(anew ? everything() : news());
		changed = new Set();
		fresh = 0;
		anew = false;
		if (event) for (const client of clients) client.write(event);
	};
	// Many posts a second become a few messages a second.
	const tellSoon = () => {
		timer ??= setTimeout(tell, EVERY_MS).unref();
	};

	account.watch(({ location, post, anew: reset }) => {
		if (reset) {
			anew = true;
			arrived = [];
		}
		if (location) changed.add(location);
		if (location && post) {
			arrived = [{ ...post, location: location.name }, ...arrived].slice(0, POSTS_SHOWN);
			fresh = Math.min(fresh + 1, POSTS_SHOWN);
		}
		tellSoon();
	});
	app.addHook('onResponse', async () => tellSoon());

	app.get('/', async (_request, reply) => reply.type('text/html').send(readFileSync(PAGE)));
	app.get('/sandbox/state', async () => everything());
	app.get('/sandbox/events', (request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		reply.raw.write(eventOf(everything()));
		clients.add(reply.raw);
		request.raw.once('close', () => clients.delete(reply.raw));
	});
	app.addHook('onClose', async () => clearTimeout(timer));
}

function eventOf(news: News): string {
	return `data: ${JSON.stringify(news)}\n\n`;
}
