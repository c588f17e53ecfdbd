import type { FastifyInstance } from 'fastify';
import type { Fault } from './faults';
import type { Sandbox } from './index';

/** The sandbox from other processes: faults, recorded requests, rate limit and reset over HTTP. */
export function addControls(
	app: FastifyInstance,
	sandbox: Pick<Sandbox, 'faults' | 'requests' | 'setRateLimit' | 'reset'>,
): void {
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
