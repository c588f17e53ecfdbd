import { type Connection, withOwnSignal } from '../account';
import { type ErrorFacts, ServiceError } from '../errors';
import { recordIn } from '../http/records';
import { type Success, trySend } from '../http/send';
import type { Paging } from '../list/page';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { keyOf, type Matching } from '../same/key';
import { withinTime } from '../time';
import { confirm } from './confirm';
import { type Entry, newEntry, type Relation, type RowKey } from './entry';
import type { Evidence, Ledger } from './ledger';
import { type Done, doneBefore, memoryOf, noteDone } from './memory';
import type { Before } from './versions';

/** How a record is created. */
export interface CreateHow {
	/** How the pages of the record's list are requested. */
	paging: Paging;
	/** The fields that are compared to find the record again. */
	matching: Matching;
	/**
	 * The list as it was before: what other runs have created since is compared with the record. Absent:
	 * another record is wanted, whatever exists, and after a fault nothing can be told from the list.
	 */
	before?: Before;
	/** True to compare nothing but the match fields, because the user has named them. */
	isExact?: boolean;
	/** Identifies the row if it may be run again: it gets the record of an earlier try. */
	row?: RowKey;
	/** True to wait for others and look for a lost record no longer than the patience: someone waits. */
	isBrief?: boolean;
}

/** A created record, or one that another row has created, which the list need not show yet. */
export interface Created {
	became: 'created' | Relation;
	/** As the service shows it, else what was sent; of another row: its ID and what is equal. */
	record: JsonObject;
	/** True if the service shows it now. */
	isShown: boolean;
	/** The compared fields that the service keeps otherwise than they were sent; of another row: those that differ. */
	changed: string[];
}

/**
 * Creates a record once: sends it, looks at the list after a fault, and decides (docs/reliability.md).
 * What the service says is believed.
 *
 * @throws ServiceError as `send` does, and `unconfirmed` where the record may exist
 */
export async function create(
	connection: Connection,
	request: ServiceRequest,
	how: CreateHow,
): Promise<Created> {
	const own = { ...withOwnSignal(connection), since: connection.account.clock.now() };
	own.signal?.throwIfAborted();
	return await new Create(own, request, how).run();
}

/** The longest wait for what another run does (ms). */
const LONGEST_WAIT = 3 * 24 * 3_600_000;

/** The creation of one record, over all its attempts. */
class Create {
	private readonly fields: JsonObject;
	private isShown = false;

	constructor(
		private readonly connection: Connection & { since: number },
		private readonly request: ServiceRequest,
		private readonly how: CreateHow,
	) {
		this.fields = fieldsOf(request);
	}

	async run(): Promise<Created> {
		const { connection, how, fields, ledger } = this;
		const { row, matching, before } = how;
		const done = doneBefore(connection.account, row);
		if (done) return this.createdBefore(done);
		if (row && before) this.memory.noteReader(row, ledger, before);
		const earlier = this.memory.inDoubt(row);
		if (earlier) return await this.settle(earlier);
		const entry = newEntry(fields, matching, before, row, connection.account.clock.wall());
		return await this.sendUnlessKnown(entry);
	}

	/** The same row again: its record is found, or it is sent once more, once in all. */
	private async settle(earlier: Entry): Promise<Created> {
		const { error, isOwnError, wasResent } = earlier;
		const created = await this.during(earlier, async () => {
			const found = await this.look(earlier, isOwnError ? 'own' : 'silent');
			if (typeof found === 'object') return this.found(found.record);
			if (isOwnError && error) throw error;
			if (found === 'unclear' || wasResent) throw this.unconfirmed(error);
			return undefined;
		});
		if (created) return created;
		earlier.wasResent = true;
		return await this.sendUnlessKnown(earlier);
	}

	/** Sends it, unless another run has just created what is related to it. */
	private async sendUnlessKnown(entry: Entry): Promise<Created> {
		const { before, isExact } = this.how;
		const asks = !isExact;
		while (before !== undefined) {
			const other = this.ledger.relatedOpen(entry, asks, this.now);
			if (!other) break;
			await this.awaitOther(other);
		}
		// From here on nothing is awaited: who comes next has to see this one.
		const known = before && this.known(entry, before, asks);
		if (known) return known;
		return (await this.during(entry, async () => await this.send(entry)))!;
	}

	private known(entry: Entry, before: Before, asks: boolean): Created | undefined {
		const { made, relation } = this.ledger.relatedMade(entry, before, asks) ?? {};
		if (!made || !relation) return undefined;
		const { fields } = this.how.matching;
		const changed = fields.filter((field) => made.keys[field] !== entry.keys[field]);
		const equal = fields.filter((field) => !changed.includes(field) && field in this.fields);
		const values = Object.fromEntries(equal.map((field) => [field, this.fields[field]]));
		const record = { ...(made.id !== undefined && { id: made.id }), ...values };
		return { became: relation, record, isShown: false, changed };
	}

	/**
	 * Waits for what becomes of a create of another run, and looks for its record if nobody does.
	 *
	 * @throws ServiceError `unconfirmed` where that can't be told
	 */
	private async awaitOther(other: Entry): Promise<void> {
		const { ledger, connection, how } = this;
		const { ended } = other;
		if (ended) {
			const { account, patienceMs, signal } = connection;
			const longest = how.isBrief ? patienceMs : LONGEST_WAIT;
			const wait = async () => await ended.then(() => true);
			const isOver = await withinTime(account.clock, longest, wait, signal);
			if (!isOver || (ledger.open.has(other) && !other.ended)) throw this.unconfirmed(other.error);
			return;
		}
		const found = await this.working(other, async () => await this.look(other, 'silent'));
		if (found === 'unclear') throw this.unconfirmed(other.error);
		if (found === 'absent') ledger.open.delete(other);
		else this.note(other, found.record, []);
	}

	/**
	 * Does the work of a create, and notes what became of it.
	 *
	 * @param work returns the record; undefined if it is proved that there is none
	 */
	private async during(
		entry: Entry,
		work: () => Promise<JsonObject | undefined>,
	): Promise<Created | undefined> {
		const { ledger, memory } = this;
		ledger.open.add(entry);
		return await this.working(entry, async () => {
			try {
				const record = await work();
				if (!record) {
					ledger.open.delete(entry);
					return undefined;
				}
				const changed = this.changedIn(record);
				this.note(entry, record, changed);
				return { became: 'created', record, isShown: this.isShown, changed };
			} catch (thrown) {
				const error = this.errorOf(thrown, entry);
				entry.error = error;
				if (!error.mayHaveActed) ledger.open.delete(entry);
				memory.noteDoubt(entry, error.mayHaveActed);
				throw error;
			}
		});
	}

	/** Others wait for an entry while somebody is at work on it. */
	private async working<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
		let end = () => {};
		entry.ended = new Promise<void>((resolve) => (end = resolve));
		try {
			return await work();
		} finally {
			entry.ended = undefined;
			end();
		}
	}

	private async send(entry: Entry): Promise<JsonObject> {
		const { request, connection } = this;
		const flight = { begins: () => begin(entry), ends: () => land(entry) };
		for (;;) {
			// The second sending has a patience of its own.
			const again = { since: undefined, urgency: 'repeat' as const };
			const own = { ...connection, ...(entry.wasResent && again), flight };
			try {
				const result = await trySend(own, request);
				if (!(result instanceof ServiceError)) return this.shown(result);
				const found = await this.afterFault(entry, result);
				if (found) return found;
			} finally {
				flight.ends();
			}
		}
	}

	private found(record: JsonObject): JsonObject {
		this.isShown = true;
		return record;
	}

	private shown(response: Success): JsonObject {
		const record = recordIn(response);
		this.isShown = record !== undefined;
		return record ?? { ...this.fields };
	}

	/** Looks for the record of a request that failed; undefined if it is to be sent again. */
	private async afterFault(entry: Entry, error: ServiceError): Promise<JsonObject | undefined> {
		const { facts } = error;
		if (!error.mayHaveActed) {
			if (entry.doubtSince === undefined) throw error;
			// "Already taken" may be said of what the first sending has made.
			throw this.unconfirmed(error);
		}
		entry.doubtSince = this.now;
		entry.isOwnError = facts.kind === 'rejected' && facts.isOwnError === true;
		// Whoever judges a reading need not wait for it any more.
		land(entry);
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

	private async look(entry: Entry, fault: 'own' | 'silent'): Promise<Evidence> {
		const { connection, request, ledger, how } = this;
		if (entry.before?.versions === undefined) return 'unclear';
		const { patienceMs, since } = connection;
		const endsAt = how.isBrief ? since + patienceMs : undefined;
		const search = { connection, request, paging: how.paging };
		return await confirm(search, ledger, entry, { fault, endsAt });
	}

	/** The compared fields that the service keeps otherwise than they were sent. */
	private changedIn(record: JsonObject): string[] {
		const { fields } = this;
		const { time, fields: names, isTerm } = this.how.matching;
		const compared = new Set(time === undefined ? names : [...names, time]);
		const isOther = (name: string) =>
			Object.hasOwn(record, name) &&
			Object.hasOwn(fields, name) &&
			keyOf(record[name], isTerm) !== keyOf(fields[name], isTerm);
		return [...compared].filter(isOther);
	}

	private note(entry: Entry, record: JsonObject, changed: string[]): void {
		const { ledger, connection } = this;
		const { id } = ledger.add(entry, record, this.now);
		ledger.open.delete(entry);
		noteDone(connection.account, entry.row, {
			...(id !== undefined && { id }),
			...(changed.length > 0 && { changed }),
		});
	}

	private createdBefore({ id, changed = [] }: Done): Created {
		const record = { ...this.fields, ...(id !== undefined && { id }) };
		return { became: 'created', record, isShown: false, changed };
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

	/** Asked for anew each time: an empty one may have been released. */
	private get ledger(): Ledger {
		return this.memory.ledgerOf(this.request);
	}

	private get now(): number {
		return this.connection.account.clock.now();
	}
}

/** Whoever judges a reading waits for a request that is under way. */
function begin(entry: Entry): void {
	let land = () => {};
	const answered = new Promise<void>((resolve) => (land = resolve));
	entry.flight = { answered, land };
}

function land(entry: Entry): void {
	entry.flight?.land();
	entry.flight = undefined;
}
