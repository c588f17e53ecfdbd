import type { FastifyInstance } from 'fastify';
import type { SampleAccount } from './sampleAccount';
import type { Fault, Faults } from './faults';
import type { Habits } from './habits';
import type { Latency } from './latency';
import type { RecordedRequest } from './requests';

/** What a test can change and inspect in a running sandbox. */
export interface Controls {
	/** Every request to /api/v1 since the start or the last reset. */
	requests: RecordedRequest[];
	faults: Faults;
	/** Requests per second for each key; no limit without a number. */
	setRateLimit(perSecond?: number): void;
	/** How long requests take from now on. */
	setLatency(milliseconds: Latency): void;
	/** What it does otherwise than the interface shows; can be changed in place. */
	habits: Habits;
	/** Restores the sample data; created records, faults, habits and recorded requests are gone. */
	reset(): void;
}

/** The same for other processes, over HTTP. */
export function addControls(app: FastifyInstance, sandbox: Controls, account: SampleAccount): void {
	// What a form of another website can send is refused, even by a browser that names no website.
	app.addHook('preValidation', async ({ routeOptions, body, headers }, reply) => {
		const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
		if (!routeOptions.url?.startsWith('/sandbox/') || !body || isJson) return undefined;
		return reply
			.code(415)
			.type('text/plain')
			.send('Send JSON, with the header Content-Type: application/json\n');
	});
	app.get('/sandbox/faults', async () => sandbox.faults.list);
	app.post<{ Body: string }>('/sandbox/faults', async ({ body }, reply) => {
		sandbox.faults.add(JSON.parse(body) as Fault);
		return reply.code(201).send(sandbox.faults.list);
	});
	app.delete('/sandbox/faults', async (_request, reply) => {
		sandbox.faults.clear();
		return reply.code(204).send();
	});
	app.get('/sandbox/requests', async () => sandbox.requests);
	app.put<{ Body: string }>('/sandbox/rate-limit', async ({ body }, reply) => {
		const { perSecond } = JSON.parse(body) as { perSecond?: number };
		sandbox.setRateLimit(perSecond);
		return reply.code(204).send();
	});
	app.put<{ Body: string }>('/sandbox/habits', async ({ body }, reply) => {
		const wanted = JSON.parse(body) as Partial<Habits>;
		for (const name of Object.keys(sandbox.habits) as Array<keyof Habits>) {
			sandbox.habits[name] = wanted[name] ?? sandbox.habits[name];
		}
		return reply.code(204).send();
	});
	app.post<{ Params: { id: string } }>('/sandbox/posts/:id/publish', async ({ params }, reply) =>
		reply.code(account.publishNow(params.id) ? 204 : 404).send(),
	);
	app.post<{ Params: { id: string; what: string } }>(
		'/sandbox/locations/:id/:what(drop-rank|scan)',
		async ({ params: { id, what } }, reply) => {
			const location = account.location(id);
			if (!location) return reply.code(404).send();
			if (what === 'scan') account.scanNow(location);
			else account.dropRank(location);
			return reply.code(204).send();
		},
	);
	app.post('/sandbox/reset', async (_request, reply) => {
		sandbox.reset();
		return reply.code(204).send();
	});
}
