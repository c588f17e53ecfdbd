/** The periods in which services usually count requests (milliseconds), shortest first. */
export const PERIODS = [1, 5, 10, 15, 30, 60, 300, 900, 3600, 86_400].map((each) => each * 1000);

/**
 * Up to here, requests are best spread over a period, and a wait is that of such a period; a longer one is
 * better used at its beginning (milliseconds).
 */
export const SHORT_PERIOD = 2_500;

/** Stated waits are rounded up, so the true period is a little shorter than what was measured. */
export function periodWithin(milliseconds: number): number {
	return PERIODS.filter((period) => period <= milliseconds).pop() ?? milliseconds;
}
