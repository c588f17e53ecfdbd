import type { Account } from './account';
import type { RunMemory } from './create/memory';
import type { Urgency } from './pace/pace';
import type { Transport } from './ports';

/** One caller's connection to the service. */
export interface Connection {
	account: Account;
	transport: Transport;
	/** The longest that a request may wait in total (ms) while the service is busy or does not respond. */
	patienceMs: number;
	/** The run that the caller is part of; absent for the editor and the trigger. */
	run?: RunMemory;
	/** The time at which the caller began to wait, by the account's clock; absent: when the request is made. */
	since?: number;
	/** Decides which waiting request starts first; absent: `row`. */
	urgency?: Urgency;
	/** Timeout of one attempt (ms); absent: five minutes. */
	timeoutMs?: number;
	/** Aborts when the caller is stopped. */
	signal?: AbortSignal;
	/** True to ask caches for a list as it is now. */
	noCache?: boolean;
}

/** Gives a caller a signal of its own, because Node.js warns of more than ten listeners at one. */
export function withOwnSignal<T extends Pick<Connection, 'signal'>>(caller: T): T {
	const { signal } = caller;
	return signal ? { ...caller, signal: AbortSignal.any([signal]) } : caller;
}

/** Makes the connection read-only: every request but a GET fails before it is sent. */
export function readOnly<C extends Connection>(connection: C): Omit<C, 'transport'> & Connection {
	return {
		...connection,
		transport: async (request, signal) => {
			if (request.method === 'GET') return await connection.transport(request, signal);
			return { fault: 'refused-here', cause: new Error('Nothing but reads can be sent here') };
		},
	};
}
