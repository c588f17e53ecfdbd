import type { HttpResponse } from '../ports';
import { headerText } from '../textOf';

type Refusal = (response: HttpResponse, text: string) => boolean;

/**
 * Known refusals of gateways (503): nothing was done, so the request can be sent again, more slowly.
 * `test/support/gatewayPages.ts` has the pages as the real programs send them.
 */
const REFUSALS: Refusal[] = [
	// nginx: limit_req, limit_conn (ngx_http_special_response.c: upstream errors are 502 and 504); an AWS
	// application load balancer without a target.
	(_, text) => text.includes('<center><h1>503 Service Temporarily Unavailable</h1></center>'),
	// HAProxy: maxconn with timeout queue, no server (configuration manual, section 1.3).
	(_, text) => text.includes('No server is available to handle this request.'),
	// Envoy: overload manager, circuit breaker, no healthy host (response flags UO, UF and UH).
	({ headers }, text) =>
		headers['x-envoy-overloaded'] !== undefined ||
		/^(no healthy upstream$|upstream connect error .*reset reason: (overflow|(remote )?connection failure))/s.test(
			text.trim(),
		),
	// Any that says when to come back (RFC 9110, 15.6.4); but Varnish and Fastly say so of a backend that
	// may have acted.
	({ headers }, text) =>
		Boolean(headers['retry-after']) &&
		!/varnish/i.test(headerText(headers.server)) &&
		!/guru medit?ation/i.test(text),
];

export function isGatewayRefusal(response: HttpResponse): boolean {
	if (response.status !== 503) return false;
	const text = typeof response.body === 'string' ? response.body : '';
	return REFUSALS.some((applies) => applies(response, text));
}
