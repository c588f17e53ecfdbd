import {
	type Created,
	idOf,
	instantOfIso,
	isRecord,
	type JsonObject,
	readList,
	requestForList,
	ServiceError,
	textOf,
	withinTime,
} from '../../client';
import { PerAccount } from '../../host/accounts';
import type { Connected } from '../../host/connect';
import { InputError } from '../../text/inputError';
import { Question } from '../outcome';
import type { PlanOf } from '../plan/plan';
import { isBlank } from '../read/cells';
import type { Row } from '../read/row';
import { asPeopleRead, shownTime } from '../read/when';

/** The error for the rows of a run that stopped, since the service does not show the time of the first one. */
export class Unproved extends Question {}

/** A created post; `unproved` if the service does not show its time, `unlisted` if nobody waited for its list. */
export type Sent = Created & { unproved?: Unproved; unlisted?: string };

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
	/** Why nothing is sent; until a list shows a time to come of another post. */
	private stop?: Unproved;
	/** Posts that prove nothing: the service shows them at another time. */
	private readonly disproved = new Set<string>();
	/** The post that is on its way. */
	private current?: Promise<void>;

	/** A list was read that shows these records. */
	noteList(records: JsonObject[], field: string, { account }: Connected): void {
		const { clock } = account;
		const isAhead = (record: JsonObject) =>
			(instantOfIso(textOf(record[field] ?? '')) ?? -Infinity) > clock.wall() &&
			!this.disproved.has(idOf(record) ?? '');
		if (!records.some(isAhead)) return;
		this.listedUntil = clock.now() + COUNTS_FOR;
		this.stop = undefined;
	}

	/**
	 * Sends a post with a time to come, the first one alone.
	 *
	 * @throws Unproved for the others, if the service does not show the time of the first one
	 */
	async around(plan: Plan, connection: Connected, send: () => Promise<Created>): Promise<Sent> {
		const { account, patienceMs, signal } = connection;
		const { clock } = account;
		while (this.current && !this.stop && !this.isGiven(plan, clock.now())) {
			const { current } = this;
			const wait = async () => await current.then(() => true);
			// The one that is on its way is looked at for so long.
			const longest = patienceMs + looks.after.at(-1)!;
			if (!(await withinTime(clock, longest, wait, signal))) throw notSent(plan);
		}
		if (this.stop) throw this.stop;
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
		const { clock } = connection.account;
		const created = await send().catch((error: unknown) => {
			// A row that was refused proves nothing: the next one goes alone.
			if (!(error instanceof ServiceError) || !error.mayHaveActed) throw error;
			this.stop = stopped(plan, 'may have gone out, and its time could not be seen');
			throw error;
		});
		if (created.became !== 'created') return created;
		const { record, isShown } = created;
		const other = isShown ? otherTimeIn(plan, record) : undefined;
		if (other !== undefined) {
			this.disproved.add(idOf(record) ?? '');
			this.stop = stopped(plan, `went out, and the service shows ${other}`);
			return { ...created, unproved: this.stop };
		}
		this.answeredUntil = clock.now() + COUNTS_FOR;
		if (this.isGiven(plan, clock.now())) return created;
		return { ...created, ...(await this.inList(plan, connection, record)) };
	}

	/** Looks for the time of a post in its list. */
	private async inList(
		plan: Plan,
		connection: Connected,
		record: JsonObject,
	): Promise<Partial<Sent>> {
		const { row, request } = plan;
		const { account, patienceMs, signal } = connection;
		const { clock } = account;
		const startedAt = clock.now();
		const endsAt = row.isTool ? startedAt + patienceMs : Infinity;
		for (const after of looks.after) {
			const at = startedAt + after;
			if (at > endsAt) return { unlisted: NOT_LISTED_YET };
			await clock.sleep(Math.max(0, at - clock.now()), signal);
			const own = { ...connection, noCache: true, urgency: 'look' as const };
			const list = await readList(own, requestForList(request), connection.paging).catch(
				() => undefined,
			);
			const records = list?.records.filter(isRecord) ?? [];
			if (records.some((one) => isListed(plan, record, one))) {
				this.listedUntil = clock.now() + COUNTS_FOR;
				return {};
			}
		}
		this.stop = new Unproved(
			`1 ${row.resource.noun} went out, and planned posts are not listed, so a repeat would post them again`,
			"Set 'If It Already Exists' to 'Create Another One', and filter what was posted. If the list only lags, run this again.",
		);
		return { unproved: this.stop };
	}
}

const NOT_LISTED_YET =
	'The list does not show this post so far: look for it before you create it again.';

/** How an answer shows the time of a post, if it is another one than was sent, or empty; undefined: it keeps it. */
function otherTimeIn(plan: Plan, record: JsonObject): string | undefined {
	const { publishTime = '', zone } = plan.row;
	if (!Object.hasOwn(record, publishTime)) return undefined;
	const shown = record[publishTime];
	if (isBlank(shown)) return 'no time';
	// What can't be read says nothing.
	if (instantOfIso(textOf(shown).trim()) === undefined || isSameTime(plan, shown)) return undefined;
	return `another time: ${shownTime(shown, zone)}`;
}

/** A time without an offset counts as shown: it may be of any zone. */
function isSameTime({ live }: Plan, shown: unknown): boolean {
	const text = textOf(shown ?? '').trim();
	const instant = instantOfIso(text);
	if (instant === undefined) return false;
	const hasOffset = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(text.slice(10));
	return !hasOffset || Math.floor(instant / 1000) === Math.floor(live!.at! / 1000);
}

function isListed(plan: Plan, record: JsonObject, listed: JsonObject): boolean {
	const { row, request, matching } = plan;
	const { publishTime = '' } = row;
	const sent = request.body as JsonObject;
	const id = idOf(record);
	const isIt =
		id === undefined
			? matching.fields.every(
					(field) =>
						field === publishTime || textOf(listed[field] ?? '') === textOf(sent[field] ?? ''),
				)
			: idOf(listed) === id;
	return isIt && isSameTime(plan, listed[publishTime]);
}

function stopped({ row, live }: Plan, happened: string): Unproved {
	const { publishTime, zone, resource } = row;
	return new Unproved(
		`1 ${resource.noun} ${happened}, not ${asPeopleRead(live!.at!, zone)}`,
		`The rows after it were not sent. If your service calls the time otherwise than ${publishTime}, name that field in the option 'Publish Time Field'. Nothing with a time is sent for this account until its list shows a post that is still to come, or n8n restarts.`,
	);
}

const notSent = ({ row }: Plan) =>
	new InputError(
		'The first row with a time was not sent within Max Wait',
		`Until the service has shown that it keeps ${row.publishTime}, the other rows wait for it. Run them again.`,
	);

/** By field. */
const proofs = new PerAccount(() => new Map<string, Proof>());

/** The proof of the field with the time to publish of a row. */
export function proofOf({ publishTime = '' }: Row, { account }: Connected): Proof {
	const all = proofs.of(account);
	const proof = all.get(publishTime) ?? new Proof();
	all.set(publishTime, proof);
	return proof;
}
