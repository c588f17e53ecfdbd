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
const DAY = 86_400_000;

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

/**
 * The moment in milliseconds since 1970, in a zone where none is written of its own. Where clocks are put
 * forward, a time that they skip is as much later; where they are put back, the first of two is meant.
 *
 * @param zone as `America/New_York`
 */
export function instantIn(zone: string, moment: Moment): number {
	if (moment.offset !== undefined) return utcOf(moment);
	const local = utcOf(moment);
	const [before, after] = [local - DAY, local + DAY].map((time) => offsetAt(zone, time) * MINUTE);
	const possible = [local - before, local - after].filter(
		(time) => time + offsetAt(zone, time) * MINUTE === local,
	);
	return possible.length > 0 ? Math.min(...possible) : local - before;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date and time that clocks in a zone show at an instant. */
export function momentIn(zone: string, instant: number): Moment {
	const format =
		formats.get(zone) ??
		new Intl.DateTimeFormat('en-US', {
			...{ timeZone: zone, era: 'short', hourCycle: 'h23', year: 'numeric', month: 'numeric' },
			...{ day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
		});
	formats.set(zone, format);
	const parts = Object.fromEntries(
		format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
	);
	const { year, month, day, hour, minute, second } = parts;
	const time = (hour * 3600 + minute * 60 + second) * 1000 + (((instant % 1000) + 1000) % 1000);
	return { year, month, day, time };
}

/** Minutes that a zone is ahead of UTC at an instant. */
export function offsetAt(zone: string, instant: number): number {
	return Math.round((utcOf(momentIn(zone, instant)) - instant) / MINUTE);
}

/** "2027-12-24T09:00:00-05:00": an instant with the offset that its zone has then. */
export function isoIn(zone: string, instant: number): string {
	return isoTime({ ...momentIn(zone, instant), offset: offsetAt(zone, instant) });
}

/** "2027-12-24T09:00:00-05:00"; without a zone where none is written. */
export function isoTime(moment: Moment): string {
	const { offset } = moment;
	const local = new Date(utcOf({ ...moment, offset: 0 })).toISOString().replace(/(\.000)?Z$/, '');
	if (offset === undefined) return local;
	const [hours, minutes] = [Math.abs(offset) / 60, Math.abs(offset) % 60].map((part) =>
		String(Math.floor(part)).padStart(2, '0'),
	);
	return `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

/** "2027-12-24" */
export function isoDay({ year, month, day }: Moment): string {
	return [
		String(year).padStart(4, '0'),
		...[month, day].map((part) => String(part).padStart(2, '0')),
	].join('-');
}
