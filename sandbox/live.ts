import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { keys } from './access';
import type { Account, Change } from './account';
import type { Location, Post } from './records';
import type { RecordedRequest } from './requests';

const PAGE = join(__dirname, 'page', 'index.html');
const POSTS_SHOWN = 200;
const NEWS_EVERY_MS = 150;

/** What the page is told: everything at first and after a reset, else what is new. */
export interface News {
	anew: boolean;
	locations: Array<
		Pick<Location, 'id' | 'name' | 'city' | 'country' | 'status'> & { posts: number }
	>;
	/** Created posts with the name of their location, the latest first; 200 at most. */
	posts: Array<Post & { location: string }>;
	/** How many posts were created, and requests answered, since the start or the last reset. */
	came: number;
	requests: number;
	/** For the example the page shows, beside everything. */
	key?: string;
}

/** The page at `/` and what feeds it: /sandbox/state, and /sandbox/events as Server-Sent Events. */
export class Live {
	private readonly clients = new Set<ServerResponse>();
	private posts: News['posts'] = [];
	private came = 0;
	/** What happened since the last news. */
	private changed = new Set<Location>();
	private fresh = 0;
	private anew = false;
	private timer?: NodeJS.Timeout;

	constructor(
		private readonly account: Account,
		private readonly requests: readonly RecordedRequest[],
	) {
		account.watch((change) => this.note(change));
	}

	addTo(app: FastifyInstance): void {
		app.get('/', async (_request, reply) => reply.type('text/html').send(readFileSync(PAGE)));
		app.get('/sandbox/state', async () => this.everything());
		app.get('/sandbox/events', (request, reply) => {
			reply.hijack();
			reply.raw.writeHead(200, {
				'content-type': 'text/event-stream',
				'cache-control': 'no-store',
			});
			reply.raw.write(eventOf(this.everything()));
			this.clients.add(reply.raw);
			request.raw.once('close', () => this.clients.delete(reply.raw));
		});
		app.addHook('onResponse', async () => this.tellSoon());
		app.addHook('onClose', async () => clearTimeout(this.timer));
	}

	private note({ location, post, anew }: Change): void {
		if (anew) this.anew = true;
		if (anew === 'reset') {
			this.posts = [];
			this.came = 0;
		}
		if (location) this.changed.add(location);
		if (location && post) {
			this.posts = [{ ...post, location: location.name }, ...this.posts].slice(0, POSTS_SHOWN);
			this.fresh = Math.min(this.fresh + 1, POSTS_SHOWN);
			this.came += 1;
		}
		this.tellSoon();
	}

	/** Many posts a second become a few messages a second. */
	private tellSoon(): void {
		this.timer ??= setTimeout(() => this.tell(), NEWS_EVERY_MS).unref();
	}

	private tell(): void {
		if (this.clients.size > 0) {
			const event = eventOf(this.anew ? this.everything() : this.news());
			for (const client of this.clients) client.write(event);
		}
		this.timer = undefined;
		this.changed = new Set();
		this.fresh = 0;
		this.anew = false;
	}

	private everything(): News {
		return {
			anew: true,
			locations: this.account.locations.map((location) => this.view(location)),
			posts: this.posts,
			came: this.came,
			requests: this.requests.length,
			key: keys.write,
		};
	}

	private news(): News {
		return {
			anew: false,
			locations: [...this.changed].map((location) => this.view(location)),
			posts: this.posts.slice(0, this.fresh),
			came: this.came,
			requests: this.requests.length,
		};
	}

	private view(location: Location): News['locations'][number] {
		const { id, name, city, country, status } = location;
		return { id, name, city, country, status, posts: this.account.postsOf(id).length };
	}
}

function eventOf(news: News): string {
	return `data: ${JSON.stringify(news)}\n\n`;
}
