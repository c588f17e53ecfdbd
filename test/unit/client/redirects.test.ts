import {
	Account,
	type Connection,
	type HttpResponse,
	ServiceError,
} from '../../../nodes/LocalSeo/client';
import { trySend } from '../../../nodes/LocalSeo/client/http/send';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

const ADDRESS = 'https://seo.example.com/api/v1/locations';
const list = { path: '/locations', ids: {}, query: {}, noun: 'location' };

/** Sends a request to a service that redirects it so often, and then answers; each takes so long. */
async function send(method: 'GET' | 'POST', redirects: number, tookMs: number, end: HttpResponse) {
	const clock = new VirtualClock();
	const startedAt = clock.now();
	const timeouts: number[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 0,
		timeoutMs: 4_000,
		transport: async ({ timeoutMs, path }) => {
			timeouts.push(timeoutMs);
			await clock.sleep(Math.min(tookMs, timeoutMs));
			if (tookMs > timeoutMs) return { fault: 'timeout', cause: new Error('Late') };
			if (timeouts.length > redirects) return end;
			const location = `${ADDRESS}/${timeouts.length}`;
			return { status: 307, headers: { location }, body: path, address: ADDRESS };
		},
	};
	const request = { ...list, method, ...(method === 'POST' && { body: { name: 'A' } }) };
	const result = await clock.run(trySend(connection, request));
	const facts = result instanceof ServiceError ? result.facts : undefined;
	return { facts, timeouts, tookMs: clock.now() - startedAt };
}

const ok: HttpResponse = { status: 200, headers: {}, body: { data: [] } };

test('redirects that follow one another have one timeout', async () => {
	const { timeouts, tookMs, facts } = await send('GET', 5, 1_500, ok);
	expect(timeouts).toEqual([4_000, 2_500, 1_000]);
	expect(facts).toMatchObject({ kind: 'timeout', attempts: 1 });
	expect(tookMs).toBeLessThanOrEqual(4_500);
});

test('where a redirect itself takes all of the time, nothing is sent after it', async () => {
	const { timeouts, facts } = await send('POST', 1, 4_000, ok);
	expect(timeouts).toEqual([4_000]);
	expect(facts).toMatchObject({ kind: 'timeout' });
});

test('a redirect is no attempt', async () => {
	const refused = { status: 500, headers: {}, body: '' };
	const { facts, timeouts } = await send('GET', 2, 10, refused);
	expect(timeouts).toHaveLength(3);
	expect(facts).toMatchObject({ status: 500, attempts: 1 });
});
