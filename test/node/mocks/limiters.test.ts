import rateLimit from '@fastify/rate-limit';
import express, { type Request, type Response } from 'express';
import { rateLimit as expressRateLimit } from 'express-rate-limit';
import fastify from 'fastify';

import { plainRows, postTo } from '../../support/sheet';
import { serve } from '../../support/mockServers';

// The limiters that backends of Node.js have: what they say of the limit differs, the work does not.

const PER_SECOND = 20;
const ROWS = 100;

/** What a backend has made, and how often it has refused. */
interface Backend {
	origin: string;
	posts: object[];
	refused: number;
	close(): Promise<unknown>;
}

const created = (posts: object[], body: unknown) => {
	const post = { id: `post_${posts.length + 1}`, ...(body as object) };
	posts.push(post);
	return { data: post };
};

async function withExpress(options: Parameters<typeof expressRateLimit>[0]): Promise<Backend> {
	const backend = { posts: [] as object[], refused: 0 };
	const app = express();
	const handler = (_request: Request, response: Response) => {
		backend.refused++;
		response.status(429).json({ message: 'Too many requests' });
	};
	app.use(expressRateLimit({ windowMs: 1_000, limit: PER_SECOND, handler, ...options }));
	app.use(express.json());
	app.post('/api/v1/locations/:id/posts', (request, response) => {
		response.status(201).json(created(backend.posts, request.body));
	});
	const { origin, close } = await serve(app);
	return Object.assign(backend, { origin, close });
}

async function withFastify(): Promise<Backend> {
	const backend = { posts: [] as object[], refused: 0 };
	const app = fastify();
	await app.register(rateLimit, {
		max: PER_SECOND,
		timeWindow: 1_000,
		onExceeded: () => backend.refused++,
	});
	app.post('/api/v1/locations/:id/posts', async ({ body }, reply) =>
		reply.code(201).send(created(backend.posts, body)),
	);
	const origin = await app.listen({ host: '127.0.0.1', port: 0 });
	return Object.assign(backend, { origin, close: async () => await app.close() });
}

const LIMITERS: Array<[name: string, start: () => Promise<Backend>]> = [
	...(['draft-6', 'draft-7', 'draft-8'] as const).map(
		(standardHeaders): [string, () => Promise<Backend>] => [
			`express-rate-limit, ${standardHeaders}`,
			async () => await withExpress({ standardHeaders, legacyHeaders: false }),
		],
	),
	['express-rate-limit, X-RateLimit', async () => await withExpress({ legacyHeaders: true })],
	[
		'express-rate-limit without a header',
		async () => await withExpress({ legacyHeaders: false, standardHeaders: false }),
	],
	['@fastify/rate-limit', withFastify],
];

test.concurrent.each(LIMITERS)('%s: 100 rows at 20 a second, each once', async (_, start) => {
	const backend = await start();
	const rows = plainRows(ROWS);
	const { json, error } = await postTo(backend.origin, rows);
	await backend.close();
	expect(error).toBeUndefined();
	expect(json.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
	expect(backend.posts.map((post) => (post as { title: string }).title).sort()).toEqual(
		rows.map(({ title }) => title).sort(),
	);
	// Refusals of a run that learns nothing go on to its end, those of one that does stop; how many come first
	// depends on the machine.
	expect(backend.refused).toBeLessThanOrEqual(ROWS);
});
