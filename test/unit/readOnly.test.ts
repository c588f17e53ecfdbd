import { Account, type HttpRequest } from '../../nodes/LocalSeo/client';
import { readOnly } from '../../nodes/LocalSeo/client/readOnly';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const response = { status: 200, headers: {}, body: {} };
const transport = jest.fn(async () => response);
const connection = {
	account: new Account(new VirtualClock(), seededRandom()),
	transport,
	patienceMs: 1_000,
};
const request = (method: HttpRequest['method']): HttpRequest => ({
	method,
	path: '/locations',
	query: {},
	headers: {},
});

test('a read is sent, with the signal to stop', async () => {
	const { signal } = new AbortController();
	expect(await readOnly(connection).transport(request('GET'), signal)).toBe(response);
	expect(transport).toHaveBeenCalledWith(request('GET'), signal);
});

test.each(['POST', 'PATCH', 'DELETE'] as const)('%s is not', async (method) => {
	transport.mockClear();
	expect(await readOnly(connection).transport(request(method))).toEqual({
		fault: 'other',
		cause: new Error('Nothing but reads can be sent here'),
	});
	expect(transport).not.toHaveBeenCalled();
});

test('all else stays as it was', () => {
	expect(readOnly(connection)).toMatchObject({ account: connection.account, patienceMs: 1_000 });
});
