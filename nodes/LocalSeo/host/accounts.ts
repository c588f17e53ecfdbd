import type {
	ICredentialDataDecryptedObject,
	IExecutePaginationFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { Account, apiRoot, type Clock, hashOf, type Random, systemClock } from '../client';

export const CREDENTIAL = 'localSeoApi';

/** n8n's context of the code that sends a request: an operation's item, a picker, or the trigger. */
export type HostContext = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** True for an operation: only its context has a signal that stops it; pickers and the trigger have none. */
export function isOperation(context: object): context is IExecutePaginationFunctions {
	return 'getExecutionCancelSignal' in context;
}

/** An account without use for this long (ms) is released, with all that it remembers. */
const RELEASED_AFTER = 3_600_000;

/** The accounts of a process by API key, shared by all nodes, executions and pickers. */
export class Accounts {
	private readonly byKey = new Map<string, Account>();

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {}

	/** The account behind the API key of a credential. */
	of(credential: ICredentialDataDecryptedObject): Account {
		const key = accountKeyOf(credential);
		const known = this.byKey.get(key);
		if (!known) this.releaseOld();
		const account = known ?? new Account(this.clock, this.random);
		account.usedAt = this.clock.now();
		this.byKey.set(key, account);
		return account;
	}

	private releaseOld() {
		for (const [key, { usedAt, isIdle }] of this.byKey) {
			if (isIdle && this.clock.now() - usedAt > RELEASED_AFTER) this.byKey.delete(key);
		}
	}
}

/** The key of a credential, without what is often copied with it: white space and a header around it. */
export function apiKeyOf({ apiKey }: ICredentialDataDecryptedObject): string {
	return String(apiKey ?? '')
		.trim()
		.replace(/^(authorization:\s*)?bearer(\s+|$)/i, '');
}

/** Identifies the account behind a key by a hash, from which the key can't be recovered. */
function accountKeyOf(credential: ICredentialDataDecryptedObject): string {
	return hashOf([rootOf(credential.baseUrl), apiKeyOf(credential)]);
}

/** The API root; empty for a base URL that can't be used. */
function rootOf(baseUrl: unknown): string {
	try {
		return apiRoot(baseUrl).href;
	} catch {
		return '';
	}
}

export const accounts = new Accounts(systemClock, Math.random);

/** Keeps a value for each account, and releases it with the account. */
export class PerAccount<T> {
	private readonly values = new WeakMap<Account, { value: T }>();

	constructor(private readonly make: (account: Account) => T) {}

	of(account: Account): T {
		const kept = this.values.get(account) ?? { value: this.make(account) };
		this.values.set(account, kept);
		return kept.value;
	}
}
