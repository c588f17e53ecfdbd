import type { Account } from '../account';

/** `Date` counts whole seconds, and the service may take a moment between it and the record. */
const DATE_TOLERANCE = 3_000;
const MINUTE = 60_000;
/** Milliseconds by which the clocks of a service's machines may differ. */
const SKEW = 5_000;
/** Milliseconds for which a clock that contradicts itself is not relied on. */
const UNRELIABLE_FOR = 600_000;
/** A clock that is known to this is taken at its word; another may show a record from before. */
const EXACT = 6_000;

/**
 * When a record was created, seen from a moment of this machine: before it, after it, within what
 * the clock lets be told, or unknown. `earlier-by-date` goes by the header `Date` alone, which need
 * not be the clock that dates records.
 */
export type Age = 'older' | 'newer' | 'about-then' | 'earlier-by-date' | 'unknown';

type ServiceDate = Pick<Account, 'serviceClockOffset' | 'serviceClockSetAt'>;

/**
 * The clock that a service writes into `created_at`, learned from records that are known to have
 * been created here: it may be off, in another zone, or cut to seconds or minutes. All times are
 * milliseconds.
 */
export class ServiceClock {
	/** Bounds of what has to be added to this machine's time; the upper one before it was cut. */
	private least = -Infinity;
	private cutMost = Infinity;
	/** To what times are cut; the coarsest that fits all. */
	private granularity = MINUTE;
	/** Until then its times are not relied on: it was set, or differs from record to record. */
	private unreliableUntil = -Infinity;
	private setAt = -Infinity;

	/** A date of any record shows to what they are cut. */
	see(created: number): void {
		while (created % this.granularity !== 0) {
			this.granularity = this.granularity === MINUTE ? 1_000 : 1;
		}
	}

	/** A record was created between these moments of this machine. */
	learn(created: number, sentAt: number, receivedAt: number, date?: ServiceDate): void {
		this.forgetBefore(date);
		if (sentAt <= this.setAt) return;
		this.see(created);
		const least = created - receivedAt;
		const cutMost = created - sentAt;
		const before = { least: this.least, cutMost: this.cutMost };
		this.least = Math.max(before.least, least);
		this.cutMost = Math.min(before.cutMost, cutMost);
		if (this.least <= this.most) return;
		if (this.least - this.most <= SKEW) {
			// Several machines of the service, with clocks of their own: all are right.
			this.least = Math.min(before.least, least);
			this.cutMost = Math.max(before.cutMost, cutMost);
		} else {
			[this.least, this.cutMost] = [least, cutMost];
			this.unreliableUntil = receivedAt + UNRELIABLE_FOR;
		}
	}

	/** A date may be cut by as much as the granularity that is known now. */
	private get most(): number {
		return this.cutMost + this.granularity;
	}

	/**
	 * @param created of a record
	 * @param moment of this machine
	 * @param now of this machine
	 * @param date the header `Date`, where that is known: what it is ahead of this machine, and when it
	 * was set
	 */
	ageOf(created: number | undefined, moment: number, now: number, date?: ServiceDate): Age {
		this.forgetBefore(date);
		if (created === undefined || now < this.unreliableUntil) return 'unknown';
		if (moment <= this.setAt) return 'unknown';
		const dateOffset = date?.serviceClockOffset;
		if (Number.isFinite(this.least)) {
			const earliest = moment + this.least - this.granularity;
			if (created <= earliest - SKEW) return 'older';
			if (created <= earliest) return 'unknown';
			// Not even now: a clock that was set, or a date that is none.
			if (created > now + this.most + SKEW) return 'unknown';
			if (created >= moment + this.most) return 'newer';
			const isExact = this.most - this.least + this.granularity <= EXACT;
			if (isExact) return created <= now + this.most ? 'about-then' : 'unknown';
			// What is known may be as wide as a search took: `Date` is more exact, where it may be that clock.
			// By one that is further ahead, all that is left here is earlier.
			const isSameClock = dateOffset !== undefined && dateOffset >= this.least - DATE_TOLERANCE;
			return isSameClock && ageByDate(created, moment, now, dateOffset) === 'about-then'
				? 'about-then'
				: 'unknown';
		}
		// Not known yet: `Date` is taken where it fits, but proves nothing where it does not.
		return dateOffset === undefined ? 'unknown' : ageByDate(created, moment, now, dateOffset);
	}

	/** What was learned from a clock that has been set since says nothing any more. */
	private forgetBefore(date?: ServiceDate): void {
		if (!date || date.serviceClockSetAt <= this.setAt) return;
		this.setAt = date.serviceClockSetAt;
		[this.least, this.cutMost, this.granularity] = [-Infinity, Infinity, MINUTE];
	}
}

function ageByDate(created: number, moment: number, now: number, offset: number): Age {
	if (created < moment + offset - DATE_TOLERANCE) return 'earlier-by-date';
	return created <= now + offset + DATE_TOLERANCE ? 'about-then' : 'unknown';
}
