import type { HttpResponse } from '../ports';
import { headerText } from '../textOf';

/** A response that a gateway gives before it passes anything on to the service. */
interface Refusal {
	gateway: string;
	/** Documentation or code of the gateway that shows it. */
	source: string;
	applies: (response: HttpResponse, text: string) => boolean;
}

/**
 * Known refusals of gateways (503): nothing was done, so the request can be sent again, more slowly.
 * `test/support/gatewayPages.ts` has the pages as the real programs send them.
 */
const REFUSALS: Refusal[] = [
	{
		gateway: 'nginx (limit_req, limit_conn); AWS application load balancer without a target',
		source: 'ngx_http_special_response.c: upstream errors are 502 and 504; AWS: HTTP 503 of an ALB',
		applies: (_response, text) =>
			text.includes('<center><h1>503 Service Temporarily Unavailable</h1></center>'),
	},
	{
		gateway: 'HAProxy (maxconn with timeout queue, no server)',
		source: 'HAProxy configuration manual, section 1.3: status 503',
		applies: (_response, text) => text.includes('No server is available to handle this request.'),
	},
	{
		gateway: 'Envoy (overload manager, circuit breaker, no healthy host)',
		source: 'Envoy, router filter: x-envoy-overloaded; response flags UO, UF and UH',
		applies: ({ headers }, text) =>
			headers['x-envoy-overloaded'] !== undefined ||
			/^(no healthy upstream$|upstream connect error .*reset reason: (overflow|(remote )?connection failure))/s.test(
				text.trim(),
			),
	},
	{
		gateway: 'any that says when to come back',
		source: 'RFC 9110, 15.6.4; but Varnish and Fastly say so of a backend that may have acted',
		applies: ({ headers }, text) =>
			Boolean(headers['retry-after']) &&
			!/varnish/i.test(headerText(headers.server)) &&
			!/guru medit?ation/i.test(text),
	},
];

export function isGatewayRefusal(response: HttpResponse): boolean {
	if (response.status !== 503) return false;
	const text = typeof response.body === 'string' ? response.body : '';
	return REFUSALS.some(({ applies }) => applies(response, text));
}
