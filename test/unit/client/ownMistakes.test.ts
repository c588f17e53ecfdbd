import { DEFAULT_PAGING, readCompleteList, ServiceError } from '../../../nodes/LocalSeo/client';
import { createNew, postOf, POSTS, serviceOfPosts } from '../../support/creation';

// What the client itself gets wrong about a response costs no permit, and makes no row a plain failure.

/** Stands for whatever no reader was prepared for: it throws when it is looked at. */
const unreadable = (): object => {
	const fail = () => {
		throw new TypeError('A mistake of our own');
	};
	return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail });
};

const list = { ...POSTS, method: 'GET' as const };
const sent = { title: 'Summer offer, all of July' };
const row = postOf(sent);

describe.each([201, 500])(
	'a create is answered with %i and a body that can not be read',
	(status) => {
		test('its record is found in the list', async () => {
			const service = serviceOfPosts((response, { method }) =>
				method === 'POST' ? { ...response, status, body: unreadable() } : response,
			);
			const record = await service.run(createNew(service.connection, row));
			expect(record).toMatchObject({ id: 'post_2', ...sent });
			expect(service.posts).toHaveLength(1);
		});

		test('where the list can not be read either, it could not be confirmed', async () => {
			const service = serviceOfPosts((response, _, count) =>
				count === 1 ? response : { ...response, status, body: unreadable() },
			);
			const work = createNew(service.connection, row);
			await expect(service.run(work)).rejects.toMatchObject({ kind: 'unconfirmed' });
			expect(service.posts).toHaveLength(1);
			expect(service.connection.account.isIdle).toBe(true);
		});
	},
);

test('a reading that fails while a create is looked for does not stop the next one', async () => {
	const service = serviceOfPosts((response, { method }, count) => {
		if (method === 'POST') return { ...response, status: 500, body: {} };
		const isRead = count === 1 || count > 4;
		return isRead ? response : { ...response, body: { data: [unreadable()] } };
	});
	const record = await service.run(createNew(service.connection, row));
	expect(record).toMatchObject({ id: 'post_2' });
});

test('permits come back: the key is of use after more mistakes than may be in flight', async () => {
	// Each reading is sent six times.
	const service = serviceOfPosts((response, _, count) =>
		count > 120 ? response : { ...response, status: 503, body: unreadable() },
	);
	const rows = Array.from({ length: 20 }, async () => {
		await readCompleteList(service.connection, list, DEFAULT_PAGING);
	});
	const ends = await service.run(Promise.allSettled(rows));
	for (const end of ends) {
		expect(end).toMatchObject({
			status: 'rejected',
			reason: { kind: 'other', mayHaveActed: false },
		});
		expect((end as PromiseRejectedResult).reason).toBeInstanceOf(ServiceError);
	}
	expect(service.connection.account.isIdle).toBe(true);
	const again = readCompleteList(service.connection, list, DEFAULT_PAGING);
	expect(await service.run(again)).toEqual([]);
});

test('four rows are answered with an error whose field has no text: the key is of use after them', async () => {
	const body = JSON.parse('{"errors":[{"field":{"toString":1}}]}') as object;
	let count = 0;
	const service = serviceOfPosts((response, { method }) =>
		method === 'GET' || ++count > 4 ? response : { ...response, status: 503, body },
	);
	const rows = [1, 2, 3, 4].map(async (at) => {
		const own = { ...row, body: { title: `${sent.title} ${at}` } };
		return await createNew(service.connection, own);
	});
	const ends = await service.run(Promise.allSettled(rows));
	// They were made, and are found.
	expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
	expect(service.posts).toHaveLength(4);
	const again = readCompleteList(service.connection, list, DEFAULT_PAGING);
	expect(await service.run(again)).toHaveLength(service.posts.length);
});
