import { Account as Service, type Answer } from '../../../dev/sandbox/account';
import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpRequest,
	type JsonObject,
	readExisting,
	type ServiceError,
} from '../../../nodes/LocalSeo/client';
import { transportTo } from '../../support/accountTransport';
import { seededRandom, VirtualClock } from '../../support/virtualClock';

const LIST = { path: '/locations/{locationId}/posts', query: {}, noun: 'content post' };
const MATCHING = { fields: ['title', 'content', 'publish_at'], time: 'publish_at' };
const POST = { title: 'Summer offer', content: 'All of July' };

interface Situation {
	/** What the service answers to a create after it has acted, or in place of that. */
	answers?: (attempt: number, act: () => Answer) => Answer | { fault: 'connection-lost' };
	/** By how much its list lags (ms). */
	lag?: number;
	/** Headers of the list. */
	headers?: Record<string, string>;
	/** What is kept of a text. */
	keeps?: (text: string) => string;
	/** Whether the list shows what goes live later. */
	showsAhead?: boolean;
}

/** A service in virtual time, and how to create posts there as Skip the Row does. */
async function serviceWith({
	answers = (_, act) => act(),
	lag = 0,
	headers = {},
	keeps = (text) => text,
	showsAhead = true,
}: Situation) {
	const clock = new VirtualClock();
	const madeAt = new Map<unknown, number>();
	const service = new Service(clock, {
		stores: (fields) =>
			Object.fromEntries(
				Object.entries(fields).map(([name, value]) => [
					name,
					name === 'publish_at' ? value : keeps(String(value)),
				]),
			),
		shows: (records) =>
			records.filter((record) => {
				const isAhead = Date.parse(String(record.publish_at)) > clock.now();
				const at = madeAt.get(record.id) ?? -Infinity;
				return at <= clock.now() - lag && (showsAhead || !isAhead);
			}),
	});
	const locationId = String(service.create('locations', {}).id);
	const requests: Array<{ method: string; at: number }> = [];
	const respond = (request: HttpRequest) => {
		const { method } = request;
		requests.push({ method, at: clock.now() });
		const act = () => {
			const answer = service.handle(request);
			for (const { id } of service.list('posts', locationId))
				if (!madeAt.has(id)) madeAt.set(id, clock.now());
			return answer;
		};
		if (method === 'GET') {
			const answer = act();
			return { ...answer, headers: { ...answer.headers, ...headers } };
		}
		const answer = answers(requests.filter((one) => one.method === 'POST').length, act);
		return 'fault' in answer ? { ...answer, cause: new Error('reset') } : answer;
	};
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		transport: transportTo(respond, clock),
	};
	const request = { ...LIST, ids: { locationId }, method: 'POST' as const };
	const existing = readExisting(connection, request, DEFAULT_PAGING, MATCHING);
	const { before } = await clock.run(existing);
	type Outcome = { record?: JsonObject; facts?: ServiceError['facts'] };
	const post = async (
		body: JsonObject,
		row = 0,
		run = 'run',
		isBrief = false,
	): Promise<Outcome> => {
		const fields = MATCHING.fields.filter((name) => name in body);
		const how = { paging: DEFAULT_PAGING, matching: { ...MATCHING, fields }, before, isBrief };
		const made = create(connection, { ...request, body }, { ...how, row: { run, row } });
		return await clock.run(
			made.then(
				({ record }) => ({ record }),
				(error: ServiceError) => ({ facts: error.facts }),
			),
		);
	};
	const posts = () => service.list('posts', locationId);
	const sent = () => requests.filter(({ method }) => method === 'POST').length;
	return { clock, post, posts, sent, service, locationId, requests };
}

const lost = { fault: 'connection-lost' as const };
const lose: Situation['answers'] = (_, act) => {
	act();
	return lost;
};
const own500: Answer = { status: 500, body: { message: 'The mail hook failed' } };

describe("the service's own 500", () => {
	const fails: Situation['answers'] = (_, act) => {
		act();
		return own500;
	};

	test('is not sent again, though its list lags and says that no cache keeps it', async () => {
		const headers = { 'cache-control': 'no-cache, private' };
		const { post, posts, sent } = await serviceWith({ answers: fails, lag: 20_000, headers });
		for (let attempt = 0; attempt < 5; attempt++) {
			expect(await post(POST)).toMatchObject({
				facts: {
					...{ kind: 'rejected', status: 500, mayHaveActed: true, isUnseen: true },
					said: { text: 'The mail hook failed' },
				},
			});
		}
		expect([posts().length, sent()]).toEqual([1, 1]);
	});

	test('is looked for at 1, 5 and 15 s, and found', async () => {
		const { post, posts, requests } = await serviceWith({ answers: fails, lag: 6_000 });
		const { id } = (await post(POST)).record ?? {};
		expect(posts()).toMatchObject([{ id }]);
		const [, failed, ...looks] = requests.map(({ at }) => at);
		expect(looks.map((at) => Math.round((at - failed) / 1000))).toEqual([1, 5, 15]);
	});
});

describe('a create whose answer is lost', () => {
	test('is found with its values', async () => {
		const { post, posts, sent } = await serviceWith({ answers: lose, lag: 60_000 });
		const { id } = (await post(POST)).record ?? {};
		expect(posts()).toMatchObject([{ id }]);
		expect(sent()).toBe(1);
	});

	test.each([
		['translated', () => 'Sommerangebot'],
		['cleaned', (text: string) => text.replace(/\W/g, '')],
		['cut', (text: string) => text.slice(0, 4)],
	])('is not sent again where its text was %s: it could not be confirmed', async (_, keeps) => {
		const { post, sent } = await serviceWith({ answers: lose, keeps });
		expect(await post(POST)).toMatchObject({ facts: { kind: 'unconfirmed' } });
		expect(sent()).toBe(1);
	});

	test('is sent again, once in all, after two readings at 90 and 95 s have not shown it', async () => {
		const { post, posts, sent, requests } = await serviceWith({ answers: () => lost });
		expect(await post(POST)).toMatchObject({ facts: { kind: 'unconfirmed' } });
		const [first, second] = requests.filter(({ method }) => method === 'POST');
		expect(Math.round((second.at - first.at) / 1000)).toBe(95);
		// Tries of Retry On Fail included.
		expect(await post(POST)).toMatchObject({ facts: { kind: 'unconfirmed' } });
		expect([posts().length, sent()]).toEqual([0, 2]);
	});

	test.each([409, 422])(
		'whose second sending is refused with %i could not be confirmed',
		async (status) => {
			const { post } = await serviceWith({
				answers: (attempt) => (attempt === 1 ? lost : { status, body: { message: 'Taken' } }),
			});
			expect(await post(POST)).toMatchObject({ facts: { kind: 'unconfirmed', status } });
		},
	);

	test('is not sent again where others post meanwhile', async () => {
		const { post, sent, service, locationId, clock } = await serviceWith({ answers: () => lost });
		void clock.sleep(30_000).then(() => service.create('posts', { title: 'Else' }, locationId));
		expect(await post(POST)).toMatchObject({ facts: { kind: 'unconfirmed' } });
		expect(sent()).toBe(1);
	});

	test('is not sent again where the list has not shown that it lists what goes live later', async () => {
		const ahead = { ...POST, publish_at: '2999-01-01T09:00:00Z' };
		const hidden = await serviceWith({ answers: lose, showsAhead: false });
		expect(await hidden.post(ahead)).toMatchObject({ facts: { kind: 'unconfirmed' } });
		expect(hidden.sent()).toBe(1);
		const shown = await serviceWith({ answers: (attempt, act) => (attempt === 2 ? lost : act()) });
		await shown.post({ ...ahead, title: 'First' });
		await shown.post(ahead, 1);
		expect(shown.posts()).toHaveLength(2);
	});

	test('is given up as a tool at its Max Wait', async () => {
		const { post, clock } = await serviceWith({ answers: () => lost });
		const startedAt = clock.now();
		const outcome = await post(POST, 0, 'run', true);
		expect(outcome).toMatchObject({ facts: { kind: 'unconfirmed' } });
		expect(clock.now() - startedAt).toBeLessThanOrEqual(300_000);
	});

	test('is judged by no reading out of a cache from before', async () => {
		const headers = { age: '120' };
		const { post, sent } = await serviceWith({ answers: () => lost, headers });
		expect(await post(POST)).toMatchObject({ facts: { kind: 'unconfirmed' } });
		expect(sent()).toBe(1);
	});

	test('is not found in an older twin, whatever the clock of the service says', async () => {
		const { post, posts, clock } = await serviceWith({});
		await post({ ...POST, title: 'Other' });
		clock.moveTo(clock.now() + 1_000);
		expect(posts()).toHaveLength(1);
	});
});

test('a lost create beside rows that were posted is told from theirs, with and without IDs', async () => {
	for (const withId of [true, false]) {
		const answers: Situation['answers'] = (attempt, act) => {
			const answer = act();
			if (attempt === 2) return lost;
			return withId ? answer : { status: 204 };
		};
		const { post, posts } = await serviceWith({ answers });
		const rows = await Promise.all(
			[1, 2, 3].map(async (row) => await post({ ...POST, title: `Offer ${row}` }, row)),
		);
		expect(rows.every(({ record }) => record !== undefined)).toBe(true);
		expect(posts()).toHaveLength(3);
	}
});

test('a record of an earlier run with the same values, whose ID is gone, hides no new one', async () => {
	let isLost = false;
	const answers: Situation['answers'] = (_, act) => {
		act();
		return isLost ? lost : { status: 204 };
	};
	const { post, service, locationId, sent, clock } = await serviceWith({ answers });
	await post(POST);
	service.remove('posts', service.list('posts', locationId)[0]);
	clock.moveTo(clock.now() + 700_000);
	isLost = true;
	expect(await post(POST, 0, 'another run')).toMatchObject({ facts: { kind: 'unconfirmed' } });
	expect(sent()).toBe(2);
});

test('a row without a time does not claim the record of one with the same texts and a time', async () => {
	const { post, posts } = await serviceWith({
		// Of both, the one with a time alone is made at first.
		answers: (attempt, act) => {
			if (attempt !== 1) act();
			return lost;
		},
	});
	const rows = [POST, { ...POST, publish_at: '2027-01-07T09:00:00Z' }];
	const ends = await Promise.all(rows.map(async (row, index) => await post(row, index)));
	expect(ends.map(({ facts }) => facts?.kind)).toEqual(['unconfirmed', 'unconfirmed']);
	expect(posts()).toHaveLength(1);
});

test('a list that is cached for long proves no absence', async () => {
	const { post, sent, clock } = await serviceWith({
		answers: (_, act) => {
			void clock.sleep(40_000).then(act);
			return { status: 504, body: '<html>' };
		},
		lag: 300_000,
		headers: { age: '85' },
	});
	expect(await post(POST)).toMatchObject({ facts: { kind: 'unconfirmed' } });
	expect(sent()).toBe(1);
});
