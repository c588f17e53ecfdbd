import type { Ending, Quota } from '../../../nodes/LocalSeo/client/pace/permit';
import type { Clock, Random } from '../../../nodes/LocalSeo/client/ports';
import { Counter, type Limit, Workers } from '../../../dev/sandbox/account';

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
	/** One of a hundred takes ten times as long. */
	'1 % at ten times': (mean: number, random: Random) => (random() < 0.01 ? 10 * mean : mean),
	'fast and slow by chance': (mean: number, random: Random) =>
		random() < 0.5 ? mean / 50 : 1.98 * mean,
} satisfies Record<string, (mean: number, random: Random) => number>;
export type Spread = keyof typeof SPREADS;

/** A gateway that refuses what is too much for it, without a word on when to try again. */
export type Gateway =
	/** nginx `limit_req` without a burst: starts have to be so far apart (milliseconds). */
	| { kind: 'limit_req'; apartMs: number }
	/** nginx `limit_conn`. */
	| { kind: 'limit_conn'; most: number }
	/** HAProxy `maxconn` with `timeout queue`. */
	| { kind: 'maxconn'; most: number; queueMs: number };

/** What a service can do; milliseconds. */
export interface Abilities {
	workers: number;
	/** For one request, the mean, without waiting. */
	workMs: number;
	/** The same for requests of some kinds. */
	workMsOf?: Record<string, number>;
	/** What each request takes of the one processor of the machine that sends it. */
	hostMs?: number;
	spread?: Spread;
	/** On the way there and back. */
	networkMs?: number;
	/** On the way there, on average, in addition. */
	jitterMs?: number;
	/** Beyond so many waiting requests it fails for more. */
	queue?: number;
	/** A gateway answers 504 after so long; the backend goes on. */
	timeoutMs?: number;
	gateway?: Gateway;
	limit?: Limit;
	/** Whether a refusal says how long to wait, in whole seconds. */
	statesWait?: boolean;
	/** Whether each response says how much of the limit is left. */
	statesQuota?: boolean;
	/** The part of the requests that fail by chance. */
	failing?: number;
}

/** A service with a number of workers, before which requests wait. */
export class Service {
	state: 'up' | 'down' | 'unauthorized' = 'up';
	requests = 0;
	/** What it did. */
	done = 0;
	/** Refused because of a limit; failed because it was too busy, or by chance. */
	refused = 0;
	failed = 0;
	inFlight = 0;
	readonly counter: Counter;
	private readonly host = new Workers(1);
	private readonly workers: Workers;
	private readonly gate: Workers;
	private passedAt = -Infinity;

	constructor(
		readonly can: Abilities,
		private readonly clock: Clock,
		private readonly random: Random,
	) {
		this.counter = new Counter(can.limit && { ...can.limit });
		this.workers = new Workers(can.workers, can.queue);
		const { gateway } = can;
		const most = gateway && 'most' in gateway ? gateway.most : Infinity;
		this.gate = new Workers(most);
	}

	/** One request, from its start to its end; and whether it was done. */
	async request(kind = ''): Promise<Ending<string>> {
		const { networkMs = 2, jitterMs, hostMs = 0 } = this.can;
		await this.compute(hostMs / 2);
		this.requests++;
		this.inFlight++;
		const jitter = jitterMs ? SPREADS.exponential(jitterMs, this.random) : 0;
		await this.clock.sleep(networkMs / 2 + jitter);
		const ending = await this.answer(kind);
		await this.clock.sleep(networkMs / 2);
		await this.compute(hostMs / 2);
		this.inFlight--;
		if (ending.kind === 'limited' || ending.kind === 'shed') this.refused++;
		if (ending.kind === 'failed') this.failed++;
		return ending;
	}

	private async compute(milliseconds: number): Promise<void> {
		if (milliseconds === 0) return;
		await this.host.enter();
		await this.clock.sleep(milliseconds);
		this.host.leave();
	}

	private async answer(kind: string): Promise<Ending<string>> {
		if (this.state === 'down') return { kind: 'failed', failure: 'down' };
		if (this.state === 'unauthorized') return { kind: 'key-refused', failure: 'unknown key' };
		const wait = this.counter.refusal(this.clock.now());
		const quota = this.quota();
		if (wait !== undefined) {
			const { statesWait = true } = this.can;
			const retryAfterMs = statesWait ? 1000 * Math.max(1, Math.ceil(wait / 1000)) : undefined;
			return { kind: 'limited', retryAfterMs: retryAfterMs ?? quota?.forMs };
		}
		if (!(await this.pass())) return { kind: 'shed' };
		const { timeoutMs = Infinity } = this.can;
		const served = this.serve(kind);
		const late =
			timeoutMs < Infinity
				? this.clock.sleep(timeoutMs).then(() => ({ kind: 'failed' as const, failure: 'late' }))
				: served;
		const ending = await Promise.race([served, late]);
		this.gate.leave();
		return ending.kind === 'answered' ? { ...ending, quota } : ending;
	}

	/** Whether the gateway lets a request through. */
	private async pass(): Promise<boolean> {
		const { gateway } = this.can;
		if (gateway?.kind === 'limit_req') {
			const now = this.clock.now();
			if (now - this.passedAt < gateway.apartMs) return false;
			this.passedAt = now;
		}
		if (gateway?.kind === 'limit_conn' && this.gate.isFull) return false;
		if (gateway?.kind !== 'maxconn') return await this.gate.enter();
		return await this.gate.enter(async () => await this.clock.sleep(gateway.queueMs));
	}

	private async serve(kind: string): Promise<Ending<string>> {
		const { spread = 'exponential', failing = 0 } = this.can;
		const workMs = this.can.workMsOf?.[kind] ?? this.can.workMs;
		if (!(await this.workers.enter())) return { kind: 'failed', failure: 'busy' };
		await this.clock.sleep(SPREADS[spread](workMs, this.random));
		this.workers.leave();
		if (failing > 0 && this.random() < failing) return { kind: 'failed', failure: 'chance' };
		this.done++;
		return { kind: 'answered', isDone: true };
	}

	private quota(): Quota | undefined {
		const now = this.clock.now();
		const quota = this.can.statesQuota && this.counter.quota(now);
		if (!quota) return undefined;
		return { left: quota.left, forMs: 1000 * Math.ceil((quota.endsAt - now) / 1000) };
	}
}
