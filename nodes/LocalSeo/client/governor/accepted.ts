/** What was accepted for so long shows how fast it was accepted (milliseconds). */
const LATELY = 2_000;

/**
 * What the service has accepted since a moment from which on there was always something to send. All
 * times are milliseconds.
 */
export class Accepted {
	/** How many requests. */
	count = 0;
	/** When the latest ones started, oldest first. */
	private startedAt: number[] = [];

	/** @param isSincePause a whole period of the service begins at the end of a pause; elsewhere it may be midway */
	constructor(
		readonly since: number,
		readonly isSincePause: boolean,
	) {}

	add(startedAt: number): void {
		this.count++;
		this.startedAt.push(startedAt);
		while (this.startedAt[0] < startedAt - LATELY) this.startedAt.shift();
	}

	/** The time between the starts of two requests, on average of the last seconds. */
	spacingLately(now: number): number {
		return LATELY / this.startedAt.filter((startedAt) => startedAt > now - LATELY).length;
	}
}
