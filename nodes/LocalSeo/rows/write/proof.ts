import {
	BoundedMap,
	type Created,
	idOf,
	isRecord,
	type JsonObject,
	keyOf,
	readList,
	requestForList,
	ServiceError,
} from '../../client';
import { PerAccount } from '../../host/accounts';
import type { Connected } from '../../host/connect';
import { InputError } from '../../text/inputError';
import type { Batch } from '../batch';
import type { Plan } from '../plan/plan';
import { unshownAdvice } from '../plan/publishTime';
import { asPeopleRead } from '../read/when';

/** The error for the rows of a run that stopped, since the service does not show the time of the first one. */
export class Unproved extends InputError {}

/** A created post; `unproved` if the service does not show its time. */
export type Sent = Created & { unproved?: Unproved };

/**
 * The proof that the service keeps the times of posts. Until it is given, the first row with a time goes
 * alone: a service that calls the field otherwise would publish all of them at once.
 */
class Proof {
	private isGiven = false;
	private error?: Unproved;
	/** The row that is on its way, and the look at its time. */
	private current?: Promise<void>;

	async around(plan: Plan, connection: Connected, send: () => Promise<Created>): Promise<Sent> {
		while (this.current) await this.current;
		if (this.error) throw this.error;
		// A time that is over proves nothing.
		const isAhead = (plan.live?.at ?? 0) > connection.account.clock.wall();
		if (this.isGiven || !isAhead) return await send();
		const sent = send();
		const look = async () => {
			const created = await sent.catch((error: unknown) => {
				// A row that was refused proves nothing: the next one goes alone.
				const mayHaveActed = error instanceof ServiceError && error.mayHaveActed;
				if (mayHaveActed) this.error = unproved(plan, 'may have gone out', 'unseen');
				return undefined;
			});
			if (!created) return;
			// A list that can't be read shows nothing.
			const shown = await timeIn(plan, created, connection).catch(() => 'unseen' as const);
			this.isGiven = shown === 'kept';
			if (shown !== 'kept') this.error = unproved(plan, 'went out', shown);
		};
		this.current = look();
		await this.current;
		this.current = undefined;
		return { ...(await sent), unproved: this.error };
	}
}

/** By execution and node: the next round of a loop, or n8n's Retry On Fail, does not send one more. */
const proofs = new PerAccount(
	({ clock }) => new BoundedMap<Proof>({ maxBytes: 1024 * 1024, forgetAfterMs: 3_600_000 }, clock),
);

/**
 * Sends a create. Where the account has not yet shown a time that is still to come, and the user has not
 * vouched for the field, the first row with a time goes alone, and the others wait for what becomes of it.
 *
 * @throws Unproved for the others, if the service does not show its time
 */
export async function sendProved(
	plan: Plan,
	batch: Batch,
	connection: Connected,
	send: () => Promise<Created>,
): Promise<Sent> {
	if (!(await needsProof(plan, batch, connection))) return await send();
	const { run } = plan.row;
	const kept = proofs.of(connection.account);
	// Without the number of the run: each round of a loop has its own.
	const name = run && JSON.stringify((JSON.parse(run) as unknown[]).slice(0, -1));
	const known = name === undefined ? undefined : kept.get(name);
	const proof = known ?? (await batch.once(['proof'], async () => new Proof()));
	if (name !== undefined && !known) kept.set(name, proof, 0);
	return await proof.around(plan, connection, send);
}

async function needsProof(
	{ row, live, account }: Plan,
	batch: Batch,
	{ account: { clock } }: Connected,
): Promise<boolean> {
	const { publishTime = '', isPublishTimeChosen, mapping } = row;
	if (live === undefined || isPublishTimeChosen) return false;
	if (mapping.added.some(({ field }) => field === publishTime)) return false;
	const shows = async () => account?.showsAhead(publishTime, clock.wall()) === true;
	return !(await batch.once(['shows a time to come'], shows));
}

/** The service has kept the time of a post, shows another one, or none. */
type Shown = 'kept' | 'other' | 'unseen';

/** The time as the record in the answer shows it or, if that has no such field, as the list does. */
async function timeIn(
	{ row, request }: Plan,
	{ record, isShown }: Created,
	connection: Connected,
): Promise<Shown> {
	const name = row.publishTime!;
	const sent = keyOf((request.body as JsonObject)[name]);
	const ofAnswer = isShown && Object.hasOwn(record, name) ? [record] : undefined;
	const listed = async () =>
		(await readList(connection, requestForList(request), connection.paging)).records;
	const id = idOf(record);
	const own = (ofAnswer ?? (await listed()))
		.filter(isRecord)
		.filter((one) => Object.hasOwn(one, name) && (id === undefined || idOf(one) === id));
	if (own.some((one) => keyOf(one[name]) === sent)) return 'kept';
	return own.length > 0 ? 'other' : 'unseen';
}

function unproved({ row, live }: Plan, happened: string, shown: Shown): Unproved {
	const { publishTime, zone, resource } = row;
	const when = asPeopleRead(live!.at!, zone);
	const advice =
		shown === 'other'
			? `If your service keeps times all the same, name ${publishTime} in the option 'Publish Time Field'.`
			: `If your service calls it otherwise, name that field in the option 'Publish Time Field'. ${unshownAdvice(row)}`;
	return new Unproved(
		`1 ${resource.noun} ${happened}, and its time, ${when}, is not to be seen in the answer`,
		`The rows after it were not sent. ${advice}`,
	);
}
