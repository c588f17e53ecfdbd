import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { keys } from './access';
import type { SampleAccount, Change } from './sampleAccount';
import type { Habits } from './habits';
import type { Location, Post } from './records';
import type { RecordedRequest } from './requests';

const PAGE = join(__dirname, 'page', 'index.html');
const POSTS_SHOWN = 200;
const UPDATE_EVERY_MS = 150;
const DUE_EVERY_MS = 1_000;

/** What the page receives: everything at first and after a reset, then only what is new. */
export interface Update {
	all: boolean;
	locations: Array<
		Pick<Location, 'id' | 'name' | 'city' | 'country' | 'status' | 'rank_score'> & { posts: number }
	>;
	/** Created posts with the name of their location, the latest first; 200 at most. */
	posts: Array<Post & { location: string }>;
	/** Posts among those shown that have been published since. */
	published: Array<Post & { location: string }>;
	/** How many posts and requests were received since the start or the last reset. */
	postCount: number;
	requests: number;
	/** What is switched on. */
	habits: Habits;
	/** The API keys by scope; only sent with everything. */
	keys?: typeof keys;
}

/** The page at `/`, and its data: /sandbox/state, and /sandbox/events as server-sent events. */
export class Live {
	private readonly clients = new Set<ServerResponse>();
	private posts: Update['posts'] = [];
	private postCount = 0;
	/** What happened since the last update. */
	private changed = new Set<Location>();
	private published = new Set<string>();
	private fresh = 0;
	private all = false;
	private timer?: NodeJS.Timeout;

	constructor(
		private readonly account: SampleAccount,
		private readonly requests: readonly RecordedRequest[],
		private readonly habits: Habits,
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
		// Nobody has to ask for the posts while someone looks at the page.
		const due = setInterval(() => {
			if (this.clients.size > 0) this.account.publishDue();
		}, DUE_EVERY_MS).unref();
		app.addHook('onResponse', async () => this.updateSoon());
		app.addHook('onClose', async () => {
			clearInterval(due);
			clearTimeout(this.timer);
		});
	}

	private note({ location, post, published, all }: Change): void {
		if (all) this.all = true;
		if (all === 'reset') {
			this.posts = [];
			this.postCount = 0;
		}
		if (location) this.changed.add(location);
		if (location && post) {
			this.posts = [{ ...post, location: location.name }, ...this.posts].slice(0, POSTS_SHOWN);
			this.fresh = Math.min(this.fresh + 1, POSTS_SHOWN);
			this.postCount += 1;
		}
		if (published) {
			const shown = this.posts.find(({ id }) => id === published.id);
			Object.assign(shown ?? {}, published);
			this.published.add(published.id);
		}
		this.updateSoon();
	}

	/** Many posts a second become a few messages a second. */
	private updateSoon(): void {
		this.timer ??= setTimeout(() => this.sendUpdate(), UPDATE_EVERY_MS).unref();
	}

	private sendUpdate(): void {
		if (this.clients.size > 0) {
			const event = eventOf(this.all ? this.everything() : this.changes());
			for (const client of this.clients) client.write(event);
		}
		this.timer = undefined;
		this.changed = new Set();
		this.published = new Set();
		this.fresh = 0;
		this.all = false;
	}

	private everything(): Update {
		return {
			all: true,
			locations: this.account.locations.map((location) => this.view(location)),
			posts: this.posts,
			published: [],
			postCount: this.postCount,
			requests: this.requests.length,
			habits: this.habits,
			keys,
		};
	}

	private changes(): Update {
		return {
			all: false,
			locations: [...this.changed].map((location) => this.view(location)),
			posts: this.posts.slice(0, this.fresh),
			published: this.posts.filter(({ id }) => this.published.has(id)),
			postCount: this.postCount,
			requests: this.requests.length,
			habits: this.habits,
		};
	}

	private view(location: Location): Update['locations'][number] {
		const { id, name, city, country, status, rank_score } = location;
		return { id, name, city, country, status, rank_score, posts: this.account.postsOf(id).length };
	}
}

function eventOf(update: Update): string {
	return `data: ${JSON.stringify(update)}\n\n`;
}
