import { type Answer, metaOf, type Page, pageOf } from '../../../../dev/sandbox/account';
import type { HttpRequest, JsonObject, Transport } from '../../../../nodes/LocalSeo/client';
import { transportTo } from '../../../support/accountTransport';
import type { VirtualClock } from '../../../support/virtualClock';
import { meet } from '../../outcomes';
import { ServiceAccount, shownAt, type Slot } from './account';
import { type Kind, type Outcome, TROUBLES, type World } from './dimensions';

/** More requests than any poll of these worlds needs. */
const MAX_REQUESTS = 3_000;
const KINDS: Record<string, Kind> = { keywords: 'keyword', posts: 'post', scans: 'scan' };
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not found' } };

/** What a path shows: the locations, one of them, or a list of `owner`. */
interface Target {
	kind?: Kind;
	owner?: Slot;
	one?: Slot;
}

/** A response, as it was when it was given. */
interface Served {
	/** The page that was asked for. */
	page: unknown;
	isOk: boolean;
	at: number;
	records: JsonObject[];
	/** All records of the list; its total if it was told. */
	all: JsonObject[];
	total?: number;
}

export class Service {
	readonly history: Array<{ at: number; what: string }> = [];
	readonly account: ServiceAccount;
	/** What the next requests get; then all are answered. */
	private outcomes: Outcome[] = [];
	isTroubled = false;
	latency: number;
	private requests = 0;
	private polls = 0;
	/** What was shown in the poll under way, by path. */
	readonly served = new Map<string, Served[]>();
	private readonly caches = new Map<string, { at: number; until: number }>();

	constructor(
		readonly world: World,
		private readonly clock: VirtualClock,
	) {
		this.latency = world.latency;
		this.account = new ServiceAccount(world, clock, (what) => this.log(what));
	}

	log(what: string): void {
		this.history.push({ at: this.clock.now(), what });
	}

	beginPoll(outcomes: Outcome[]): void {
		this.polls++;
		this.outcomes = [...outcomes];
		this.requests = 0;
		this.served.clear();
	}

	/** Whether each request of the poll was answered. */
	get isCalm(): boolean {
		return [...this.served.values()].flat().every(({ isOk }) => isOk);
	}

	readonly transport: Transport = async (request, signal) => {
		const { path, query, timeoutMs: timeout } = request;
		const target = this.targetOf(path);
		const outcome = this.outcomeFor(target);
		const isShort = outcome.kind === 'short';
		const served: Served = { page: query.page, isOk: false, at: 0, records: [], all: [] };
		const act = () => this.answer(request, target, served, isShort);
		const respond = async () => {
			const met: Exclude<Outcome, { kind: 'short' }> = isShort ? { kind: 'answered' } : outcome;
			const answer = await meet(met, { act, clock: this.clock, timeout, signal });
			if ('fault' in answer) return answer;
			const date = new Date(this.account.now).toUTCString();
			const headers = { ...(this.world.hasDateHeader && { date }), ...answer.headers };
			return { ...answer, headers, body: JSON.parse(JSON.stringify(answer.body)) as unknown };
		};
		const { latency } = this;
		const response = await transportTo(respond, this.clock, () => latency)(request, signal);
		const isAnswered = isShort || outcome.kind === 'answered';
		const status = 'status' in response ? response.status : undefined;
		// Without a total, a page that does not exist is the end.
		const isEnd = status === 404 && query.page !== undefined && !this.world.hasTotal;
		served.isOk = isEnd || (isAnswered && status === 200);
		if (!served.isOk || isShort) this.log(`${path}: ${JSON.stringify(response).slice(0, 120)}`);
		this.served.set(path, [...(this.served.get(path) ?? []), served]);
		return response;
	};

	private targetOf(path: string): Target {
		if (path === '/locations') return { kind: 'location' };
		const [, of, id, list] = path.split('/').map(decodeURIComponent);
		const owner = this.account
			.present(of === 'locations' ? 'location' : 'keyword')
			.find((slot) => String(slot.id) === id);
		return list === undefined ? { one: owner } : { kind: owner && KINDS[list], owner };
	}

	private outcomeFor({ owner }: Target): Outcome {
		if (++this.requests > MAX_REQUESTS) return { kind: 'status', status: 401 };
		const trouble = TROUBLES[this.world.trouble];
		if (this.isTroubled && trouble && owner && this.isInTrouble(owner)) return trouble;
		return this.outcomes.shift() ?? { kind: 'answered' };
	}

	/** Whether the lists of this location or keyword can't be read. */
	private isInTrouble(owner: Slot): boolean {
		const [first] = this.account.slots;
		return owner === first || owner.owner === first;
	}

	private answer(request: HttpRequest, target: Target, served: Served, isShort: boolean): Answer {
		const { kind, owner, one } = target;
		served.at = this.clock.now();
		if (one) {
			served.records = served.all = [shownAt(one, served.at)!];
			served.total = 1;
			return { body: { data: served.all[0] } };
		}
		if (!kind) return NOT_FOUND;
		served.all = this.shown(request.path, kind, owner, isShort);
		const { pageSize, hasTotal } = this.world;
		const page = pageOf(served.all, request.query, { pageSize, maxPageSize: pageSize }) as Page;
		const { total, ...meta } = metaOf(page);
		served.records = page.data;
		if (hasTotal) served.total = served.all.length;
		return { body: { data: page.data, meta: { ...meta, ...(hasTotal && { total }) } } };
	}

	/** All that a list shows. */
	private shown(path: string, kind: Kind, owner?: Slot, isShort = false): JsonObject[] {
		const { order, staleness } = this.world;
		const now = this.clock.now();
		const cache = this.caches.get(path);
		const isFresh = !cache || cache.until <= now;
		const seenAt = isFresh ? now : cache.at;
		if (isFresh) this.caches.set(path, { at: now, until: now + staleness });
		const slots = this.account.slots.filter(
			(slot) => slot.kind === kind && slot.owner === owner && shownAt(slot, seenAt) !== null,
		);
		if (kind === 'scan' && order !== 'shuffled') slots.sort((a, b) => a.time - b.time);
		if (order === 'newest-first') slots.reverse();
		const place = ({ serial }: Slot) => (serial * 7 + this.polls * 5) % 11;
		if (order === 'shuffled') slots.sort((a, b) => place(a) - place(b));
		if (isShort) slots.splice(this.requests % Math.max(1, slots.length), 1);
		return slots.map((slot) => shownAt(slot, seenAt)!);
	}
}
