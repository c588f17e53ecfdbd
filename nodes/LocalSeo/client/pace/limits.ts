import type { Clock, Random } from '../ports';

/** How much a value grows beyond the ceiling in the time that it took to reach it: a part of it, or this. */
const GROWTH = { part: 0.1, least: 1 };

/**
 * A value just below which one stays after something was refused, as TCP CUBIC does: it is approached
 * fast, held for a while, and then exceeded, faster and faster.
 */
class Ceiling {
	/** What was kept to after the last refusal; Infinity while there was none. */
	private kept = Infinity;
	private held = { height: Infinity, since: 0, lasts: 1 };

	/** How much is allowed now; Infinity while nothing was refused. */
	at(now: number): number {
		const { height, since, lasts } = this.held;
		if (height === Infinity) return Infinity;
		const way = (now - since) / lasts - 1;
		const growth = way > 0 ? Math.max(GROWTH.least, GROWTH.part * height) : 0;
		return height + Math.max(growth, height - this.kept) * way ** 3;
	}

	/** @param lasts until the value reaches the height, and for as long again it is close to it; milliseconds */
	set(now: number, value: number, height: number, lasts: number): void {
		this.kept = value;
		this.held = { height, since: now, lasts };
	}

	/** Nothing was asked for during so many milliseconds. */
	skip(milliseconds: number): void {
		this.held.since += milliseconds;
	}
}

/** The most requests in flight at once: what n8n and the machine bear. */
export const MAX_IN_FLIGHT = 96;
const FIRST_LIMIT = 4;
/** Answers that take so much longer than usual are still no sign of a queue. */
const TOLERANCE = 1.5;
const SMOOTHING = 0.4;
/** So many answers show how long they take, at least; the long RTT changes with a thousand. */
const ANSWERS = { fewest: 10, long: 1_000 };
/** After so many rounds of answers, only a part are in flight for a moment. */
const DIP = { after: 15, to: 1 / 3 };
/**
 * How many failures are too many, where each answer makes up for a little of one: with more in flight
 * than ever, and with as many as were answered, too, so that it may be chance.
 */
const TOO_MANY = { more: 1.5, proven: 5 };
const FADING = { failures: 0.95, proven: 0.99 };
/** What is left of a number in flight that was too much, and how close to it one stays. */
const FAILED = { to: 0.85, below: 0.95 };
/** How long that is remembered (milliseconds): what a gateway refuses costs little. */
const REMEMBERED = { failed: 6_000, shed: 1_000 };

/**
 * How many requests a service bears at once, by Gradient2 (Netflix concurrency-limits): as long as
 * answers take no longer than usual there may be more, else fewer in proportion. All times are
 * milliseconds.
 *
 * What is usual (the long RTT) is measured now and then with a third in flight, since it would follow
 * the queue that we make; and wherever so few are in flight because a service has become slower.
 */
export class Gradient {
	private allowed = FIRST_LIMIT;
	private shortRtt = 0;
	private longRtt = 0;
	private answers = 0;
	private sinceDip = 0;
	/** The most in flight since the last dip, and answers with at most a third of them. */
	private peak = 0;
	private few = { count: 0, rtt: 0 };
	/** The most in flight when those started that were answered lately. */
	private proven = 1;
	private failures = 0;
	private readonly ceiling = new Ceiling();

	constructor(private readonly clock: Clock) {}

	/** How many requests may be in flight. */
	get limit(): number {
		const full = Math.min(this.allowed, this.ceiling.at(this.clock.now()));
		const isDip = this.sinceDip > DIP.after * this.allowed;
		return Math.max(1, Math.round(isDip ? full * DIP.to : full));
	}

	/**
	 * @param inFlight how many there were when it was sent, itself included
	 * @param tookMs until the service answered
	 */
	answered(inFlight: number, tookMs: number): void {
		this.failures *= FADING.failures;
		this.proven = Math.max(inFlight, FADING.proven * this.proven);
		this.measure(inFlight, tookMs);
		// What is not used needs no change.
		if (inFlight < this.allowed / 2) return;
		const gradient = Math.max(0.5, Math.min(1, (TOLERANCE * this.longRtt) / this.shortRtt));
		const queue = Math.sqrt(this.allowed);
		const change = this.allowed * (gradient - 1) + queue;
		this.allowed = Math.min(MAX_IN_FLIGHT, this.allowed + (SMOOTHING * change) / queue);
	}

	/** The service was too busy for a request. */
	failed(inFlight: number): void {
		const most = TOO_MANY[this.isMore(inFlight) ? 'more' : 'proven'];
		if (++this.failures > most && this.answers > 0) this.cut(inFlight, 'failed');
	}

	/** Whether there were more in flight than with any request that was answered lately. */
	isMore(inFlight: number): boolean {
		return inFlight > this.proven;
	}

	/** After it was down, or had nothing to do, a service is asked for little at first. */
	restart(): void {
		this.allowed = Math.min(this.allowed, FIRST_LIMIT);
		this.failures = 0;
	}

	/** Either too many failed, or a gateway let no more through. */
	cut(inFlight: number, why: 'failed' | 'shed'): void {
		// It started before there were fewer; one more is a person.
		if (inFlight > this.limit + 1) return;
		const now = this.clock.now();
		const most = Math.min(inFlight, this.ceiling.at(now));
		this.ceiling.set(now, FAILED.to * most, FAILED.below * most, REMEMBERED[why]);
		this.allowed = Math.min(this.allowed, most);
	}

	private measure(inFlight: number, tookMs: number) {
		const { few } = this;
		this.answers++;
		this.sinceDip++;
		const lately = Math.min(this.answers, Math.max(ANSWERS.fewest, this.allowed / 2));
		this.shortRtt += (tookMs - this.shortRtt) / lately;
		this.longRtt +=
			(tookMs - this.longRtt) / (this.answers > ANSWERS.fewest ? ANSWERS.long : this.answers);
		this.peak = Math.max(this.peak, inFlight);
		if (inFlight > Math.ceil(this.peak * DIP.to)) return;
		few.count++;
		few.rtt += (tookMs - few.rtt) / few.count;
		if (few.count < Math.max(ANSWERS.fewest, 2 * inFlight)) return;
		this.longRtt = few.rtt;
		this.few = { count: 0, rtt: 0 };
		this.peak = inFlight;
		this.sinceDip = 0;
	}
}

/** The longest pauses (milliseconds), whatever is stated: while requests are accepted, one may ask again. */
const LONGEST_PAUSE = { refused: 300_000, usedUp: 60_000 };
/** Without a stated wait: doubled with each refusal in a row, with jitter. */
const BACKOFF = { first: 100, longest: 30_000 };
/** After a wait up to this, starts are best spread over the period; a longer period is used at its beginning. */
const SHORT = 2_500;
/** The periods in which services usually count (milliseconds). */
const PERIODS = [1, 10, 15, 30, 60, 300, 900, 3600, 86_400].map((each) => each * 1000);
/** What is left of a rate that was refused, and how close to it one stays; the same where much less passed. */
const REFUSED = { to: 0.9, below: 0.97 };
const HALVED = { to: 0.5, below: 0.75 };
/** For how long a rate is held, and one that is hardly more than a guess (milliseconds). */
const HELD = { rate: 5_000, guess: 500 };
/** What passed in less time than this says little about the rate. */
const LEAST_MEASURED = 900;
const LONGEST_SPACING = 10_000;
/** Where nothing was started for so long, there was nothing to send, and the count begins anew. */
const IDLE = 1_000;
/** How late a timer may fire for the next start still to be counted from the plan. */
const MOST_LATE = 5;

/**
 * How fast requests may start: so many in so long, learned from what passed until a refusal, and from
 * the wait that it states, in milliseconds. A refusal pauses all.
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
	/** A request that started later was no sudden burst. */
	firstRefusedAt = Infinity;
	private refusedAt = -Infinity;
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
		if (usedUpForMs <= 0 || (!this.period && this.rate.at(startedAt) < Infinity)) return;
		this.close(Math.min(usedUpForMs, LONGEST_PAUSE.usedUp), true);
	}

	/** @param statedMs the wait that the service asks for */
	refused(startedAt: number, statedMs?: number): void {
		const now = this.clock.now();
		const backoff = Math.min(BACKOFF.longest, BACKOFF.first * 2 ** this.refusalsInARow);
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
		this.close(Math.min(LONGEST_PAUSE.refused, isStated ? statedMs : ownWait), isStated);
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
		const measured =
			(1_000 * Math.max(0.5, this.passed)) / (isStated ? periodWithin(lasted) : lasted);
		// What passed until a stated wait is the limit, however fast it was sent.
		if (isStated && lasted > LEAST_MEASURED && measured < REFUSED.to * this.tried)
			return this.rate.set(now, REFUSED.below * measured, measured, HELD.rate);
		if (this.tried === Infinity) return this.rate.set(now, measured, 2 * measured, HELD.guess);
		const isMuchLess = lasted > LEAST_MEASURED && measured < HALVED.to * this.tried;
		const { to, below } = isMuchLess ? HALVED : REFUSED;
		this.rate.set(now, to * this.tried, below * this.tried, HELD.rate);
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
