import { DEFAULT_PAGING, readRecords } from '../../nodes/LocalSeo/client';
import { type Run, World } from './play';

/** How many of the rows that failed did so in each way. */
function kindsOf({ errors }: Run): Record<string, number> {
	const kinds: Record<string, number> = {};
	for (const { kind } of errors) kinds[kind] = (kinds[kind] ?? 0) + 1;
	return kinds;
}

/** Milliseconds for which the list is watched before a create that was refused is sent again. */
const WATCHED = 130_000;

const queues = ([502, 503, 504, 'reset'] as const).flatMap((refuses) =>
	[4, 8, 16].map((most) => ({ most, refuses })),
);
test.each(queues)('a queue that refuses is not overrun: %j', async (queue) => {
	const world = new World({ workers: 4, workMs: 100, spread: 'exponential', queue });
	const run = await world.run(world.post(world.process(), 300));
	const { posts, requests, failed } = world.service;
	expect({ done: run.done, posts: posts.length }).toEqual({ done: 300, posts: 300 });
	expect(requests).toBeLessThan(1.25 * 300);
	// The few that were refused wait for the proof that they were not done; the others do not.
	expect(failed).toBeLessThanOrEqual(8);
	const prompt = run.ends.filter((end) => end - run.startedAt < 1.4 * 7_500);
	expect(prompt.length).toBeGreaterThanOrEqual(300 - failed);
	expect(run.endedAt - run.startedAt).toBeLessThan(1.4 * 7_500 + (failed > 0 ? WATCHED : 0));
});

test.each([500, 1_000, 3_000])('nor a gateway that gives up after %d ms', async (gatewayMs) => {
	const world = new World({ workers: 4, workMs: 100, spread: 'exponential', gatewayMs });
	const run = await world.run(world.post(world.process(), 300));
	const { posts, requests } = world.service;
	expect({ done: run.done, posts: posts.length }).toEqual({ done: 300, posts: 300 });
	expect(requests).toBeLessThan(1.25 * 300);
	expect(run.seconds).toBeLessThan(1.4 * 7.5);
});

test('a service that is down costs 1,000 rows one patience and few requests', async () => {
	const world = new World({ workers: 8, workMs: 50, spread: 'fixed' });
	world.service.state = 'down';
	const run = await world.run(world.post(world.process(), 1_000));
	const { unconfirmed, 'not-sent': notSent } = kindsOf(run);
	expect(unconfirmed + notSent).toBe(1_000);
	// Those that were sent may have been done.
	expect(unconfirmed).toBeLessThanOrEqual(12);
	expect(run.seconds).toBeLessThan(332);
	expect(world.service.requests).toBeLessThanOrEqual(20);
	const { cause } = run.errors.find(({ kind }) => kind === 'not-sent')!.facts;
	expect(cause).toMatchObject({ kind: 'connection-lost' });
});

test('one that comes back goes on where it stopped', async () => {
	const world = new World({ workers: 8, workMs: 50, spread: 'fixed' });
	const running = world.post(world.process(), 2_000);
	void world.clock.sleep(3_000).then(() => (world.service.state = 'down'));
	void world.clock.sleep(33_000).then(() => (world.service.state = 'up'));
	const run = await world.run(running);
	expect({ done: run.done, posts: world.service.posts.length }).toEqual({
		done: 2_000,
		posts: 2_000,
	});
	expect(world.service.requests).toBeLessThan(2_100);
});

test('once the key is refused, no row is sent with it any more', async () => {
	const world = new World({ workers: 8, workMs: 50, spread: 'fixed' });
	const { service } = world;
	const running = world.post(world.process(), 1_000);
	await world.run(world.clock.sleep(2_000));
	const [sent, inFlight] = [service.requests, service.inFlight];
	service.state = 'unauthorized';
	const run = await world.run(running);
	expect(kindsOf(run)).toEqual({ rejected: 1_000 - run.done });
	expect(service.requests - sent).toBeLessThanOrEqual(inFlight + 1);
	const unsent = run.errors.filter(({ facts }) => facts.isUnsent);
	expect(unsent.length).toBeGreaterThan(600);
	expect(unsent.every(({ facts }) => facts.status === 401)).toBe(true);
});

test('a person does not wait behind rows', async () => {
	const limit = { most: 2, period: 1_000, counts: 'clock periods' as const };
	const world = new World({ workers: 8, workMs: 50, spread: 'fixed', limit });
	const account = world.process();
	const rows = world.post(account, 100);
	for (let times = 0; times < 5; times++) {
		await world.run(world.clock.sleep(5_000));
		const asked = world.clock.now();
		const person = world.connect(account, { urgency: 'person', patienceMs: 10_000 });
		const list = { path: '/locations/{locationId}/posts', ids: { locationId: 'loc_1' } };
		const request = { ...list, method: 'GET' as const, query: {}, noun: 'content post' };
		await world.run(readRecords(person, request, { ...DEFAULT_PAGING, limit: 10 }));
		expect(world.clock.now() - asked).toBeLessThan(2_000);
	}
	await world.run(rows);
});
