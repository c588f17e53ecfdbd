import { DateTime } from 'luxon';

import { isRecord } from '../client';

/** A day, alone or with a time of day and its zone. */
const DAY =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(Z|UTC|[+-]\d\d:?\d\d))?)?$/;
const MONTH_OR_WEEK = /^\d{4}-(?:\d\d|W\d\d)$/;
const MIDNIGHT = '00:00:00';
/** Numbers of seconds or milliseconds outside of these years count something else. */
const YEARS = { first: 2000, last: 2099 };

/**
 * Reads a date in a form that only means one, and returns it as it is written: `YYYY-MM-DD`, also with a
 * time, `YYYY-MM` and `YYYY-Www`.
 *
 * @param isDay true for what is called a date: then also `YYYYMMDD` and `{ year, month, day }`
 * @returns undefined for anything else
 */
export function readDate(value: unknown, isDay: boolean): string | undefined {
	if (isDay && isRecord(value)) return dayOfParts(value);
	const text =
		typeof value === 'string' || (isDay && typeof value === 'number') ? String(value) : '';
	if (isDay && /^\d{8}$/.test(text)) return isoDay(DateTime.fromFormat(text, 'yyyyMMdd', UTC));
	if (isWeekOrMonth(text)) return DateTime.fromISO(text).isValid ? text : undefined;
	return DAY.test(text) && DateTime.fromISO(isoOf(text), UTC).isValid ? text : undefined;
}

const UTC = { zone: 'utc' };
const isoDay = (date: DateTime): string | undefined => date.toISODate() ?? undefined;

/** True for a date that is a week or a month as it is written. */
export const isWeekOrMonth = (date: string): boolean => MONTH_OR_WEEK.test(date);

function dayOfParts({ year, month, day }: Record<string, unknown>): string | undefined {
	const parts = [year, month, day] as number[];
	return parts.every(Number.isInteger) ? isoDay(DateTime.utc(...(parts as [number]))) : undefined;
}

/** The day and, if it says one, the time of a date, to the second. */
function partsOf(date: string): [day?: string, time?: string, zone?: string] {
	const [, day, time, zone] = DAY.exec(date) ?? [];
	return [day, time?.padEnd(MIDNIGHT.length, ':00').replace(/\.0+$/, ''), zone];
}

/** "2026-03-01 09:00 UTC" in ISO 8601. */
function isoOf(date: string): string {
	const [day, time = MIDNIGHT, zone = ''] = partsOf(date);
	return day === undefined ? date : `${day}T${time}${zone === 'UTC' ? 'Z' : zone}`;
}

/**
 * The dates of one list: midnight, as it is written, means the day. Where a day has two different times,
 * the list is one of hours, and each keeps what it says.
 */
export function datesOfList(dates: string[]): string[] {
	const times = new Map<string, string>();
	for (const date of dates) {
		const [day, time] = partsOf(date);
		if (day === undefined || time === undefined) continue;
		if ((times.get(day) ?? time) !== time) return dates;
		times.set(day, time);
	}
	return dates.map((date) => {
		const [day, time] = partsOf(date);
		return time === MIDNIGHT ? day! : date;
	});
}

/** A date in a form that the user has named: seconds, milliseconds, or a format of Luxon. */
export function readFormatted(value: unknown, format: string): string | undefined {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	const unit = { seconds: 1000, milliseconds: 1 }[format];
	if (unit !== undefined) {
		const time = DateTime.fromMillis(/^\d+(\.\d+)?$/.test(text) ? Number(text) * unit : NaN, UTC);
		const isLikely = time.year >= YEARS.first && time.year <= YEARS.last;
		return isLikely ? readDate(time.toISO({ suppressMilliseconds: true }), false) : undefined;
	}
	// A text that states its zone is the same instant in both.
	const [time, other] = ['utc', 'utc+1'].map((zone) =>
		DateTime.fromFormat(text, format, { zone, setZone: true, locale: 'en' }),
	);
	const includeOffset = time.toMillis() === other.toMillis();
	const iso = time.toISO({ includeOffset, suppressMilliseconds: true });
	return iso === null ? undefined : readDate(iso, false);
}

/** True if a format of Luxon has a year, a month and a day: luxon fills in what is missing. */
export function saysDay(format: string): boolean {
	const day = DateTime.utc(2019, 11, 23);
	const read = DateTime.fromFormat(day.toFormat(format, { locale: 'en' }), format, UTC);
	return read.isValid && read.hasSame(day, 'day');
}

/** The day of a date. A time with a zone belongs to the day that it has in the workflow's zone. */
export function dayOf(date: string, zone: string): string {
	return DateTime.fromISO(isoOf(date), { zone }).toISODate()!;
}
