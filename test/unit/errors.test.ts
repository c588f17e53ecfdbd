import type { INode, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type ErrorFacts, ServiceError, type ServiceRequest } from '../../nodes/LocalSeo/client';
import type { HostContext } from '../../nodes/LocalSeo/host/accounts';
import { toNodeError } from '../../nodes/LocalSeo/host/errors';
import { InputError } from '../../nodes/LocalSeo/text/inputError';

// What the service says, and what becomes of each status: test/node/refusals.test.ts.

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
const withId = (...ids: string[]) => ({
	kind: 'invalid-id' as const,
	idName: 'locationId',
	request: { ...request, ids: Object.fromEntries(ids.map((id) => ['locationId', id])) },
});

const errorOf = (facts: Partial<ErrorFacts>, context: object = operation) => {
	const error = new ServiceError({ kind: 'other', request, ...facts });
	return toNodeError(context as HostContext, error) as NodeApiError;
};
const rejected = (status: number, facts: Partial<ErrorFacts> = {}) =>
	errorOf({ kind: 'rejected', status, ...facts });

/** What the client found out, and how the message and the description say it. */
const SAID: Array<[Partial<ErrorFacts>, RegExp, RegExp]> = [
	[{ kind: 'insecure' }, /^No secure connection/, /^Check the 'Base URL'/],
	[{ kind: 'timeout' }, /did not respond in time/, /^Try again later\.[^.]*Timeout/],
	[{ kind: 'timeout', attempts: 3, waitedMs: 12_340 }, /in time/, /sent 3 times in 12\.3 s\.$/],
	[{ kind: 'connection-lost' }, /Connection lost/, /^Try again later\.$/],
	[{ kind: 'cancelled' }, /execution was stopped/, /^$/],
	[
		{ kind: 'rate-limited', retryAfterMs: 60_040, waitedMs: 2_500 },
		/have to wait another 60 s$/,
		/create a content post .* waited 2\.5 s and had no effect.*'Max Wait'\.$/,
	],
	[
		{ kind: 'not-sent', waitedMs: 5_000, cause: new ServiceError({ kind: 'timeout', request }) },
		/does not respond/,
		/^The service did not respond in time\..* Not sent: .* other items for 5 s\. Run it again later\.$/,
	],
	[
		{ kind: 'unconfirmed', cause: new ServiceError({ kind: 'timeout', request }) },
		/whether the content post was created/,
		/^The service did not respond in time\. .*Check location "loc_1"/,
	],
	[
		{ kind: 'unconfirmed', request: { ...locations, method: 'POST' } },
		/whether the location was created/,
		/^The list could not be read, or .* Check it before/,
	],
	[
		{ kind: 'unexpected-response', said: { text: 'x'.repeat(200), fields: [] } },
		/^Unexpected response/,
		/a different service\. The response begins: "x{100}"\.$/,
	],
	[
		{ kind: 'incomplete-list', request: locations, received: 10_000, pages: 10_000 },
		/^Incomplete list: it did not end after 10000 pages with 10000 locations$/,
		/'Page Size'/,
	],
	[withId(''), /^The location ID is empty$/, /expression/],
	[withId(), /^The location ID is empty$/, /expression/],
	[withId('..'), /^"\.\." is not a valid location ID$/, /^Pick a location from the list/],
	[
		{ kind: 'rejected', status: 404 },
		/no location with the ID "loc_1"/,
		/If this is its name, set 'Location' to 'By Name'\. If every ID/,
	],
	[
		{ kind: 'rejected', status: 404, request: locations },
		/no Local SEO service/,
		/nothing follows \/api\/v1/,
	],
	[
		{ kind: 'rejected', status: 403, request: list },
		/not allowed to get the content posts of location "loc_1"/,
		/^Check the scope of the key/,
	],
	[{ kind: 'rejected', status: 301 }, /redirect/, /change the 'Base URL' of the credential\.$/],
	[
		{ kind: 'rejected', status: 301, redirectOrigin: 'https://seo.example.org' },
		/redirect/,
		/points to https:\/\/seo\.example\.org\.$/,
	],
];
test.each(SAID.map((said): [string, RegExp, ...typeof said] => [said[0].kind!, said[1], ...said]))(
	'%s says: %s',
	(_kind, _title, facts, message, description) => {
		const error = errorOf(facts);
		expect(error.message).toMatch(message);
		expect(error.description ?? '').toMatch(description);
	},
);

test.each([
	[400, 422],
	[410, 404],
	[999, 418],
	[599, 500],
])('status %i reads like %i', (status, same) => {
	expect(rejected(status).message).toBe(rejected(same).message);
	expect(rejected(status).httpCode).toBe(String(status));
});

test.each<Partial<ErrorFacts>>([
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

test.each<[Partial<ErrorFacts>, object, RegExp]>([
	[{}, operation, /run this again\.$/],
	[{ received: 38 }, getMany, /turn off 'Return All' and set 'Limit' to 38\.$/],
	// Limit is at least 1.
	[{ received: 0 }, getMany, /run this again\.$/],
	[{ received: 38 }, getSome, /run this again\.$/],
	[{}, picker, /run this again\.$/],
	[{ pageParameter: 'seite' }, picker, /ignored the query parameter "seite"/],
])('a list that is incomplete, with %j', (facts, context, description) => {
	const of = { kind: 'incomplete-list' as const, request: locations, ...facts };
	expect(errorOf(of, context).description).toMatch(description);
	const messageWith = (more: Partial<ErrorFacts>) => errorOf({ ...of, ...more }, context).message;
	expect(messageWith({ received: 38, total: 40 })).toMatch(/returned 38 of 40 locations$/);
	expect(messageWith({ received: 40, total: 40 })).toMatch(/locations changed each time/);
	expect(messageWith({ received: 1 })).toMatch(/1 locations and says that there are more$/);
});

test.each<[ErrorFacts['kind'], string]>([
	['timeout', 'Timeout'],
	['rate-limited', 'Max Wait'],
])('%s: an option is only named where the node has it', (kind, option) => {
	expect(errorOf({ kind }, picker).description).not.toContain(option);
});

describe('what is not of the service', () => {
	test.each([
		['input', (thrown: Error) => thrown],
		['a rule of n8n', (cause: Error) => new ServiceError({ kind: 'other', request, cause })],
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
