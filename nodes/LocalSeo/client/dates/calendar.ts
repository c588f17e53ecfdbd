/**
 * A moment as it is written: a day of the calendar, with a time of day and a zone where they are written.
 */
export interface Moment {
	year: number;
	/** 1 to 12. */
	month: number;
	day: number;
	/** Milliseconds since midnight; absent: a day. */
	time?: number;
	/** Minutes ahead of UTC; absent: no zone is written. */
	offset?: number;
}

const MINUTE = 60_000;

/** Whether a year has such a day: February 29 in leap years alone. */
export function isDay({ year, month, day }: Moment): boolean {
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** 1 (Monday) to 7. */
export function weekdayOf(moment: Moment): number {
	return new Date(utcOf({ ...moment, time: 0, offset: 0 })).getUTCDay() || 7;
}

/** The moment in milliseconds since 1970, with UTC as its zone where none is written. */
export function utcOf({ year, month, day, time = 0, offset = 0 }: Moment): number {
	return Date.UTC(year, month - 1, day) + time - offset * MINUTE;
}
