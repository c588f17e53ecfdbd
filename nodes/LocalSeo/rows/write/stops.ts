import { idOf, type JsonObject } from '../../client';
import { InputError } from '../../text/inputError';
import { addressOf } from '../learn/facts';
import { Question } from '../outcome';
import type { PlanOf } from '../plan/plan';
import { isSameTime, listedAmong } from './shown';

// Why posts with a time are not sent.

type Plan = PlanOf<'create'>;

/** The records of a list, as they were read. */
export interface ReadList {
	address: string;
	records: JsonObject[];
}

/**
 * When the list is looked at after the first post (ms): so long it may lag. The tests that wait in real time
 * shorten them.
 */
export const looks = { after: [0, 1_000, 5_000, 15_000, 30_000, 60_000, 95_000] };

/** Why nothing is sent, since the first post with a time. */
export class Stop {
	/** The planned posts that lists have shown since. */
	private readonly known = new Map<string, Set<string>>();

	/**
	 * @param of the service showed another `time`; its time in the answer alone, and not in the `list`; or in
	 * neither, so that the field may have another `name`
	 * @param since when it was set, by the account's clock (ms)
	 * @param answer the post as its answer shows it; absent: nobody knows whether there is one
	 */
	constructor(
		readonly of: 'time' | 'list' | 'name',
		readonly error: Question,
		private readonly plan: Plan,
		private readonly since: number,
		private readonly answer?: JsonObject,
	) {}

	/** True if an earlier try of this row has set it. */
	isBy({ row: { key } }: Plan): boolean {
		const { key: own } = this.plan.row;
		return key.run !== undefined && own.run === key.run && own.row === key.row;
	}

	/**
	 * A list ends it that shows a planned post that it did not show before. The first look at each list only
	 * learns, once it does not lag any more: among what is planned may be the post itself, with other texts.
	 * Where only the list is open, the post at its time ends it; where the post itself is, any planned one.
	 */
	isEndedBy(
		{ address, records }: ReadList,
		isAhead: (record: JsonObject) => boolean,
		now: number,
	): boolean {
		const { plan, answer, of } = this;
		if (!answer) return records.some(isAhead);
		const isOwn = of === 'list' && address === addressOf(plan.request);
		const listed = isOwn ? listedAmong(records, plan, answer) : undefined;
		if (listed && isSameTime(plan, listed)) return true;
		if (now - this.since <= looks.after.at(-1)!) return false;
		// A record without an ID can't be told from one that has changed.
		const planned = records.filter(isAhead).flatMap((record) => idOf(record) ?? []);
		const known = this.known.get(address);
		if (!known) this.known.set(address, new Set(planned));
		return known !== undefined && planned.some((id) => !known.has(id));
	}
}

/** @param why what else was seen of its list; empty: it does not show the post */
export function notListed({ row }: Plan, why: string): Question {
	const seen = why || 'planned posts are not listed';
	return new Question(
		`1 ${row.resource.noun} went out, and ${seen}, so a repeat would post ${why ? 'it' : 'them'} again`,
		why
			? `Look for it in the dashboard. If its time is right, name ${row.publishTime} in the option 'Publish Time Field', and remove the row.`
			: "Set 'If It Already Exists' to 'Create Another One', and filter what was posted. If the list only lags, run this again.",
	);
}

/** Neither its answer nor its list shows the time of a post. */
export function notShown({ row }: Plan): Question {
	const { publishTime, resource } = row;
	return new Question(
		`1 ${resource.noun} went out, and neither the answer nor the list shows its ${publishTime}`,
		nameTheField(row),
	);
}

/** Nobody knows whether the first post is there, and at which time. */
export function notConfirmed({ row }: Plan): Question {
	return new Question(
		`The first ${row.resource.noun} with a time could not be confirmed, so the others were not sent`,
		nameTheField(row),
	);
}

const nameTheField = ({ publishTime }: Plan['row']): string =>
	`Look for it in the dashboard. Name the field with the time to publish in the option 'Publish Time Field': ${publishTime}, if it is planned for the right time or is not there, else the one that your service uses.`;

/** @param other what the service shows of the first post (`otherTimeIn`) */
export function stopped({ row: { publishTime, resource } }: Plan, other: string): Question {
	return new Question(
		`1 ${resource.noun} went out, and the service shows ${other}`,
		`The rows after it were not sent. If your service calls the time otherwise than ${publishTime}, name that field in the option 'Publish Time Field'. Nothing with a time is sent for this account until n8n restarts, or, some minutes from now, the second of two runs with 'Skip the Row', or dry runs, finds a planned post that the first one did not.`,
	);
}

/** The error of rows that wait for the first one, of which nothing is known in time. */
export const notSent = ({ row }: Plan) =>
	new InputError(
		'The first row with a time took longer than Max Wait',
		`Until the service has shown that it keeps ${row.publishTime}, the other rows wait for it. Run them again.`,
	);
