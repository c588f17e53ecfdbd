import { type Connection, withOwnSignal } from '../account';
import { jsonBytes } from '../boundedMap';
import { ServiceError } from '../errors';
import { deniesSuccess, idOf, isEnvelope, recordsIn } from '../exchange/records';
import { fieldsOf, type ServiceRequest } from '../exchange/request';
import { attempt, MAX_ATTEMPTS, unexpectedResponse } from '../exchange/send';
import { readServiceMessage, type ServiceMessage } from '../exchange/serviceMessage';
import type { Paging } from '../lists/page';
import type { HttpResponse, JsonObject } from '../ports';
import { withinTime } from '../withinTime';
import { hashOf } from '../exchange/hashOf';
import { comparable, likenessOf } from './likeness';
import type { Doubt, Evidence, ListWatch, Snapshot } from './listWatch';
import { writeMemoryOf } from './writeMemory';

/** Milliseconds before each check of the list; the last one repeats until something is certain. */
const CHECK_AFTER = [100, 700, 1_500, 4_000, 10_000, 20_000];
/** A check that has begun gets this many milliseconds at least. */
const MIN_READING = 10_000;
/** The pause after a reading, in times of what it took. */
const PAUSE_FACTOR = 4;
/** How often a list is requested that the service refuses to show. */
const MAX_UNREADABLE = 2;
/** Statuses that may say that a record exists already. */
const CONFLICTS = [400, 409, 422];
/** The status of a form that was accepted: its result stands on another page. */
const SEE_OTHER = 303;
/** A 500 that took longer, in milliseconds, may be that of a gateway. */
const MAX_OWN_ERROR = 10_000;
/** How often a create is sent again after a timeout or a gateway's response. */
const MAX_RESENDS_SLOW = 1;

/**
 * Creates a record once: if the outcome of a request is not known, the list is checked before
 * anything is sent again (docs/guarantees.md).
 *
 * @param paging how the pages of the record's list are requested
 * @param row identifies the row if it may be run again: the record of an earlier try is looked for
 * first, even if that try sent other content (the time of day, say)
 * @throws ServiceError as `send` does, and `unconfirmed` where the record may exist
 */
export async function create(
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
	row?: RowKey,
): Promise<JsonObject[]> {
	const { account } = connection;
	const { creating } = writeMemoryOf(account);
	const { path, ids, body } = request;
	const content = hashOf([path, ids, body]);
	// Creates of the same content follow one another: each must know the outcome of the one before.
	const before = creating.get(content) ?? Promise.resolve();
	const patient = { ...withOwnSignal(connection), since: account.clock.now() };
	const creation = before.then(async () => {
		connection.signal?.throwIfAborted();
		return await new Create(patient, request, paging, content, row).run();
	});
	account.creates++;
	const settle = () => {
		account.creates--;
		if (creating.get(content) === done) creating.delete(content);
	};
	const done: Promise<void> = creation.then(settle, settle);
	creating.set(content, done);
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

/** A row in one run of a program; it stays the same when the row is tried again. */
export interface RowKey {
	run: string;
	row: number | string;
}

/** The creation of one record, over all its attempts. */
class Create {
	private readonly watch: ListWatch;
	private readonly rowKey?: string;
	private last?: ServiceError;
	/** When a request first failed; the patience counts from then. */
	private failedAt?: number;
	/** Whether no earlier try of the row may have sent it. */
	private isFirstTry = true;

	constructor(
		private readonly connection: Connection,
		private readonly request: ServiceRequest,
		private readonly paging: Paging,
		private readonly content: string,
		private readonly row?: RowKey,
	) {
		this.watch = writeMemoryOf(connection.account).watchOf(request);
		this.rowKey = row && hashOf(row);
	}

	async run(): Promise<JsonObject[]> {
		const { clock } = this.connection.account;
		const { doubts, doubtsOfRows } = writeMemoryOf(this.connection.account);
		const { content, rowKey } = this;
		const ofRow = rowKey === undefined ? undefined : doubtsOfRows.get(rowKey);
		const ofContent = doubts.get(content);
		const isOfOther = ofContent?.run !== undefined && ofContent.run === this.row?.run;
		const earlier = ofRow ?? (isOfOther ? undefined : ofContent);
		this.isFirstTry = earlier === undefined;
		if (earlier) doubts.delete(content);
		if (earlier && rowKey !== undefined) doubtsOfRows.delete(rowKey);
		const sent = comparable(fieldsOf(this.request));
		const { watch } = this;
		const doubt: Doubt = earlier ?? { sent, watch, firstSentAt: clock.now(), resends: 0 };
		doubt.run = this.row?.run;
		this.watch.begin(doubt);
		try {
			if (earlier) this.failedAt = this.connection.since;
			return await this.sendOnce(doubt, sent);
		} finally {
			this.watch.end(doubt);
			if (doubt.inDoubtSince !== undefined) {
				const bytes = jsonBytes(doubt.sent) + 100;
				doubts.set(content, doubt, bytes);
				if (rowKey !== undefined) doubtsOfRows.set(rowKey, doubt, bytes);
			}
		}
	}

	private async sendOnce(doubt: Doubt, sent: JsonObject): Promise<JsonObject[]> {
		const { account } = this.connection;
		for (let attempts = 0; ; ) {
			if (doubt.inDoubtSince !== undefined) {
				const evidence = await this.evidenceOf(doubt);
				if (typeof evidence === 'object') return this.keep(doubt, evidence.record);
				const mayResend =
					evidence === 'absent' &&
					attempts < MAX_ATTEMPTS &&
					!doubt.isAccepted &&
					!(doubt.isSlow && doubt.resends >= MAX_RESENDS_SLOW);
				if (!mayResend) throw this.unconfirmed();
				doubt.inDoubtSince = undefined;
				doubt.sent = sent;
				if (doubt.isSlow) doubt.resends++;
			}
			attempts++;
			const result = await attempt(this.patient(), this.request);
			const { sentAt } = result instanceof ServiceError ? result.facts : result;
			// Until now it was when the row began to wait for its turn: what was refused had no effect.
			if (this.isFirstTry && attempts === 1) doubt.firstSentAt = sentAt ?? doubt.firstSentAt;
			if (result instanceof ServiceError) {
				this.failedAt ??= result.facts.failedAt ?? account.clock.now();
				// What is there already ("the title is taken") may be what an earlier attempt has made.
				const { status = 0 } = result.facts;
				if (this.last !== undefined && CONFLICTS.includes(status)) throw this.unconfirmed(status);
				if (!result.mayHaveActed) throw result;
				this.last = result;
				const isLate = account.clock.now() - (sentAt ?? 0) > MAX_OWN_ERROR;
				doubt.isUnheard ||= status !== 500 || isLate;
				const isGivenUp = result.kind !== 'connection-lost' && !result.facts.isBusy;
				doubt.isSlow ||= doubt.isUnheard && isGivenUp;
				doubt.isAccepted ||= status === SEE_OTHER;
				doubt.inDoubtSince = account.clock.now();
				if (result.kind === 'cancelled') throw result;
				continue;
			}
			const record = this.createdRecord(result, doubt);
			if (record) {
				this.watch.claim(record, doubt, result.sentAt, account);
				return [record];
			}
			// A success without a record: the list has to show it.
			this.failedAt ??= result.stalledSince;
			this.last = undefined;
			// Accepted is not done: what happens then, happens later.
			doubt.isUnheard ||= result.status === 202;
			doubt.inDoubtSince = account.clock.now();
			const evidence = await this.evidenceOf(doubt);
			if (typeof evidence === 'object') return this.keep(doubt, evidence.record);
			const isNone = evidence === 'absent' && this.isNoSuccess(result, doubt);
			doubt.isAccepted = !isNone;
			if (!isNone) throw this.unconfirmed(result.status, saidIn(result));
			doubt.inDoubtSince = undefined;
			throw unexpectedResponse(this.request, result, false);
		}
	}

	/** The record in a success: a new one with an ID, or one with what was sent. */
	private createdRecord(response: HttpResponse, doubt: Doubt): JsonObject | undefined {
		if (deniesSuccess(response.body)) return undefined;
		const [record, ...more] = recordsIn(response);
		// Several are the list: a create that was redirected on its way arrives as a read.
		if (record === undefined || more.length > 0 || this.watch.isTaken(record)) return undefined;
		if (likenessOf(record, doubt.sent) === 'same') return record;
		const id = idOf(record);
		// What is accepted for later may come with the ID of a job; a parent has the ID in the path.
		const isOwnId = response.status !== 202 && !Object.values(this.request.ids).includes(id ?? '');
		return id !== undefined && isOwnId && !this.isForeign(record, doubt) ? record : undefined;
	}

	/** Whether a record was there before, and is another one. */
	private isForeign(record: JsonObject, doubt: Doubt): boolean {
		const { account } = this.connection;
		if (this.watch.isTaken(record)) return true;
		return likenessOf(record, doubt.sent) === 'unlike' && this.watch.isOld(record, doubt, account);
	}

	/** A page for people, an error, or other records; a list may hide what any other success has made. */
	private isNoSuccess(response: HttpResponse, doubt: Doubt): boolean {
		const { body } = response;
		const isPage = typeof body === 'string' && body !== '';
		const records = recordsIn(response);
		const isOther = records.length > 1 || records.some((record) => this.isForeign(record, doubt));
		return isPage || isOther || deniesSuccess(body);
	}

	private keep(doubt: Doubt, record: JsonObject): JsonObject[] {
		this.watch.claim(record, doubt, doubt.firstSentAt, this.connection.account);
		doubt.inDoubtSince = undefined;
		return [record];
	}

	private async evidenceOf(doubt: Doubt): Promise<Evidence> {
		const evidence = this.findEvidence(doubt);
		return await (this.connection.waits?.proof.during(evidence) ?? evidence);
	}

	/** Checks the list until it shows the outcome of the create, or the patience ends. */
	private async findEvidence(doubt: Doubt): Promise<Evidence> {
		const { account, patienceMs, signal } = this.connection;
		const { clock } = account;
		const deadline = this.deadline(patienceMs);
		const read = async (since: number, isWhole: boolean, until: number) =>
			await withinTime(
				clock,
				until - clock.now(),
				async (ended) => {
					const looking = { ...this.looking(), signal: ended };
					return await this.watch.read(looking, this.request, this.paging, { since, isWhole });
				},
				signal,
			);
		let unreadable = 0;
		let took = 0;
		let settled = 0;
		for (let checks = 0; ; checks++) {
			const planned = CHECK_AFTER[Math.min(checks, CHECK_AFTER.length - 1)];
			// A long list is read less often.
			const wait = Math.max(planned, PAUSE_FACTOR * took);
			if (checks > 0 && clock.now() + wait > deadline) return 'unclear';
			await clock.sleep(wait, signal);
			const startedAt = clock.now();
			// One that another row has just begun will do.
			const since = Math.max(startedAt - wait / 2, doubt.inDoubtSince ?? startedAt);
			const until = Math.max(startedAt + MIN_READING, deadline);
			let snapshot = await read(since, false, until);
			if (typeof snapshot === 'object' && snapshot.isPart && this.isFinal(snapshot, doubt)) {
				snapshot = await read(since, true, until);
			}
			took = clock.now() - startedAt;
			if (snapshot === 'unreadable' && ++unreadable >= MAX_UNREADABLE) return 'unclear';
			if (snapshot === undefined || snapshot === 'unreadable') continue;
			const evidence = this.watch.judge(snapshot, doubt, this.connection);
			if (evidence !== 'unclear') return evidence;
			// The others may find theirs in the same reading: then the next one says more.
			settled = this.watch.isSettled(snapshot) ? settled + 1 : 0;
			if (settled >= 2) return 'unclear';
		}
	}

	/** Whether what the ends of a list show would end the search. */
	private isFinal(snapshot: Snapshot, doubt: Doubt): boolean {
		const evidence = this.watch.judge(snapshot, doubt, this.connection);
		return evidence === 'absent' || (evidence === 'unclear' && this.watch.isSettled(snapshot));
	}

	private deadline(patienceMs: number): number {
		return (this.failedAt ?? this.connection.account.clock.now()) + patienceMs;
	}

	/** The connection; once something has failed, with what is left of the patience, and before other rows. */
	private patient(): Connection {
		if (this.failedAt === undefined) return this.connection;
		const { account, patienceMs } = this.connection;
		const left = this.deadline(patienceMs) - account.clock.now();
		const patienceLeft = Math.max(0, left);
		return { ...this.connection, patienceMs: patienceLeft, since: undefined, urgency: 'repeat' };
	}

	/** The same for a look at the list, which goes before rows that were not sent yet. */
	private looking(): Connection {
		return { ...this.patient(), urgency: 'look' };
	}

	private unconfirmed(status = this.last?.facts.status, said?: ServiceMessage): ServiceError {
		const { request, last: cause } = this;
		const facts = { status, said, mayHaveActed: true, cause };
		return new ServiceError({ kind: 'unconfirmed', request, ...facts });
	}
}

/** What a success without a record says beside its data; without an envelope, it may be a record's text. */
function saidIn({ body }: HttpResponse): ServiceMessage | undefined {
	return isEnvelope(body) ? readServiceMessage({ ...body, data: null }) : undefined;
}
