import { type Connection, withOwnSignal } from '../account';
import { hashOf } from '../http/records';
import type { Paging } from '../list/page';
import type { JsonObject } from '../ports';
import { fieldsOf, type ServiceRequest } from '../request';
import { keyOf, type Matching } from '../same/key';
import type { Keys } from '../same/keyIndex';
import { withinTime } from '../time';
import type { Relation } from '../same/relation';
import { Entry, type RowKey } from './entry';
import { Sending } from './sending';
import { memoryOf } from './memory';
import type { Before } from './versions';

/** How a record is created. */
export interface CreateHow {
	/** How the pages of the record's list are requested. */
	paging: Paging;
	/** The fields that are compared to find the record again. */
	matching: Matching;
	/** Their keys in the record, if they are known. */
	keys?: Keys;
	/**
	 * The list as it was before: what other runs have created since is compared with the record. Absent:
	 * another record is wanted, whatever exists, and after a fault nothing can be told from the list.
	 */
	before?: Before;
	/** Further fields of which it is noted if the service keeps them otherwise. */
	watched?: string[];
	/** True to compare nothing but the match fields, because the user has named them. */
	isExact?: boolean;
	/** Identifies the row if it may be run again: it gets the record of an earlier try. */
	row?: RowKey;
	/** Why the row is refused by now: an earlier try is looked for, and not sent again. */
	error?: Error;
	/** True to wait for others and look for a lost record no longer than the patience: someone waits. */
	isBrief?: boolean;
}

/** A created record, one that an earlier try has updated, or one that another row has created, which the list need not show yet. */
export interface Created {
	became: 'created' | 'updated' | Relation;
	/** As the service shows it, else what was sent; of another row: its ID and what is equal. */
	record: JsonObject;
	/** True if the service shows it now. */
	isShown: boolean;
	/** The compared fields that the service keeps otherwise than they were sent; of another row: those that differ. */
	changed: string[];
	/** The flaw that an earlier try has found in it. */
	warning?: string;
}

/** The longest wait for what another run does (ms). */
const LONGEST_WAIT = 3 * 24 * 3_600_000;

/**
 * Creates a record once: sends it, looks at the list after a fault, and decides (docs/reliability.md).
 * The service is believed.
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

class Create {
	private readonly fields: JsonObject;
	private readonly sending: Sending;

	constructor(
		private readonly connection: Connection & { since: number },
		private readonly request: ServiceRequest,
		private readonly how: CreateHow,
	) {
		this.fields = fieldsOf(request);
		this.sending = new Sending(connection, request, how);
	}

	async run(): Promise<Created> {
		const { connection, how, fields, memory } = this;
		const { row, matching, before } = how;
		const done = this.earlier();
		if (done) return done;
		const earlier = memory.inDoubt(row);
		if (earlier) {
			const created = await this.during(earlier, async () => await this.sending.settle(earlier));
			if (created) return created;
			if (how.error) throw how.error;
			earlier.wasResent = true;
		}
		const wall = connection.account.clock.wall();
		return await this.send(earlier ?? new Entry(fields, matching, before, row, wall, how.keys));
	}

	/** The result of the same row before: in an earlier try, or an equal call of a tool. */
	private earlier(): Created | undefined {
		const done = this.memory.doneBy(this.how.row);
		if (!done) return undefined;
		const record = { ...this.fields, ...(done.id !== undefined && { id: done.id }) };
		const became = done.isUpdate ? 'updated' : 'created';
		const { changed = [], warning } = done;
		return { became, record, isShown: false, changed, warning };
	}

	/** Sends it, unless another run has just created what is related to it. */
	private async send(entry: Entry): Promise<Created> {
		const { before, isExact } = this.how;
		const asks = !isExact;
		while (before !== undefined) {
			const other = this.ledger.relatedOpen(entry, asks, this.now);
			if (!other) break;
			await this.awaitOther(other);
			const done = this.earlier();
			if (done) return done;
		}
		// From here on nothing is awaited: who comes next has to see this one.
		const known = before && this.known(entry, before, asks);
		if (known) return known;
		return (await this.during(entry, async () => await this.sending.send(entry)))!;
	}

	private known(entry: Entry, before: Before, asks: boolean): Created | undefined {
		const { made, relation } = this.ledger.relatedMade(entry, before, asks) ?? {};
		if (!made || !relation) return undefined;
		const { fields } = this.how.matching;
		const changed = fields.filter((field) => (made.keys[field] ?? '') !== entry.keys[field]);
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
		const { ledger, connection, how, sending } = this;
		const { ended } = other;
		if (ended) {
			const { account, patienceMs, signal } = connection;
			const wait = async () => await ended.then(() => true);
			const longest = how.isBrief ? patienceMs : LONGEST_WAIT;
			const isOver = await withinTime(account.clock, longest, wait, signal);
			const isOpen = !isOver || (ledger.open.has(other) && !other.ended);
			if (isOpen) throw sending.unconfirmed(other.error);
			return;
		}
		const found = await other.during(async () => await sending.look(other, 'silent'));
		if (found === 'unclear') throw sending.unconfirmed(other.error);
		ledger.open.delete(other);
		if (found !== 'absent') this.note(other, found.record, []);
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
		const { ledger, memory, sending } = this;
		ledger.open.add(entry);
		return await entry.during(async () => {
			try {
				const record = await work();
				const changed = record && this.changedIn(record);
				if (record) this.note(entry, record, changed!);
				ledger.open.delete(entry);
				return record && { became: 'created', record, isShown: sending.isShown, changed: changed! };
			} catch (thrown) {
				entry.error = sending.errorOf(thrown, entry);
				const { mayHaveActed } = entry.error;
				if (!mayHaveActed) ledger.open.delete(entry);
				memory.noteDoubt(entry, mayHaveActed);
				throw entry.error;
			}
		});
	}

	/** The compared fields that the service keeps otherwise than they were sent. */
	private changedIn(record: JsonObject): string[] {
		const { fields } = this;
		const { matching, watched = [] } = this.how;
		const { time = '', fields: names, isTerm } = matching;
		const compared = new Set([...names, time, ...watched]);
		const isOther = (name: string) =>
			Object.hasOwn(record, name) &&
			Object.hasOwn(fields, name) &&
			keyOf(record[name], isTerm) !== keyOf(fields[name], isTerm);
		return [...compared].filter(isOther);
	}

	private note(entry: Entry, record: JsonObject, changed: string[]): void {
		const { id } = this.ledger.add(entry, record, this.now);
		const { keys } = this.how;
		this.memory.noteCreated(this.request.noun, id);
		this.memory.noteDone(entry.row, {
			...(id !== undefined ? { id } : keys && { values: hashOf(keys) }),
			...(changed.length > 0 && { changed }),
		});
	}

	private get memory() {
		return memoryOf(this.connection.account);
	}

	/** Asked for anew each time: an empty one may have been released. */
	private get ledger() {
		return this.memory.ledgerOf(this.request);
	}

	private get now(): number {
		return this.connection.account.clock.now();
	}
}
