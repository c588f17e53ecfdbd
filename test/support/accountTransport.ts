import type { Answer } from '../../dev/sandbox/account';
import {
	Account,
	type Clock,
	type Connection,
	type HttpFault,
	type HttpRequest,
	type JsonObject,
	keysOf,
	type Matching,
	soughtBy,
	type Transport,
} from '../../nodes/LocalSeo/client';
import { seededRandom } from './random';
import { VirtualClock } from './virtualClock';

type Respond = (
	request: HttpRequest,
	signal?: AbortSignal,
) => Answer | HttpFault | Promise<Answer | HttpFault>;

/** The way to a service in virtual time: half of its latency there, half of it back. */
export function transportTo(respond: Respond, clock: Clock, latencyMs = 20): Transport {
	return async (request, signal) => {
		try {
			await clock.sleep(latencyMs / 2, signal);
			const answer = await respond(request, signal);
			await clock.sleep(latencyMs / 2, signal);
			if ('fault' in answer) return answer;
			const { status = 200, headers = {}, body = '' } = answer;
			return { status, headers, body };
		} catch (error) {
			return { fault: 'cancelled', cause: error as Error };
		}
	};
}

/** A client with a new account. */
export function connectionTo(transport: Transport, clock: Clock, patienceMs = 300_000): Connection {
	return { account: new Account(clock, seededRandom()), transport, patienceMs };
}

/** A service in virtual time that answers so, its client, and the requests that came. */
export function serviceAnswering(
	respond: Respond,
	{ clock = new VirtualClock(), latencyMs = 20, patienceMs = 300_000 } = {},
) {
	const requests: Array<HttpRequest & { at: number }> = [];
	const transport = transportTo(
		(request, signal) => {
			requests.push({ ...request, at: clock.now() });
			return respond(request, signal);
		},
		clock,
		latencyMs,
	);
	const run = async <T>(work: Promise<T>) => await clock.run(work);
	return {
		clock,
		requests,
		transport,
		connection: connectionTo(transport, clock, patienceMs),
		run,
	};
}

/** The posts of the location `loc_1`. */
export const POSTS = {
	...{ path: '/locations/{locationId}/posts', ids: { locationId: 'loc_1' }, query: {} },
	noun: 'content post',
};

/** By what the record of a row is recognized: of a post, as Create content post does without options. */
export function soughtOf(
	fields: JsonObject,
	matching: Matching = { fields: ['title', 'content'], time: 'publish_at' },
) {
	return soughtBy(fields, matching, keysOf(fields, matching));
}

export function fault(kind: HttpFault['fault']): HttpFault {
	return { fault: kind, cause: new Error(kind) };
}
