import { Counter, type Limit, Workers } from '../../../dev/sandbox/account';
import { type Ending, Pace, type Urgency } from '../../../nodes/LocalSeo/client/pace/pace';
import type { Random } from '../../../nodes/LocalSeo/client/ports';
import { MAX_IN_FLIGHT } from '../../../nodes/LocalSeo/client/pace/concurrency';
import { concurrently } from '../../../nodes/LocalSeo/client/time';
import { seededRandom } from '../../support/random';
import { VirtualClock } from '../../support/virtualClock';

const PATIENCE = 300_000;
/** After a failure, a create is looked for twice, so much later (ms). */
const LOOKED_AFTER = 1_000;

/** How long the service works on a request; each has the same mean. */
export const SPREADS = {
	fixed: (mean: number) => mean,
	exponential: (mean: number, random: Random) => -mean * Math.log(1 - random()),
	'one of a hundred takes ten times as long': (mean: number, random: Random) =>
		random() < 0.01 ? 10 * mean : mean,
	'fast and slow by chance': (mean: number, random: Random) =>
		random() < 0.5 ? mean / 50 : 1.98 * mean,
} satisfies Record<string, (mean: number, random: Random) => number>;

/** The abilities of a service; times in milliseconds. */
export interface Abilities {
	workers: number;
	/** For one request, the mean, without waiting; the same for requests of some kinds. */
	workMs: number;
	workMsOf?: Record<string, number>;
	spread?: keyof typeof SPREADS;
	/** On the way there and back. */
	networkMs?: number;
	/** Beyond so many waiting requests it fails for more. */
	queue?: number;
	/** A gateway refuses without a word: nginx `limit_req` starts that are less far apart. */
	apartMs?: number;
	/** nginx `limit_conn` refuses more at once. */
	atOnce?: number;
	limit?: Limit;
	/** True if a refusal says how long to wait, in whole seconds. */
	statesWait?: boolean;
}

export interface How {
	/** The kind of the requests, to which the service's abilities refer. */
	kind?: string;
	/** How many wait or are under way at once. */
	abreast?: number;
}

/** A service with a number of workers, and the processes that use it, in virtual time. */
export class World {
	/** It begins within a second, as limits by the clock have to be kept from there on. */
	readonly clock = new VirtualClock(Date.UTC(2026, 0, 1, 9, 30, 17, 250));
	state: 'up' | 'down' = 'up';
	/** Requests: done, refused because of a limit, failed because it was too busy. */
	done = 0;
	refused = 0;
	failed = 0;
	inFlight = 0;
	readonly counter: Counter;
	readonly can: Abilities;
	private readonly random = seededRandom(1_788_946_124);
	private readonly workers: Workers;
	private readonly gate: Workers;
	private passedAt = -Infinity;

	constructor(can: Abilities) {
		this.can = { ...can };
		this.counter = new Counter(can.limit && { ...can.limit });
		this.workers = new Workers(can.workers, can.queue);
		this.gate = new Workers(can.atOnce, 0);
	}

	/** One n8n process with the key. */
	process(): Pace<string> {
		return new Pace<string>(this.clock, this.random);
	}

	/** Creates so many rows as the node does: some hundred of them wait at the same time. */
	async post(pace: Pace<string>, count: number, how: How = {}) {
		const { clock } = this;
		const startedAt = clock.now();
		/** Rows that were given up, by reason. */
		const failures: string[] = [];
		let done = 0;
		const rows = Array.from({ length: count }, () => async () => {
			const failure = await this.create(pace, how);
			if (failure === undefined) done++;
			else failures.push(failure);
		});
		await concurrently(rows, how.abreast ?? 2 * MAX_IN_FLIGHT);
		return { done, failures, seconds: (clock.now() - startedAt) / 1000 };
	}

	/** How one request ends; text: why it was given up. */
	private async send(pace: Pace<string>, urgency: Urgency, how: How = {}, since?: number) {
		const { kind = 'write' } = how;
		const permit = await pace.acquire({ patienceMs: PATIENCE, urgency, kind, since });
		if (!('startedAt' in permit)) return permit.failure ?? 'nothing came';
		const ending = await this.request(kind);
		pace.ended(permit, ending);
		return ending;
	}

	/** A row, sent until it is done; undefined, or why it was given up. */
	private async create(pace: Pace<string>, how: How): Promise<string | undefined> {
		let since: number | undefined;
		for (let urgency: Urgency = 'row'; ; urgency = 'repeat') {
			const ending = await this.send(pace, urgency, how, since);
			if (typeof ending === 'string') return ending;
			if (ending.kind === 'answered') return undefined;
			since ??= this.clock.now();
			for (let looks = ending.kind === 'failed' ? 2 : 0; looks > 0; looks--) {
				await this.clock.sleep(LOOKED_AFTER);
				const look = await this.send(pace, 'look', how, since);
				if (typeof look === 'string') return look;
			}
		}
	}

	private async request(kind: string): Promise<Ending<string>> {
		const { networkMs = 2 } = this.can;
		this.inFlight++;
		await this.clock.sleep(networkMs / 2);
		const ending = await this.answer(kind);
		await this.clock.sleep(networkMs / 2);
		this.inFlight--;
		if (ending.kind === 'limited') this.refused++;
		if (ending.kind === 'failed') this.failed++;
		return ending;
	}

	private async answer(kind: string): Promise<Ending<string>> {
		const { clock, can } = this;
		if (this.state === 'down') return { kind: 'failed', failure: 'down' };
		const wait = this.counter.refusal(clock.now());
		if (wait !== undefined) {
			const { statesWait = true } = can;
			const retryAfterMs = statesWait ? 1000 * Math.max(1, Math.ceil(wait / 1000)) : undefined;
			return { kind: 'limited', retryAfterMs };
		}
		if (!(await this.passes())) return { kind: 'limited' };
		const ending = await this.serve(kind);
		this.gate.leave();
		return ending;
	}

	private async passes(): Promise<boolean> {
		const { apartMs = 0 } = this.can;
		const now = this.clock.now();
		if (now - this.passedAt < apartMs) return false;
		this.passedAt = now;
		return await this.gate.enter();
	}

	private async serve(kind: string): Promise<Ending<string>> {
		const { spread = 'exponential', workMsOf, workMs } = this.can;
		if (!(await this.workers.enter())) return { kind: 'failed', failure: 'busy' };
		await this.clock.sleep(SPREADS[spread](workMsOf?.[kind] ?? workMs, this.random));
		this.workers.leave();
		this.done++;
		return { kind: 'answered' };
	}
}
