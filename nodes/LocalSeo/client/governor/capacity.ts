/** The most requests in flight at once: what n8n and the machine bear. */
export const MAX_IN_FLIGHT = 96;
const FIRST_LIMIT = 4;
/** Numbers in flight are told apart in steps of √2. */
const LEVELS = Array.from({ length: 14 }, (_, index) => 2 ** (index / 2));
const STEP = Math.log(LEVELS[1]);
/** So many answers count for a level at most; with each one, those of other levels fade a little. */
const MOST_WEIGHT = 40;
const FADING = 1 - 1 / 2_000;
/** Seen from here on, a level's answers say something about it. */
const LEAST_WEIGHT = 0.5;
/** Of all numbers of workers that explain the answers, the chosen one is larger than so much of them. */
const OPTIMISM = 0.85;
/** In flight are a few more than are being served, so that none that serves has to wait for us. */
const MORE_THAN_SERVED = 1.4;
/** By how much the limit grows at once, and how much of it has to be used before. */
const MOST_GROWTH = 1.6;
const LEAST_USE = 0.75;
/** After so many answers, or so many rounds of them, fewer are sent for a moment, to compare. */
const LEAST_BETWEEN_DIPS = 50;
const ROUNDS_BETWEEN_DIPS = 10;
/** What is left of them then, and how many fewer they are at most. */
const DIP = 0.34;
const DEEPEST_DIP = 32;
/** Spread of the answer times of a perfectly even service, as the square of a logarithm. */
const LEAST_SPREAD = 0.003;
/** A level fails too often if so many more of its requests fail than at lower ones. */
const MANY_FAILURES = 0.08;
/** Kinds of requests that are told apart. */
export const MAX_KINDS = 50;
/** So many answers have to show how long a kind takes before they say anything about the service. */
const LEAST_OF_KIND = 5;
const MOST_OF_KIND = 50;

/** What was seen with about so many requests in flight. */
interface Level {
	/** Mean logarithm of the answer times, compared with others of the same kind. */
	mean: number;
	weight: number;
	/** Requests that the service was too busy for, and all of them. */
	failed: number;
	tried: number;
}

/**
 * Finds how many requests a service can serve side by side, which it does not say, from how long it
 * takes to answer. With W workers, n requests in flight take as long as one, up to n = W; beyond that
 * each waits for the others, and takes n / W times as long. The W that explains the answers best, for
 * different n, is the number of workers, whatever one answer takes (compare Netflix's concurrency
 * limits and Envoy's adaptive concurrency, which need to know the time of an idle service).
 *
 * Logarithms of times are compared, so that few slow answers don't decide. A service that is too busy
 * for some (5xx, timeouts) bears fewer than that, if more than that fail only with so many in flight.
 */
export class Capacity {
	private allowed = FIRST_LIMIT;
	private readonly levels: Level[] = LEVELS.map(() => ({
		mean: 0,
		weight: 0,
		failed: 0,
		tried: 0,
	}));
	private firstKind?: string;
	/** How much longer others take than the first kind of request: logarithm and number of answers. */
	private readonly kinds = new Map<string, { offset: number; seen: number }>();
	/** Square of the spread of the logarithms within a level. */
	private spread = 0.3;
	private spreadSeen = 0;
	/** The most in flight lately. */
	private reached = FIRST_LIMIT;
	private served = FIRST_LIMIT;
	private base = 0;
	private untilNext = FIRST_LIMIT;
	/** What is allowed while it is not lowered for a moment, and answers until it is. */
	private full = FIRST_LIMIT;
	private untilDip = LEAST_BETWEEN_DIPS;
	/** The most in flight before more fail than with fewer. */
	private bearable = Infinity;

	/** How many requests may be in flight. */
	get limit(): number {
		return Math.max(1, Math.floor(Math.min(this.allowed, this.bearable)));
	}

	/**
	 * @param inFlight how many there were when it was sent, itself included
	 * @param tookMs until the service answered; milliseconds
	 * @param kind requests of the same kind should take about the same time
	 */
	answered(inFlight: number, tookMs: number, kind: string): void {
		const index = levelOf(inFlight);
		count(this.levels[index], 0);
		// Less than none where this machine's clock was set back.
		const time = this.comparable(inFlight, Math.log(Math.max(0, tookMs) + 1), kind);
		if (time === undefined) return;
		this.learn(index, time);
		const isRise = inFlight >= this.reached;
		this.reached = isRise ? inFlight : this.reached + (inFlight - this.reached) / 100;
		this.untilDip--;
		if (--this.untilNext <= 0) this.adapt();
	}

	/** The service was too busy for a request, or did not answer in time. */
	failed(inFlight: number): void {
		count(this.levels[levelOf(inFlight)], 1);
		this.bearable = this.mostBearable();
	}

	/** After it was down, a service is asked for little at first. */
	restart(): void {
		this.full = Math.min(this.full, FIRST_LIMIT);
		this.allowed = this.full;
		this.untilNext = FIRST_LIMIT;
	}

	/** An answer's time as if it were of the first kind; undefined as long as that is not known. */
	private comparable(inFlight: number, time: number, name: string): number | undefined {
		this.firstKind ??= name;
		if (name === this.firstKind) return time;
		let kind = this.kinds.get(name);
		if (!kind) {
			if (this.kinds.size >= MAX_KINDS) return undefined;
			kind = { offset: 0, seen: 0 };
			this.kinds.set(name, kind);
		}
		const expected = this.base + Math.max(0, Math.log(inFlight / this.served));
		kind.seen++;
		kind.offset += (time - expected - kind.offset) / Math.min(kind.seen, MOST_OF_KIND);
		return kind.seen < LEAST_OF_KIND ? undefined : time - kind.offset;
	}

	private learn(index: number, time: number) {
		const level = this.levels[index];
		if (level.weight >= 3) {
			const square = ((time - level.mean) ** 2 * level.weight) / (level.weight + 1);
			this.spreadSeen = Math.min(200, this.spreadSeen + 1);
			this.spread += (square - this.spread) / (this.spreadSeen + 3);
		}
		level.weight = Math.min(MOST_WEIGHT, level.weight + 1);
		level.mean += (time - level.mean) / level.weight;
		for (const other of this.levels) if (other !== level) fade(other);
		// More at once can't be faster: what is older and says so no longer holds.
		if (level.weight < 4) return;
		this.levels.forEach((other, at) => {
			if (other === level || other.weight < 1) return;
			const contradiction = at > index ? level.mean - other.mean : other.mean - level.mean;
			const doubt = this.spread * (1 / level.weight + 1 / other.weight);
			if (contradiction > Math.sqrt(doubt)) other.weight *= 0.9;
		});
	}

	private adapt() {
		this.served = this.likelyWorkers();
		const wanted = MORE_THAN_SERVED * this.served + 0.5;
		const most = Math.min(MAX_IN_FLIGHT, MOST_GROWTH * this.full + 1);
		// Before it grows again, so many at once have to be answered.
		const isUsed = this.reached >= LEAST_USE * this.full;
		if (isUsed || wanted < this.full) this.full = Math.max(1, Math.min(wanted, most));
		this.allowed = this.full;
		this.untilNext = Math.max(3, Math.ceil(this.full / 3));
		this.bearable = this.mostBearable();
		if (this.untilDip > 0) return;
		this.untilDip = Math.max(LEAST_BETWEEN_DIPS, ROUNDS_BETWEEN_DIPS * this.full);
		this.allowed = Math.ceil(Math.max(DIP * this.full, this.full - DEEPEST_DIP));
		// The others have to end first.
		this.untilNext = Math.ceil(this.full - this.allowed) + 4;
	}

	/** The number of workers at the chosen place among all that explain the answers, by how well they do. */
	private likelyWorkers(): number {
		const most = Math.max(2, 2 * this.reached);
		const fits = LEVELS.filter((workers) => workers <= most).map((workers) => this.fit(workers));
		const best = Math.max(...fits.map(({ likelihood }) => likelihood));
		const shares = fits.map(({ likelihood }) => Math.exp(likelihood - best));
		const all = shares.reduce((a, b) => a + b);
		let below = 0;
		let chosen = 0;
		while (below + shares[chosen] < OPTIMISM * all && chosen < shares.length - 1) {
			below += shares[chosen++];
		}
		this.base = fits[chosen].base;
		const part = (OPTIMISM * all - below) / shares[chosen];
		return LEVELS[chosen] * Math.exp(STEP * (part - 0.5));
	}

	/** How well a number of workers explains the answers, and the time that one would take. */
	private fit(workers: number): { likelihood: number; base: number } {
		let weights = 0;
		let sum = 0;
		let squares = 0;
		this.levels.forEach(({ mean, weight }, index) => {
			if (weight < LEAST_WEIGHT) return;
			const base = mean - Math.max(0, Math.log(LEVELS[index] / workers));
			weights += weight;
			sum += weight * base;
			squares += weight * base * base;
		});
		const residual = squares - (sum * sum) / weights;
		return {
			likelihood: -residual / (2 * (this.spread + LEAST_SPREAD)),
			base: sum / weights,
		};
	}

	private mostBearable(): number {
		let failed = 0;
		let tried = 1;
		for (let index = 0; index < LEVELS.length; index++) {
			const level = this.levels[index];
			const usual = failed / tried;
			const share = level.failed / Math.max(1, level.tried);
			if (level.failed >= LEAST_WEIGHT && share > 2 * usual + MANY_FAILURES && index > 0) {
				return LEVELS[index] / Math.exp(STEP / 2);
			}
			failed += level.failed;
			tried += level.tried;
		}
		return Infinity;
	}
}

function levelOf(inFlight: number): number {
	return Math.min(LEVELS.length - 1, Math.round(Math.log(inFlight) / STEP));
}

/** What was long ago counts less and less. */
function count(level: Level, failed: number) {
	const kept = Math.min(1, MOST_WEIGHT / (level.tried + 1));
	level.tried = kept * (level.tried + 1);
	level.failed = kept * (level.failed + failed);
}

function fade(level: Level) {
	level.weight *= FADING;
	level.failed *= FADING;
	level.tried *= FADING;
}
