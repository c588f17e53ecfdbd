import type { Connection } from '../account';
import { type ErrorFacts, ServiceError } from '../errors';
import { recordIn } from '../http/records';
import { trySend } from '../http/send';
import type { Paging } from '../list/page';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { confirm } from './confirm';
import type { Entry } from './entry';
import type { Evidence } from './ledger';
import { memoryOf } from './memory';

/** The request of a create: it is sent, looked for after a fault, and sent again once where it is surely absent. */
export class Sending {
	/** True if the service has shown the record. */
	isShown = false;

	constructor(
		private readonly connection: Connection & { since: number },
		private readonly request: ServiceRequest,
		private readonly how: { paging: Paging; isBrief?: boolean },
	) {}

	async send(entry: Entry): Promise<JsonObject> {
		const { request, connection } = this;
		for (;;) {
			// The second sending has a patience of its own.
			const again = { since: undefined, urgency: 'repeat' as const };
			const own = { ...connection, ...(entry.wasResent && again), flight: entry };
			try {
				const result = await trySend(own, request);
				if (!(result instanceof ServiceError)) {
					const record = recordIn(result);
					this.isShown = record !== undefined;
					return record ?? fieldsOf(request);
				}
				const found = await this.afterFault(entry, result);
				if (found) return found;
			} finally {
				entry.ends();
			}
		}
	}

	/**
	 * Looks for the record of an earlier try of the same row; undefined if it is to be sent again.
	 *
	 * @throws ServiceError if that can't be told, or if it may not be sent again
	 */
	async settle(entry: Entry): Promise<JsonObject | undefined> {
		const { error, isOwnError, wasResent } = entry;
		const found = await this.look(entry, isOwnError ? 'own' : 'silent');
		if (typeof found === 'object') return this.found(found.record);
		if (isOwnError && error) throw error;
		if (found === 'unclear' || wasResent) throw this.unconfirmed(error);
		return undefined;
	}

	/** Looks for the record of a request that failed; undefined if it is to be sent again. */
	private async afterFault(entry: Entry, error: ServiceError): Promise<JsonObject | undefined> {
		const { facts } = error;
		if (!error.mayHaveActed) {
			if (entry.doubtSince === undefined) throw error;
			// "Already taken" may be said of what the first sending has made.
			throw this.unconfirmed(error);
		}
		entry.doubtSince = this.connection.account.clock.now();
		entry.isOwnError = facts.kind === 'rejected' && facts.isOwnError === true;
		// A reading is judged without waiting for it any more.
		entry.ends();
		if (error.kind === 'cancelled') throw error;
		const found = await this.look(entry, entry.isOwnError ? 'own' : 'silent');
		if (typeof found === 'object') return this.found(found.record);
		if (entry.isOwnError && found === 'absent') {
			throw new ServiceError({ ...facts, mayHaveActed: true, isUnseen: true } as ErrorFacts);
		}
		if (found === 'unclear' || entry.wasResent) throw this.unconfirmed(error);
		entry.wasResent = true;
		return undefined;
	}

	private found(record: JsonObject): JsonObject {
		this.isShown = true;
		return record;
	}

	async look(entry: Entry, fault: 'own' | 'silent'): Promise<Evidence> {
		const { connection, request, how } = this;
		if (entry.before?.versions === undefined) return 'unclear';
		const { patienceMs, since } = connection;
		const endsAt = how.isBrief ? since + patienceMs : undefined;
		const search = { connection, request, paging: how.paging };
		const ledger = memoryOf(connection.account).ledgerOf(request);
		return await confirm(search, ledger, entry, { fault, endsAt });
	}

	/** A mistake of ours after the first sending says nothing of what was sent. */
	errorOf(thrown: unknown, entry: Entry): ServiceError {
		if (thrown instanceof ServiceError) return thrown;
		const { request, connection } = this;
		entry.doubtSince ??= connection.account.clock.now();
		if (!connection.signal?.aborted) return this.unconfirmed(thrown);
		return new ServiceError({ kind: 'cancelled', request, mayHaveActed: true, cause: thrown });
	}

	unconfirmed(cause?: unknown): ServiceError {
		if (cause instanceof ServiceError && cause.kind === 'unconfirmed') return cause;
		const status = cause instanceof ServiceError ? cause.status || undefined : undefined;
		const { request } = this;
		return new ServiceError({ kind: 'unconfirmed', request, status, mayHaveActed: true, cause });
	}
}
