/** How much a value grows beyond the ceiling in the time that it took to reach it: a part of it, or this. */
const GROWTH = { part: 0.1, least: 1 };

/**
 * A value just below which one stays after something was refused, as TCP CUBIC does: it is approached
 * fast, held for a while, and then exceeded, faster and faster.
 */
export class Ceiling {
	private height = Infinity;
	private depth = 0;
	private since = 0;
	private lasts = 1;

	/** How much is allowed now; Infinity while nothing was refused. */
	at(now: number): number {
		if (this.height === Infinity) return Infinity;
		const way = (now - this.since) / this.lasts - 1;
		const growth = way > 0 ? Math.max(GROWTH.least, GROWTH.part * this.height) : 0;
		return this.height + Math.max(growth, this.depth) * way ** 3;
	}

	/** @param lasts until the value reaches the height, and for as long again it is close to it; milliseconds */
	set(now: number, value: number, height: number, lasts: number): void {
		this.height = height;
		this.depth = height - value;
		this.since = now;
		this.lasts = lasts;
	}

	/** Nothing was asked for during so many milliseconds. */
	skip(milliseconds: number): void {
		this.since += milliseconds;
	}
}
