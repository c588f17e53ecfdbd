import type { INode, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { type ErrorFacts, ServiceError, type ServiceRequest } from '../../nodes/LocalSeo/client';
import type { HostContext } from '../../nodes/LocalSeo/host/context';
import { InputError, toNodeError } from '../../nodes/LocalSeo/host/errors';

const nodeWith = (parameters: INode['parameters']) =>
	({ name: 'Local SEO', type: 'localSeo', parameters }) as unknown as INode;
const node = nodeWith({});
/** A picker or the trigger, which have no options of an operation. */
const picker = { getNode: () => node } as unknown as HostContext;
const operation = { getNode: () => node, getExecutionCancelSignal: () => undefined };
const getMany = { ...operation, getNode: () => nodeWith({ operation: 'getAll' }) };

const request: ServiceRequest = {
	method: 'POST',
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	noun: 'content post',
};
const list: ServiceRequest = { ...request, method: 'GET' };
const locations: ServiceRequest = { ...list, path: '/locations', ids: {}, noun: 'location' };

const errorOf = (facts: Partial<ErrorFacts>, context: object = operation) => {
	const error = new ServiceError({ kind: 'other', request, ...facts });
	return toNodeError(context as HostContext, error) as NodeApiError;
};
const rejected = (status: number, facts: Partial<ErrorFacts> = {}) =>
	errorOf({ kind: 'rejected', status, ...facts });

test('an error of the client says in its message what failed, for logs of programs', () => {
	const cause = new Error('Reset');
	const error = new ServiceError({ kind: 'rejected', status: 503, request, cause });
	expect(error.message).toBe('rejected: POST /locations/{locationId}/posts (503)');
	expect(error).toMatchObject({ name: 'ServiceError', cause, mayHaveActed: false });
	const { message } = new ServiceError({ kind: 'timeout', request: locations });
	expect(message).toBe('timeout: GET /locations');
});

describe('a request without a response', () => {
	test.each<[ErrorFacts['kind'], RegExp, RegExp]>([
		['unreachable', /could not connect/i, /Base URL/],
		['unknown-host', /host name .* not found/i, /Base URL/],
		['insecure', /securely/, /certificate/],
		['timeout', /did not respond in time/, /Timeout/],
		['connection-lost', /Connection lost/, /Try again later/],
	])('%s: says what happened, what to do, and that it may pass', (kind, message, description) => {
		const error = errorOf({ kind });
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(description);
		expect(error.httpCode).toBeNull();
	});

	test('that was stopped says so, and gives no advice', () => {
		const error = errorOf({ kind: 'cancelled' });
		expect(error.message).toMatch(/execution was stopped/);
		expect(error.description ?? '').toBe('');
	});

	test('that was sent several times says how often and for how long', () => {
		const { description } = errorOf({ kind: 'timeout', attempts: 3, waitedMs: 12_340 });
		expect(description).toContain('sent 3 times in 12.3 s');
		expect(errorOf({ kind: 'timeout', attempts: 1 }).description).not.toContain('times');
	});

	test('because of a rule of n8n or of the credential passes its words on', () => {
		const cause = new NodeOperationError(node, 'Domain not allowed', { description: 'Ask Ann' });
		expect(errorOf({ kind: 'other', cause })).toMatchObject({
			message: 'Domain not allowed',
			description: 'Ask Ann',
		});
	});
});

test.each<[ErrorFacts['kind'], string]>([
	['timeout', 'Timeout'],
	['rate-limited', 'Max Wait'],
])('%s: an option is only named where the node has it', (kind, option) => {
	expect(errorOf({ kind }).description).toContain(option);
	expect(errorOf({ kind }, picker).description).not.toContain(option);
});

describe('an update that may have been done', () => {
	const update: ServiceRequest = { ...request, method: 'PATCH' };
	const open = (facts: Partial<ErrorFacts>) =>
		errorOf({ request: update, mayHaveActed: true, ...facts }).description;

	test.each<[Partial<ErrorFacts>]>([
		[{ kind: 'timeout' }],
		[{ kind: 'connection-lost', attempts: 3, waitedMs: 1 }],
		[{ kind: 'rejected', status: 422 }],
		[{ kind: 'rejected', status: 500 }],
		[{ kind: 'rejected', status: 401, isUnsent: true }],
		[{ kind: 'not-sent', waitedMs: 1 }],
		[{ kind: 'rate-limited', waitedMs: 1, retryAfterMs: 1 }],
	])('is not said to have had no effect: %j', (facts) => {
		const description = open(facts);
		expect(description).toMatch(/\. An attempt may have taken effect\.$/);
		expect(description).not.toMatch(/Nothing was saved|had no effect|was not sent\b(?! again)/);
		expect(description).not.toMatch(/[.?!]\./);
		expect(open({ ...facts, mayHaveActed: false })).not.toContain('may have taken');
	});
});

describe('a rate limit', () => {
	test('says how long the service asks to wait, and tells n8n', () => {
		const facts = { retryAfterMs: 60_040, waitedMs: 2_500 };
		const error = errorOf({ kind: 'rate-limited', ...facts });
		expect(error.message).toContain('60 s');
		expect(error.description).toContain('2.5 s');
		expect(error.httpCode).toBe('429');
	});
});

describe('a rejection', () => {
	test('names what the request was about: a location, a list, or the service itself', () => {
		expect(rejected(404).message).toContain('no location with the ID "loc_1"');
		const { message, description } = rejected(404, { request: locations });
		expect(message).toContain('no Local SEO service');
		expect(description).not.toContain('ID');
	});

	test('for the scope asks for the one that the request needs', () => {
		expect(rejected(403).description).toContain('write scope');
		const { message, description } = rejected(403, { request: list });
		expect(message).toContain('get the content posts of location "loc_1"');
		expect(description).not.toContain('write scope');
	});

	test.each([
		[400, 422],
		[410, 404],
	])('with status %i reads like %i', (status, same) => {
		expect(rejected(status).message).toBe(rejected(same).message);
		expect(rejected(status).httpCode).toBe(String(status));
	});

	test('of an unusual status is one like any other', () => {
		expect(rejected(999).message).toBe(rejected(418).message);
		expect(rejected(599).message).toBe(rejected(500).message);
	});

	test('with a redirect says where to, if that is another address', () => {
		const redirectOrigin = 'https://seo.example.org';
		expect(rejected(301, { redirectOrigin }).description).toContain(redirectOrigin);
		expect(rejected(301).description).not.toContain('points to');
	});

	test('quotes the service, and names the fields', () => {
		const said = { text: 'Too long', fields: ['title: 80 at most', 'type: unknown'] };
		const { message, description } = rejected(422, { said });
		expect(message).toMatch(/ \(title: 80 at most; type: unknown\)$/);
		expect(description).toContain('"Too long"');
		expect(rejected(422, { said: { fields: [] } }).message).not.toContain('(');
	});
});

describe('a list that can not be vouched for', () => {
	test('says how many records are missing, and which limit gets the rest', () => {
		const facts = { received: 38, total: 40, readings: 3 };
		const error = errorOf({ kind: 'incomplete-list', request: locations, ...facts }, getMany);
		expect(error.message).toContain('38 of 40 locations');
		expect(error.description).toMatch(/3 times.*Limit to 38/);
		expect(errorOf({ kind: 'incomplete-list', readings: 1 }).description).toMatch(/read once\./);
	});

	test.each<[string, object]>([
		['an operation that reads a list to look something up', operation],
		['a picker or the trigger', picker],
	])('says nothing of a limit in %s', (_, context) => {
		const { description } = errorOf({ kind: 'incomplete-list', readings: 3 }, context);
		expect(description).toMatch(/run this again\.$/);
	});

	test('names the parameter that asked for the page', () => {
		const { description } = errorOf({ kind: 'incomplete-list', pageParameter: 'seite' });
		expect(description).toContain('"seite"');
	});
});

describe('a response of another form', () => {
	test('begins with what it says, cut at 100 characters', () => {
		const said = { text: 'x'.repeat(200), fields: [] };
		const { description } = errorOf({ kind: 'unexpected-response', request: list, said });
		expect(description).toContain(`"${'x'.repeat(100)}"`);
	});

	test('to a write says that it may have taken effect', () => {
		const { description } = errorOf({ kind: 'unexpected-response', mayHaveActed: true });
		expect(description).toContain('create a content post for location "loc_1" may or may not');
		const read = errorOf({ kind: 'unexpected-response', request: list });
		expect(read.description).not.toContain('effect');
	});
});

describe('a create in doubt', () => {
	test('begins with what left it in doubt', () => {
		const cause = new ServiceError({ kind: 'timeout', request });
		const { message, description } = errorOf({ kind: 'unconfirmed', cause });
		expect(message).toContain('whether the content post was created');
		expect(description).toMatch(/^The service did not respond in time\. .*Check location "loc_1"/);
	});

	test('of a location, which is in no other one, has no owner to check', () => {
		const create: ServiceRequest = { ...locations, method: 'POST' };
		const { description } = errorOf({ kind: 'unconfirmed', request: create });
		expect(description).toMatch(/^The list could not be read, or/);
		expect(description).not.toContain('undefined');
	});
});

describe('an ID that can not be sent', () => {
	test.each([
		['', 'The location ID is empty'],
		['..', '".." is not a valid location ID'],
	])('%p', (locationId, message) => {
		const facts = { request: { ...request, ids: { locationId } }, idName: 'locationId' };
		expect(errorOf({ kind: 'invalid-id', ...facts }).message).toBe(message);
	});

	test('is empty where there is none', () => {
		const facts = { request: { ...request, ids: {} }, idName: 'locationId' };
		expect(errorOf({ kind: 'invalid-id', ...facts }).message).toBe('The location ID is empty');
	});
});

describe('what is not of the service', () => {
	test('is input that can not be used: it keeps its advice', () => {
		const error = toNodeError(picker, new InputError('Too long', 'Shorten it'));
		expect(error).toMatchObject({ message: 'Too long', description: 'Shorten it' });
	});

	test('is an error of n8n already: it stays the same', () => {
		const error = new NodeOperationError(node, 'Done');
		expect(toNodeError(picker, error)).toBe(error);
	});

	test('is a stop of the execution', () => {
		const error = Object.assign(new Error('Aborted'), { name: 'AbortError' });
		expect(toNodeError(picker, error).message).toMatch(/execution was stopped/);
	});

	test.each([
		['an error', new Error('Broken')],
		['a text', 'Broken'],
	])('is %s: it becomes one of this node', (_, thrown) => {
		const error = toNodeError(picker, thrown);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('Broken');
		expect(error.node).toBe(node);
	});
});
