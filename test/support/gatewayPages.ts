export interface GatewayPage {
	status: number;
	headers: Record<string, string>;
	body: string;
}

const page = (type: string, status: number, body: string, more = {}): GatewayPage => ({
	...{ status, body, headers: { 'content-type': `text/${type}`, ...more } },
});
const text = (status: number, body: string, headers = {}) => page('plain', status, body, headers);

/** As nginx writes its own errors (1.22.1; test/e2e/gateways compares). */
const nginx = (
	status: number,
	reason: string,
	server = 'nginx/1.22.1',
	end = `<hr><center>${server}</center>\r\n`,
) =>
	page(
		'html',
		status,
		`<html>\r\n<head><title>${status} ${reason}</title></head>\r\n<body>\r\n<center><h1>${status} ${reason}</h1></center>\r\n${end}</body>\r\n</html>\r\n`,
		{ server },
	);

/** As HAProxy writes its own: the status, and why. */
const HAPROXY: Record<number, [reason: string, why: string]> = {
	502: ['Bad Gateway', 'The server returned an invalid or incomplete response.'],
	503: ['Service Unavailable', 'No server is available to handle this request.'],
	504: ['Gateway Time-out', "The server didn't respond in time."],
};
const haproxy = (status: number) => {
	const [reason, why] = HAPROXY[status];
	const body = `<html><body><h1>${status} ${reason}</h1>\n${why}\n</body></html>\n`;
	return page('html', status, body, { 'cache-control': 'no-cache' });
};

const envoy = (reason: string) =>
	text(503, `upstream connect error or disconnect/reset before headers. reset reason: ${reason}`);

/** Nothing was passed on. */
export const REFUSALS: Record<string, GatewayPage> = {
	'nginx, limit_req and limit_conn': nginx(503, 'Service Temporarily Unavailable'),
	'HAProxy, timeout queue': haproxy(503),
	// docs.aws.amazon.com: Troubleshoot your Application Load Balancers, HTTP 503.
	'AWS, no target': nginx(503, 'Service Temporarily Unavailable', 'awselb/2.0', ''),
	// www.envoyproxy.io: overload manager, circuit breaking, response flags UO, UF, UH.
	'Envoy, overload manager': text(503, 'envoy overloaded', { 'x-envoy-overloaded': 'true' }),
	'Envoy, circuit breaker': envoy('overflow'),
	'Envoy, no connection': envoy('connection failure'),
	'Envoy, no host': text(503, 'no healthy upstream'),
	'one that says when to come back': text(503, 'Down for maintenance', { 'retry-after': '1' }),
};

/** The backend may have acted. */
export const LOSSES: Record<string, GatewayPage> = {
	'nginx, 502': nginx(502, 'Bad Gateway'),
	'nginx, 504': nginx(504, 'Gateway Time-out'),
	'HAProxy, 502': haproxy(502),
	'HAProxy, 504': haproxy(504),
	Varnish: page(
		'html',
		503,
		'<!DOCTYPE html>\n<html>\n  <head>\n    <title>503 Backend fetch failed</title>\n  </head>\n  <body>\n    <h1>Error 503 Backend fetch failed</h1>\n    <p>Backend fetch failed</p>\n    <h3>Guru Meditation:</h3>\n    <p>XID: 32771</p>\n    <hr>\n    <p>Varnish cache server</p>\n  </body>\n</html>\n',
		{ server: 'Varnish', 'retry-after': '5', via: '1.1 varnish (Varnish/7.1)' },
	),
	'Envoy, connection lost': envoy('connection termination'),
	'one that says no more': text(503, 'Service Unavailable'),
};
