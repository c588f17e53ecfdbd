import { Account as Service, type Answer } from '../../../dev/sandbox/account';
import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpRequest,
	type HttpResponse,
	readCompleteList,
	ServiceError,
} from '../../../nodes/LocalSeo/client';
import { responseOf, transportTo } from '../../support/accountTransport';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

// What the client itself gets wrong about a response costs no permit, and makes no row a plain failure.

/** Stands for whatever no reader was prepared for: it throws when it is looked at. */
const unreadable = (): object => {
	const fail = () => {
		throw new TypeError('A mistake of our own');
	};
	return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail });
};

const list = {
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	noun: 'content post',
};
const sent = { title: 'Summer offer, all of July' };
const row = { ...list, method: 'POST' as const, body: sent };

/** A service that makes posts; its answers go through `answer`, by the number of the request from 1. */
function serviceWith(
	answer: (response: HttpResponse, request: HttpRequest, count: number) => HttpResponse,
) {
	const clock = new VirtualClock();
	const service = new Service(clock, { id: (number) => ({ id: `post_${number}` }) });
	service.add('locations', { id: 'loc_1' });
	let count = 0;
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		transport: transportTo(
			(request) => answer(responseOf(service.handle(request)), request, ++count) as Answer,
			clock,
		),
	};
	const run = async <T>(work: Promise<T>) => await clock.run(work);
	return { connection, posts: service.list('posts', 'loc_1'), run };
}

describe.each([201, 500])(
	'a create is answered with %i and a body that can not be read',
	(status) => {
		test('its record is found in the list', async () => {
			const service = serviceWith((response, { method }) =>
				method === 'POST' ? { ...response, status, body: unreadable() } : response,
			);
			const { record } = await service.run(create(service.connection, row, DEFAULT_PAGING));
			expect(record).toMatchObject({ id: 'post_2', ...sent });
			expect(service.posts).toHaveLength(1);
		});

		test('where the list can not be read either, it could not be confirmed', async () => {
			const service = serviceWith((response) => ({ ...response, status, body: unreadable() }));
			const work = create(service.connection, row, DEFAULT_PAGING);
			await expect(service.run(work)).rejects.toMatchObject({ kind: 'unconfirmed' });
			expect(service.posts).toHaveLength(1);
			expect(service.connection.account.isIdle).toBe(true);
		});
	},
);

test('a reading that fails while a create is looked for does not stop the next one', async () => {
	const service = serviceWith((response, { method }, count) => {
		if (method === 'POST') return { ...response, status: 500, body: {} };
		return count < 4 ? { ...response, body: { data: [unreadable()] } } : response;
	});
	const { record } = await service.run(create(service.connection, row, DEFAULT_PAGING));
	expect(record).toMatchObject({ id: 'post_2' });
});

test('permits come back: the key is of use after as many mistakes as may be in flight', async () => {
	const service = serviceWith((response, _, count) =>
		count > 20 ? response : { ...response, status: 503, body: unreadable() },
	);
	const rows = Array.from({ length: 20 }, async () => {
		await readCompleteList(service.connection, { ...list, method: 'GET' }, DEFAULT_PAGING);
	});
	const ends = await service.run(Promise.allSettled(rows));
	expect(ends.every((end) => end.status === 'rejected' && end.reason instanceof ServiceError)).toBe(
		true,
	);
	expect(service.connection.account.isIdle).toBe(true);
	const again = readCompleteList(service.connection, { ...list, method: 'GET' }, DEFAULT_PAGING);
	expect(await service.run(again)).toEqual([]);
});

test('four rows are answered with an error whose field has no text: the key is of use after them', async () => {
	const body = JSON.parse('{"errors":[{"field":{"toString":1}}]}') as object;
	const service = serviceWith((response, _, count) =>
		count > 4 ? response : { ...response, status: 503, body },
	);
	const rows = [1, 2, 3, 4].map(async (at) => {
		const own = { ...row, body: { title: `${sent.title} ${at}` } };
		return await create(service.connection, own, DEFAULT_PAGING);
	});
	const ends = await service.run(Promise.allSettled(rows));
	expect(
		ends.every((end) => end.status === 'fulfilled' || end.reason instanceof ServiceError),
	).toBe(true);
	const again = readCompleteList(service.connection, { ...list, method: 'GET' }, DEFAULT_PAGING);
	expect(await service.run(again)).toHaveLength(service.posts.length);
});
