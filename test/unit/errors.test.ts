import type { INode, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type ErrorFacts, ServiceError, type ServiceRequest } from '../../nodes/LocalSeo/client';
import type { HostContext } from '../../nodes/LocalSeo/host/accounts';
import { toNodeError } from '../../nodes/LocalSeo/host/errors';
import { trySend } from '../../nodes/LocalSeo/client/http/send';
import { InputError } from '../../nodes/LocalSeo/text/inputError';
import { serviceOfPosts } from '../support/creation';

const nodeWith = (parameters: INode['parameters']) =>
	({ name: 'Local SEO', type: 'localSeo', parameters }) as unknown as INode;
const node = nodeWith({});
/** A picker or the trigger, which have no options of an operation. */
const picker = { getNode: () => node } as unknown as HostContext;
const operation = { getNode: () => node, getExecutionCancelSignal: () => undefined };
const getMany = { ...operation, getNode: () => nodeWith({ operation: 'getAll', returnAll: true }) };
const getSome = { ...operation, getNode: () => nodeWith({ operation: 'getAll' }) };

const request: ServiceRequest = {
	method: 'POST',
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	noun: 'content post',
};
const list: ServiceRequest = { ...request, method: 'GET' };
const locations: ServiceRequest = { ...list, path: '/locations', ids: {}, noun: 'location' };
const newLocation: ServiceRequest = { ...locations, method: 'POST' };
const update: ServiceRequest = { ...request, method: 'PATCH', path: '/locations/{locationId}' };
const withId = (id: string) => ({
	idName: 'locationId',
	request: { ...request, ids: { locationId: id } },
});

/** Some facts of an error of any kind; those that its kind always has, and no test is about, are added. */
type SomeFacts = Partial<UnionOf<ErrorFacts>>;
type UnionOf<T> = {
	[K in T extends unknown ? keyof T : never]: T extends Partial<Record<K, infer V>> ? V : never;
};

const errorOf = (facts: SomeFacts, context: object = operation) => {
	const always = { request, said: { fields: [] }, isBusy: false, came: '' };
	const error = new ServiceError({ ...always, ...facts } as ErrorFacts);
	return toNodeError(context as HostContext, error) as NodeApiError;
};
const rejected = (status: number, facts: SomeFacts = {}) =>
	errorOf({ kind: 'rejected', status, ...facts });

/** By what is special about them; `shownIn`: what sent the request, if it is no operation on a record. */
type Cases = Record<string, SomeFacts & { shownIn?: object }>;
const network = (code: string, message = '', more: object = {}) => ({
	cause: Object.assign(new Error(message), { code, ...more }),
});
const timeout = { cause: new ServiceError({ kind: 'timeout', request, cause: undefined }) };
const limited = { retryAfterMs: 60_040, waitedMs: 2_500 };

/** Whatever a request can come to, and the cases of each that have words of their own. */
const FAILURES: Record<
	Exclude<ErrorFacts['kind'], 'rejected' | 'other' | 'refused-here'>,
	Cases
> = {
	'invalid-id': { '': withId(''), 'of two dots': withId('..') },
	timeout: {
		'': {},
		'three times': { attempts: 3, waitedMs: 12_340 },
		'in a picker': { shownIn: picker },
	},
	'connection-lost': {
		'': network('ECONNRESET', 'socket hang up'),
		'to a port that speaks http': network('EPROTO', 'write EPROTO wrong version number'),
		'before it was secure': network('ECONNRESET', 'before secure TLS connection was established'),
	},
	cancelled: { '': {} },
	unreachable: {
		'': network('ECONNREFUSED'),
		'by its proxy': network('ECONNREFUSED', '', { proxy: '10.0.0.1:3128' }),
	},
	'unknown-host': {
		'': network('ENOTFOUND'),
		'of the proxy': network('ENOTFOUND', '', { proxy: 'proxy.example.com' }),
	},
	insecure: {
		'': network('INVALID_PURPOSE'),
		'of an unknown authority': network('DEPTH_ZERO_SELF_SIGNED_CERT'),
		expired: network('CERT_HAS_EXPIRED'),
		'not yet valid': network('CERT_NOT_YET_VALID'),
		'of another host': network('ERR_TLS_CERT_ALTNAME_INVALID', 'altnames: DNS:a.org, DNS:b.org'),
	},
	'rate-limited': {
		'': limited,
		'after an attempt': { ...limited, mayHaveActed: true },
		'in a picker': { ...limited, shownIn: picker },
	},
	'not-sent': { '': { waitedMs: 5_000, ...timeout }, 'without a cause': { waitedMs: 5_000 } },
	unconfirmed: { '': timeout, 'a location': { request: newLocation } },
	'unexpected-response': {
		'': { status: 200, came: 'Welcome'.padEnd(200, '.') },
		'with a page without a title': { status: 200 },
		'without a list': { status: 200, expected: 'list', came: '{"message":"Maintenance"}' },
		'without a record': { status: 200, expected: 'record', came: '{"data":[]}' },
		'without data': { status: 200, expected: 'data' },
	},
	'incomplete-list': {
		'': { request: list, received: 38, total: 40 },
		'with a record twice': { request: list, received: 38 },
		'with more than the total': { request: list, received: 41, total: 40 },
		'without an end': { request: locations, received: 10_000, pages: 10_000 },
		'of Return All': { request: list, received: 38, total: 40, shownIn: getMany },
		'of Return All, with nothing': { request: list, received: 0, total: 40, shownIn: getMany },
		'of a limit': { request: list, received: 38, total: 40, shownIn: getSome },
		'in a picker': { request: list, received: 38, total: 40, shownIn: picker },
		'without pages': { request: list, received: 20, total: 40, pageParameter: 'seite' },
	},
};
const STATUSES: Record<number, Cases> = {
	301: { '': {}, elsewhere: { redirectOrigin: 'https://seo.example.org' } },
	401: { '': {}, 'to another request': { isUnsent: true } },
	403: { '': {}, 'to read': { request: list }, 'of a limit': { isBusy: true } },
	404: {
		'': {},
		'a name': withId('Bakery East'),
		'of the list of locations': { request: locations },
	},
	407: { '': { said: { text: 'Proxy login', fields: [] } } },
	409: { '': { said: { text: 'Exists', fields: [] } }, 'to compare': { isComparison: true } },
	422: { '': { said: { text: 'Invalid', fields: ['title: No', 'content: Too long'], more: 3 } } },
	429: {
		'': {},
		'for a day': { retryAfterMs: 86_399_000 },
		'for a while': { retryAfterMs: 60_000 },
	},
	500: {
		'': {},
		'to an update': { request: update, mayHaveActed: true },
		'to a create that the list does not show': {
			...{ isOwnError: true, isUnseen: true, mayHaveActed: true },
			said: { text: 'Mail hook failed', fields: [] },
		},
	},
};

const told = (name: string, cases: Cases, common: SomeFacts) =>
	Object.entries(cases).flatMap(([which, { shownIn, ...facts }]) => {
		const { message, description } = errorOf({ ...common, ...facts }, shownIn);
		// As n8n wants its messages.
		expect(message).not.toMatch(/error|problem|failure|mistake/i);
		return [`${`${name} ${which}`.trim()}: ${message}`, `  ${description ?? '–'}`];
	});

test('every message of a request that failed, and its advice', () => {
	const kinds = Object.entries(FAILURES).flatMap(([kind, cases]) =>
		told(kind, cases, { kind: kind as ErrorFacts['kind'] }),
	);
	const statuses = Object.entries(STATUSES).flatMap(([status, cases]) =>
		told(status, cases, { kind: 'rejected', status: Number(status) }),
	);
	expect([...kinds, ...statuses].join('\n')).toMatchInlineSnapshot(`
		"invalid-id: The location ID is empty
		  Pick a location from the list, or check the expression for its ID.
		invalid-id of two dots: ".." is not a valid location ID
		  Pick a location from the list, or check the expression for its ID.
		timeout: The service did not respond in time
		  Try again later. You can also increase 'Timeout' under Request Options, in the settings of this node.
		timeout three times: The service did not respond in time
		  Try again later. You can also increase 'Timeout' under Request Options, in the settings of this node. This request was sent 3 times in 12 s.
		timeout in a picker: The service did not respond in time
		  Try again later.
		connection-lost: Connection lost before the response was complete
		  Try again later.
		connection-lost to a port that speaks http: The service does not speak https at this port
		  Check the port in the 'Base URL' of the credential. For a service on this machine, it may begin with http://.
		connection-lost before it was secure: Connection lost before the response was complete
		  The service ended the connection before it was secure. Check the 'Base URL' of the credential, and that n8n can reach it.
		cancelled: The execution was stopped before the service responded
		  –
		unreachable: Could not connect to the service
		  No service is listening at the address in the credential. Check the 'Base URL' of the credential, and that n8n can reach it.
		unreachable by its proxy: The proxy 10.0.0.1:3128 could not be reached
		  n8n sends its requests through this proxy. Check Proxy under Request Options, in the settings of the node, and the environment variables HTTPS_PROXY and NO_PROXY of n8n.
		unknown-host: The host name of the service was not found
		  Check the 'Base URL' of the credential, and that n8n can reach it.
		unknown-host of the proxy: The proxy proxy.example.com could not be reached
		  n8n sends its requests through this proxy. Check Proxy under Request Options, in the settings of the node, and the environment variables HTTPS_PROXY and NO_PROXY of n8n.
		insecure: No secure connection to the service is possible
		  Check the 'Base URL' of the credential, and that n8n can reach it.
		insecure of an unknown authority: The certificate of the service is not trusted
		  n8n does not know the authority that issued it. Give n8n the certificate of that authority: put the path of its file into the environment variable NODE_EXTRA_CA_CERTS. To do without, turn on 'Ignore SSL Issues' under Request Options, in the settings of the Local SEO node.
		insecure expired: The certificate of the service has expired
		  Whoever runs the service has to renew it.
		insecure not yet valid: The certificate of the service is not valid yet
		  Check the clock of the machine that n8n runs on.
		insecure of another host: The certificate of the service is for another host
		  The 'Base URL' of the credential has to use a name that the certificate is for: a.org, b.org.
		rate-limited: Rate limit reached: the service asks to wait another 60 s
		  Could not create a content post for location "loc_1". This request waited 2.5 s and had no effect. Run it again later. You can also increase the option 'Max Wait'.
		rate-limited after an attempt: Rate limit reached: the service asks to wait another 60 s
		  Could not create a content post for location "loc_1". This request waited 2.5 s. Run it again later. You can also increase the option 'Max Wait'. An attempt may have taken effect.
		rate-limited in a picker: Rate limit reached: the service asks to wait another 60 s
		  Could not create a content post for location "loc_1". This request waited 2.5 s and had no effect. Run it again later.
		not-sent: The service does not respond
		  The service did not respond in time. Try again later. You can also increase 'Timeout' under Request Options, in the settings of this node. Could not create a content post for location "loc_1". Not sent: the service was failing for other items for 5 s. Run it again later.
		not-sent without a cause: The service does not respond
		  Could not create a content post for location "loc_1". Not sent: the service was failing for other items for 5 s. Run it again later.
		unconfirmed: Could not confirm whether the content post was created
		  The service did not respond in time. Try again later. You can also increase 'Timeout' under Request Options, in the settings of this node. The list could not be read, or shows a new content post that nobody explains. Check location "loc_1" before you run this row again.
		unconfirmed a location: Could not confirm whether the location was created
		  The list could not be read, or shows a new location that nobody explains. Check it before you run this row again.
		unexpected-response: Unexpected response: this does not look like the Local SEO API
		  Check the 'Base URL' of the credential: it may point to a website or to a different service. The response begins: "Welcome............................................................................................."
		unexpected-response with a page without a title: Unexpected response: this does not look like the Local SEO API
		  Check the 'Base URL' of the credential: it may point to a website or to a different service.
		unexpected-response without a list: The response has no list in 'data', but: {"message":"Maintenance"}
		  Check the 'Base URL' of the credential: it may point to a website or to a different service.
		unexpected-response without a record: The response has no record in 'data', but: {"data":[]}
		  Check the 'Base URL' of the credential: it may point to a website or to a different service.
		unexpected-response without data: The response has no 'data', but: nothing
		  Check the 'Base URL' of the credential: it may point to a website or to a different service.
		incomplete-list: Incomplete list: the service returned 38 of 40 content posts
		  It may be changing right now, so run this again. To take what came, add the option 'Accept Incomplete Lists'.
		incomplete-list with a record twice: Incomplete list: the service returned content posts twice, so others may be missing
		  It may be changing right now, so run this again. To take what came, add the option 'Accept Incomplete Lists'.
		incomplete-list with more than the total: Incomplete list: the service returned 41 content posts, but states a total of 40
		  It may be changing right now, so run this again. To take what came, add the option 'Accept Incomplete Lists'.
		incomplete-list without an end: Incomplete list: it did not end after 10000 pages with 10000 locations
		  Set 'Page Size' in the credential to get more records per request, or ask its owner. To take what came, add the option 'Accept Incomplete Lists'.
		incomplete-list of Return All: Incomplete list: the service returned 38 of 40 content posts
		  It may be changing right now, so run this again. To take what came, add the option 'Accept Incomplete Lists'.
		incomplete-list of Return All, with nothing: Incomplete list: the service returned 0 of 40 content posts
		  It may be changing right now, so run this again. To take what came, add the option 'Accept Incomplete Lists'.
		incomplete-list of a limit: Incomplete list: the service returned 38 of 40 content posts
		  It may be changing right now, so run this again. To take what came, add the option 'Accept Incomplete Lists'.
		incomplete-list in a picker: Incomplete list: the service returned 38 of 40 content posts
		  It may be changing right now, so run this again.
		incomplete-list without pages: Incomplete list: the service returned 20 of 40 content posts
		  The service ignored the query parameter "seite". If it uses different names, turn on 'Own Page Parameters' in the credential, or ask its owner. To take what came, add the option 'Accept Incomplete Lists'.
		301: The service responded with a redirect, which was not followed
		  The API key is only sent to the address in the credential. If the service has moved, change the 'Base URL' of the credential.
		301 elsewhere: The service responded with a redirect, which was not followed
		  The API key is only sent to the address in the credential. If the service has moved, change the 'Base URL' of the credential. The redirect points to https://seo.example.org.
		401: The service does not accept this API key
		  It may be mistyped, expired or revoked. Check it in the dashboard under Settings, API Keys, and enter it in the credential again.
		401 to another request: The service does not accept this API key
		  It may be mistyped, expired or revoked. Check it in the dashboard under Settings, API Keys, and enter it in the credential again. It was refused for another request, so this one was not sent.
		403: This API key is not allowed to create a content post for location "loc_1"
		  A key with the read scope can only get data. Use a key with the write scope in the credential (dashboard: Settings, API Keys).
		403 to read: This API key is not allowed to get the content posts of location "loc_1"
		  Check the scope of the key, and that it belongs to the organization that owns this record (dashboard: Settings, API Keys).
		403 of a limit: Rate limit reached: could not create a content post for location "loc_1"
		  The API key has used up its requests for now.
		404: There is no location with the ID "loc_1"
		  Check the ID, or pick from the list. If this is its name, set 'Location' to 'By Name'. If every ID is rejected, check the 'Base URL' of the credential.
		404 a name: There is no location with the ID "Bakery East"
		  This looks like a name: set 'Location' to 'By Name', or use the column with the ID.
		404 of the list of locations: There is no Local SEO service at this address
		  Check the 'Base URL' of the credential: nothing follows /api/v1, as in https://seo.example.com/api/v1.
		407: The proxy wants a login
		  Write it into the address of the proxy, as in http://user:password@host:port: in Proxy under Request Options, in the settings of the node, or in the environment variable HTTPS_PROXY of n8n.
		409: The service rejected the request to create a content post for location "loc_1"
		  Change what the service names. The service said: "Exists".
		409 to compare: The service rejected the request to create a content post for location "loc_1"
		  Change what the service names. The list is read to find rows that exist already. To create without comparing, set 'If It Already Exists' to 'Create Another One'.
		422: Invalid data: could not create a content post for location "loc_1" (title: No; content: Too long and 3 more)
		  Correct the fields that the service names, then run this again. The service said: "Invalid".
		429: Rate limit reached: could not create a content post for location "loc_1"
		  The API key has used up its requests for now.
		429 for a day: Rate limit reached: could not create a content post for location "loc_1"
		  The API key has used up its requests. The service asks to come back in 24 hours.
		429 for a while: Rate limit reached: could not create a content post for location "loc_1"
		  The API key has used up its requests. The service asks to come back in 60 s.
		500: The service was unable to create a content post for location "loc_1"
		  Try again later.
		500 to an update: The service was unable to update location "loc_1"
		  Try again later. An attempt may have taken effect.
		500 to a create that the list does not show: The service was unable to create a content post for location "loc_1"
		  Try again later. The service said: "Mail hook failed". The list does not show it so far; a repeat looks first."
	`);
});

test('a rate limit that is reached for a day says when to come back, in words that fit', async () => {
	const tomorrow = { status: 429, headers: { 'retry-after': '86399' } };
	const { connection, run } = serviceOfPosts(undefined, { instead: () => tomorrow });
	const told = async () => {
		const sent = await run(trySend({ ...connection, patienceMs: 60_000 }, list));
		return toNodeError(operation as HostContext, sent) as NodeApiError;
	};
	const refused = await told();
	expect(refused.message).toBe(
		'Rate limit reached: could not get the content posts of location "loc_1"',
	);
	expect(refused.description).toContain('The service asks to come back in 24 hours.');
	// The next one is not sent.
	const { message } = await told();
	expect(message).toBe('Rate limit reached: the service asks to wait another 24 hours');
});

test.each([
	[400, 422],
	[410, 404],
	[999, 418],
	[599, 500],
])('status %i reads like %i', (status, same) => {
	expect(rejected(status).message).toBe(rejected(same).message);
	expect(rejected(status).httpCode).toBe(String(status));
});

test.each<SomeFacts>([
	{ kind: 'timeout' },
	{ kind: 'connection-lost', attempts: 3, waitedMs: 1 },
	{ kind: 'unexpected-response' },
	{ kind: 'rejected', status: 422 },
	{ kind: 'rejected', status: 500 },
	{ kind: 'rejected', status: 401, isUnsent: true },
	{ kind: 'not-sent', waitedMs: 1 },
	{ kind: 'rate-limited', waitedMs: 1, retryAfterMs: 1 },
])('an update that may have been done is not said to have had no effect: %j', (facts) => {
	const update = { request: { ...request, method: 'PATCH' as const }, ...facts };
	const { description } = errorOf({ ...update, mayHaveActed: true });
	expect(description).toMatch(/\. An attempt may have taken effect\.$/);
	expect(description).not.toMatch(/had no effect/);
	expect(description).not.toMatch(/[.?!]\./);
	expect(errorOf(update).description).not.toContain('may have taken');
});

describe('what is not of the service', () => {
	test.each([
		['input', (thrown: Error) => thrown],
		['a rule of n8n', (cause: Error) => new ServiceError({ kind: 'refused-here', request, cause })],
		['our own mistake', (cause: Error) => new ServiceError({ kind: 'other', request, cause })],
	])('is %s: it keeps its words', (_, thrown) => {
		const error = toNodeError(picker, thrown(new InputError('Too long', 'Shorten it')));
		expect(error).toMatchObject({ message: 'Too long', description: 'Shorten it', node });
		expect(error).toBeInstanceOf(NodeOperationError);
	});

	test('is an error of n8n already: it stays the same', () => {
		const error = new NodeOperationError(node, 'Done');
		expect(toNodeError(picker, error)).toBe(error);
	});

	test('is a stop of the execution', () => {
		const error = Object.assign(new Error('Aborted'), { name: 'AbortError' });
		expect(toNodeError(picker, error).message).toMatch(/execution was stopped/);
	});

	test.each([new Error('Broken'), 'Broken'])('is %p: it becomes one of this node', (thrown) => {
		expect(toNodeError(picker, thrown)).toMatchObject({ message: 'Broken', node });
	});
});

test('however much a service says, a message and a description have a bound', () => {
	const fields = Array.from({ length: 10 }, () => 'x'.repeat(501));
	const said = { fields, more: 199_990, text: 'y'.repeat(501) };
	const ids = { locationId: 'z'.repeat(20_000_000) };
	const { message, description } = rejected(422, { said, request: { ...request, ids } });
	expect(message.length).toBeLessThanOrEqual(2_001);
	expect(description?.length).toBeLessThanOrEqual(2_001);
	const few = rejected(422, { said: { fields: ['title: No'], more: 199_990 } });
	expect(few.message).toMatch(/\(title: No and 199990 more\)$/);
});
