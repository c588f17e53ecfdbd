import {
	Account,
	type HttpRequest,
	type JsonObject,
	readOnly,
	send,
} from '../../../nodes/LocalSeo/client';
import type { Permit } from '../../../nodes/LocalSeo/client/pace/permit';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

let clock: VirtualClock;
let account: Account;
beforeEach(() => {
	clock = new VirtualClock();
	account = new Account(clock, seededRandom());
});
const pass = (milliseconds: number) => clock.moveTo(clock.now() + milliseconds);
const acquire = async () => {
	const waiter = { patienceMs: 1_000, urgency: 'row', kind: 'read', since: clock.now() } as const;
	return (await account.governor.acquire(waiter)) as Permit;
};

test('the clock of the service is as far ahead as the last response says that is not out of a cache', async () => {
	const answers: JsonObject[] = [{}];
	const transport = async () => ({ status: 200, headers: answers.shift() ?? {}, body: '' });
	const connection = { account, transport, patienceMs: 0 };
	const list = { method: 'GET' as const, path: '/', ids: {}, query: {}, noun: 'location' };
	const offsetAfter = async (...headers: JsonObject[]) => {
		answers.splice(0, answers.length, ...headers);
		for (let sent = 0; sent < headers.length; sent++) await clock.run(send(connection, list));
		return account.serviceClockOffset;
	};
	const dateIn = (ms: number) => new Date(clock.now() + ms).toUTCString();
	expect(await offsetAfter({}, { date: 'today' })).toBeUndefined();
	expect(await offsetAfter({ date: dateIn(-3_000) }, { date: dateIn(5_000) })).toBe(5_000);
	expect(await offsetAfter({ date: dateIn(-60_000), age: '60' })).toBe(5_000);
});

test('the pace of the service is forgotten after an hour without use', async () => {
	const { governor } = account;
	const permit = await acquire();
	pass(7_200_000);
	expect(account.isIdle).toBe(false);
	expect(account.governor).toBe(governor);
	governor.ended(permit, { kind: 'answered', isDone: true });
	pass(3_600_000);
	expect(account.governor).toBe(governor);
	pass(1);
	expect(account.governor).not.toBe(governor);
});

test('a connection that may only read sends nothing else', async () => {
	const response = { status: 200, headers: {}, body: {} };
	const transport = jest.fn(async () => response);
	const connection = readOnly({ account, transport, patienceMs: 1_000 });
	expect(connection).toMatchObject({ account, patienceMs: 1_000 });
	const request = (method: HttpRequest['method']) => ({
		method,
		path: '/',
		query: {},
		headers: {},
		timeoutMs: 1_000,
	});
	const { signal } = new AbortController();
	expect(await connection.transport(request('GET'), signal)).toBe(response);
	expect(transport).toHaveBeenCalledWith(request('GET'), signal);
	for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
		expect(await connection.transport(request(method))).toMatchObject({
			fault: 'refused-here',
		});
	}
	expect(transport).toHaveBeenCalledTimes(1);
});
