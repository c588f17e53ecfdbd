import {
	Account,
	change,
	type Connection,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	ServiceError,
} from '../../nodes/LocalSeo/client';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const ok = (body: unknown, status = 200): HttpResponse => ({ status, headers: {}, body });

/** Changes a post of a service that gives these responses, one after the other. */
async function changeOf(method: 'PATCH' | 'DELETE', body: JsonObject, responses: HttpResponse[]) {
	const asked: HttpRequest[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 1_000,
		transport: async (request) => {
			asked.push(request);
			await clock.sleep(20);
			return responses[asked.length - 1] ?? ok({}, 500);
		},
	};
	const request = {
		method,
		path: '/posts/{postId}',
		ids: { postId: 'post_1' },
		query: { draft: true },
		body: method === 'PATCH' ? body : undefined,
		noun: 'content post',
	};
	const work = change(connection, request).catch((error: unknown) => error);
	const result = await clock.run(work);
	const said = result instanceof ServiceError ? result.kind : result;
	return { said, asked: asked.map((one) => one.method), requests: asked };
}

const SENT = { title: 'Winter offers for everyone' };
const BEFORE = { id: 'post_1', title: 'Summer is nearly over' };
const AFTER = { id: 'post_1', ...SENT };

describe('an update', () => {
	test.each<[string, HttpResponse, unknown]>([
		['that shows the record', ok({ data: AFTER }), AFTER],
		['that shows the record bare', ok(AFTER), AFTER],
		['that shows what was sent, without an ID', ok({ data: SENT }), SENT],
		['that shows the ID alone', ok({ data: { id: 'post_1' } }), { id: 'post_1' }],
		['without content', ok('', 204), SENT],
	])('%s is done with one request', async (_, response, result) => {
		const { said, asked } = await changeOf('PATCH', SENT, [response]);
		expect({ said, asked }).toEqual({ said: result, asked: ['PATCH'] });
	});

	const read = ok({ data: AFTER });
	test.each<[string, HttpResponse]>([
		['that shows nothing', ok('')],
		['that shows an empty object', ok({})],
		['that shows no data', ok({ data: null })],
		['that shows something else', ok({ data: { updated: 1 } })],
		['that shows the record as it was', ok({ data: BEFORE })],
	])('%s is looked into, and done if the record has what was sent', async (_, response) => {
		const done = await changeOf('PATCH', SENT, [response, read]);
		expect(done).toMatchObject({ said: AFTER, asked: ['PATCH', 'GET'] });
		const [, look] = done.requests;
		expect(look).toMatchObject({ path: '/posts/post_1', query: {} });
		expect(look.body).toBeUndefined();
		const withoutField = await changeOf('PATCH', SENT, [response, ok({ data: { id: 'post_1' } })]);
		expect(withoutField.said).toEqual({ id: 'post_1' });
	});

	test.each<[string, HttpResponse]>([
		['the record as it was', ok({ data: BEFORE })],
		['nothing', ok({ data: [] })],
		['a record that can be any', ok({ data: { updated: 1 } })],
		['an error', ok({ message: 'Not found' }, 404)],
	])('is not done if the look shows %s', async (_, look) => {
		const { said, asked } = await changeOf('PATCH', SENT, [ok({}), look]);
		expect({ said, asked }).toEqual({ said: 'unexpected-response', asked: ['PATCH', 'GET'] });
	});
});

describe('a deletion', () => {
	test.each<[string, HttpResponse, unknown]>([
		['without content', ok('', 204), {}],
		['that shows the record', ok({ data: BEFORE }), BEFORE],
		['that shows something else', ok({ deleted: true }), { deleted: true }],
	])('%s is done with one request', async (_, response, result) => {
		const { said, asked } = await changeOf('DELETE', {}, [response]);
		expect({ said, asked }).toEqual({ said: result, asked: ['DELETE'] });
	});
});

test.each<[string, unknown]>([
	['denies itself', { success: false }],
	['is a page for people', '<h1>Welcome</h1>'],
])('a success that %s is none', async (_, body) => {
	for (const method of ['PATCH', 'DELETE'] as const) {
		const { said, asked } = await changeOf(method, SENT, [ok(body)]);
		expect({ said, asked }).toEqual({ said: 'unexpected-response', asked: [method] });
	}
});
