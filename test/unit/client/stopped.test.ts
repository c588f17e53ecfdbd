import { getEventListeners } from 'node:events';

import { create, withinTime } from '../../../nodes/LocalSeo/client';
import { howAfterReading, postOf, serviceOfPosts } from '../../support/creation';

// A signal may abort before anyone listens to it: it is seen all the same.

const row = postOf({ title: 'Summer offer', content: 'All of July' });
const reason = new Error('Stopped by the user');

test('a create whose execution was stopped before is not sent', async () => {
	const { connection, methods, run } = serviceOfPosts();
	const how = await run(howAfterReading(connection, row));
	const signal = AbortSignal.abort(reason);
	await expect(run(create({ ...connection, signal }, row, how))).rejects.toBe(reason);
	expect(methods).toEqual(['GET']);
	expect(connection.account.isIdle).toBe(true);
});

test('a create that is stopped in the moment in which it begins is not sent', async () => {
	const { connection, methods, run } = serviceOfPosts();
	const how = await run(howAfterReading(connection, row));
	const stop = new AbortController();
	const work = create({ ...connection, signal: stop.signal }, row, how);
	stop.abort(reason);
	await expect(run(work)).rejects.toBe(reason);
	expect(methods).toEqual(['GET']);
	expect(connection.account.isIdle).toBe(true);
});

test('a create that is stopped while another one of the same content goes on ends at once, and is not sent', async () => {
	const { clock, connection, methods, posts, run } = serviceOfPosts();
	const how = await run(howAfterReading(connection, row));
	const first = create(connection, row, how);
	const stop = new AbortController();
	const second = create({ ...connection, signal: stop.signal }, row, how);
	const startedAt = clock.now();
	stop.abort(reason);
	await expect(second).rejects.toBe(reason);
	expect(clock.now()).toBe(startedAt);
	await run(first);
	await run(clock.sleep(1_000));
	expect(methods).toEqual(['GET', 'POST']);
	expect(posts).toHaveLength(1);
	expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

test('a create that is stopped while it is looked for ends at once; a repeat looks before it sends', async () => {
	let isLost = true;
	const { clock, connection, methods, posts, run } = serviceOfPosts((response, { method }) =>
		isLost && method === 'POST' ? { ...response, status: 502, body: '' } : response,
	);
	const how = await run(howAfterReading(connection, row));
	const stop = new AbortController();
	const work = create({ ...connection, signal: stop.signal }, row, how);
	const startedAt = clock.now();
	void clock.sleep(500).then(() => stop.abort(reason));
	await expect(run(work)).rejects.toBe(reason);
	expect(clock.now() - startedAt).toBe(500);
	expect(methods).toEqual(['GET', 'POST']);
	isLost = false;
	await expect(run(create(connection, row, how))).resolves.toMatchObject({
		record: { title: 'Summer offer' },
	});
	expect(methods).toEqual(['GET', 'POST', 'GET']);
	expect(posts).toHaveLength(1);
});

test('work with a signal that was aborted before does not begin', async () => {
	const { clock, run } = serviceOfPosts();
	const work = jest.fn(async () => await Promise.resolve('done'));
	const waiting = withinTime(clock, 1_000, work, AbortSignal.abort(reason));
	await expect(run(waiting)).rejects.toBe(reason);
	expect(work).not.toHaveBeenCalled();
});
