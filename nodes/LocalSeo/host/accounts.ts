import { createHash } from 'node:crypto';

import { Account, BoundedMap, type Clock, getOrMake, type Random, systemClock } from '../client';
import { CREDENTIAL, type HostContext } from './context';

/** Milliseconds for which it is assumed that a credential still holds the same key. */
const KEY_KNOWN_FOR = 60_000;
/** Bytes; an entry has two hashes. */
const MAX_KEY_BYTES = 256 * 1024;
/** An account that no one has used for this long (milliseconds) is released, with all it remembers. */
const RELEASED_AFTER = 3_600_000;
/** Beyond this number, the least recently used account is released. */
const MAX_ACCOUNTS = 100;

/** The accounts of a process by API key, shared by all nodes, executions and pickers. */
export class Accounts {
	/** The least recently used first. */
	private readonly byKey = new Map<string, Account>();
	/** Keys (as hashes) by credential: reading a credential costs about as much as a request. */
	private readonly keys: BoundedMap<Promise<string>>;

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {
		const bounds = { maxBytes: MAX_KEY_BYTES, forgetAfterMs: KEY_KNOWN_FOR, since: 'set' } as const;
		this.keys = new BoundedMap(bounds, clock);
	}

	/** The account behind the API key that a node uses. */
	async of(context: HostContext): Promise<Account> {
		const key = await this.keyOf(context);
		const account = this.byKey.get(key) ?? new Account(this.clock, this.random);
		account.usedAt = this.clock.now();
		if (!this.byKey.delete(key)) this.releaseOld();
		this.byKey.set(key, account);
		return account;
	}

	private async keyOf(context: HostContext): Promise<string> {
		const id = context.getNode().credentials?.[CREDENTIAL]?.id;
		if (!id) return await readKey(context);
		return await getOrMake(
			this.keys,
			id,
			async () => await readKey(context),
			(key) => key.length,
		);
	}

	private releaseOld() {
		for (const [key, account] of this.byKey) {
			const isOld = this.clock.now() - account.usedAt > RELEASED_AFTER;
			if (!account.isIdle || (!isOld && this.byKey.size < MAX_ACCOUNTS)) continue;
			this.byKey.delete(key);
		}
	}
}

/** Identifies the account behind a key: a hash, from which the key can't be recovered. */
async function readKey(context: HostContext): Promise<string> {
	const { baseUrl, apiKey } = await context.getCredentials(CREDENTIAL);
	const origin = URL.canParse(String(baseUrl)) ? new URL(String(baseUrl)).origin : '';
	return createHash('sha256')
		.update(`${origin} ${String(apiKey).trim()}`)
		.digest('hex');
}

export const accounts = new Accounts(systemClock, Math.random);

/** Something that is kept for each account, and released with it. */
export class PerAccount<T> {
	private readonly values = new WeakMap<Account, { value: T }>();

	constructor(private readonly make: (account: Account) => T) {}

	of(account: Account): T {
		const kept = this.values.get(account) ?? { value: this.make(account) };
		this.values.set(account, kept);
		return kept.value;
	}
}
