import type { HostContext } from '../../nodes/LocalSeo/host/context';
import { Accounts, PerAccount } from '../../nodes/LocalSeo/host/accounts';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock: VirtualClock;
let accounts: Accounts;
/** How often a credential was read. */
let reads: number;
beforeEach(() => {
	clock = new VirtualClock();
	accounts = new Accounts(clock, seededRandom());
	reads = 0;
});

const pass = (milliseconds: number) => clock.moveTo(clock.now() + milliseconds);

interface Credential {
	id?: string;
	apiKey?: string;
	baseUrl?: unknown;
}

/** A node that uses this credential; without an ID it has none selected. */
const nodeWith = ({ id, apiKey = 'sk_1', baseUrl = 'https://seo.example.com' }: Credential) =>
	({
		getNode: () => ({ credentials: id ? { localSeoApi: { id, name: id } } : undefined }),
		getCredentials: async () => {
			reads++;
			return { apiKey, baseUrl };
		},
	}) as unknown as HostContext;
const accountOf = async (credential: Credential) => await accounts.of(nodeWith(credential));

describe('one account', () => {
	test('is behind two credentials with the same key, however the base URL is written', async () => {
		const account = await accountOf({ id: 'a' });
		const other = { id: 'b', apiKey: ' sk_1\n', baseUrl: 'https://seo.example.com/api/v1/' };
		expect(await accountOf(other)).toBe(account);
	});

	test.each<[string, Credential]>([
		['with another key', { apiKey: 'sk_2' }],
		['at another origin', { baseUrl: 'https://seo.example.org' }],
		['without a usable base URL', { baseUrl: 'seo.example.com' }],
	])('is not shared with a credential %s', async (_, credential) => {
		const account = await accountOf({ id: 'a' });
		expect(await accountOf({ id: 'b', ...credential })).not.toBe(account);
	});

	test('is found without a credential ID, too', async () => {
		expect(await accountOf({})).toBe(await accountOf({ id: 'a' }));
	});
});

describe('a credential', () => {
	test('is read once a minute, however often it is used', async () => {
		await Promise.all([accountOf({ id: 'a' }), accountOf({ id: 'a' })]);
		pass(MINUTE);
		await accountOf({ id: 'a' });
		expect(reads).toBe(1);
		pass(1);
		await accountOf({ id: 'a' });
		expect(reads).toBe(2);
	});

	test('that gets another key leads to that account within a minute', async () => {
		const account = await accountOf({ id: 'a' });
		expect(await accountOf({ id: 'a', apiKey: 'sk_2' })).toBe(account);
		pass(MINUTE + 1);
		expect(await accountOf({ id: 'a', apiKey: 'sk_2' })).not.toBe(account);
	});

	test('that could not be read is read again', async () => {
		const failing = {
			...nodeWith({ id: 'a' }),
			getCredentials: async () => await Promise.reject(new Error('No such credential')),
		} as unknown as HostContext;
		await expect(accounts.of(failing)).rejects.toThrow('No such credential');
		await expect(accountOf({ id: 'a' })).resolves.toBeDefined();
	});
});

describe('an account is released', () => {
	const use = async (apiKey: string) => await accountOf({ id: apiKey, apiKey });

	test('after an hour without use, when another one comes', async () => {
		const account = await use('sk_1');
		pass(HOUR);
		await use('sk_2');
		expect(await use('sk_1')).toBe(account);
		pass(HOUR + 1);
		await use('sk_3');
		expect(await use('sk_1')).not.toBe(account);
	});

	test('not while a request is under way or a create is unfinished', async () => {
		const sending = await use('sk_1');
		await sending.pacer.acquire({ patienceMs: 0 });
		const creating = await use('sk_2');
		creating.creates++;
		pass(2 * HOUR);
		await use('sk_3');
		expect(await use('sk_1')).toBe(sending);
		expect(await use('sk_2')).toBe(creating);
	});

	test('beyond a hundred, the one that was used least recently first', async () => {
		const [first, second] = [await use('sk_0'), await use('sk_1')];
		for (let key = 2; key < 100; key++) await use(`sk_${key}`);
		pass(1);
		expect(await use('sk_0')).toBe(first);
		await use('sk_100');
		expect(await use('sk_0')).toBe(first);
		expect(await use('sk_1')).not.toBe(second);
	});
});

test('what is kept for an account is made once, also where it is nothing', async () => {
	const make = jest.fn(() => undefined);
	const kept = new PerAccount(make);
	const account = await accountOf({ id: 'a' });
	kept.of(account);
	kept.of(account);
	expect(make).toHaveBeenCalledTimes(1);
	kept.of(await accountOf({ id: 'b', apiKey: 'sk_2' }));
	expect(make).toHaveBeenCalledTimes(2);
});
