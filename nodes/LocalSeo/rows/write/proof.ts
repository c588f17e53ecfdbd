import {
	type Created,
	isSurelyAhead,
	type JsonObject,
	lookAt,
	READING_TAKES,
	ServiceError,
	withinTime,
	withOwnSignal,
} from '../../client';
import { PerAccount } from '../../host/accounts';
import type { Connected } from '../../host/connect';
import { Existing } from '../learn/existing';
import type { Facts } from '../learn/facts';
import type { Question } from '../outcome';
import type { PlanOf } from '../plan/plan';
import type { Row } from '../read/row';
import { changedTexts, isCertain, isSameTime, listedAmong, otherTimeIn } from './shown';
import {
	looks,
	notConfirmed,
	notListed,
	notSent,
	notShown,
	type ReadList,
	Stop,
	stopped,
} from './stops';

/** A created post; `unproved` if the service does not show its time, `unlisted` if nobody waited for its list. */
export type Sent = Created & { unproved?: Question; unlisted?: string };

type Plan = PlanOf<'create'>;
type Send = (error?: Error) => Promise<Created>;

/** No answer, as a proof. */
const NONE = { until: -Infinity, latest: -Infinity };
/** How long a proof counts (ms). */
const COUNTS_FOR = 3_600_000;
/** How long the list is looked at, with its last reading (ms). */
const LOOKED_FOR = () => looks.after.at(-1)! + READING_TAKES;

/**
 * The proof that an account keeps the time of posts in a field. Until it is given, the first post with a
 * time to come goes alone: a service that calls the field otherwise would publish all of them at once, and
 * one that hides planned posts would have them posted again in each run.
 */
class Proof {
	/**
	 * Until when the answer to a post, a list, and a run that names the field count as proof, by the account's
	 * clock (ms); the last one for such runs alone. An answer that is not certain counts for no later time.
	 */
	private answered = NONE;
	private listedUntil = -Infinity;
	private vouchedUntil = -Infinity;
	/** Why nothing is sent, until a list ends it. */
	private stop?: Stop;
	/** The post that is on its way. */
	private current?: Promise<void>;

	/** A list was read. */
	noteList(list: ReadList, field: string, connection: Connected): void {
		const { clock } = connection.account;
		const isAhead = (record: JsonObject) => isSurelyAhead(record[field], clock.wall());
		const isProved = this.stop
			? this.stop.isEndedBy(list, isAhead, clock.now())
			: list.records.some(isAhead);
		if (!isProved) return;
		this.listedUntil = clock.now() + COUNTS_FOR;
		this.lift(connection);
	}

	/** Why a post is not sent; undefined: it may be. */
	stopFor({ row, before }: Plan): Question | undefined {
		const { error, of } = this.stop ?? {};
		// To name the field is to vouch for it; Create Another One needs no list that shows planned posts.
		const isVouched = row.isPublishTimeChosen && (of === 'list' || of === 'name');
		return isVouched || (of === 'list' && before === undefined) ? undefined : error;
	}

	private setStop(stop: Stop, { account }: Connected): Question {
		this.stop = stop;
		if (stop.of !== 'list') this.answered = NONE;
		account.stops.add(this);
		return stop.error;
	}

	/**
	 * Sends a post with a time to come, the first one alone.
	 *
	 * @param send sends it, or only looks for what an earlier try has sent, with why it is not sent again
	 * @throws Question for the others, if the service does not show the time of the first one
	 */
	async around(plan: Plan, connection: Connected, send: Send): Promise<Sent> {
		const { account, patienceMs } = connection;
		const { clock } = account;
		const { signal } = this.current ? withOwnSignal(connection) : connection;
		while (this.current && !this.isGiven(plan, clock.now())) {
			const { current } = this;
			const wait = async () => await current.then(() => true);
			// The one that is on its way is looked at for so long; a tool does not wait for that.
			const longest = plan.row.isTool ? patienceMs : patienceMs + LOOKED_FOR();
			if (!(await withinTime(clock, longest, wait, signal))) throw notSent(plan);
		}
		const stop = this.stop?.isBy(plan) ? undefined : this.stopFor(plan);
		// The looks of an earlier try find out what became of it.
		if (stop && !connection.run?.earlier(plan.row.key.row)) throw stop;
		if (this.isGiven(plan, clock.now())) return await send(stop);
		let end = () => {};
		this.current = new Promise<void>((resolve) => (end = resolve));
		try {
			return await this.first(plan, connection, async () => await send(stop));
		} finally {
			this.current = undefined;
			end();
		}
	}

	private isGiven({ row, before, isTimeShown, live }: Plan, now: number): boolean {
		if (row.isPublishTimeChosen && now < this.vouchedUntil) return true;
		const isListed = before === undefined || isTimeShown || row.isPublishTimeChosen;
		const { until, latest } = this.answered;
		return now < until && live!.at! <= latest && (isListed || now < this.listedUntil);
	}

	private async first(
		plan: Plan,
		connection: Connected,
		send: () => Promise<Created>,
	): Promise<Sent> {
		const { clock } = connection.account;
		const created = await send().catch((error: unknown) => {
			const isServices = error instanceof ServiceError && error.kind !== 'cancelled';
			// A row that was refused, or stopped by a person, proves nothing: the next one goes alone.
			if (!isServices || !error.mayHaveActed || clock.now() < this.answered.until) throw error;
			this.setStop(new Stop('name', notConfirmed(plan), plan, clock.now()), connection);
			throw error;
		});
		if (created.became !== 'created') return created;
		const { record, isShown } = created;
		const other = isShown ? otherTimeIn(plan, record) : undefined;
		if (other !== undefined) {
			const stop = new Stop('time', stopped(plan, other), plan, clock.now(), record);
			return { ...created, unproved: this.setStop(stop, connection) };
		}
		if (plan.row.isPublishTimeChosen) this.vouchedUntil = clock.now() + COUNTS_FOR;
		if (isShown && isSameTime(plan, record)) {
			this.noteAnswer(plan, record, connection);
			if (this.stop?.of === 'name') this.lift(connection);
		}
		if (this.isGiven(plan, clock.now())) return created;
		return { ...created, ...(await this.inList(plan, connection, created)) };
	}

	private noteAnswer(plan: Plan, record: JsonObject, { account: { clock } }: Connected): void {
		const latest = isCertain(plan, record, clock.wall()) ? Infinity : plan.live!.at!;
		const known = this.answered;
		if (clock.now() < known.until && latest < known.latest) return;
		this.answered = { until: clock.now() + COUNTS_FOR, latest };
	}

	private lift({ account }: Connected): void {
		this.stop = undefined;
		account.stops.delete(this);
	}

	/** Looks for the time of a post in its list. */
	private async inList(
		plan: Plan,
		connection: Connected,
		{ record, changed }: Created,
	): Promise<Partial<Sent>> {
		const { row, request } = plan;
		const { account, patienceMs, signal } = connection;
		const { clock } = account;
		const startedAt = clock.now();
		const deadline = startedAt + (row.isTool ? patienceMs : LOOKED_FOR());
		const due = looks.after.map((after) => startedAt + after).filter((at) => at <= deadline);
		const search = { connection, request, paging: connection.paging, deadline };
		const unproved = (of: Stop['of'], error: Question) => ({
			unproved: this.setStop(new Stop(of, error, plan, clock.now(), record), connection),
		});
		let why = 'its list could not be read';
		let other: string | undefined;
		for (const at of due) {
			await clock.sleep(Math.max(0, at - clock.now()), signal);
			const reading = await lookAt(search);
			if (!reading) continue;
			const listed = listedAmong(reading.records, plan, record);
			if (listed && isSameTime(plan, listed)) {
				this.noteAnswer(plan, listed, connection);
				this.listedUntil = clock.now() + COUNTS_FOR;
				this.lift(connection);
				return { changed: [...new Set([...changed, ...changedTexts(plan, listed)])] };
			}
			// A list may lag: it has time until the last look.
			other = listed && otherTimeIn(plan, listed);
			why = listed ? 'its list does not show its time' : '';
		}
		if (other !== undefined) return unproved('time', stopped(plan, other));
		if (due.length < looks.after.length) return { unlisted: NOT_LISTED_YET };
		const isAnswered = clock.now() < this.answered.until;
		return isAnswered ? unproved('list', notListed(plan, why)) : unproved('name', notShown(plan));
	}
}

const NOT_LISTED_YET =
	'The list does not show this post so far: look for it before you create it again.';

/** By field. */
const proofs = new PerAccount(() => new Map<string, Proof>());

/** The proof of the field with the time to publish of a row. */
export function proofOf({ publishTime = '' }: Row, { account }: Connected): Proof {
	const all = proofs.of(account);
	const proof = all.get(publishTime) ?? new Proof();
	all.set(publishTime, proof);
	return proof;
}

/** Lists that show a time to come prove that the account keeps it. */
export function noteTimes(row: Row, lists: Facts['lists'], connection: Connected): void {
	const { publishTime, whenToPublish } = row;
	if (publishTime === undefined || whenToPublish !== 'scheduled') return;
	const proof = proofOf(row, connection);
	for (const [address, list] of lists) {
		if (list instanceof Existing)
			proof.noteList({ address, records: list.records }, publishTime, connection);
	}
}
