import type { Answer } from '../../dev/sandbox/account';
import type {
	Clock,
	HttpFault,
	HttpRequest,
	HttpResponse,
	Transport,
} from '../../nodes/LocalSeo/client';

type Respond = (
	request: HttpRequest,
	signal?: AbortSignal,
) => Answer | HttpFault | Promise<Answer | HttpFault>;

/** The way to a service in virtual time: half of its latency there, half of it back. */
export function transportTo(
	respond: Respond,
	clock: Clock,
	latency: (request: HttpRequest) => number = () => 20,
): Transport {
	return async (request, signal) => {
		const time = latency(request);
		try {
			await clock.sleep(time / 2, signal);
			const answer = await respond(request, signal);
			await clock.sleep(time / 2, signal);
			return 'fault' in answer ? answer : responseOf(answer as Answer);
		} catch (error) {
			return { fault: 'cancelled', cause: error as Error };
		}
	};
}

export function responseOf({ status = 200, headers = {}, body = '' }: Answer): HttpResponse {
	return { status, headers, body };
}
