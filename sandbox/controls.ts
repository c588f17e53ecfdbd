import type { FastifyInstance } from 'fastify';
import type { Fault, Faults } from './faults';
import type { RecordedRequest } from './requests';

/** What a test can change and inspect in a running sandbox. */
export interface Controls {
	/** Every request to /api/v1 since the start or the last reset. */
	requests: RecordedRequest[];
	faults: Faults;
	/** Requests per second for each key; no limit without a number. */
	setRateLimit(perSecond?: number): void;
	/** Restores the sample data; created records, faults and recorded requests are gone. */
	reset(): void;
}

/** The same for other processes, over HTTP. */
export function addControls(app: FastifyInstance, sandbox: Controls): void {
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
	app.post('/sandbox/reset', async (_request, reply) => {
		sandbox.reset();
		return reply.code(204).send();
	});
}
