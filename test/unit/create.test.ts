import { getEventListeners } from 'node:events';

import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpFault,
	type HttpResponse,
	type JsonObject,
	ServiceError,
} from '../../nodes/LocalSeo/client';
import { writeMemoryOf } from '../../nodes/LocalSeo/client/writes/writeMemory';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const PATIENCE = 300_000;
const headers = () => ({ date: new Date(clock.now()).toUTCString() });

const newPost = (fields: JsonObject) => ({
	method: 'POST' as const,
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	body: fields,
	noun: 'content post',
});

/** A service that does what a test says with creates, and lists what there is. */
function connect(
	onCreate: (fields: JsonObject, records: JsonObject[]) => HttpResponse | HttpFault,
	secondsToList = 0,
): { connection: Connection; records: JsonObject[]; sent: string[] } {
	const records: JsonObject[] = [];
	const sent: string[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: PATIENCE,
		timeoutMs: 60_000,
		transport: async ({ method, body = '{}' }) => {
			sent.push(method);
			await clock.sleep(method === 'GET' ? secondsToList * 1_000 : 20);
			if (method === 'POST') return onCreate(JSON.parse(body) as JsonObject, records);
			const meta = { current_page: 1, per_page: 100, total: records.length };
			return { status: 200, headers: headers(), body: { data: [...records].reverse(), meta } };
		},
	};
	return { connection, records, sent };
}

const stored = (fields: JsonObject, id: number, skew = 0) => ({
	id: `post_${id}`,
	...fields,
	created_at: new Date(clock.now() + skew).toISOString(),
});

const lost = (): HttpResponse => ({ status: 500, headers: headers(), body: '' });

test('a record that a machine with a slower clock has made is not made again', async () => {
	const { connection, records, sent } = connect((fields, all) => {
		const isFirst = all.length === 0;
		all.push(stored(fields, all.length, isFirst ? 0 : -500));
		return isFirst ? { status: 201, headers: headers(), body: { data: all[0] } } : lost();
	});
	await clock.run(create(connection, newPost({ title: 'First offer' }), DEFAULT_PAGING));
	await clock.run(
		create(connection, newPost({ title: 'Second offer' }), DEFAULT_PAGING).catch(() => {}),
	);
	expect(records).toHaveLength(2);
	expect(sent.filter((method) => method === 'POST')).toHaveLength(2);
});

test('what was only accepted, and is made later, is not said to have failed', async () => {
	const { connection } = connect((fields, all) => {
		void clock.sleep(45_000).then(() => all.push(stored(fields, 1)));
		return { status: 202, headers: headers(), body: '' };
	});
	const [record] = await clock.run(create(connection, newPost({ title: 'Later' }), DEFAULT_PAGING));
	expect(record).toMatchObject({ id: 'post_1', title: 'Later' });
});

describe('a create that is answered with a redirect to its result (303)', () => {
	const seeOther = (): HttpResponse => ({ ...lost(), status: 303 });

	test('is looked for in the list', async () => {
		const { connection, sent } = connect((fields, all) => {
			all.push(stored(fields, 1));
			return seeOther();
		});
		const [record] = await clock.run(create(connection, newPost({ title: 'A' }), DEFAULT_PAGING));
		expect(record).toMatchObject({ id: 'post_1' });
		expect(sent.filter((method) => method === 'POST')).toHaveLength(1);
	});

	test('is not sent again if the list does not show it', async () => {
		const { connection, sent } = connect(seeOther);
		const creation = create(connection, newPost({ title: 'A' }), DEFAULT_PAGING);
		await expect(clock.run(creation)).rejects.toMatchObject({ kind: 'unconfirmed' });
		expect(sent.filter((method) => method === 'POST')).toHaveLength(1);
	});
});

test('checking a slow list ends with the patience', async () => {
	const { connection } = connect(lost, 55);
	const startedAt = clock.now();
	const error = await clock.run(
		create(connection, newPost({ title: 'Slow' }), DEFAULT_PAGING).catch((thrown) => thrown),
	);
	expect(error).toBeInstanceOf(ServiceError);
	expect(clock.now() - startedAt).toBeLessThanOrEqual(PATIENCE + 60_000);
});

test('a stopped execution does not wait for another one with the same content', async () => {
	const { connection } = connect(lost, 1);
	const stop = new AbortController();
	const first = create(connection, newPost({ title: 'Same' }), DEFAULT_PAGING).catch(() => {});
	const second = create(
		{ ...connection, signal: stop.signal },
		newPost({ title: 'Same' }),
		DEFAULT_PAGING,
	).catch(() => clock.now());
	const startedAt = clock.now();
	void clock.sleep(5_000).then(() => stop.abort());
	expect((await clock.run(second)) as unknown as number).toBeLessThanOrEqual(startedAt + 6_000);
	await clock.run(first);
});

const outcomeOf = async (connection: Connection, title: string) =>
	await clock.run(
		create(connection, newPost({ title }), DEFAULT_PAGING).then(
			([record]) => record.id,
			(error: ServiceError) => error.kind,
		),
	);

test('a cache that says 503 and when to come back, of a backend that has acted, gets no second post', async () => {
	const { connection, records } = connect((fields, all) => {
		all.push(stored(fields, all.length + 1));
		return { status: 503, headers: { ...headers(), 'retry-after': '5' }, body: '' };
	});
	expect(await outcomeOf(connection, 'Behind a cache')).toBe('post_1');
	expect(records).toHaveLength(1);
});

test('a list that hides what was made here proves nothing of another record', async () => {
	const hidden: JsonObject[] = [];
	const { connection } = connect((fields) => {
		hidden.push(stored(fields, hidden.length + 1));
		const isFirst = hidden.length === 1;
		return isFirst ? { status: 201, headers: headers(), body: { data: hidden[0] } } : lost();
	});
	expect(await outcomeOf(connection, 'To be approved')).toBe('post_1');
	await clock.run(clock.sleep(60_000));
	expect(await outcomeOf(connection, 'To be approved as well')).toBe('unconfirmed');
	expect(hidden).toHaveLength(2);
});

test('a record that belongs to another row is not given twice', async () => {
	const { connection } = connect((fields, all) => {
		if (all.length === 0) all.push(stored(fields, 1));
		return { status: 201, headers: headers(), body: { data: all[0] } };
	});
	expect(await outcomeOf(connection, 'Merged')).toBe('post_1');
	expect(await outcomeOf(connection, 'Merged with it')).toBe('unexpected-response');
});

test('the ID of a job is no record', async () => {
	const { connection, records } = connect(() => ({
		status: 202,
		headers: headers(),
		body: { data: { id: 'job_1', status: 'queued' } },
	}));
	// It may be created tomorrow.
	expect(await outcomeOf(connection, 'Queued for ever')).toBe('unconfirmed');
	expect(records).toEqual([]);
});

describe('after a failure that leaves open whether there is a record', () => {
	type Failure = () => HttpResponse | HttpFault;
	const status = (code: number) => (): HttpResponse => ({ ...lost(), status: code });
	const fault = (kind: HttpFault['fault']) => () => ({ fault: kind, cause: new Error(kind) });
	const made = (record: JsonObject): HttpResponse => ({
		status: 201,
		headers: headers(),
		body: { data: record },
	});
	/** In seconds: how long the service may still act, and how old a list may be. */
	const ANSWERED = 2;
	const UNHEARD = 62;
	const STALE = 32;

	/**
	 * Creates a record whose first requests fail. `actsAfter`: seconds until a failed one has acted
	 * nevertheless, if it does.
	 */
	async function createWith(failure: Failure, { failures = 1, actsAfter = -1 } = {}) {
		const times: number[] = [];
		const { connection, records } = connect((fields, all) => {
			const store = () => all.push(stored(fields, all.length + 1));
			if (times.push(clock.now()) <= failures) {
				if (actsAfter >= 0) void clock.sleep(actsAfter * 1_000).then(store);
				return failure();
			}
			store();
			return made(all[all.length - 1]);
		});
		const startedAt = clock.now();
		const outcome = await outcomeOf(connection, 'Winter offers for everyone');
		const seconds = times.slice(1).map((at, index) => Math.round((at - times[index]) / 1_000));
		const [posts, copies] = [times.length, records.length];
		return { outcome, posts, seconds, copies, took: (clock.now() - startedAt) / 1_000 };
	}

	const FAILURES: Array<[string, Failure, number]> = [
		['500', status(500), ANSWERED],
		['502', status(502), UNHEARD],
		['503', status(503), UNHEARD],
		['504', status(504), UNHEARD],
		['408', status(408), UNHEARD],
		['a timeout', fault('timeout'), UNHEARD],
		['a lost connection', fault('connection-lost'), UNHEARD],
	];

	test.each(FAILURES)('it is sent again when it is proven absent: %s', async (_, failure, late) => {
		const { outcome, posts, seconds, copies } = await createWith(failure);
		expect({ outcome, posts, copies }).toEqual({ outcome: 'post_1', posts: 2, copies: 1 });
		expect(seconds[0]).toBeGreaterThanOrEqual(late + STALE);
		expect(seconds[0]).toBeLessThanOrEqual(late + STALE + 21);
	});

	test.each(FAILURES)(
		'half a minute earlier where the list shows what was made since: %s',
		async (_, failure, late) => {
			const times: number[] = [];
			const { connection, records } = connect((fields, all) => {
				const isIt = fields.title === 'In doubt';
				if (isIt && times.push(clock.now()) === 1) return failure();
				all.push(stored(fields, all.length + 1));
				return made(all[all.length - 1]);
			});
			const inDoubt = create(connection, newPost({ title: 'In doubt' }), DEFAULT_PAGING);
			const others = async () => {
				for (let index = 1; times.length < 2; index++) {
					await clock.sleep(1_000);
					const title = `Number ${'i'.repeat(index)}`;
					await create(connection, newPost({ title }), DEFAULT_PAGING);
				}
			};
			await clock.run(Promise.all([inDoubt, others()]));
			const seconds = (times[1] - times[0]) / 1_000;
			expect(seconds).toBeGreaterThanOrEqual(late);
			expect(seconds).toBeLessThanOrEqual(late + 21);
			expect(records.filter(({ title }) => title === 'In doubt')).toHaveLength(1);
		},
	);

	test.each(
		FAILURES.flatMap(([name, failure, late]) =>
			[0, late / 2, late - 1].map((after) => ({ name, failure, after })),
		),
	)('it is found if it is there after $after s: $name', async ({ failure, after }) => {
		const found = await createWith(failure, { actsAfter: after });
		expect(found).toMatchObject({ outcome: 'post_1', posts: 1, copies: 1 });
		expect(found.took).toBeLessThanOrEqual(after + 21);
	});

	test.each<[string, Failure, number]>([
		['500', status(500), 6],
		['504', status(504), 2],
		['a timeout', fault('timeout'), 2],
		['a lost connection', fault('connection-lost'), 4],
	])('it is sent so often, within Max Wait: %s', async (_, failure, most) => {
		const { outcome, posts, copies, took } = await createWith(failure, { failures: 99 });
		expect({ outcome, posts, copies }).toEqual({ outcome: 'unconfirmed', posts: most, copies: 0 });
		expect(took).toBeLessThanOrEqual(PATIENCE / 1_000 + 10);
	});

	test('one from before with the same content is not taken for it, once the clock is known', async () => {
		const title = 'The same every Monday';
		for (const isKnown of [true, false]) {
			let failures = 1;
			const { connection, records } = connect((fields, all) => {
				if (fields.title === title && failures-- > 0) return lost();
				all.push(stored(fields, all.length + 1));
				return made(all[all.length - 1]);
			});
			records.push({ ...stored({ title }, 0, -7 * 24 * 3_600_000), id: 'post_old' });
			if (isKnown) await outcomeOf(connection, 'What shows how the service dates records');
			const outcome = await outcomeOf(connection, title);
			expect(outcome).toBe(isKnown ? 'post_3' : 'unconfirmed');
			expect(records).toHaveLength(isKnown ? 3 : 1);
		}
	});

	test('one that may be it or not leaves it in doubt', async () => {
		const { connection, records } = connect((fields, all) => {
			// Someone else's, in the same moment.
			all.push(stored({ title: `${String(fields.title)} – and more` }, 1));
			return lost();
		});
		expect(await outcomeOf(connection, 'Christmas')).toBe('unconfirmed');
		expect(records).toHaveLength(1);
	});

	test('nothing is sent again if the list is refused', async () => {
		const { connection } = connect(() => lost());
		const { transport } = connection;
		const asked: string[] = [];
		connection.transport = async (request, signal) => {
			asked.push(request.method);
			if (request.method === 'GET') return { ...lost(), status: 403 };
			return await transport(request, signal);
		};
		expect(await outcomeOf(connection, 'Write-only key')).toBe('unconfirmed');
		expect(asked).toEqual(['POST', 'GET', 'GET']);
	});

	test.each([400, 409, 422])(
		'what the service then refuses with %d, since it is there already, may be it',
		async (code) => {
			let posts = 0;
			const { connection } = connect(() => (++posts === 1 ? lost() : status(code)()));
			expect(await outcomeOf(connection, 'Twice')).toBe('unconfirmed');
			expect(posts).toBe(2);
			// Refused at once, it has not been made.
			const refused = connect(status(code));
			expect(await outcomeOf(refused.connection, 'Once')).toBe('rejected');
		},
	);

	test('a 500 that took as long as a gateway waits is that of a gateway', async () => {
		const { connection, records } = connect((fields, all) => {
			const isSlow = fields.title === 'Slow';
			const record = () => all.push(stored(fields, all.length + 1));
			if (isSlow) void clock.sleep(9_000).then(record);
			else record();
			return isSlow ? lost() : made(all[all.length - 1]);
		});
		const { transport } = connection;
		let posts = 0;
		connection.transport = async (request, signal) => {
			if (request.body?.includes('Slow')) {
				posts++;
				await clock.sleep(29_000);
			}
			return await transport(request, signal);
		};
		let isDone = false;
		const slow = create(connection, newPost({ title: 'Slow' }), DEFAULT_PAGING);
		const others = async () => {
			for (let index = 1; !isDone; index++) {
				await clock.sleep(1_000);
				const title = `Number ${'i'.repeat(index)}`;
				await create(connection, newPost({ title }), DEFAULT_PAGING);
			}
		};
		await clock.run(Promise.all([slow.finally(() => (isDone = true)), others()]));
		expect(posts).toBe(1);
		expect(records.filter(({ title }) => title === 'Slow')).toHaveLength(1);
	});

	test('one that was seen and is gone again is not absent', async () => {
		const { connection, sent } = connect((fields, all) => {
			// Without dates, it can't be told from one that was there before.
			all.push({ id: 'post_1', ...fields });
			void clock.sleep(5_000).then(() => all.pop());
			return lost();
		});
		expect(await outcomeOf(connection, 'To be approved')).toBe('unconfirmed');
		expect(sent.filter((method) => method === 'POST')).toHaveLength(1);
	});

	test('a record that is listed after others that were made later is not made again', async () => {
		const hidden: JsonObject[] = [];
		const { connection, records } = connect((fields, all) => {
			const record = stored(fields, hidden.push(fields));
			// Each is listed after a time of its own, these after others.
			const takes = /Slow|Failed/.test(String(fields.title)) ? 20_000 : 0;
			void clock.sleep(takes).then(() => all.push(record));
			return String(fields.title).startsWith('Failed') ? lost() : made(record);
		});
		const titles = ['Slow', 'Failed', ...'123456789'].map((name) => name.padEnd(20, name));
		const all = titles.map(async (title, index) => {
			await clock.sleep(index * 1_000);
			return await create(connection, newPost({ title }), DEFAULT_PAGING);
		});
		await clock.run(Promise.all(all));
		expect(records.map(({ title }) => title).sort()).toEqual([...titles].sort());
	});

	test('a list that dates records otherwise than the response to a create proves nothing by dates', async () => {
		const { connection, records } = connect((fields, all) => {
			const record = stored(fields, all.length + 1);
			all.push({ ...record, created_at: record.created_at.slice(0, 10) });
			return fields.title === 'Failed' ? lost() : made(record);
		});
		await outcomeOf(connection, 'The clock is known');
		expect(await outcomeOf(connection, 'Failed')).toBe('unconfirmed');
		expect(records).toHaveLength(2);
	});

	/** A service that fails, and acts so much later (milliseconds); `tried`: the outcome of a row. */
	function actingLater(after: number) {
		const { connection, records } = connect((fields, all) => {
			void clock.sleep(after).then(() => all.push(stored(fields, all.length + 1)));
			return lost();
		});
		const tried = async (title: string, patienceMs: number, row = 0) =>
			await clock.run(
				create({ ...connection, patienceMs }, newPost({ title }), DEFAULT_PAGING, {
					run: 'run 1',
					row,
				}).then(
					([record]) => record.id,
					(error: ServiceError) => error.kind,
				),
			);
		return { records, tried };
	}

	test('a row that n8n tries again after a long run is looked for first', async () => {
		const { records, tried } = actingLater(5_000);
		expect(await tried('Late', 1_000)).toBe('unconfirmed');
		await clock.run(clock.sleep(50 * 60_000));
		expect(await tried('Late', 60_000)).toBe('post_1');
		expect(records).toHaveLength(1);
	});

	test('the same row, tried again with other content, is looked for first', async () => {
		const { records, tried } = actingLater(10_000);
		expect(await tried('At 10:00:01', 1_000)).toBe('unconfirmed');
		expect(await tried('At 10:00:02', 60_000)).toBe('post_1');
		expect(records).toHaveLength(1);
		// In the same run, another row with the same content is another record.
		expect(await tried('At 10:00:01', 1_000, 1)).toBe('unconfirmed');
		await clock.run(clock.sleep(20_000));
		expect(records).toHaveLength(2);
	});

	/** A service whose clock is known, from a record that was created here. */
	async function connectKnown(...of: Parameters<typeof connect>) {
		const service = connect((fields, all) => {
			if (fields.title !== 'What shows the clock') return of[0](fields, all);
			all.push(stored(fields, 99));
			return made(all[all.length - 1]);
		}, of[1]);
		await outcomeOf(service.connection, 'What shows the clock');
		service.sent.length = 0;
		return service;
	}
	const postsIn = (sent: string[]) => sent.filter((method) => method === 'POST').length;

	test('what was made while the row waited for its turn is not its own', async () => {
		const title = 'Open on Sunday';
		const { connection, records, sent } = await connectKnown((fields, all) => {
			if (fields.title === 'Refused') {
				return { ...lost(), status: 429, headers: { ...headers(), 'retry-after': '60' } };
			}
			if (postsIn(sent) <= 2) return lost();
			all.push(stored(fields, 2));
			return made(all[all.length - 1]);
		});
		const first = create(
			{ ...connection, patienceMs: 0 },
			newPost({ title: 'Refused' }),
			DEFAULT_PAGING,
		);
		await clock.run(first.catch(() => {}));
		// Someone else's.
		void clock.sleep(30_000).then(() => records.push({ ...stored({ title }, 1) }));
		expect(await outcomeOf(connection, title)).toBe('post_2');
		expect(records).toHaveLength(3);
	});

	test('what a first try has made, later than it was watched, is found after the second', async () => {
		const title = 'Open on Sunday';
		const { connection, records, sent } = await connectKnown((fields, all) => {
			if (postsIn(sent) === 2) all.push(stored(fields, 1, -10_000));
			return lost();
		});
		expect(await outcomeOf(connection, title)).toBe('post_1');
		expect(postsIn(sent)).toBe(2);
		expect(records).toHaveLength(2);
	});

	test('also where the first try was that of an earlier run of the row', async () => {
		const row = { run: 'run 1', row: 0 };
		const { connection, records, sent } = await connectKnown((fields, all) => {
			if (postsIn(sent) === 2) all.push(stored(fields, 1, -10_000));
			return lost();
		});
		const tried = async (patienceMs: number) =>
			await clock.run(
				create(
					{ ...connection, patienceMs },
					newPost({ title: 'Again' }),
					DEFAULT_PAGING,
					row,
				).then(
					([{ id }]) => id,
					(error: ServiceError) => error.kind,
				),
			);
		expect(await tried(1_000)).toBe('unconfirmed');
		expect(await tried(PATIENCE)).toBe('post_1');
		expect(postsIn(sent)).toBe(2);
		expect(records).toHaveLength(2);
	});

	test('Max Wait begins when a request is sent, and not while another one with the same content is', async () => {
		const { connection, sent } = connect((fields, all) => {
			if (postsIn(sent) > 1) return lost();
			all.push(stored(fields, 1));
			return made(all[0]);
		});
		const { transport } = connection;
		connection.transport = async (request, signal) => {
			if (request.method === 'POST' && !sent.includes('POST')) await clock.sleep(50_000);
			return await transport(request, signal);
		};
		const startedAt = clock.now();
		const patient = { ...connection, patienceMs: 30_000 };
		const first = create(patient, newPost({ title: 'Twice' }), DEFAULT_PAGING);
		expect(await outcomeOf(patient, 'Twice')).toBe('unconfirmed');
		expect(await clock.run(first)).toHaveLength(1);
		expect(clock.now() - startedAt).toBeGreaterThanOrEqual(50_000 + 15_000);
		expect(clock.now() - startedAt).toBeLessThanOrEqual(50_000 + 30_000 + 10_000);
	});

	test('a row that is run again ends within Max Wait, also if it is sent again', async () => {
		const { connection, sent } = connect(() => lost());
		const tried = async (patienceMs: number) =>
			await clock.run(
				create({ ...connection, patienceMs }, newPost({ title: 'Again' }), DEFAULT_PAGING, {
					run: 'run 1',
					row: 0,
				}).catch((error: ServiceError) => error.kind),
			);
		expect(await tried(1_000)).toBe('unconfirmed');
		const startedAt = clock.now();
		expect(await tried(60_000)).toBe('unconfirmed');
		expect(postsIn(sent)).toBe(2);
		expect(clock.now() - startedAt).toBeLessThanOrEqual(60_000 + 10_000);
	});

	test('what is left of Max Wait is all that a further try may wait', async () => {
		const busy = (seconds: number) => ({
			...lost(),
			status: 429,
			headers: { ...headers(), 'retry-after': String(seconds) },
		});
		for (const [seconds, outcome] of [
			[5, 'post_1'],
			[40, 'rejected'],
		] as const) {
			const { connection, sent } = connect((fields, all) => {
				if (postsIn(sent) === 1) return lost();
				if (postsIn(sent) === 2) return busy(seconds);
				all.push(stored(fields, 1));
				return made(all[0]);
			});
			const startedAt = clock.now();
			expect(await outcomeOf({ ...connection, patienceMs: 70_000 }, 'Later')).toBe(outcome);
			expect(clock.now() - startedAt).toBeLessThanOrEqual(75_000);
		}
	});

	test('without any patience, the list is looked at once, for as long as a list may take', async () => {
		const { connection, records, sent } = connect((fields, all) => {
			all.push(stored(fields, 1));
			return lost();
		}, 8);
		expect(await outcomeOf({ ...connection, patienceMs: 0 }, 'At once')).toBe('post_1');
		expect(records).toHaveLength(1);
		expect(sent).toEqual(['POST', 'GET']);
	});

	test('a timeout after a 500 leaves one more try', async () => {
		const answers = [lost, fault('timeout')];
		const { connection, records, sent } = connect((fields, all) => {
			const failure = answers[postsIn(sent) - 1];
			if (failure) return failure();
			all.push(stored(fields, 1));
			return made(all[0]);
		});
		expect(await outcomeOf(connection, 'Two failures')).toBe('post_1');
		expect(postsIn(sent)).toBe(3);
		expect(records).toHaveLength(1);
	});

	test('what stays unclear is given up once further looks can not change it', async () => {
		const { connection } = connect((fields, all) => {
			all.push(stored({ title: `${String(fields.title)} – and more` }, 1));
			return lost();
		});
		const startedAt = clock.now();
		const error = create(connection, newPost({ title: 'Christmas' }), DEFAULT_PAGING);
		await expect(clock.run(error)).rejects.toMatchObject({
			kind: 'unconfirmed',
			mayHaveActed: true,
		});
		expect(clock.now() - startedAt).toBeLessThanOrEqual((ANSWERED + STALE + 2 * 20 + 5) * 1_000);
	});

	describe('in a list of many pages', () => {
		const PAGES = 30;
		/** A list sorted by title, by pages of ten. */
		async function connectLong(acts: boolean) {
			const service = await connectKnown((fields, all) => {
				const isAgain = postsIn(service.sent) > 1;
				if (acts || isAgain) all.push(stored(fields, all.length));
				return isAgain ? made(all[all.length - 1]) : lost();
			});
			const { connection, records } = service;
			for (let index = 0; index < PAGES * 10 - 5; index++) {
				records.push(stored({ title: `Number ${index}` }, 1_000 + index, -86_400_000));
			}
			const asked: unknown[] = [];
			const { transport } = connection;
			connection.transport = async (request, signal) => {
				const response = await transport(request, signal);
				if (request.method !== 'GET') return response;
				const page = Number(request.query.page ?? 1);
				asked.push(page);
				const sorted = [...records].sort((a, b) => (String(a.title) < String(b.title) ? -1 : 1));
				const data = sorted.slice((page - 1) * 10, page * 10);
				const meta = { current_page: page, per_page: 10, total: records.length };
				return { status: 200, headers: headers(), body: { data, meta } };
			};
			return { ...service, asked };
		}

		test('one at its end is found without reading it all', async () => {
			const { connection, records, asked } = await connectLong(true);
			expect(await outcomeOf(connection, 'A first one')).toMatch(/^post_/);
			expect(records).toHaveLength(PAGES * 10 - 3);
			expect(asked.length).toBeLessThanOrEqual(4);
		});

		test('one in its middle is found, and not made again', async () => {
			const { connection, records, sent, asked } = await connectLong(true);
			expect(await outcomeOf(connection, 'Number 200, in the middle')).toMatch(/^post_/);
			expect(postsIn(sent)).toBe(1);
			expect(records).toHaveLength(PAGES * 10 - 3);
			expect(asked.length).toBeGreaterThanOrEqual(PAGES);
		});

		test('one that is absent is sent again once all pages were read', async () => {
			const { connection, records, sent, asked } = await connectLong(false);
			expect(await outcomeOf(connection, 'Number 200, in the middle')).toMatch(/^post_/);
			expect(postsIn(sent)).toBe(2);
			expect(records).toHaveLength(PAGES * 10 - 3);
			expect(new Set(asked).size).toBeGreaterThanOrEqual(PAGES);
		});
	});

	describe('the same content', () => {
		/** A service that makes what it is sent, and says so from the second request on. */
		function failingOnce() {
			const service = connect((fields, all) => {
				all.push(stored(fields, all.length + 1));
				return all.length === 1 ? lost() : made(all[all.length - 1]);
			});
			const { transport } = service.connection;
			let isListed = false;
			service.connection.transport = async (request, signal) => {
				if (request.method === 'GET' && !isListed) return { ...lost(), status: 403 };
				return await transport(request, signal);
			};
			const send = async (row?: { run: string; row: number }) =>
				await clock.run(
					create(service.connection, newPost({ title: 'Twice' }), DEFAULT_PAGING, row).then(
						([{ id }]) => id,
						(error: ServiceError) => error.kind,
					),
				);
			return { ...service, send, list: () => (isListed = true) };
		}

		test('is another record in another row of the run, also for those who run it again', async () => {
			const { records, send, list } = failingOnce();
			expect(await send({ run: 'run 1', row: 0 })).toBe('unconfirmed');
			expect(await send({ run: 'run 1', row: 1 })).toBe('post_2');
			list();
			// Someone runs the first row again, as the node has told: it is the record of that row.
			expect(await send({ run: 'run 2', row: 0 })).toBe('post_1');
			expect(records).toHaveLength(2);
		});

		test('is the same record where it is sent without a row (by a tool, say)', async () => {
			const { records, send, list } = failingOnce();
			expect(await send({ run: 'run 1', row: 0 })).toBe('unconfirmed');
			list();
			expect(await send()).toBe('post_1');
			expect(records).toHaveLength(1);
			// What is found is not in doubt any more: then it is another one.
			expect(await send()).toBe('post_2');
		});

		test('is sent once at a time, and leaves nothing behind', async () => {
			let [inFlight, most] = [0, 0];
			const { connection, records } = connect((fields, all) => {
				all.push(stored(fields, all.length + 1));
				return made(all[all.length - 1]);
			});
			const { transport } = connection;
			connection.transport = async (request, signal) => {
				most = Math.max(most, ++inFlight);
				await clock.sleep(1_000);
				return await transport(request, signal).finally(() => inFlight--);
			};
			const { signal } = new AbortController();
			const send = async () =>
				await create({ ...connection, signal }, newPost({ title: 'Same' }), DEFAULT_PAGING);
			const third = clock.sleep(1_500).then(send);
			await clock.run(Promise.all([send(), send(), third]));
			expect(most).toBe(1);
			expect(records).toHaveLength(3);
			expect(writeMemoryOf(connection.account).creating.size).toBe(0);
			expect(getEventListeners(signal, 'abort')).toEqual([]);
		});
	});
});

describe('a success', () => {
	const title = 'Winter offers for everyone';
	const said = (status: number, body: unknown): HttpResponse => ({
		status,
		headers: headers(),
		body: body as JsonObject,
	});

	/** Creates at a service that stores the record and then says this. */
	async function createSaying(response: (record: JsonObject) => HttpResponse) {
		const { connection, sent } = connect((fields, all) => {
			all.push(stored(fields, all.length + 1));
			return response(all[all.length - 1]);
		});
		const work = create(connection, newPost({ title }), DEFAULT_PAGING);
		expect(connection.account.isIdle).toBe(false);
		const [record] = await clock.run(work);
		expect(connection.account.isIdle).toBe(true);
		return { record, isLookedFor: sent.includes('GET') };
	}

	test.each<[string, (record: JsonObject) => HttpResponse, object]>([
		['with the record', (data) => said(201, { data }), { id: 'post_1', title }],
		['with its ID', () => said(201, { data: { id: 'post_1' } }), { id: 'post_1' }],
		['with what was sent, and no ID', () => said(201, { data: { title } }), { title }],
		['that was accepted, with the record', (data) => said(202, { data }), { id: 'post_1', title }],
		[
			'with what the service has made of it',
			(data) => said(201, { data: { ...data, title: 'A better text' } }),
			{ id: 'post_1', title: 'A better text' },
		],
	])('%s needs no look at the list', async (_, response, record) => {
		const created = await createSaying(response);
		expect(created.record).toMatchObject(record);
		expect(created.isLookedFor).toBe(false);
	});

	test.each<[string, (record: JsonObject) => HttpResponse]>([
		['that denies itself', (data) => said(200, { success: false, data })],
		['without a record', () => said(201, '')],
		['with something else, and no ID', () => said(201, { data: { title: 'Another thing' } })],
		['that was accepted, with the ID of a job', () => said(202, { data: { id: 'job_1' } })],
	])('%s is looked for in the list', async (_, response) => {
		const created = await createSaying(response);
		expect(created.record).toMatchObject({ id: 'post_1', title });
		expect(created.isLookedFor).toBe(true);
	});
});

describe('a success with a record that was there before', () => {
	const old = () => ({
		id: 'post_old',
		title: 'Last month',
		created_at: new Date(clock.now() - 30 * 24 * 3_600_000).toISOString(),
	});
	/** The IDs of what is there, and what was made of a create to which the service says this. */
	async function answering(isMade: boolean, body: (all: JsonObject[]) => unknown) {
		const { connection, records } = connect((fields, all) => {
			if (isMade) all.push(stored(fields, 1));
			return { status: 200, headers: headers(), body: body(all) as JsonObject };
		});
		records.push(old(), { ...old(), id: 'post_older' });
		const outcome = await outcomeOf(connection, 'Winter offers for everyone');
		return { outcome, count: records.length };
	}

	test.each<[string, (all: JsonObject[]) => unknown]>([
		['another one', () => ({ data: old() })],
		['the list', (all) => ({ data: all })],
		['the location of the post', () => ({ data: { id: 'loc_1', name: 'Bakery' } })],
	])('is none of it: %s', async (_, body) => {
		expect(await answering(true, body)).toEqual({ outcome: 'post_1', count: 3 });
	});

	test('has made none if the list shows that, as where titles have to differ', async () => {
		const refused = await answering(false, () => ({ data: old() }));
		expect(refused).toEqual({ outcome: 'unexpected-response', count: 2 });
	});

	test.each<[string, unknown]>([
		['no record', { success: true }],
		['nothing', ''],
		['an empty list', { data: [] }],
	])('may have made one that the list hides, if it shows %s', async (_, body) => {
		expect(await answering(false, () => body)).toEqual({ outcome: 'unconfirmed', count: 2 });
	});

	test('is not sent again for a row that n8n tries again, as long as the list shows none', async () => {
		const { connection, sent } = connect(() => ({ status: 201, headers: headers(), body: '' }));
		const row = { run: 'run 1', row: 0 };
		for (let tries = 0; tries < 3; tries++) {
			const work = create(connection, newPost({ title: 'A draft' }), DEFAULT_PAGING, row);
			await expect(clock.run(work)).rejects.toMatchObject({ kind: 'unconfirmed' });
		}
		expect(sent.filter((method) => method === 'POST')).toHaveLength(1);
	});

	test.each<[string, unknown]>([
		['a page for people', '<h1>Welcome</h1>'],
		['an error', { error: 'No quota' }],
	])('has made none, if it is %s and the list shows none', async (_, body) => {
		const startedAt = clock.now();
		expect(await answering(false, () => body)).toEqual({
			outcome: 'unexpected-response',
			count: 2,
		});
		// A service that has answered acts within two seconds, and shows it within half a minute.
		expect(clock.now() - startedAt).toBeLessThanOrEqual((2 + 32 + 21) * 1_000);
	});

	test.each([
		['is', 200, { kind: 'unexpected-response', mayHaveActed: false }],
		['is not', 403, { kind: 'unconfirmed', mayHaveActed: true }],
	])('has surely made none only if the list %s shown', async (_, status, facts) => {
		const { connection } = connect(() => ({
			status: 200,
			headers: headers(),
			body: { error: 'No quota' },
		}));
		const { transport } = connection;
		connection.transport = async (request, signal) => {
			const response = await transport(request, signal);
			return request.method === 'GET' ? { ...response, status } : response;
		};
		const work = create(connection, newPost({ title: 'A quota' }), DEFAULT_PAGING);
		await expect(clock.run(work)).rejects.toMatchObject(facts);
	});

	test('has made none if it is the list, as after a redirect, although that has the same content', async () => {
		const { connection, records, sent } = connect((fields, all) => {
			if (fields.title === 'What shows the clock') all.push(stored(fields, all.length));
			const shown = fields.title === old().title ? all.slice(0, 2) : all.slice(-1);
			return { status: 200, headers: headers(), body: { data: shown } };
		});
		records.push(old(), { ...old(), id: 'post_older' });
		await outcomeOf(connection, 'What shows the clock');
		expect(await outcomeOf(connection, old().title)).toBe('unexpected-response');
		expect(sent.filter((method) => method === 'POST')).toHaveLength(2);
	});
});

test('a create that was stopped is looked for when the same content is sent again', async () => {
	const { connection, records, sent } = connect((fields, all) => {
		all.push(stored(fields, all.length + 1));
		return { status: 201, headers: headers(), body: { data: all[all.length - 1] } };
	});
	const { transport } = connection;
	const stop = new AbortController();
	const stopped = {
		...connection,
		signal: stop.signal,
		transport: async (...of: Parameters<typeof transport>) => {
			const response = await transport(...of);
			stop.abort();
			return (await clock.sleep(1_000, stop.signal)) ?? response;
		},
	};
	const first = create(stopped, newPost({ title: 'Stopped' }), DEFAULT_PAGING);
	await expect(clock.run(first)).rejects.toThrow();
	expect(await outcomeOf(connection, 'Stopped')).toBe('post_1');
	expect(records).toHaveLength(1);
	expect(sent.filter((method) => method === 'POST')).toHaveLength(1);
});
