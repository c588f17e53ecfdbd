import { Pacer } from '../../nodes/LocalSeo/client/pacer';

const PATIENT = { maxWait: 300_000 };

/** Starts requests as the pacer lets them, and ends each at once. */
async function send(pacer: Pacer, count: number, end: 'good' | 'refused' = 'good', told?: number) {
	for (let sent = 0; sent < count; sent++) {
		await pacer.enter(PATIENT);
		pacer.finish(end, Date.now(), told);
	}
}

test('requests start in the order in which they came, repeated ones first', async () => {
	const pacer = new Pacer();
	const order: string[] = [];
	for (let slot = 0; slot < 4; slot++) await pacer.enter(PATIENT);
	const waiting = ['a', 'b'].map(async (name) => {
		await pacer.enter(PATIENT);
		order.push(name);
	});
	waiting.push(
		(async () => {
			await pacer.enter({ ...PATIENT, isRepeated: true });
			order.push('again');
		})(),
	);
	for (let slot = 0; slot < 4; slot++) pacer.finish('unknown', Date.now());
	await Promise.all(waiting);
	expect(order).toEqual(['again', 'a', 'b']);
});

test('a request whose execution is stopped leaves the queue to the others', async () => {
	const pacer = new Pacer();
	for (let slot = 0; slot < 4; slot++) await pacer.enter(PATIENT);
	const stop = new AbortController();
	const stopped = pacer.enter({ ...PATIENT, signal: stop.signal });
	const other = pacer.enter(PATIENT);
	stop.abort();
	await expect(stopped).rejects.toThrow();
	pacer.finish('good', Date.now());
	await expect(other).resolves.toBeUndefined();
});

test('one that is stopped already does not start', async () => {
	await expect(new Pacer().enter({ ...PATIENT, signal: AbortSignal.abort() })).rejects.toThrow();
});

test('a told wait of a day is cut: the service is asked again within minutes', async () => {
	const pacer = new Pacer();
	await send(pacer, 1, 'refused', 86_400_000);
	expect(pacer.pause).toBeGreaterThan(0);
	expect(pacer.pause).toBeLessThanOrEqual(300_000);
});

test('a wait that is longer than a request may wait is given up at once', async () => {
	const pacer = new Pacer();
	await send(pacer, 1, 'refused', 60_000);
	const given = await pacer.enter({ maxWait: 1_000 });
	expect(given?.waited).toBeLessThan(1_000);
});

test('refusals that come together are one: the pause does not grow with their number', async () => {
	const pacer = new Pacer();
	const startedAt = Date.now();
	for (let slot = 0; slot < 4; slot++) await pacer.enter(PATIENT);
	for (let slot = 0; slot < 4; slot++) pacer.finish('refused', startedAt);
	expect(pacer.pause).toBeLessThanOrEqual(500);
});

test('an idle pacer says so, and one with requests does not', async () => {
	const pacer = new Pacer();
	expect(pacer.isIdle).toBe(true);
	await pacer.enter(PATIENT);
	expect(pacer.isIdle).toBe(false);
	pacer.finish('good', Date.now());
	expect(pacer.isIdle).toBe(true);
});
