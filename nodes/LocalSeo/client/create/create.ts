import pick from 'lodash/pick';

import { type Connection, withOwnSignal } from '../connection';
import { type ErrorFacts, ServiceError } from '../errors';
import { idOf, recordIn } from '../http/records';
import { trySend } from '../http/send';
import type { Paging } from '../list/page';
import type { HttpResponse, JsonObject } from '../ports';
import type { ServiceRequest } from '../request';
import { isTimeShown, keyOf } from '../same/key';
import { nameOf, type Sought } from '../same/sameRecords';
import { withinTime } from '../time';
import { type Evidence, lookFor } from './look';
import { type Before, Entry, type ListMemory, type RowKey, type RunMemory } from './memory';

/** How a record is created. */
export interface CreateHow {
	/** How the pages of the record's list are requested. */
	paging: Paging;
	/** By what the record is found again. */
	sought: Sought;
	/** The list as it was before; absent: another record is wanted, whatever exists, and nothing can be told from the list. */
	before?: Before;
	/** Further fields of which it is noted if the service keeps them otherwise. */
	watched?: string[];
	/** The row in its run: if that is tried again, it gets the record of the earlier try. */
	row: RowKey['row'];
	/** True to wait for others and look for a lost record no longer than the patience: someone waits. */
	isBrief?: boolean;
}

/** A created record, one that an earlier try has updated, or one that another run has just created. */
export interface Created {
	became: 'created' | 'updated' | 'equal';
	/** As the service shows it, else what was sent, with its ID where that is known. */
	record: JsonObject;
	/** True if the service shows it now. */
	isShown: boolean;
	/** The compared fields that the service keeps otherwise than they were sent. */
	changed: string[];
}

/**
 * Creates a record once: sends it, looks at the list after a fault, and decides (docs/reliability.md). With a list
 * that was read before, nothing equal was in it: so any equal record after a fault is the row's, whoever made it.
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

/** What another run has just created with the match fields of a row, although the list need not show it yet. */
export function justCreated(
	{ account }: Connection,
	request: ServiceRequest,
	{ sought, before }: Pick<CreateHow, 'sought' | 'before'>,
): Entry | undefined {
	const entry = before && account.memory.listOf(request).lately(nameOf(sought), before);
	return entry?.isDone ? entry : undefined;
}

class Create {
	private readonly fields: JsonObject;
	private readonly list: ListMemory;
	private readonly ofRun: RunMemory;
	/** When someone waits no longer, by the account's clock (ms). */
	private readonly deadline: number;

	constructor(
		private readonly connection: Connection & { since: number },
		private readonly request: ServiceRequest,
		private readonly how: CreateHow,
	) {
		const { account, run, since, patienceMs } = connection;
		this.fields = request.body ?? {};
		this.list = account.memory.listOf(request);
		this.ofRun = run ?? account.run();
		this.deadline = how.isBrief ? since + patienceMs : Infinity;
	}

	async run(): Promise<Created> {
		const { how, list, ofRun } = this;
		const { row, before, sought } = how;
		const earlier = ofRun.earlier(row);
		if (earlier) return await this.again(earlier);
		const key = nameOf(sought);
		for (let other; (other = before && list.lately(key, before)); ) {
			await this.settle(other);
			if (other.isDone) return this.createdBefore('equal', other);
			if (list.entries.get(key) === other) list.entries.delete(key);
		}
		// From here on nothing is awaited: whoever comes next has to see this one.
		const entry = new Entry(sought, before);
		const replaced = list.entries.get(key);
		ofRun.note(row, entry);
		list.entries.set(key, entry);
		try {
			return await this.noted(entry, async () => await this.send(entry));
		} finally {
			// A create that was refused has made nothing: another one counts again.
			const isRefused = !entry.isDone && entry.doubtSince === undefined;
			if (isRefused && replaced) list.entries.set(key, replaced);
		}
	}

	/** The same row, tried again: it keeps its record, and is not sent a second time. */
	private async again(entry: Entry): Promise<Created> {
		if (entry.isDone) return this.createdBefore(entry.isUpdate ? 'updated' : 'created', entry);
		return await this.noted(entry, async () => {
			const found = await this.look(entry);
			if (typeof found === 'object') return found.record;
			const { error } = entry;
			const saysItself = entry.isOwnError || error?.kind === 'cancelled';
			throw saysItself ? error! : this.unconfirmed(error);
		});
	}

	private createdBefore(became: Created['became'], { id }: Entry): Created {
		const { fields, how } = this;
		// Another run may have sent other values of what is not compared.
		const known = became === 'equal' ? pick(fields, how.sought.matching.fields) : fields;
		const record = { ...known, ...(id !== undefined && { id }) };
		return { became, record, isShown: false, changed: [] };
	}

	/**
	 * Waits for what becomes of an equal create of another run, and looks for its record if nobody does.
	 *
	 * @throws ServiceError `unconfirmed` where that can't be told
	 */
	private async settle(other: Entry): Promise<void> {
		const { connection, deadline } = this;
		const { clock } = connection.account;
		const wait = async () => {
			await other.working;
			return true;
		};
		const isOver = await withinTime(clock, deadline - clock.now(), wait, connection.signal);
		if (!isOver) throw this.unconfirmed(other.error);
		if (other.isDone || other.doubtSince === undefined) return;
		const found = await this.look(other);
		if (typeof found === 'object') this.note(other, found.record);
		else if (found !== 'absent') throw this.unconfirmed(other.error);
	}

	/** Does the work of a create, and notes what became of it. */
	private async noted(entry: Entry, work: () => Promise<JsonObject>): Promise<Created> {
		const { clock } = this.connection.account;
		return await entry.during(clock, async () => {
			try {
				const record = await work();
				this.note(entry, record);
				const isShown = record !== this.fields;
				return { became: 'created', record, isShown, changed: this.changedIn(record) };
			} catch (thrown) {
				entry.error = this.errorOf(thrown);
				if (entry.error.mayHaveActed) entry.doubtSince ??= clock.now();
				throw entry.error;
			}
		});
	}

	private note(entry: Entry, record: JsonObject): void {
		entry.done(idOf(record));
		// One that was found.
		if (record !== this.fields) this.list.name(record);
	}

	/** Sends it, looks for it after a fault, and sends it once more where it is surely absent. */
	private async send(entry: Entry): Promise<JsonObject> {
		const { connection, list } = this;
		// The second sending has a patience of its own.
		const again = { since: undefined, urgency: 'repeat' as const };
		for (const more of [{}, again]) {
			const result = await list.during(this.sendOnce(more));
			if (!(result instanceof ServiceError)) return recordIn(result) ?? this.fields;
			// "Already taken" may be said of what the first sending has made.
			if (!result.mayHaveActed) throw more === again ? this.unconfirmed(result) : result;
			entry.doubtSince = connection.account.clock.now();
			entry.error = result;
			if (result.kind === 'cancelled') throw result;
			const found = await this.look(entry);
			if (typeof found === 'object') return found.record;
			if (entry.isOwnError) {
				throw new ServiceError({ ...result.facts, isUnseen: found === 'unseen' } as ErrorFacts);
			}
			if (found !== 'absent') throw this.unconfirmed(result);
		}
		throw this.unconfirmed(entry.error);
	}

	private async sendOnce(more: Partial<Connection>): Promise<HttpResponse | ServiceError> {
		const result = await trySend({ ...this.connection, ...more }, this.request);
		// As long as it is under way, others wait: the ID is known before it is over.
		if (!(result instanceof ServiceError)) this.list.name(recordIn(result));
		return result;
	}

	private async look(entry: Entry): Promise<Evidence> {
		const { connection, request, deadline } = this;
		return await lookFor(entry, { connection, request, paging: this.how.paging, deadline });
	}

	/** The compared fields that the service keeps otherwise than they were sent. */
	private changedIn(record: JsonObject): string[] {
		const { fields, how } = this;
		const { sought, watched = [] } = how;
		const { fields: compared, time = '', zone, compareAs } = sought.matching;
		const isSame = (name: string) =>
			name === time
				? isTimeShown(record[name], fields[name], zone)
				: keyOf(record[name], compareAs) === keyOf(fields[name], compareAs);
		return [...new Set([...compared, time, ...watched])].filter(
			(name) => Object.hasOwn(record, name) && Object.hasOwn(fields, name) && !isSame(name),
		);
	}

	/** A mistake of ours after the request was sent says nothing of what became of it. */
	private errorOf(thrown: unknown): ServiceError {
		if (thrown instanceof ServiceError) return thrown;
		const { request, connection } = this;
		if (!connection.signal?.aborted) return this.unconfirmed(thrown);
		return new ServiceError({ kind: 'cancelled', request, mayHaveActed: true, cause: thrown });
	}

	private unconfirmed(cause?: unknown): ServiceError {
		if (cause instanceof ServiceError && cause.kind === 'unconfirmed') return cause;
		const status = cause instanceof ServiceError ? cause.status || undefined : undefined;
		const { request } = this;
		return new ServiceError({ kind: 'unconfirmed', request, status, mayHaveActed: true, cause });
	}
}
