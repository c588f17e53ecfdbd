import {
	idOf,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	type Transport,
} from '../../../../nodes/LocalSeo/client';
import type { VirtualClock } from '../../../support/virtualClock';
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
		const { latency } = this;
		const name = `${request.path}${JSON.stringify(request.query)}`;
		const [kind, owner] = this.listOf(request.path);
		const outcome = ++this.requests > MAX_REQUESTS ? DOWN : this.outcomeFor(kind, owner);
		try {
			await this.clock.sleep(latency, signal);
			const response = await this.respond(outcome, request, kind, owner, signal);
			if (outcome.kind !== 'answered')
				this.log(`${name}: ${JSON.stringify(response).slice(0, 120)}`);
			if (outcome.kind === 'answered') this.failed.delete(request.path);
			else (isLie(outcome) ? this.liedTo : this.failed).set(request.path, owner);
			return response;
		} catch (error) {
			this.failed.set(request.path, owner);
			this.log(`${name} cancelled`);
			return { fault: 'cancelled', cause: error as Error };
		}
	};

	/** The list behind a path, and whose it is; undefined: the account's, or of nothing there is. */
	private listOf(path: string): [Kind | undefined, Slot | undefined] {
		if (path === '/locations') return ['location', undefined];
		const [, of, id, list] = path.split('/').map(decodeURIComponent);
		const owners = this.account.present(of === 'locations' ? 'location' : 'keyword');
		const owner = owners.find((slot) => idOf(slot) === id);
		const kind = ({ keywords: 'keyword', posts: 'post', scans: 'scan' } as const)[list];
		return [owner && kind, owner];
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

	private async respond(
		outcome: Outcome,
		request: HttpRequest,
		kind: Kind | undefined,
		owner: Slot | undefined,
		signal?: AbortSignal,
	): ReturnType<Transport> {
		switch (outcome.kind) {
			case 'answered':
			case 'short': {
				const isShort = outcome.kind === 'short' && this.canLack(kind);
				return kind
					? this.list(request, kind, owner, isShort)
					: this.response(404, { message: 'Not found' });
			}
			case 'limited': {
				const headers = outcome.retryAfter ? { 'retry-after': outcome.retryAfter } : {};
				return this.response(429, { message: 'Too many' }, headers);
			}
			case 'fault':
				return { fault: outcome.fault, cause: new Error(outcome.fault) };
			case 'status':
				return this.response(outcome.status, { message: 'Something is off' });
			case 'body':
				return this.response(200, outcome.body);
			case 'silent':
				await this.clock.sleep(request.timeoutMs, signal);
				return { fault: 'timeout', cause: new Error('silent') };
		}
	}

	/** A count that is old as well would confirm that a keyword is gone. */
	private canLack(kind?: Kind): boolean {
		return kind !== 'keyword' || this.world.staleness === 0;
	}

	private list(
		{ path, query }: HttpRequest,
		kind: Kind,
		owner?: Slot,
		isShort = false,
	): HttpResponse {
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
		const page = Number(query.page ?? 1);
		const start = (page - 1) * pageSize;
		const records = slots.map((slot) => shownAt(slot, seenAt));
		const data = records.slice(start, start + pageSize);
		const meta: JsonObject = { current_page: page, per_page: pageSize };
		if (hasTotal) meta.total = records.length;
		return this.response(200, { data, meta });
	}

	private response(status: number, body: unknown, more: JsonObject = {}): HttpResponse {
		const date = new Date(this.account.now).toUTCString();
		const headers = { ...(this.world.hasDateHeader ? { date } : {}), ...more };
		// As JSON brings it: `__proto__` is a field like others.
		return { status, headers, body: JSON.parse(JSON.stringify(body)) as unknown };
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

const ANSWERED: Outcome = { kind: 'answered' };
const DOWN: Outcome = { kind: 'status', status: 401 };

/** Whether a response is taken for what it is not. */
function isLie({ kind }: { kind: string }): boolean {
	return kind === 'body' || kind === 'short';
}
