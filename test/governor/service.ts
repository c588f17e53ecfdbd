import type {
	Clock,
	HttpRequest,
	HttpResponse,
	JsonObject,
	Random,
	Transport,
} from '../../nodes/LocalSeo/client';
import { Counter, type Limit, QUOTAS, type QuotaName } from '../worlds/limits';

/** How long the service works on a request; each has the same mean. */
export const SPREADS = {
	fixed: (mean: number) => mean,
	exponential: (mean: number, random: Random) => -mean * Math.log(1 - random()),
	/** Log-normal: the slowest of a hundred takes about eight times the mean. */
	'with a long tail': (mean: number, random: Random) => {
		const angle = Math.cos(2 * Math.PI * random());
		const normal = Math.sqrt(-2 * Math.log(1 - random())) * angle;
		return mean * Math.exp(1.2 * normal - 1.2 ** 2 / 2);
	},
} satisfies Record<string, (mean: number, random: Random) => number>;
export type Spread = keyof typeof SPREADS;

/** What a service can do; milliseconds. */
export interface Abilities {
	workers: number;
	/** For one request, the mean, without waiting. */
	workMs: number;
	spread: Spread;
	/** On the way there and back. */
	networkMs?: number;
	/** On the way there, on average, in addition. */
	jitterMs?: number;
	/** Beyond so many waiting requests it refuses more, in that way. */
	queue?: { most: number; refuses: 502 | 503 | 504 | 'reset' };
	/** A gateway answers 504 after so long; the backend goes on. */
	gatewayMs?: number;
	limit?: Limit;
	/** Whether a refusal says how long to wait, in whole seconds. */
	statesWait?: boolean;
	/** What each response says of the limit; nothing by default. */
	quota?: QuotaName;
}

interface Waiting {
	work: () => void;
}

/** A service with a number of workers, before which requests wait; it knows posts only. */
export class WorkingService {
	readonly posts: JsonObject[] = [];
	requests = 0;
	/** Requests that were refused because of the limit. */
	limited = 0;
	/** Requests that it was too busy for. */
	failed = 0;
	/** After the warm-up: milliseconds times workers at work, times requests in flight, and of time. */
	busyMs = 0;
	inFlightMs = 0;
	overMs = 0;
	measuredMs = 0;
	/** Whether it is gone, or does not know the key. */
	state: 'up' | 'down' | 'unauthorized' = 'up';
	/** After so many answers it is measured. */
	warmUp = 20;
	/** Whether everything has been asked for: what is left is no measure. */
	isEnding = false;
	inFlight = 0;
	readonly counter: Counter;

	private answers = 0;
	private working = 0;
	private readonly waiting: Waiting[] = [];
	private measuredAt: number;

	constructor(
		readonly can: Abilities,
		private readonly clock: Clock,
		private readonly random: Random,
	) {
		this.counter = new Counter(can.limit);
		this.measuredAt = clock.now();
	}

	readonly transport: Transport = async (request, signal) => {
		this.measure();
		this.requests++;
		this.inFlight++;
		try {
			const jitter = this.can.jitterMs ? SPREADS.exponential(this.can.jitterMs, this.random) : 0;
			await this.clock.sleep((this.can.networkMs ?? 2) / 2 + jitter, signal);
			return await this.answer(request, signal);
		} finally {
			await this.clock.sleep((this.can.networkMs ?? 2) / 2);
			this.measure();
			this.inFlight--;
			this.answers++;
		}
	};

	/** Someone else's work, that nobody counts. */
	async occupy(): Promise<void> {
		await this.work();
	}

	private async answer(request: HttpRequest, signal?: AbortSignal): ReturnType<Transport> {
		if (this.state === 'down') return reset();
		if (this.state === 'unauthorized') return response(401, { message: 'Unknown key' });
		const wait = this.counter.refusal(this.clock.now());
		if (wait !== undefined) {
			this.limited++;
			const seconds = String(Math.max(1, Math.ceil(wait / 1000)));
			const told = this.can.statesWait === false ? {} : { 'retry-after': seconds };
			return response(429, {}, { ...told, ...this.saysOfLimit() });
		}
		// As it is when the request comes, even if it is answered much later.
		const said = this.saysOfLimit();
		const { queue, gatewayMs = 600_000 } = this.can;
		if (queue && this.working >= this.can.workers && this.waiting.length >= queue.most) {
			this.failed++;
			return queue.refuses === 'reset' ? reset() : response(queue.refuses, '<html>Busy</html>');
		}
		const done = this.work().then(() => {
			const given = this.act(request);
			return { ...given, headers: { ...given.headers, ...said } };
		});
		const given = await Promise.race([
			done,
			this.clock.sleep(gatewayMs, signal).then(() => undefined),
		]);
		if (given) return given;
		this.failed++;
		return response(504, '<html>Gateway time-out</html>');
	}

	private async work(): Promise<void> {
		this.measure();
		if (this.working >= this.can.workers) {
			await new Promise<void>((resolve) => this.waiting.push({ work: resolve }));
		}
		this.measure();
		this.working++;
		await this.clock.sleep(SPREADS[this.can.spread](this.can.workMs, this.random));
		this.measure();
		this.working--;
		this.waiting.shift()?.work();
	}

	private act({ method, query, body, path }: HttpRequest): HttpResponse {
		if (method === 'POST') {
			const id = `post_${this.posts.length + 1}`;
			const created = new Date(this.clock.now()).toISOString();
			const post = { ...(JSON.parse(body ?? '{}') as JsonObject), id, created_at: created };
			this.posts.push({ ...post, path });
			return response(201, { data: post }, this.date());
		}
		const page = Number(query.page ?? 1);
		const newest = [...this.posts].reverse();
		const data = newest.slice((page - 1) * 100, page * 100);
		const meta = { current_page: page, per_page: 100, total: newest.length };
		return response(200, { data, meta }, this.date());
	}

	private saysOfLimit(): JsonObject {
		const { limit } = this.counter;
		if (!limit) return {};
		const left = this.counter.left(this.clock.now());
		return QUOTAS[this.can.quota ?? 'not at all'](left, limit.most, this.requests);
	}

	private date(): JsonObject {
		return { date: new Date(this.clock.now()).toUTCString() };
	}

	private measure() {
		const now = this.clock.now();
		const passed = now - this.measuredAt;
		this.measuredAt = now;
		if (this.answers < this.warmUp || this.isEnding) return;
		const { workers } = this.can;
		this.measuredMs += passed;
		this.busyMs += passed * Math.min(1, this.working / workers);
		this.inFlightMs += passed * this.inFlight;
		if (this.inFlight > 2 * workers + 2) this.overMs += passed;
	}
}

function response(status: number, body: unknown, headers: JsonObject = {}): HttpResponse {
	return { status, body, headers };
}

function reset() {
	const cause = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	return { fault: 'connection-lost' as const, cause };
}
