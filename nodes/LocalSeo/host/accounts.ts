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

/** An account without use for this long (ms) is released, with all that was learned. */
const RELEASED_AFTER = 3_600_000;

/**
 * The accounts of a process, shared by all nodes, executions and pickers: one for each API root and key,
 * because the service limits each key by itself. Another key of the same organization is another account.
 */
export class Accounts {
	private readonly accounts = new Map<string, Account>();

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {}

	/** The account behind a credential. */
	of(credential: ICredentialDataDecryptedObject): Account {
		const now = this.clock.now();
		for (const [name, { isIdle, usedAt }] of this.accounts) {
			if (isIdle && now - usedAt > RELEASED_AFTER) this.accounts.delete(name);
		}
		const name = hashOf([rootOf(credential.baseUrl), apiKeyOf(credential)]);
		const account = this.accounts.get(name) ?? new Account(this.clock, this.random);
		account.usedAt = now;
		this.accounts.set(name, account);
		return account;
	}
}

/**
 * The key of a credential, without what is often copied with it: white space and a header around it.
 * Some versions of n8n save a line break for a `|` (n8n's issue 27287), as in the keys of Laravel: as no
 * key can have a line break in a header (RFC 6750, 2.1), it is put right here.
 */
export function apiKeyOf({ apiKey }: ICredentialDataDecryptedObject): string {
	return String(apiKey ?? '')
		.trim()
		.replace(/^(authorization:\s*)?bearer(\s+|$)/i, '')
		.replace(/\r?\n/g, '|');
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
export class PerAccount<T extends object> {
	private readonly values = new WeakMap<Account, T>();

	constructor(private readonly make: (account: Account) => T) {}

	of(account: Account): T {
		const value = this.values.get(account) ?? this.make(account);
		this.values.set(account, value);
		return value;
	}
}
