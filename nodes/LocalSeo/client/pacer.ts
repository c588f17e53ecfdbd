import { nap } from './nap';

const FIRST_SLOTS = 4;
/** What a service of which nothing is known is asked at most at the same time. */
export const MOST_SLOTS = 64;
/** A pause ends after this in any case: a service that says "tomorrow" is asked again by then. */
const LONGEST_PAUSE = 300_000;
const FIRST_BACKOFF = 500;
const LONGEST_BACKOFF = 30_000;
/** A rate is kept for this long without a refusal before it is tried to go faster. */
const STEADY_FOR = 15_000;
/** So much later the spacing is half of it; twice as much later a sixteenth. */
const HALVED_AFTER = 45_000;
/** Whatever was measured: a request every so often finds out more. */
const LONGEST_SPACING = 10_000;
/** A period as short as this was measured well enough, even if it had begun before. */
const SHORT_PERIOD = 2_500;
/** Without requests for this long, the time since the last refusal says nothing of the rate. */
const IDLE_AFTER = 1_000;
const FEWEST_TO_MEASURE = 3;
/** Starts are spaced by a little more than the rate needs, since they never come quite evenly. */
const MARGIN = 1.03;
/** What a timer may be late (milliseconds) and a start is still counted from its plan. */
const MOST_LATE = 20;
/** Limits are counted in such periods (milliseconds). */
const PERIODS = [1, 5, 10, 15, 30, 60, 300, 900, 3600, 86_400].map((seconds) => seconds * 1000);

/** A wait that was given up; milliseconds. */
export interface GivenUp {
	waited: number;
}

interface Waiter {
	since: number;
	maxWait: number;
	start: () => void;
	giveUp: (waited: number) => void;
}

/**
 * Decides when a request of one API key may start. It finds the service's rate by itself:
 *
 * - A few requests side by side at first and twice as many after each round of good answers; half
 *   as many after a refusal, and from then on one more a round.
 * - A refusal (429) pauses all requests of the key: for as long as the service says, else for a
 *   random time that doubles with each refusal in a row (full jitter).
 * - A refusal also tells the rate: what was accepted since the last pause, in the period that the
 *   told wait ends. From then on starts are spaced by it, and by less and less once nothing has been
 *   refused for a while: so a refusal that was none of the rate's is forgotten in minutes.
 *
 * Requests start in the order in which they came, repeated ones first.
 */
export class Pacer {
	/** When a request last came or went; says when a pacer may be forgotten. */
	usedAt = 0;
	/** Milliseconds that the service's clock is ahead, once an answer has told its time. */
	clockOffset?: number;

	private slots = FIRST_SLOTS;
	private underway = 0;
	private readonly queue: Waiter[] = [];
	private isPumping = false;
	/** Aborted when the pump is to look again: something has ended, or no one waits any more. */
	private waking = new AbortController();

	private pausedUntil = 0;
	/** Milliseconds between starts, as the last refusal taught it. */
	private learned = 0;
	private nextStart = 0;
	private goodAt = 0;
	private refusedAt = 0;
	private refusalsInARow = 0;
	/** What was accepted since the last pause, while there was always something to send. */
	private measuredFrom = 0;
	/** A measure from the end of a pause has a whole period; another may begin in the middle of one. */
	private isSincePause = false;
	private accepted = 0;
	/** What the last refusal ended: milliseconds (0: not to be relied on), and the spacing until then. */
	private measured = { period: 0, accepted: 0, before: 0 };

	/**
	 * Waits until a request may start; `finish` must be called when it has ended. Gives up when the
	 * service has let nothing through for `maxWait` milliseconds, or will not before that.
	 * Rejects when the signal aborts.
	 */
	async enter(options: {
		maxWait: number;
		isRepeated?: boolean;
		signal?: AbortSignal;
	}): Promise<GivenUp | undefined> {
		const { maxWait, isRepeated, signal } = options;
		signal?.throwIfAborted();
		if (this.isIdle && Date.now() - this.usedAt > IDLE_AFTER) {
			this.measuredFrom = Math.max(Date.now(), this.pausedUntil);
			this.isSincePause = false;
			this.accepted = 0;
		}
		this.usedAt = Date.now();
		return await new Promise((resolve, reject) => {
			const settle =
				<T>(end: (value: T) => void) =>
				(value: T) => {
					signal?.removeEventListener('abort', cancel);
					end(value);
				};
			const waiter: Waiter = {
				since: Date.now(),
				maxWait,
				start: settle(() => resolve(undefined)) as () => void,
				giveUp: settle((waited: number) => resolve({ waited })),
			};
			const cancel = () => {
				this.queue.splice(this.queue.indexOf(waiter), 1);
				if (this.queue.length === 0) this.waking.abort();
				settle(reject)(signal?.reason);
			};
			signal?.addEventListener('abort', cancel);
			if (isRepeated) this.queue.unshift(waiter);
			else this.queue.push(waiter);
			if (!this.isPumping) void this.pump();
		});
	}

	/** A request that may start has ended: with an answer that is no refusal, a refusal, or none. */
	finish(end: 'good' | 'refused' | 'unknown', startedAt: number, told?: number): void {
		this.underway--;
		this.usedAt = Date.now();
		if (end === 'good') this.succeeded(startedAt);
		if (end === 'refused') this.wasRefused(startedAt, told);
		this.waking.abort();
	}

	/** Milliseconds until the pause ends that the service asked for; 0 without one. */
	get pause(): number {
		return Math.max(0, this.pausedUntil - Date.now());
	}

	get isIdle(): boolean {
		return this.underway === 0 && this.queue.length === 0;
	}

	/** Milliseconds between starts now: less and less, ever faster, while nothing is refused. */
	private get spacing(): number {
		const calm = Math.max(0, Date.now() - this.refusedAt - STEADY_FOR);
		return this.learned * 0.5 ** ((calm / HALVED_AFTER) ** 2);
	}

	private succeeded(startedAt: number) {
		const now = Date.now();
		this.goodAt = now;
		if (startedAt > this.refusedAt) {
			this.accepted++;
		} else {
			// It was underway when another was refused, and was accepted in the period before that.
			this.measured.accepted++;
			this.learn();
		}
		this.refusalsInARow = 0;
		const growth = this.refusedAt === 0 ? 1 : 1 / this.slots;
		this.slots = Math.min(MOST_SLOTS, this.slots + growth);
	}

	private wasRefused(startedAt: number, told?: number) {
		const now = Date.now();
		// Requests that were underway together are refused together: that is one refusal.
		const isNew = startedAt > this.refusedAt;
		const backoff =
			Math.random() * Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** this.refusalsInARow);
		const wait = told ?? (isNew ? backoff : 0);
		this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(wait, LONGEST_PAUSE));
		if (!isNew) return;
		const lasted = now - this.measuredFrom + wait;
		const isWhole = this.isSincePause || lasted < SHORT_PERIOD;
		const period = told === undefined ? lasted : periodWithin(lasted);
		this.measured = { period: isWhole ? period : 0, accepted: this.accepted, before: this.spacing };
		this.learn();
		this.isSincePause = true;
		this.nextStart = this.measuredFrom = this.pausedUntil;
		this.accepted = 0;
		this.refusedAt = now;
		this.refusalsInARow++;
		this.slots = Math.max(1, this.slots / 2);
	}

	/** The spacing that the last period teaches; never less than the one that was refused. */
	private learn() {
		const { period, accepted, before } = this.measured;
		if (period === 0 || accepted < FEWEST_TO_MEASURE) return;
		this.learned = Math.min(LONGEST_SPACING, MARGIN * Math.max(before, period / accepted));
	}

	private async pump() {
		this.isPumping = true;
		while (this.queue.length > 0) {
			const now = Date.now();
			if (this.pausedUntil > now) this.dismissThoseWhoWaitTooLong(now);
			const wait = Math.max(this.pausedUntil, this.nextStart) - now;
			if (this.underway >= Math.floor(this.slots)) await this.untilWoken();
			else if (wait > 0) await this.untilWoken(wait);
			else this.startNext(now);
		}
		this.isPumping = false;
	}

	private startNext(now: number) {
		const waiter = this.queue.shift();
		if (!waiter) return;
		this.underway++;
		// From the planned start, not from now: a timer that is late must not make the rate lower.
		this.nextStart = Math.max(this.nextStart, now - MOST_LATE) + this.spacing;
		waiter.start();
	}

	private dismissThoseWhoWaitTooLong(now: number) {
		const stay = this.queue.filter(({ since, maxWait }) => {
			return this.pausedUntil - Math.max(since, this.goodAt) <= maxWait;
		});
		const leave = this.queue.filter((waiter) => !stay.includes(waiter));
		this.queue.splice(0, this.queue.length, ...stay);
		for (const { since, giveUp } of leave) giveUp(now - since);
	}

	private async untilWoken(atMost?: number) {
		this.waking = new AbortController();
		const { signal } = this.waking;
		if (atMost !== undefined) await nap(atMost, signal).catch(() => {});
		else await new Promise((resolve) => signal.addEventListener('abort', resolve));
	}
}

/** Told waits are rounded up, so a period ends before its first request and the wait say. */
function periodWithin(milliseconds: number): number {
	return PERIODS.filter((period) => period <= milliseconds).pop() ?? milliseconds;
}
