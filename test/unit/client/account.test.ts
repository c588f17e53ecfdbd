import { Account, type HttpRequest, readOnly } from '../../../nodes/LocalSeo/client';
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

test('the clock of the service is as far ahead as the last response says', () => {
	account.noteServiceTime(NaN);
	expect(account.serviceClockOffset).toBeUndefined();
	account.noteServiceTime(clock.now() + 5_000);
	expect(account.serviceClockOffset).toBe(5_000);
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
		expect(await connection.transport(request(method))).toMatchObject({ fault: 'other' });
	}
	expect(transport).toHaveBeenCalledTimes(1);
});
