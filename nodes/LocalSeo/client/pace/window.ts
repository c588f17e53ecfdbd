import type { Clock, Random } from '../ports';
import { Ceiling } from './ceiling';

/** A pause ends after this at the latest, even if the service says "tomorrow" (milliseconds). */
const LONGEST_PAUSE = 300_000;
/** The same where only an answer says that nothing is left: so long as it is accepted, one may ask again. */
const LONGEST_QUOTA_PAUSE = 60_000;
/** Without a stated wait: doubled with each refusal in a row, with jitter. */
const FIRST_BACKOFF = 100;
const LONGEST_BACKOFF = 30_000;
/** After a wait up to this, starts are best spread over the period; a longer period is used at its beginning. */
const SHORT = 2_500;
/** The periods in which services usually count (milliseconds). */
const PERIODS = [1, 10, 15, 30, 60, 300, 900, 3600, 86_400].map((each) => each * 1000);
/** A measured rate is used up to this part, since requests never arrive quite evenly. */
const MARGIN = 0.975;
/** What is left of a rate that was refused, and how close to it one stays; the same where much less passed. */
const REFUSED = { to: 0.9, below: 0.97 };
const HALVED = { to: 0.5, below: 0.75 };
/** For how long a rate is held, and one that is hardly more than a guess (milliseconds). */
const HELD = 5_000;
const GUESSED = 500;
/** What passed in less time than this says little about the rate. */
const LEAST_MEASURED = 900;
const LONGEST_SPACING = 10_000;
/** Where nothing was started for so long, there was nothing to send, and the count begins anew. */
const IDLE = 1_000;
/** How late a timer may fire for the next start still to be counted from the plan. */
const MOST_LATE = 5;

/**
 * How fast requests may start: so many in so long, learned from what passed until a refusal, and from
 * the wait that it states. A refusal pauses all. All times are milliseconds.
 *
 * A short period becomes a rate, with starts evenly spaced. In a long one, as many as passed in the last
 * start at once; then one tries whether there is more, then two, and so on.
 */
export class Window {
	/** Until then the service accepts nothing. */
	pausedUntil = -Infinity;
	private nextStart: number;
	/** What was started since then and not refused. */
	private since: number;
	private passed = 0;
	/** When to count anew: at the end of a stated wait. */
	private resumesAt = Infinity;
	private refusedAt = -Infinity;
	private firstRefusedAt = Infinity;
	private refusalsInARow = 0;
	/** The rate that was refused; Infinity where none was known. */
	private tried = Infinity;
	private readonly rate = new Ceiling();
	/** A long period; absent while none is known. */
	private period?: { most: number; lasts: number };

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
	) {
		this.nextStart = this.since = clock.now();
	}

	/** Requests a second; undefined while no limit is known. */
	get perSecond(): number | undefined {
		if (this.period) return (1_000 * this.period.most) / this.period.lasts;
		const rate = this.rate.at(this.clock.now());
		return rate === Infinity ? undefined : rate;
	}

	/** When the next request may start. */
	get opensAt(): number {
		return Math.max(this.pausedUntil, this.nextStart);
	}

	/** Whether one more may be in flight. */
	hasRoom(inFlight: number): boolean {
		if (!this.period) return true;
		const { most, lasts } = this.period;
		if (this.clock.now() >= this.since + lasts) this.count(this.clock.now());
		return this.passed < most || inFlight <= this.passed - inFlight - most;
	}

	/** Whether a request that started then was no sudden burst. */
	wasSpaced(startedAt: number): boolean {
		return startedAt > this.firstRefusedAt;
	}

	started(): void {
		const now = this.clock.now();
		const { opensAt } = this;
		// A rate that is not used does not grow.
		this.rate.skip(Math.max(0, now - this.nextStart));
		if (now >= this.resumesAt) this.count(this.resumesAt);
		else if (!this.period && now > opensAt + IDLE) this.count(now);
		this.passed++;
		const spacing = this.period ? 0 : Math.min(LONGEST_SPACING, 1_000 / this.rate.at(now));
		this.nextStart = (now - opensAt < MOST_LATE ? opensAt : now) + spacing;
	}

	/** @param usedUpForMs for how long nothing is left of what the service allows */
	accepted(startedAt: number, usedUpForMs = 0): void {
		if (this.refusalsInARow > 0 && startedAt > this.refusedAt) {
			// Unless a period began at the end of a stated wait, it may be midway in one.
			if (this.since <= this.refusedAt) this.count(startedAt, 1);
			this.refusalsInARow = 0;
		}
		// In a short period, the rate that is held is enough.
		if (usedUpForMs <= 0 || (!this.period && this.perSecond !== undefined)) return;
		this.close(Math.min(usedUpForMs, LONGEST_QUOTA_PAUSE), true);
	}

	/** @param statedMs the wait that the service asks for */
	refused(startedAt: number, statedMs?: number): void {
		const now = this.clock.now();
		const backoff = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** this.refusalsInARow);
		// Those in flight together are refused together.
		const isNew = startedAt > this.refusedAt;
		if (isNew) {
			if (this.refusalsInARow++ === 0) this.tried = this.rate.at(now);
			this.refusedAt = now;
			this.firstRefusedAt = Math.min(this.firstRefusedAt, now);
		}
		if (startedAt >= this.since && this.passed > 0) this.passed--;
		const isStated = statedMs !== undefined && statedMs > 0;
		const ownWait = isNew ? backoff * (0.5 + this.random()) : 0;
		this.close(Math.min(LONGEST_PAUSE, isStated ? statedMs : ownWait), isStated);
	}

	private close(waitMs: number, isStated: boolean) {
		const now = this.clock.now();
		this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
		const lasted = this.pausedUntil - this.since;
		if (isStated) this.resumesAt = this.pausedUntil;
		if (isStated && (waitMs > SHORT || (this.period && lasted > SHORT))) {
			this.period = { most: this.passed, lasts: periodWithin(lasted) };
		} else {
			this.learn(now, lasted, isStated);
		}
	}

	private learn(now: number, lasted: number, isStated: boolean) {
		const { tried } = this;
		const measured =
			(1_000 * Math.max(0.5, this.passed)) / (isStated ? periodWithin(lasted) : lasted);
		const isMuchLess = lasted > LEAST_MEASURED && measured < HALVED.to * tried;
		if (isStated && isMuchLess) return this.rate.set(now, MARGIN * measured, measured, HELD);
		if (tried === Infinity) return this.rate.set(now, measured, 2 * measured, GUESSED);
		const { to, below } = isMuchLess ? HALVED : REFUSED;
		this.rate.set(now, to * tried, below * tried, HELD);
	}

	private count(since: number, passed = 0) {
		if (this.period) this.period.most = Math.max(this.period.most, this.passed);
		this.since = since;
		this.passed = passed;
		this.resumesAt = Infinity;
	}
}

/** Stated waits are rounded up, so the true period is a little shorter than what was measured. */
function periodWithin(milliseconds: number): number {
	return PERIODS.filter((period) => period <= milliseconds).pop() ?? milliseconds;
}
