import type { INode, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type ErrorFacts, ServiceError, type ServiceRequest } from '../../nodes/LocalSeo/client';
import type { HostContext } from '../../nodes/LocalSeo/host/accounts';
import { toNodeError } from '../../nodes/LocalSeo/host/errors';
import { InputError } from '../../nodes/LocalSeo/text/inputError';

const node = { name: 'Local SEO', type: 'localSeo', parameters: {} } as unknown as INode;
/** A picker or the trigger, which have no options of an operation. */
const picker = { getNode: () => node } as unknown as HostContext;
const operation = { ...picker, getExecutionCancelSignal: () => undefined };

const request: ServiceRequest = {
	...{ method: 'POST', path: '/locations/{locationId}/posts', query: {} },
	...{ ids: { locationId: 'loc_1' }, noun: 'content post' },
};
const list: ServiceRequest = { ...request, method: 'GET' };
const locations: ServiceRequest = { ...list, path: '/locations', ids: {}, noun: 'location' };
const update: ServiceRequest = { ...request, method: 'PATCH', path: '/locations/{locationId}' };
const withId = (locationId: string) => ({
	...{ idName: 'locationId', request: { ...request, ids: { locationId } } },
});

type Kind = ErrorFacts['kind'];

/**
 * @param what the kind of the error, or the status with which the service rejects a request
 * @param facts some of them; those that its kind always has, and no test is about, are added
 */
function errorOf(what: Kind | number, facts: object = {}, context: object = operation) {
	const always = { request, said: { fields: [] }, isBusy: false, came: '' };
	const kind = typeof what === 'number' ? { kind: 'rejected', status: what } : { kind: what };
	const error = new ServiceError({ ...always, ...kind, ...facts } as ErrorFacts);
	return toNodeError(context as HostContext, error) as NodeApiError;
}

const network = (code: string, message = '', more: object = {}) => ({
	cause: Object.assign(new Error(message), { code, ...more }),
});
const timeout = { cause: new ServiceError({ kind: 'timeout', request, cause: undefined }) };
const saying = (text: string, fields: string[] = [], more = 0) => ({
	said: { text, fields, more },
});
const limited = { retryAfterMs: 60_040, waitedMs: 2_500 };
const PAGE_AGAIN = 'after 15 content posts, the service returned a page again in place of the next';
const NO_PAGES = 'or leave it empty if its lists have no pages';
const incomplete = { request: list, received: 38, total: 40 };
const unseen = { isOwnError: true, isUnseen: true, mayHaveActed: true };
const POST = 'a content post for location "loc_1"';
const BASE_URL = "Check the 'Base URL'";
const BASE_OTHER = "If the service has moved, change the 'Base URL'";
const NO_CONNECTION = 'Could not connect to the service';

test.each<[Kind | number, object, message: string, advice: string]>([
	['invalid-id', withId(''), 'The location ID is empty', 'check the expression for its ID'],
	['invalid-id', withId('..'), '".." is not a valid location ID', 'Pick a location'],
	['invalid-id', withId('../a'), '"../a" is not a valid location ID: it contains "/"', ''],
	['invalid-id', withId('a\\b'), 'is not a valid location ID: it contains "\\"', ''],
	['invalid-id', withId('a\uD800'), 'is not a valid location ID', 'Pick a location'],
	['timeout', { attempts: 3, waitedMs: 12_340 }, 'did not respond', 'sent 3 times in 12 s.'],
	['connection-lost', {}, 'Connection lost', 'Try again later.'],
	['connection-lost', network('EPROTO', 'wrong version'), NO_CONNECTION, `version (EPROTO). Check`],
	['cancelled', {}, 'The execution was stopped', ''],
	['unreachable', network('ECONNREFUSED'), NO_CONNECTION, `is: ECONNREFUSED. ${BASE_URL}`],
	[
		'unreachable',
		network(''),
		NO_CONNECTION,
		'that n8n can reach it, directly or through its proxy',
	],
	['insecure', network('CERT_HAS_EXPIRED', 'too old'), '', 'is: too old (CERT_HAS_EXPIRED). Ch'],
	['rate-limited', limited, 'asks to wait another 60 s', '2.5 s and had no effect. To wait longer'],
	[
		'unconfirmed',
		timeout,
		'confirm whether the content post was',
		'respond in time. The response was lost',
	],
	['unexpected-response', { came: 'Hi' }, 'not look like the Local SEO API', 'begins: "Hi"'],
	['unexpected-response', { expected: 'list', came: '7' }, "no list in 'data', but: 7", ''],
	['not-sent', { waitedMs: 5_000, ...timeout }, 'does not respond', 'other items for 5 s.'],
	['incomplete-list', incomplete, '38 of 40 content posts', "add the option 'Accept Incomplete"],
	['incomplete-list', { ...incomplete, received: 41 }, '41 content posts, but states a tota', ''],
	[
		'incomplete-list',
		{ request: list, received: 9, pages: 9 },
		'posts take more than 9 pages',
		"'Page Size'",
	],
	['incomplete-list', { request: list, received: 15, pageParameter: 'p' }, PAGE_AGAIN, NO_PAGES],
	['incomplete-list', { ...incomplete, pageParameter: '' }, '38 of 40', 'is empty, so one page'],
	[
		301,
		{ redirectTo: 'https://b.org/v2' },
		'redirect to https://b.org/v2, which was n',
		BASE_OTHER,
	],
	[400, {}, `rejected the request to create ${POST}`, 'Correct what the service names'],
	[401, {}, 'does not accept this API key', 'mistyped, expired or revoked'],
	[403, {}, `is not allowed to create ${POST}`, 'Use a key with the write scope'],
	[403, { request: { ...list, names: { locationId: 'East' } } }, 'of location "East" (loc_1)', ''],
	[404, {}, 'There is no location with the ID "loc_1"', "If this is its name, set 'Location' to"],
	[404, { request: locations }, 'no Local SEO service at this address', 'nothing follows /api/v1'],
	[407, saying('Login'), 'The proxy wants a login', 'HTTPS_PROXY of n8n.'],
	[409, { isComparison: true }, 'rejected the request', "to 'Create Another One'"],
	[422, saying('No', ['a: b', 'c: d'], 3), '(a: b; c: d and 3 more)', 'service said: "No".'],
	[422, saying('No', ['title: No']), '(title: No)', 'then run this again.'],
	[429, { retryAfterMs: 86_399_000 }, 'Rate limit reached', 'come back in 24 hours.'],
	[429, { isBusy: true }, 'Rate limit reached', "increase the option 'Max Wait'."],
	[503, { isBusy: true }, 'unable to create', "increase the option 'Max Wait'."],
	[500, { request: update, mayHaveActed: true }, 'unable to update location "loc_1"', 'An attempt'],
	[500, unseen, `unable to create ${POST}`, 'does not show it so far; a repeat looks first.'],
])('%s with %j: "%s", and advice', (what, facts, said, advised) => {
	const { message, description, httpCode } = errorOf(what, facts);
	expect(message).toContain(said);
	expect(description ?? '').toContain(advised);
	expect(description ?? '').not.toMatch(/[.?!]\./);
	// As n8n wants its messages.
	expect(message).not.toMatch(/error|problem|failure|mistake/i);
	if (typeof what === 'number') expect(httpCode).toBe(String(what));
});

test('a refusal with words begins with them: the scope is advice where the service says nothing', () => {
	const { message, description } = errorOf(403, saying('Monthly post limit reached'));
	expect(message).toBe(`The service rejected the request to create ${POST}`);
	expect(description).toBe('The service said: "Monthly post limit reached".');
	expect(errorOf(403, saying('', ['plan: Free'])).description).toBeNull();
	const forbidden = errorOf(403, saying('403 Forbidden'));
	expect(forbidden.message).toBe(`This API key is not allowed to create ${POST}`);
	expect(forbidden.description).toMatch(/^The service said: "403 Forbidden"\. .*write scope/);
	expect(errorOf(422, saying('No', ['a: b'])).description).toMatch(/^The service said: "No"\. Co/);
});

test('a later page that is refused: how far the list came, the words, and only then the page parameter', () => {
	const known = { request: list, received: 1_000, total: 5_000, pageParameter: 'page' };
	const facts = { ...known, ...saying('Offset too large') };
	const invalid = errorOf(422, facts);
	const refused = 'The service returned 1000 of 5000 content posts, then refused the next page';
	expect(invalid.message).toBe(refused);
	expect(invalid.description).toMatch(
		/^The service said: "Offset too large"\. If your service does/,
	);
	expect(errorOf(403, facts)).toMatchObject({ message: refused, description: invalid.description });
	expect(errorOf(500, { ...facts, total: undefined })).toMatchObject({
		message: refused.replace(' of 5000', ''),
		description: 'The service said: "Offset too large". Try again later.',
	});
	expect(errorOf(401, facts).message).toMatch(/does not accept this API key/);
	expect(errorOf(429, facts).message).toMatch(/^Rate limit reached/);
});

test.each<[Kind | number, object, only: string]>([
	[
		'rate-limited',
		{ ...limited, ...timeout },
		'The service did not respond in time. Could not create a content post for location "loc_1". This request waited 2.5 s and had no effect. To wait longer, increase the option \'Max Wait\'.',
	],
	[
		'unconfirmed',
		timeout,
		'The service did not respond in time. The response was lost, and nothing since has settled it. Check location "loc_1" before you run this row again.',
	],
	[
		404,
		{ request: list, isComparison: true },
		"Check the ID. If this is its name, set 'Location' to 'By Name'.",
	],
	[
		'incomplete-list',
		{ ...incomplete, isNeededWhole: true },
		'Run this again: the list may be changing.',
	],
])('%s with %j: one way out', (what, facts, only) => {
	expect(errorOf(what, facts).description).toBe(only);
});

test('what keeps all requests from the service says what to do, also where one was not sent', () => {
	const cause = new ServiceError({ kind: 'unreachable', request, ...network('ECONNREFUSED') });
	const { description } = errorOf('not-sent', { waitedMs: 5_000, cause });
	expect(description).toMatch(/^Could not connect to the service\. The reason is: ECONNREFUSED\. /);
	expect(description).toMatch(/for other items for 5 s\. Check the 'Base URL'/);
	expect(description).not.toContain('later');
});

test('a picker and the trigger are told of no option, which they do not have', () => {
	for (const kind of ['timeout', 'rate-limited', 'incomplete-list'] as const) {
		expect(errorOf(kind, incomplete).description).toMatch(/'(Timeout|Max Wait|Accept .*)'/);
		expect(errorOf(kind, incomplete, picker).description).not.toMatch(/'/);
	}
});

test.each<[Kind | number, object]>([
	['timeout', {}],
	[422, {}],
	['rate-limited', { waitedMs: 1, retryAfterMs: 1 }],
])('an update that may have been done is not said to have had no effect: %s %j', (what, facts) => {
	const { description } = errorOf(what, { request: update, ...facts, mayHaveActed: true });
	expect(description).toMatch(/(^|\. )An attempt may have taken effect\. /);
	expect(description).not.toMatch(/had no effect/);
	expect(errorOf(what, { request: update, ...facts }).description).not.toContain('may have taken');
});

describe('an error that is not of the service', () => {
	const cause = new InputError('Too long', 'Shorten it');
	const refused = (['refused-here', 'other'] as const).map(
		(kind) => new ServiceError({ kind, request, cause }),
	);
	test.each([cause, ...refused])('keeps its words: %p', (thrown) => {
		const error = toNodeError(picker, thrown);
		expect(error).toMatchObject({ message: 'Too long', description: 'Shorten it.', node });
		expect(error).toBeInstanceOf(NodeOperationError);
	});

	test('becomes one of n8n if it is none', () => {
		const error = new NodeOperationError(node, 'Done');
		expect(toNodeError(picker, error)).toBe(error);
		expect(toNodeError(picker, 'Broken')).toMatchObject({ message: 'Broken', node });
		const stopped = Object.assign(new Error('Aborted'), { name: 'AbortError' });
		expect(toNodeError(picker, stopped).message).toMatch(/execution was stopped/);
	});
});
