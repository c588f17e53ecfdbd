import {
	type Created,
	idOf,
	identityOf,
	type JsonObject,
	lookAt,
	READING_TAKES,
	ServiceError,
	type Sought,
	textOf,
} from '../../client';
import { PerAccount } from '../../host/accounts';
import type { Connected } from '../../host/connect';
import { type Facts, listKey } from '../learn/facts';
import { ComparedList } from '../learn/list';
import { Question } from '../outcome';
import { hasTexts, laterBy } from '../plan/match';
import type { PlanOf } from '../plan/plan';
import type { Row } from '../read/row';
import { shownFor } from '../read/when';

type Plan = PlanOf<'create'>;
export type Proved = Created & { stop?: Question };

/** How long is waited before each look at a list, after a post (ms). */
export const looks = { waits: [0, 2_000, 8_000, 20_000] };
const MOST_IN_DOUBT = 3;
const IN_DOUBT: [string, string] = [
	`${MOST_IN_DOUBT} posts could not be confirmed, so the others were not sent`,
	'Look for them in the dashboard, and run this again.',
];

/** Only the list lacks the post: this ends with Create Another One, or once the list shows it, or a planned one. */
class NotListed extends Question {
	constructor(
		why: string,
		/** The list, and by what the post is recognized there. */
		readonly list: string,
		readonly sought: Sought,
		readonly at: number,
	) {
		super(
			why,
			`A repeat would post it again: set 'If It Already Exists' to 'Create Another One', and filter what was posted. If the list only lags, run this again. Until it shows the post, or n8n restarts, nothing else with a time is sent.`,
		);
	}
}

/** The proof that an account keeps times in a field; whoever names the field begins anew. */
class Proof {
	stop?: Question;
	isTimeKept = false;
	arePlannedListed = false;
	/** How many posts of a run are in doubt. */
	readonly inDoubt = new WeakMap<object, number>();
	private last: Promise<unknown> = Promise.resolve();

	/** Works one after the other. */
	async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.last.then(work);
		this.last = turn.catch(() => {});
		return await turn;
	}
}
const proofs = new PerAccount(() => new Map<string, Proof>());

function proofOf(row: Row, { account }: Connected): Proof {
	const all = proofs.of(account);
	const name = JSON.stringify([row.publishTime, row.isPublishTimeChosen]);
	const proof = all.get(name) ?? new Proof();
	all.set(name, proof);
	return proof;
}

/** The lists that a run has read may end what its posts wait for. */
export function noteLists(row: Row, { lists, fields, now }: Facts, connection: Connected): void {
	const proof = proofOf(row, connection);
	const { stop } = proof;
	if (!(stop instanceof NotListed)) return;
	const list = lists.get(stop.list);
	const equal =
		list instanceof ComparedList ? list.equalTo(stop.sought, laterBy(stop.at, now)) : [];
	const [record] = equal;
	if (!record && !fields?.showsAhead(row.publishTime, now)) return;
	proof.stop = undefined;
	connection.account.stops.delete(stop);
}

/** Why a post with a time to come is not sent; a dry run says it, too. */
export function whyStopped(plan: Plan, connection: Connected): Question | undefined {
	const { stop } = proofOf(plan.row, connection);
	return stop instanceof NotListed && plan.before === undefined ? undefined : stop;
}

/**
 * Sends posts with a time one by one, until the service has shown one at its time: it may call the field
 * otherwise, and publish all of them at once, or hide planned posts, and get them again in each run.
 *
 * @returns with `stop`, if this post went out and is not shown at its time
 */
export async function proving(plan: Plan, connection: Connected, send: () => Promise<Created>) {
	const proof = proofOf(plan.row, connection);
	const { row, before, isTimeShown } = plan;
	const first = await proof.inTurn(async (): Promise<Proved | undefined> => {
		const inDoubt = proof.inDoubt.get(row.rows) ?? 0;
		const stop = whyStopped(plan, connection);
		if (stop ?? inDoubt === MOST_IN_DOUBT) throw stop ?? new Question(...IN_DOUBT);
		const isListed = before === undefined || proof.arePlannedListed;
		if (isTimeShown || (proof.isTimeKept && isListed)) return undefined;
		const sent = await send().catch((error: unknown) => {
			if (error instanceof ServiceError && error.mayHaveActed)
				proof.inDoubt.set(row.rows, inDoubt + 1);
			throw error;
		});
		if (sent.became !== 'created') return sent;
		const flaw = await lookedAt(plan, sent, proof, connection);
		if (flaw) connection.account.stops.add((proof.stop = flaw));
		return { ...sent, stop: flaw };
	});
	return first ?? (await send());
}

/** Notes how the service shows a post, in its answer and its list; returns why no other one is sent. */
async function lookedAt(plan: Plan, created: Created, proof: Proof, connection: Connected) {
	const { row, before, live } = plan;
	const { publishTime: name = '', resource, isPublishTimeChosen: isNamed } = row;
	const { clock } = connection.account;
	const timeIn = (one: JsonObject) => shownFor(one, name, live!.at!, clock.wall());
	const isOther = (one: JsonObject) => timeIn(one) === 'other';
	const isEarly = (one: JsonObject) => one.status === 'published' && clock.wall() < live!.at!;
	const isAtItsTime = (one: JsonObject) => ['kept', 'unclear'].includes(timeIn(one));
	const shown = created.isShown ? [created.record] : [];
	const isEnough = shown.some(
		(one) => isOther(one) || (!isNamed && isEarly(one)) || (!before && isAtItsTime(one)),
	);
	const id = idOf(created.record);
	// An older post may have the same texts, or the number of a receipt.
	const known = before?.known;
	const isIt = (one: JsonObject) =>
		!known?.has(identityOf(one)) &&
		((id !== undefined && idOf(one) === id) ||
			((known !== undefined || id === undefined) && hasTexts(one, plan.sought)));
	const deadline = clock.now() + READING_TAKES;
	const search = { connection, request: plan.request, paging: connection.paging, deadline };
	let listed: JsonObject[] = [];
	for (const wait of isEnough ? [] : looks.waits) {
		await clock.sleep(wait, connection.signal);
		const reading = await lookAt(search);
		listed = reading?.records.filter(isIt) ?? listed;
		if (listed.some(isAtItsTime)) break;
	}
	shown.push(...(listed.filter(isAtItsTime).length > 0 ? listed.filter(isAtItsTime) : listed));
	const out = (why: string) => `1 ${resource.noun} went out, and ${why}, so no other one is sent`;
	const naming = isNamed
		? `correct 'Publish Time Field', which says ${name}`
		: `name the field with the time in 'Publish Time Field' (${name}, if it is planned for its time)`;
	const advice = `Look for it in the dashboard, and ${naming}. Until then, or until n8n restarts, nothing with a time is sent.`;
	const isNoneShown = shown.every((one) => timeIn(one) === 'none');
	const other = shown.find(isOther);
	const flaw = other
		? `its ${name} is ${textOf(other[name] ?? '') || 'empty'}`
		: (isNoneShown || !isNamed) && shown.some(isEarly)
			? 'its status is published'
			: isNoneShown && !isNamed && `nothing shows its ${name}`;
	if (flaw) return new Question(out(flaw), advice);
	if (before && listed.length === 0) {
		const why = out('its list does not show it');
		return new NotListed(why, listKey(plan.request), plan.sought, live!.at!);
	}
	proof.isTimeKept ||= isNoneShown || shown.some((one) => timeIn(one) === 'kept');
	proof.arePlannedListed ||= listed.length > 0;
	return undefined;
}
