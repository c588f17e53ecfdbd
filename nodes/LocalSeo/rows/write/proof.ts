import {
	type Account,
	type Created,
	hashOf,
	idOf,
	isRecord,
	isRepeated,
	isSurelyAhead,
	type JsonObject,
	type Keys,
	readList,
	requestForList,
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
import { changedTexts, hasTexts, isSameTime, listedAmong, otherTimeIn, textsOf } from './shown';
import { notConfirmed, notListed, notSent, notShown, stopped } from './stops';

/** A created post; `unproved` if the service does not show its time, `unlisted` if nobody waited for its list. */
export type Sent = Created & { unproved?: Question; unlisted?: string };

type Plan = PlanOf<'create'>;

/** When the list is looked at after the first post (ms); the tests that wait in real time shorten them. */
export const looks = { after: [0, 1_000, 5_000, 15_000, 30_000, 60_000, 95_000] };
/** How long a proof counts (ms). */
const COUNTS_FOR = 3_600_000;

/**
 * The proof that an account keeps the time of posts in a field. Until it is given, the first post with a
 * time to come goes alone: a service that calls the field otherwise would publish all of them at once, and
 * one that hides planned posts would have them posted again in each run.
 */
class Proof {
	/** Until when the answer to a post, and a list, count as proof, by the account's clock (ms). */
	private answeredUntil = -Infinity;
	private listedUntil = -Infinity;
	/** Why nothing is sent, until a list shows a time to come. */
	private stop?: Stop;
	/** Planned posts that prove nothing more: they were listed before, or are shown at another time. */
	private readonly known = new Set<string>();
	/** The post that is on its way. */
	private current?: Promise<void>;

	/** A list was read that shows these records. */
	noteList(records: JsonObject[], field: string, { account }: Connected, run?: string): void {
		const { clock } = account;
		const isAhead = (record: JsonObject) => isSurelyAhead(record[field], clock.wall());
		const { of = 'name' } = this.stop ?? {};
		// A run that was stopped does not go on with its next lists.
		const isSameRun = run !== undefined && this.stop?.run === run;
		// A post that was planned when the first one was looked for proves nothing.
		const proves = (record: JsonObject) =>
			isAhead(record) &&
			(of === 'name' || !(this.known.has(nameOf(record)) || hasTexts(record, this.stop!.texts)));
		if (!isSameRun && records.some(proves)) {
			this.listedUntil = clock.now() + COUNTS_FOR;
			this.lift(account);
		}
		if (!this.stop) this.noteKnown(records, isAhead);
	}

	private noteKnown(records: JsonObject[], isAhead: (record: JsonObject) => boolean): void {
		for (const record of records) this.known[isAhead(record) ? 'add' : 'delete'](nameOf(record));
	}

	/** Why a post is not sent; undefined: it may be. */
	stopFor({ row, before }: Plan): Question | undefined {
		const { error, of } = this.stop ?? {};
		// To name the field is to vouch for it; Create Another One needs no list that shows planned posts.
		const isVouched = row.isPublishTimeChosen && (of === 'list' || of === 'name');
		return isVouched || (of === 'list' && before === undefined) ? undefined : error;
	}

	private setStop(error: Question, plan: Plan, { account }: Connected, of: Stop['of']): Question {
		this.stop = { of, error, run: plan.row.key?.run, texts: textsOf(plan) };
		account.stops.add(this);
		return error;
	}

	private lift({ stops }: Account): void {
		this.stop = undefined;
		stops.delete(this);
	}

	/**
	 * Sends a post with a time to come, the first one alone.
	 *
	 * @throws Question for the others, if the service does not show the time of the first one
	 */
	async around(plan: Plan, connection: Connected, send: () => Promise<Created>): Promise<Sent> {
		const { account, patienceMs } = connection;
		const { clock } = account;
		const { signal } = this.current ? withOwnSignal(connection) : connection;
		while (this.current && !this.isGiven(plan, clock.now())) {
			const { current } = this;
			const wait = async () => await current.then(() => true);
			// The one that is on its way is looked at for so long; a tool does not wait for that.
			const longest = plan.row.isTool ? patienceMs : patienceMs + looks.after.at(-1)!;
			if (!(await withinTime(clock, longest, wait, signal))) throw notSent(plan);
		}
		// The looks of an earlier try find out what became of it.
		const stop = isRepeated(account, plan.row.key) ? undefined : this.stopFor(plan);
		if (stop) throw stop;
		if (this.isGiven(plan, clock.now())) return await send();
		let end = () => {};
		this.current = new Promise<void>((resolve) => (end = resolve));
		try {
			return await this.first(plan, connection, send);
		} finally {
			this.current = undefined;
			end();
		}
	}

	private isGiven({ row, before, isTimeShown }: Plan, now: number): boolean {
		const isListed = before === undefined || isTimeShown || row.isPublishTimeChosen;
		return now < this.answeredUntil && (isListed || now < this.listedUntil);
	}

	private async first(
		plan: Plan,
		connection: Connected,
		send: () => Promise<Created>,
	): Promise<Sent> {
		const { account } = connection;
		const { clock } = account;
		const created = await send().catch((error: unknown) => {
			const isServices = error instanceof ServiceError && error.kind !== 'cancelled';
			// A row that was refused, or stopped by a person, proves nothing: the next one goes alone.
			if (!isServices || !error.mayHaveActed) throw error;
			this.setStop(notConfirmed(plan), plan, connection, 'name');
			throw error;
		});
		if (created.became !== 'created') return created;
		const { record, isShown, changed } = created;
		const isKept = isShown || !changed.includes(plan.row.publishTime ?? '');
		const other = isShown ? otherTimeIn(plan, record) : isKept ? undefined : 'another time';
		if (other !== undefined)
			return { ...created, unproved: this.disprove(plan, connection, other) };
		const { publishTime = '', isPublishTimeChosen } = plan.row;
		const isAnswered = isShown && isSameTime(plan, record[publishTime]);
		if (isAnswered || isPublishTimeChosen) this.answeredUntil = clock.now() + COUNTS_FOR;
		if (isAnswered && this.stop?.of === 'name') this.lift(account);
		if (this.isGiven(plan, clock.now())) return created;
		return { ...created, ...(await this.inList(plan, connection, created)) };
	}

	private disprove(plan: Plan, connection: Connected, other: string): Question {
		const error = stopped(plan, other);
		return this.setStop(error, plan, connection, 'time');
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
		const endsAt = row.isTool ? startedAt + patienceMs : Infinity;
		const due = looks.after.map((after) => startedAt + after).filter((at) => at <= endsAt);
		let why = 'its list could not be read';
		let records: JsonObject[] = [];
		for (const at of due) {
			await clock.sleep(Math.max(0, at - clock.now()), signal);
			const own = { ...connection, noCache: true, urgency: 'look' as const };
			const list = await readList(own, requestForList(request), connection.paging).catch(
				() => undefined,
			);
			if (!list) continue;
			records = list.records.filter(isRecord);
			const listed = listedAmong(records, plan, record);
			const shown = listed?.[row.publishTime ?? ''];
			if (listed && isSameTime(plan, shown)) {
				this.answeredUntil = this.listedUntil = clock.now() + COUNTS_FOR;
				this.lift(account);
				return { changed: [...new Set([...changed, ...changedTexts(plan, listed)])] };
			}
			const other = listed && otherTimeIn(plan, listed);
			// A list may lag: it has time until the last look.
			if (other !== undefined && at === due.at(-1))
				return { unproved: this.disprove(plan, connection, other) };
			why = listed ? 'its list does not show its time' : '';
		}
		if (due.length < looks.after.length) return { unlisted: NOT_LISTED_YET };
		this.noteKnown(records, (one) => isSurelyAhead(one[row.publishTime ?? ''], clock.wall()));
		const isAnswered = clock.now() < this.answeredUntil;
		const error = isAnswered ? notListed(plan, why) : notShown(plan);
		return { unproved: this.setStop(error, plan, connection, isAnswered ? 'list' : 'name') };
	}
}

/** Tells records apart, also those without an ID. */
const nameOf = (record: JsonObject) => idOf(record) ?? hashOf(record);

const NOT_LISTED_YET =
	'The list does not show this post so far: look for it before you create it again.';

/** Why nothing is sent. */
interface Stop {
	error: Question;
	/**
	 * The service showed another `time`; its time in the answer alone, and not in the `list`; or in
	 * neither, so that the field may have another `name`.
	 */
	of: 'time' | 'list' | 'name';
	/** The run that was stopped, and the post that went out. */
	run?: string;
	texts: Keys;
}

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
	for (const list of lists.values()) {
		if (list instanceof Existing)
			proof.noteList(list.records, publishTime, connection, row.key?.run);
	}
}
