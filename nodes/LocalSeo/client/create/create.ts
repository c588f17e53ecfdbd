import { type Connection, withOwnSignal } from '../account';
import { createdItem } from '../http/records';
import { trySend } from '../http/send';
import type { Paging } from '../list/page';
import type { JsonObject } from '../ports';
import { fieldsOf, ServiceError, type ServiceRequest } from '../request';
import { comparable } from '../same/text';
import { confirm, howLost, isTaken, claimResend } from './confirm';
import { contentOf, type Creation, type Ledger, ledgerOf, type RowKey } from './ledger';
import type { Entry, Evidence, ListLedger } from './listLedger';

/**
 * Creates a record once. What the service says is believed; only after a fault the list is looked at
 * before anything is sent again (docs/dev/guarantees.md).
 *
 * @param paging how the pages of the record's list are requested
 * @param how.row identifies the row if it may be run again: it returns the record of an earlier try, even
 * if that try sent other content (the time of day, say)
 * @param how.unlessMade whether the record is that which this process has created from the same content
 * within the hour, if there is one
 * @returns the record as the service shows it, or what was sent; and whether it was made before
 * @throws ServiceError as `send` does, and `unconfirmed` where the record may exist
 */
export async function create(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	how: { row?: RowKey; unlessMade?: boolean } = {},
): Promise<{ record: JsonObject; wasMade: boolean }> {
	const ledger = ledgerOf(connection.account);
	return await inTurn(ledger, connection, request, async (own, content) => {
		const creation = new Create(ledger, own, request, content, paging, how.row);
		const made = how.unlessMade ? creation.madeBefore : undefined;
		const record = made ? structuredClone(made) : await creation.run();
		return { record, wasMade: made !== undefined };
	});
}

/** Creates of the same content follow one another. Whoever is stopped does not wait for others. */
async function inTurn<T>(
	{ turns }: Ledger,
	connection: Connection,
	request: ServiceRequest,
	work: (connection: Connection, content: string) => Promise<T>,
): Promise<T> {
	const own = { ...withOwnSignal(connection), since: connection.account.clock.now() };
	const { signal } = own;
	const content = contentOf(request);
	const creation = turns.take(content, async () => {
		signal?.throwIfAborted();
		return await work(own, content);
	});
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(signal?.reason as Error);
		signal?.addEventListener('abort', abort);
		// Node.js keeps a signal that is listened to, and with it all that the listener knows.
		void creation.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
	});
}

/** Milliseconds to begin a look after a first request that has timed out, whatever is left of the patience. */
const TIME_TO_LOOK = 5_000;

/** The creation of one record, over all its attempts. */
class Create {
	private readonly list: ListLedger;
	private readonly fields: JsonObject;
	/** The same row in an earlier try. */
	private readonly ofRow?: Creation;
	/** When a request first failed; the patience counts from then. */
	private failedAt?: number;
	/** When the first request timed out, which may take as long as the patience. */
	private timedOutAt = -Infinity;
	private last?: ServiceError;

	constructor(
		private readonly ledger: Ledger,
		private readonly connection: Connection,
		private readonly request: ServiceRequest,
		private readonly content: string,
		private readonly paging: Paging,
		private readonly row?: RowKey,
	) {
		this.list = ledger.listOf(request);
		this.fields = fieldsOf(request);
		this.ofRow = ledger.ofRow(row);
	}

	/** The record that the same content has become; a row that was tried before has its own. */
	get madeBefore(): JsonObject | undefined {
		return this.ofRow ? undefined : this.ledger.madeOf(this.content);
	}

	async run(): Promise<JsonObject> {
		const { list, ofRow } = this;
		if (ofRow?.record) return structuredClone(ofRow.record);
		const earlier = ofRow?.entry ?? this.doubtOfOtherRun();
		const entry = earlier ?? this.ledger.begin(list, this.fields, this.row?.run);
		let record: JsonObject | undefined;
		list.pending.add(entry);
		try {
			const work = earlier ? this.resume(entry) : this.send(entry);
			record = await work.catch((error: unknown) => {
				throw this.inDoubt(error, entry);
			});
			return record;
		} finally {
			if (entry.state === 'doubtful') entry.state = 'unclear';
			// An unclear create may still have made a record.
			if (entry.state !== 'unclear') list.pending.delete(entry);
			// A refusal says nothing of what the same content has become before.
			const content = entry.state === 'refused' ? undefined : this.content;
			this.ledger.keep({ entry, record }, this.row, content);
		}
	}

	/** The same content, where another run has left it in doubt. */
	private doubtOfOtherRun(): Entry | undefined {
		const doubt = this.ledger.doubtOf(this.content);
		const isOfOtherRow = doubt?.run !== undefined && doubt.run === this.row?.run;
		return isOfOtherRow ? undefined : doubt;
	}

	private async send(entry: Entry): Promise<JsonObject> {
		for (;;) {
			entry.state = 'sent';
			const result = await trySend(this.patient(), this.request);
			if (!(result instanceof ServiceError)) {
				entry.firstSentAt = Math.min(this.last ? entry.firstSentAt : Infinity, result.sentAt);
				return this.done(entry, createdItem(this.fields, result, this.request));
			}
			const { facts } = result;
			if (!this.last) entry.firstSentAt = facts.sentAt ?? entry.firstSentAt;
			const isFirst = this.failedAt === undefined;
			if (isFirst && result.kind === 'timeout') this.timedOutAt = this.now;
			this.failedAt ??= facts.failedAt ?? this.now;
			if (!result.mayHaveActed && !(this.last && isTaken(result))) {
				entry.state = 'refused';
				throw result;
			}
			// "Already taken" after a fault: by an earlier attempt, perhaps.
			const isByEarlier = !result.mayHaveActed;
			this.last = result;
			entry.state = 'doubtful';
			if (!isByEarlier) Object.assign(entry, { doubtSince: this.now, fault: howLost(facts) });
			if (result.kind === 'cancelled') throw result;
			const evidence = await this.look(entry);
			if (typeof evidence === 'object') return this.done(entry, evidence.record);
			if (evidence === 'unclear' || isByEarlier) throw this.unconfirmed();
			if (this.now > this.deadline || !claimResend(entry)) {
				entry.state = 'refused';
				throw new ServiceError({ ...facts, mayHaveActed: false });
			}
		}
	}

	/** Goes on where an earlier try has left it in doubt: its record is found, or it is sent. */
	private async resume(entry: Entry): Promise<JsonObject> {
		this.failedAt = this.connection.since ?? this.now;
		const evidence = await this.look(entry);
		if (typeof evidence === 'object') return this.done(entry, evidence.record);
		if (evidence === 'unclear' || !claimResend(entry)) throw this.unconfirmed();
		entry.sent = comparable(this.fields);
		return await this.send(entry);
	}

	/** The error of a create; a mistake of our own says nothing of what was sent. */
	private inDoubt(error: unknown, entry: Entry): unknown {
		if (error instanceof ServiceError || this.connection.signal?.aborted) return error;
		Object.assign(entry, { state: 'doubtful', doubtSince: this.now, fault: 'silent' });
		return this.unconfirmed(error);
	}

	private done(entry: Entry, record: JsonObject): JsonObject {
		this.list.done(entry, record);
		return record;
	}

	private async look(entry: Entry): Promise<Evidence> {
		const { connection, request, paging, timedOutAt } = this;
		const deadline = Math.max(this.deadline, timedOutAt + TIME_TO_LOOK);
		return await confirm({ connection, request, paging, deadline }, this.list, entry);
	}

	private get now(): number {
		return this.connection.account.clock.now();
	}

	private get deadline(): number {
		return (this.failedAt ?? this.now) + this.connection.patienceMs;
	}

	/** The connection; once something has failed, with what is left of the patience, and before other rows. */
	private patient(): Connection {
		if (this.failedAt === undefined) return this.connection;
		const patienceMs = Math.max(0, this.deadline - this.now);
		return { ...this.connection, patienceMs, since: undefined, urgency: 'repeat' };
	}

	private unconfirmed(cause: unknown = this.last): ServiceError {
		const { request, last } = this;
		const status = last?.facts.status;
		return new ServiceError({ kind: 'unconfirmed', request, status, mayHaveActed: true, cause });
	}
}
