import type {
	ICredentialDataDecryptedObject,
	IExecutePaginationFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import {
	Account,
	apiRoot,
	type Clock,
	type ErrorFacts,
	Governor,
	hashOf,
	type Random,
	systemClock,
} from '../client';

export const CREDENTIAL = 'localSeoApi';

/** n8n's context of the code that sends a request: an operation's item, a picker, or the trigger. */
export type HostContext = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** True for an operation: only its context has a signal that stops it; pickers and the trigger have none. */
export function isOperation(context: object): context is IExecutePaginationFunctions {
	return 'getExecutionCancelSignal' in context;
}

/** An account, or a pace, without use for this long (ms) is released, with all that was learned. */
const RELEASED_AFTER = 3_600_000;

/**
 * The accounts of a process, shared by all nodes, executions and pickers: one for each API root and
 * credential of n8n, so that a new key forgets nothing. The pace is one for each key.
 */
export class Accounts {
	private readonly byCredential = new Map<string, Account>();
	private readonly paces = new Map<string, Account['governor']>();

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {}

	/**
	 * The account behind a credential.
	 *
	 * @param id n8n's ID of the credential; absent: its key stands for it
	 */
	of(credential: ICredentialDataDecryptedObject, id?: string): Account {
		const root = rootOf(credential.baseUrl);
		const keyName = hashOf([root, apiKeyOf(credential)]);
		const name = id === undefined ? keyName : JSON.stringify([root, id]);
		this.releaseOld();
		const pace = this.paces.get(keyName) ?? new Governor<ErrorFacts>(this.clock, this.random);
		const account = this.byCredential.get(name) ?? new Account(this.clock, this.random, pace);
		account.governor = pace;
		account.usedAt = this.clock.now();
		this.byCredential.set(name, account);
		this.paces.set(keyName, pace);
		return account;
	}

	private releaseOld() {
		const isOld = ({ isIdle, usedAt }: { isIdle: boolean; usedAt: number }) =>
			isIdle && this.clock.now() - usedAt > RELEASED_AFTER;
		for (const [name, account] of this.byCredential) {
			if (isOld(account)) this.byCredential.delete(name);
		}
		for (const [name, pace] of this.paces) if (isOld(pace)) this.paces.delete(name);
	}
}

/** The key of a credential, without what is often copied with it: white space and a header around it. */
export function apiKeyOf({ apiKey }: ICredentialDataDecryptedObject): string {
	return String(apiKey ?? '')
		.trim()
		.replace(/^(authorization:\s*)?bearer(\s+|$)/i, '');
}

/** The API root; empty for a base URL that can't be used. */
export function rootOf(baseUrl: unknown): string {
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
