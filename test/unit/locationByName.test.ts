import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type JsonObject,
} from '../../nodes/LocalSeo/client';
import { locationIdOf } from '../../nodes/LocalSeo/service';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
/** In virtual time. */
const it = (name: string, run: () => Promise<void>) =>
	test(name, async () => await clock.run(run()));

/** An account whose locations a test adds to; counts how often their list, of one page, is read. */
function accountOf(...names: string[]) {
	const locations = names.map((name): JsonObject => ({ id: `loc_${name}`, name }));
	const account = {
		locations,
		readings: 0,
		isDown: false,
		/** How long a list does not show a location that was created. */
		staleForMs: 0,
		connection: {
			account: new Account(clock, seededRandom()),
			patienceMs: 60_000,
			transport: async ({ method, body = '{}' }) => {
				await clock.sleep(100);
				if (method === 'POST') {
					const data = { id: 'loc_new', ...(JSON.parse(body) as JsonObject) };
					void clock.sleep(account.staleForMs).then(() => locations.push(data));
					return { status: 201, headers: {}, body: { data } };
				}
				account.readings++;
				if (account.isDown) return { status: 403, headers: {}, body: {} };
				const meta = { current_page: 1, per_page: 100, total: locations.length };
				return { status: 200, headers: {}, body: { data: [...locations], meta } };
			},
		} satisfies Connection as Connection,
		find: async (name: string, run?: string, reader = 'execution 1', freshForMs?: number) =>
			await locationIdOf(account.connection, name, DEFAULT_PAGING, {
				name: reader,
				run,
				freshForMs,
			}),
	};
	return account;
}
/** A location that is created by this client. */
async function createIn({ connection }: { connection: Connection }, name: string): Promise<void> {
	const request = { method: 'POST' as const, path: '/locations', noun: 'location' };
	await create(connection, { ...request, ids: {}, query: {}, body: { name } }, DEFAULT_PAGING);
}
const added = (name: string) => ({ id: `loc_${name}`, name });

it('the rows of a run share one reading, also while it is under way', async () => {
	const account = accountOf('A', 'B');
	const found = await Promise.all(
		['A', 'B', 'a', 'b'].map(async (name) => await account.find(name, '1')),
	);
	expect(found).toEqual(['loc_A', 'loc_B', 'loc_A', 'loc_B']);
	expect(await account.find('A', '1')).toBe('loc_A');
	expect(account.readings).toBe(1);
});

it('so do the rounds of a loop, as long as every name is found', async () => {
	const account = accountOf('A', 'B');
	for (let round = 1; round <= 20; round++) await account.find('A', `${round}`);
	expect(account.readings).toBe(1);
});

it('a location that the round before this one has created is found', async () => {
	const account = accountOf('A');
	for (let round = 1; round <= 5; round++) {
		account.locations.push(added(`New ${round}`));
		expect(await account.find(`New ${round}`, `${round}`)).toBe(`loc_New ${round}`);
	}
	expect(account.readings).toBe(5);
});

it('another execution reads the list of its own', async () => {
	const account = accountOf('A');
	await account.find('A', '1');
	await account.find('A', '1', 'execution 2');
	expect(account.readings).toBe(2);
});

it('a sheet of wrong names does not read the list for each', async () => {
	const account = accountOf('A');
	const failed = await Promise.allSettled(
		Array.from({ length: 100 }, async (_, row) => await account.find(`Wrong ${row}`, '1')),
	);
	expect(failed.filter(({ status }) => status === 'rejected')).toHaveLength(100);
	await expect(account.find('Wrong', '1')).rejects.toThrow('No location is called "Wrong"');
	expect(account.readings).toBe(1);
	await clock.sleep(6_000);
	account.locations.push(added('Right'));
	const late = ['Right', 'Wrong', 'Right'].map(async (name) => await account.find(name, '1'));
	expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual([
		'fulfilled',
		'rejected',
		'fulfilled',
	]);
	expect(account.readings).toBe(2);
});

it('outside of executions a list is used for a minute, and a miss looks again each time', async () => {
	const account = accountOf('A');
	const find = async (name: string) => await account.find(name, undefined, 'outside', 60_000);
	await find('A');
	await clock.sleep(30_000);
	await find('A');
	expect(account.readings).toBe(1);
	account.locations.push(added('B'));
	expect(await find('B')).toBe('loc_B');
	await expect(find('C')).rejects.toThrow();
	expect(account.readings).toBe(3);
	await clock.sleep(61_000);
	await find('A');
	expect(account.readings).toBe(4);
});

it('a reading that failed is made again', async () => {
	const account = accountOf('A');
	account.isDown = true;
	await expect(account.find('A', '1')).rejects.toThrow();
	account.isDown = false;
	expect(await account.find('A', '1')).toBe('loc_A');
});

it('a location that the list does not show in time keeps no other one from being found', async () => {
	const account = accountOf('A');
	account.staleForMs = 3_600_000;
	account.connection.patienceMs = 5_000;
	await createIn(account, 'New');
	expect(await account.find('A', '1')).toBe('loc_A');
	await expect(account.find('New', '1')).rejects.toThrow('No location is called "New"');
});
