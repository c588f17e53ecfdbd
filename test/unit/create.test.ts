import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpResponse,
	type JsonObject,
	ServiceError,
} from '../../nodes/LocalSeo/client';
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
	onCreate: (fields: JsonObject, records: JsonObject[]) => HttpResponse,
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
	expect(await outcomeOf(connection, 'Queued for ever')).toBe('unexpected-response');
	expect(records).toEqual([]);
});
