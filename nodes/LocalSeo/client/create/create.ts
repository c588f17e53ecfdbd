import { type Connection, withOwnSignal } from '../account';
import { createdItem, hashOf } from '../http/records';
import { attempt } from '../http/send';
import type { Paging } from '../list/page';
import type { JsonObject } from '../ports';
import { fieldsOf, ServiceError, type ServiceRequest } from '../request';
import { comparable } from '../same/text';
import { withinTime } from '../time';
import type { Entry, RowKey } from './entry';
import { contentOf, ledgerOf, type ListLedger, madeBefore } from './ledger';
import type { Evidence } from './listHistory';
import { times } from './times';

/** So many readings have to show that there is none, and may be refused. */
const ABSENT_TWICE = 2;
const MAX_UNREADABLE = 2;
/** A list that others add to while it is read is looked at so much more often, every so many milliseconds. */
const MORE_LOOKS = 10;
const MORE_AFTER = 3_000;
/** A reading that has begun gets this many milliseconds at least. */
const MIN_READING = 10_000;
/** How often a create is sent again once it is known to be absent. */
const MAX_RESENT = { own: 5, silent: 1 };
/** What a service says of a record that exists already. */
const TAKEN = /\b(already|duplicate|taken|exists|unique)\b/i;

/**
 * Creates a record once. What the service says is believed; only after a fault the list is looked at
 * before anything is sent again (docs/guarantees.md).
 *
 * @param paging how the pages of the record's list are requested
 * @param row identifies the row if it may be run again: it returns the record of an earlier try, even
 * if that try sent other content (the time of day, say)
 * @returns the record as the service shows it, or what was sent
 * @throws ServiceError as `send` does, and `unconfirmed` where the record may exist
 */
export async function create(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	row?: RowKey,
): Promise<JsonObject> {
	return await inTurn(connection, request, (own) => new Create(own, request, paging, row).run());
}

/**
 * As `create`, unless this process has created a record from the same content within the hour.
 *
 * @returns that record, and that it was made before; or the new one
 */
export async function createUnlessMade(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	row?: RowKey,
): Promise<{ record: JsonObject; wasMade: boolean }> {
	return await inTurn(connection, request, async (own) => {
		const creation = new Create(own, request, paging, row);
		const made = creation.isOfKnownRow ? undefined : madeBefore(connection.account, request);
		if (made) return { record: structuredClone(made), wasMade: true };
		return { record: await creation.run(), wasMade: false };
	});
}

/** Creates of the same content follow one another. */
async function inTurn<T>(
	connection: Connection,
	request: ServiceRequest,
	work: (connection: Connection) => Promise<T>,
): Promise<T> {
	const { account, signal } = connection;
	const patient = { ...withOwnSignal(connection), since: account.clock.now() };
	const creation = ledgerOf(account).inTurn(contentOf(request), async () => {
		signal?.throwIfAborted();
		return await work(patient);
	});
	return await unlessAborted(creation, patient.signal);
}

/** Whoever is stopped does not wait for the creates of others; the order of the creates stays. */
async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await work;
	return await new Promise<T>((resolve, reject) => {
		const abort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', abort);
		// Node.js keeps a signal that is listened to, and with it all that the listener knows.
		void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}

/** The creation of one record, over all its attempts. */
class Create {
	private readonly list: ListLedger;
	private readonly fields: JsonObject;
	private readonly content: string;
	private readonly rowKey?: string;
	/** When a request first failed; the patience counts from then. */
	private failedAt?: number;
	private last?: ServiceError;

	constructor(
		private readonly connection: Connection,
		private readonly request: ServiceRequest,
		private readonly paging: Paging,
		private readonly row?: RowKey,
	) {
		this.list = ledgerOf(connection.account).listOf(request);
		this.fields = fieldsOf(request);
		this.content = contentOf(request);
		this.rowKey = row && hashOf(row);
	}

	async run(): Promise<JsonObject> {
		const ledger = ledgerOf(this.connection.account);
		const earlier = this.earlier();
		if (this.ofRow?.record) return structuredClone(this.ofRow.record);
		const entry = earlier ?? this.list.begin(this.content, this.fields, this.row?.run);
		let record: JsonObject | undefined;
		this.list.pending.add(entry);
		try {
			record = await (earlier ? this.settle(entry) : this.send(entry));
			return record;
		} finally {
			if (entry.state === 'doubtful') entry.state = 'unclear';
			this.list.ended(entry);
			ledger.keep(this.rowKey, { entry, record });
		}
	}

	/** Whether the same row was sent in an earlier try. */
	get isOfKnownRow(): boolean {
		return this.ofRow !== undefined;
	}

	private get ofRow() {
		const { rows } = ledgerOf(this.connection.account);
		const sent = this.rowKey === undefined ? undefined : rows.get(this.rowKey);
		return sent?.entry.state === 'refused' ? undefined : sent;
	}

	/** The same row in an earlier try; or the same content, where another run has left it in doubt. */
	private earlier(): Entry | undefined {
		if (this.ofRow) return this.ofRow.entry;
		const doubt = this.list.doubtOf(this.content);
		const isOfOtherRow = doubt?.run !== undefined && doubt.run === this.row?.run;
		return isOfOtherRow ? undefined : doubt;
	}

	private async send(entry: Entry): Promise<JsonObject> {
		for (;;) {
			entry.state = 'sent';
			const result = await attempt(this.patient(), this.request);
			if (!(result instanceof ServiceError)) {
				entry.firstSentAt = Math.min(this.last ? entry.firstSentAt : Infinity, result.sentAt);
				return this.done(entry, createdItem(this.fields, result));
			}
			const { facts } = result;
			if (!this.last) entry.firstSentAt = facts.sentAt ?? entry.firstSentAt;
			this.failedAt ??= facts.failedAt ?? this.now;
			if (!result.mayHaveActed && !(this.last && isTaken(result))) {
				entry.state = 'refused';
				throw result;
			}
			// "Already taken" after a fault: by an earlier attempt, perhaps.
			const isByEarlier = !result.mayHaveActed;
			this.last = result;
			if (!isByEarlier) Object.assign(entry, { state: 'doubtful', doubtSince: this.now });
			entry.isOwnError = isByEarlier ? entry.isOwnError : facts.isOwnError === true;
			if (result.kind === 'cancelled') throw result;
			const evidence = await this.look(entry);
			if (typeof evidence === 'object') return this.done(entry, evidence.record);
			if (evidence === 'unclear' || isByEarlier) throw this.unconfirmed();
			if (!this.mayResend(entry)) {
				entry.state = 'refused';
				throw new ServiceError({ ...facts, mayHaveActed: false });
			}
		}
	}

	/** What an earlier try has left in doubt: its record, or else it is sent. */
	private async settle(entry: Entry): Promise<JsonObject> {
		this.failedAt = this.connection.since ?? this.now;
		const evidence = await this.look(entry);
		if (typeof evidence === 'object') return this.done(entry, evidence.record);
		if (evidence === 'unclear' || !this.mayResend(entry)) throw this.unconfirmed();
		entry.sent = comparable(this.fields);
		return await this.send(entry);
	}

	private mayResend(entry: Entry): boolean {
		const kind = entry.isOwnError ? 'own' : 'silent';
		return entry.resent[kind]++ < MAX_RESENT[kind];
	}

	private done(entry: Entry, record: JsonObject): JsonObject {
		this.list.done(entry, this.content, record);
		return record;
	}

	private async look(entry: Entry): Promise<Evidence> {
		const evidence = this.findEvidence(entry);
		return await (this.connection.looking?.during(evidence) ?? evidence);
	}

	/** Looks at the list until it shows what became of the create, or the time is over. */
	private async findEvidence(entry: Entry): Promise<Evidence> {
		const { account, signal } = this.connection;
		const { clock } = account;
		// Who is too busy may have been so again; who fails again has an error for this row.
		const isBusy = this.last?.facts.status === 503;
		const again = entry.resent.own > 0 && !isBusy ? 'ownAgain' : 'own';
		const schedule = times.looks[entry.isOwnError ? again : 'silent'];
		const end = schedule[schedule.length - 1];
		let absent = 0;
		let unreadable = 0;
		// Whether the last reading showed all that one can: more of them would say the same.
		let showedAll = false;
		for (let looks = 0; looks < schedule.length + MORE_LOOKS; looks++) {
			const after = schedule[looks] ?? end + (looks - schedule.length + 1) * MORE_AFTER;
			const at = Math.max(entry.doubtSince + after, this.now);
			if (at > this.deadline || (after > end && showedAll)) return 'unclear';
			await clock.sleep(at - this.now, signal);
			const time = Math.max(MIN_READING, this.deadline - this.now);
			const look = await withinTime(
				clock,
				time,
				async (ended) =>
					await this.list.read(this.looking(ended), this.request, this.paging, this.now),
				signal,
			);
			if (look === 'unreadable' && ++unreadable >= MAX_UNREADABLE) return 'unclear';
			if (look === undefined || look === 'unreadable') continue;
			const evidence = this.list.judge(look, entry, account);
			if (typeof evidence === 'object') return evidence;
			if (evidence === 'unclear') absent = 0;
			if (evidence === 'absent' && ++absent >= ABSENT_TWICE) return 'absent';
			showedAll = evidence === 'unclear' || (evidence === 'nothing' && look.isComplete);
		}
		return 'unclear';
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

	private looking(signal: AbortSignal): Connection {
		return { ...this.patient(), urgency: 'look', signal };
	}

	private unconfirmed(): ServiceError {
		const { request, last: cause } = this;
		const status = cause?.facts.status;
		return new ServiceError({ kind: 'unconfirmed', request, status, mayHaveActed: true, cause });
	}
}

function isTaken({ facts: { status, said } }: ServiceError): boolean {
	const text = [said?.text, ...(said?.fields ?? [])].join(' ');
	return status === 409 || ([400, 422].includes(status ?? 0) && TAKEN.test(text));
}
