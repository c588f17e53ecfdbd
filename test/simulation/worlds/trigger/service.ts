import { type Answer, metaOf, type Page, pageOf } from '../../../../dev/sandbox/account';
import { idOf, type HttpRequest, type Transport } from '../../../../nodes/LocalSeo/client';
import { transportTo } from '../../../support/accountTransport';
import type { VirtualClock } from '../../../support/virtualClock';
import { meet } from '../../outcomes';
import { ServiceAccount, shownAt, type Slot } from './account';
import { type Kind, type Outcome, TROUBLES, type World } from './dimensions';

/** More requests than any poll of these worlds needs. */
const MAX_REQUESTS = 3_000;

export class Service {
	readonly history: Array<{ at: number; what: string }> = [];
	readonly account: ServiceAccount;
	/** What the next requests get; then all are answered. */
	outcomes: Outcome[] = [];
	isTroubled = false;
	/** Milliseconds; a service that calms down is quick. */
	latency: number;
	/** Of the poll under way: how many requests there were, and the lists whose last one failed. */
	requests = 0;
	private readonly failed = new Map<string, Slot | undefined>();
	/** Those with a page that was not what is there. */
	private readonly liedTo = new Map<string, Slot | undefined>();
	private readonly caches = new Map<string, { at: number; until: number }>();
	private polls = 0;

	constructor(
		readonly world: World,
		private readonly clock: VirtualClock,
	) {
		this.latency = world.latency;
		this.account = new ServiceAccount(world, clock, (what) => this.log(what));
	}

	get now(): number {
		return this.clock.now();
	}

	log(what: string): void {
		this.history.push({ at: this.clock.now(), what });
	}

	beginPoll(outcomes: Outcome[]): void {
		// Of what is missing from two lists in a row, nothing says that it is still there.
		const isOdd = this.polls % 2 === 1;
		this.outcomes = outcomes.map((one) => (one.kind === 'short' && isOdd ? ANSWERED : one));
		this.requests = 0;
		this.failed.clear();
		this.liedTo.clear();
		this.polls++;
	}

	readonly transport: Transport = async (request, signal) => {
		const { path, timeoutMs: timeout } = request;
		const [kind, owner] = this.listOf(path);
		const outcome = ++this.requests > MAX_REQUESTS ? DOWN : this.outcomeFor(kind, owner);
		const isShort = outcome.kind === 'short';
		const act = () =>
			kind ? this.list(request, kind, owner, isShort && this.canLack(kind)) : NOT_FOUND;
		const met = isShort ? ANSWERED : outcome;
		const respond = async () => {
			const answer = await meet(met, { act, clock: this.clock, timeout, signal });
			if ('fault' in answer) return answer;
			const date = new Date(this.account.now).toUTCString();
			const headers = { ...(this.world.hasDateHeader && { date }), ...answer.headers };
			// As JSON brings it: `__proto__` is a field like others.
			return { ...answer, headers, body: JSON.parse(JSON.stringify(answer.body)) as unknown };
		};
		const { latency } = this;
		const response = await transportTo(respond, this.clock, () => latency)(request, signal);
		const isCancelled = 'fault' in response && response.fault === 'cancelled';
		if (isCancelled || outcome.kind !== 'answered') {
			const said = isCancelled ? 'cancelled' : JSON.stringify(response).slice(0, 120);
			this.log(`${path}${JSON.stringify(request.query)}: ${said}`);
			(isLie(outcome) && !isCancelled ? this.liedTo : this.failed).set(path, owner);
		} else {
			this.failed.delete(path);
		}
		return response;
	};

	/** The list behind a path, and whose it is; undefined: the account's, or of nothing there is. */
	private listOf(path: string): [Kind | undefined, Slot | undefined] {
		if (path === '/locations') return ['location', undefined];
		const [, of, id, list] = path.split('/').map(decodeURIComponent);
		const owners = this.account.present(of === 'locations' ? 'location' : 'keyword');
		const owner = owners.find((slot) => idOf(slot) === id);
		return [owner && KINDS[list], owner];
	}

	private outcomeFor(kind: Kind | undefined, owner: Slot | undefined): Outcome {
		const trouble = TROUBLES[this.world.trouble];
		if (this.isTroubled && trouble && owner && kind && this.isInTrouble({ kind, owner })) {
			return trouble;
		}
		return this.outcomes.shift() ?? { kind: 'answered' };
	}

	/** Whether what a slot stands in can't be read. */
	isInTrouble({ owner }: Pick<Slot, 'kind' | 'owner'>): boolean {
		const { trouble, troubleAt } = this.world;
		// Waiting for the scans of one keyword leaves no time for the others of its location.
		const at = trouble === 'silent' ? 'location' : troubleAt;
		const first = this.account.slots.find(({ kind }) => kind === at);
		return owner !== undefined && (owner === first || owner.owner === first);
	}

	/** A count that is old as well would confirm that a keyword is gone. */
	private canLack(kind?: Kind): boolean {
		return kind !== 'keyword' || this.world.staleness === 0;
	}

	private list({ path, query }: HttpRequest, kind: Kind, owner?: Slot, isShort = false): Answer {
		const { order, pageSize, staleness, hasTotal } = this.world;
		const now = this.clock.now();
		const cache = this.caches.get(path);
		const isFresh = !cache || cache.until <= now;
		const seenAt = isFresh ? now : cache.at;
		if (isFresh) this.caches.set(path, { at: now, until: now + staleness });
		const slots = this.account.slots.filter(
			(slot) => slot.kind === kind && slot.owner === owner && shownAt(slot, seenAt) !== null,
		);
		// Of scans that begin with the latest, not all pages are read: their order has to show on the first.
		const isByDate = kind === 'scan' && pageSize < 15;
		if (isByDate) slots.sort((a, b) => a.createdAt - b.createdAt);
		if (order === 'newest-first') slots.reverse();
		if (order === 'shuffled' && !isByDate) {
			const place = ({ serial }: Slot) => (serial * 7 + this.polls * 5) % 11;
			slots.sort((a, b) => place(a) - place(b));
		}
		if (isShort) slots.splice(this.requests % Math.max(1, slots.length), 1);
		const records = slots.map((slot) => shownAt(slot, seenAt)!);
		const page = pageOf(records, query, { pageSize, maxPageSize: pageSize }) as Page;
		const { total, ...meta } = metaOf(page);
		return { body: { data: page.data, meta: { ...meta, ...(hasTotal && { total }) } } };
	}

	/** Whether there is anything that the poll could not read as it is. */
	get hasFailedAny(): boolean {
		return this.failed.size + this.liedTo.size > 0;
	}

	/** Whether the poll could not read what a record stands in: its list, and the lists above it. */
	hasFailed({ kind, owner }: Pick<Slot, 'kind' | 'owner'>): boolean {
		const failed = [...this.failed.values(), ...this.liedTo.values()];
		if (failed.includes(undefined)) return true;
		if (!owner) return false;
		return failed.includes(owner) || (kind === 'scan' && failed.includes(owner.owner));
	}
}

const KINDS: Record<string, Kind> = { keywords: 'keyword', posts: 'post', scans: 'scan' };
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not found' } };
const ANSWERED = { kind: 'answered' } as const;
const DOWN: Outcome = { kind: 'status', status: 401 };

/** Whether a response is taken for what it is not. */
function isLie({ kind }: { kind: string }): boolean {
	return kind === 'body' || kind === 'short';
}
