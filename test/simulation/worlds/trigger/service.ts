import { type Answer, metaOf, type Page, pageOf } from '../../../../dev/sandbox/account';
import { type HttpRequest, type Transport } from '../../../../nodes/LocalSeo/client';
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

export class Service {
	readonly history: Array<{ at: number; what: string }> = [];
	readonly account: ServiceAccount;
	/** What the next requests get; then all are answered. */
	private outcomes: Outcome[] = [];
	isTroubled = false;
	latency: number;
	private requests = 0;
	private polls = 0;
	/** Of the poll under way: by path and query, whether the last answer was what is there. */
	private readonly answers = new Map<string, Map<string, boolean>>();
	/** How often a list lacked a record that was there. */
	readonly hidden = new Map<Slot, number>();
	private readonly caches = new Map<string, { at: number; until: number }>();

	constructor(
		readonly world: World,
		private readonly clock: VirtualClock,
	) {
		this.latency = world.latency;
		this.account = new ServiceAccount(world, clock, (what) => this.log(what));
	}

	get lastAt(): number {
		return this.clock.now();
	}

	log(what: string): void {
		this.history.push({ at: this.clock.now(), what });
	}

	beginPoll(outcomes: Outcome[]): void {
		// Of what is missing from two lists in a row, nothing says that it is still there.
		const isOdd = this.polls++ % 2 === 1;
		const answered: Outcome = { kind: 'answered' };
		this.outcomes = outcomes.map((one) => (one.kind === 'short' && isOdd ? answered : one));
		this.requests = 0;
		this.answers.clear();
	}

	readonly transport: Transport = async (request, signal) => {
		const { path, timeoutMs: timeout } = request;
		const target = this.targetOf(path);
		const outcome = this.outcomeFor(target);
		const isShort = outcome.kind === 'short';
		const act = () => this.answer(request, target, isShort);
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
		const isTrue = outcome.kind === 'answered' && !('fault' in response);
		if (!isTrue) this.log(`${path}: ${JSON.stringify(response).slice(0, 120)}`);
		const answers = this.answers.get(path) ?? new Map<string, boolean>();
		this.answers.set(path, answers);
		// A failure that is tried again and answered then is none; a list that lacked a record stays one.
		answers.set(isShort ? 'short' : JSON.stringify(request.query), isTrue);
		return response;
	};

	/** Whether the poll asked for this path, and got what is there. */
	hasShown(path: string): boolean {
		const answers = this.answers.get(path);
		return answers !== undefined && [...answers.values()].every(Boolean);
	}

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

	private answer(request: HttpRequest, { kind, owner, one }: Target, isShort: boolean): Answer {
		if (one) return { body: { data: shownAt(one, this.clock.now()) } };
		return kind ? this.list(request, kind, owner, isShort) : NOT_FOUND;
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
		if (kind === 'scan' && order !== 'shuffled') slots.sort((a, b) => a.time - b.time);
		if (order === 'newest-first') slots.reverse();
		const place = ({ serial }: Slot) => (serial * 7 + this.polls * 5) % 11;
		if (order === 'shuffled') slots.sort((a, b) => place(a) - place(b));
		if (isShort) {
			for (const slot of slots.splice(this.requests % Math.max(1, slots.length), 1)) {
				this.hidden.set(slot, (this.hidden.get(slot) ?? 0) + 1);
			}
		}
		const records = slots.map((slot) => shownAt(slot, seenAt)!);
		const page = pageOf(records, query, { pageSize, maxPageSize: pageSize }) as Page;
		const { total, ...meta } = metaOf(page);
		return { body: { data: page.data, meta: { ...meta, ...(hasTotal && { total }) } } };
	}
}
