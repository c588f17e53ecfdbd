import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit';
import fastify from 'fastify';

import { plainRows, postTo } from '../../support/sheet';

// The limiter that backends of Fastify have, with and without headers that state the limit.

const NONE = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false };
const SILENT = { ...NONE, 'x-ratelimit-reset': false, 'retry-after': false };

test.concurrent.each<[string, RateLimitPluginOptions]>([
	['X-RateLimit', {}],
	['RateLimit', { enableDraftSpec: true }],
	['no headers', { addHeaders: SILENT, addHeadersOnExceeding: SILENT as never }],
])('with %s: 100 rows at 20 a second, each once', async (_, headers) => {
	const app = fastify();
	let refused = 0;
	const onExceeded = () => void refused++;
	await app.register(rateLimit, { max: 20, timeWindow: 1_000, onExceeded, ...headers });
	const posts: string[] = [];
	app.post<{ Body: { title: string } }>('/api/v1/locations/:id/posts', async ({ body }, reply) => {
		posts.push(body.title);
		return await reply.code(201).send({ data: { id: `post_${posts.length}`, ...body } });
	});
	app.get('/api/v1/locations/:id', async () => ({ data: { id: 'loc_1', name: 'Bakery' } }));
	const origin = await app.listen({ host: '127.0.0.1', port: 0 });
	const rows = plainRows(100);
	const { json, error } = await postTo(origin, rows);
	await app.close();
	const titles = rows.map(({ title }) => title);
	expect([error, json.map(({ title }) => title)]).toEqual([undefined, titles]);
	expect(posts.sort()).toEqual(titles.sort());
	// A run that learned nothing of the limit would be refused again and again.
	expect(refused).toBeLessThanOrEqual(100);
});
