import { type Connection, withOwnSignal } from '../account';
import { type ErrorFacts, ServiceError } from '../errors';
import { recordIn } from '../http/records';
import { trySend } from '../http/send';
import type { Paging } from '../list/page';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { type Matching, matchKeyOf, mayBeAhead } from '../same/key';
import { confirm } from './confirm';
import type { Entry, Evidence, ListLedger } from './listLedger';
import { contentOf, type Creation, memoryOf, type RowKey, SAME_FOR } from './memory';
import type { Before } from './versions';

/** How a record is created. */
export interface CreateHow {
	/** How the pages of the record's list are requested. */
	paging: Paging;
	/** The fields that are compared to find the record again. */
	matching: Matching;
	/** The list as it was before; absent: after a fault, nothing can be told from the list. */
	before?: Before;
	/** Identifies the row if it may be run again: it gets the record of an earlier try. */
	row?: RowKey;
	/** True to return the record that the same content has become in this process within ten minutes. */
	unlessMade?: boolean;
	/** True to look for a lost record no longer than the patience: someone waits. */
	isBrief?: boolean;
}

/** A created record. */
export interface Created {
	/** As the service shows it, or what was sent. */
	record: JsonObject;
	/** True if the service shows it; false for what was sent, or if that is not known any more. */
	isShown: boolean;
	/** True if another create has made it. */
	wasMade: boolean;
}

/**
 * Creates a record once. What the service says is believed; only after a fault the list is looked at
 * before anything is sent again (docs/reliability.md).
 *
 * @throws ServiceError as `send` does, and `unconfirmed` where the record may exist
 */
export async function create(
	connection: Connection,
	request: ServiceRequest,
	how: CreateHow,
): Promise<Created> {
	const own = { ...withOwnSignal(connection), since: connection.account.clock.now() };
	const { signal } = own;
	signal?.throwIfAborted();
	const content = contentOf(request);
	// Creates of the same content follow one another.
	const turn = memoryOf(connection.account).turns.take(content, async () => {
		signal?.throwIfAborted();
		return await new Create(own, request, how).run();
	});
	// Whoever is stopped does not wait for others.
	return await new Promise((resolve, reject) => {
		const abort = () => reject(signal?.reason as Error);
		signal?.addEventListener('abort', abort);
		// Node.js keeps a signal that is listened to, and with it all that the listener knows.
		void turn.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
	});
}

/** The creation of one record, over all its attempts. */
class Create {
	private readonly fields: JsonObject;
	private readonly list: ListLedger;
	private readonly content: string;
	private isShown = false;

	constructor(
		private readonly connection: Connection,
		private readonly request: ServiceRequest,
		private readonly how: CreateHow,
	) {
		this.fields = fieldsOf(request);
		this.list = this.memory.listOf(request);
		this.content = contentOf(request);
	}

	async run(): Promise<Created> {
		const { memory, how, content } = this;
		const ofRow = memory.ofRow(how.row);
		if (ofRow?.record) return this.created(ofRow.record, false);
		const ofContent = ofRow ? undefined : memory.ofContent(content);
		if (ofContent?.record && how.unlessMade) {
			return this.created(ofContent.record, true);
		}
		if (ofRow) return await this.kept(ofRow.entry, async () => await this.retry(ofRow));
		if (ofContent?.error) {
			const isTwin = how.row !== undefined && ofContent.entry.run === how.row.run;
			if (isTwin && how.unlessMade) throw ofContent.error;
			if (!isTwin) return await this.afterOther(ofContent);
		}
		const entry = this.newEntry();
		return await this.kept(entry, async () => await this.send(entry));
	}

	/** The same row again: its record is found, or it is sent once more, once in all. */
	private async retry({ entry, error }: Creation): Promise<JsonObject> {
		const found = await this.look(entry, entry.isOwnError ? 'own' : 'silent');
		if (typeof found === 'object') return this.done(entry, found.record);
		if (entry.isOwnError && error) throw error;
		if (found === 'unclear' || entry.wasResent) throw this.unconfirmed(error);
		entry.wasResent = true;
		return await this.send(entry);
	}

	/** Another execution sends content whose earlier create is in doubt: it is sent if the list proves that there is none. */
	private async afterOther(earlier: Creation): Promise<Created> {
		const { entry, error } = earlier;
		const found = await this.look(entry, 'silent');
		if (found === 'unclear') throw this.unconfirmed(error);
		if (found !== 'absent') {
			return await this.kept(entry, () => this.done(entry, found.record));
		}
		this.list.open.delete(entry);
		earlier.error = undefined;
		const own = this.newEntry();
		return await this.kept(own, async () => await this.send(own));
	}

	/** Does the work of a create, and notes what became of it. */
	private async kept(entry: Entry, work: () => JsonObject | Promise<JsonObject>): Promise<Created> {
		const { memory, list, content, how, request } = this;
		const creation: Creation = { entry, noun: request.noun };
		list.open.add(entry);
		try {
			creation.record = await work();
			list.open.delete(entry);
			return this.created(creation.record, false);
		} catch (thrown) {
			const error = this.errorOf(thrown, entry);
			if (error.mayHaveActed) creation.error = error;
			else list.open.delete(entry);
			throw error;
		} finally {
			const isKnown = creation.record !== undefined || creation.error !== undefined;
			if (isKnown) memory.keep(creation, content, how.row);
		}
	}

	private async send(entry: Entry): Promise<JsonObject> {
		const { list, request, connection } = this;
		const flight = list.flight();
		for (;;) {
			// The second sending has a patience of its own.
			const again = { since: undefined, urgency: 'repeat' as const };
			const own = { ...connection, ...(entry.wasResent && again), flight };
			try {
				const result = await trySend(own, request);
				if (!(result instanceof ServiceError)) {
					const record = recordIn(result);
					this.isShown = record !== undefined;
					return this.done(entry, record ?? { ...this.fields });
				}
				if (!result.mayHaveActed) {
					if (entry.doubtSince === undefined) throw result;
					// "Already taken" may be said of what the first sending has made.
					throw this.unconfirmed(result);
				}
				entry.doubtSince = this.now;
				const { facts } = result;
				entry.isOwnError = facts.kind === 'rejected' && facts.isOwnError === true;
				flight.ends();
				if (result.kind === 'cancelled') throw result;
				const found = await this.look(entry, entry.isOwnError ? 'own' : 'silent');
				if (typeof found === 'object') {
					this.isShown = true;
					return this.done(entry, found.record);
				}
				if (entry.isOwnError && found === 'absent') {
					throw new ServiceError({ ...facts, mayHaveActed: true, isUnseen: true } as ErrorFacts);
				}
				if (found === 'unclear' || entry.wasResent) throw this.unconfirmed(result);
				entry.wasResent = true;
			} finally {
				flight.ends();
			}
		}
	}

	private async look(entry: Entry, fault: 'own' | 'silent'): Promise<Evidence> {
		const { connection, request, list, how } = this;
		if (entry.before === undefined) return 'unclear';
		const { patienceMs, since = this.now } = connection;
		const endsAt = how.isBrief ? since + patienceMs : undefined;
		const search = { connection, request, paging: how.paging };
		return await confirm(search, list, entry, { fault, endsAt });
	}

	private created(record: JsonObject, wasMade: boolean): Created {
		return { record, isShown: this.isShown, wasMade };
	}

	private newEntry(): Entry {
		const { list, fields, how, now } = this;
		for (const other of list.open) {
			if (now - (other.doubtSince ?? now) > SAME_FOR) list.open.delete(other);
		}
		const { matching, before, row } = how;
		const key = matchKeyOf(fields, matching);
		const isAhead = matching.time !== undefined && mayBeAhead(fields[matching.time], now);
		const open = { isOwnError: false, wasResent: false };
		return { run: row?.run, matching, key, isAhead, before, ...open };
	}

	private done(entry: Entry, record: JsonObject): JsonObject {
		this.list.done(entry, record);
		entry.doubtSince = undefined;
		entry.before = undefined;
		return record;
	}

	/** A mistake of ours after the first sending says nothing of what was sent. */
	private errorOf(thrown: unknown, entry: Entry): ServiceError {
		if (thrown instanceof ServiceError) return thrown;
		const { request, now, connection } = this;
		entry.doubtSince ??= now;
		if (!connection.signal?.aborted) return this.unconfirmed(thrown);
		return new ServiceError({ kind: 'cancelled', request, mayHaveActed: true, cause: thrown });
	}

	private unconfirmed(cause?: unknown): ServiceError {
		if (cause instanceof ServiceError && cause.kind === 'unconfirmed') return cause;
		const status = cause instanceof ServiceError ? cause.status || undefined : undefined;
		const { request } = this;
		return new ServiceError({ kind: 'unconfirmed', request, status, mayHaveActed: true, cause });
	}

	private get memory() {
		return memoryOf(this.connection.account);
	}

	private get now(): number {
		return this.connection.account.clock.now();
	}
}
