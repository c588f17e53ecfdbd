import { DateTime } from 'luxon';

import { isRecord } from '../client';

/** A day, alone or with a time of day and its zone. */
const DAY =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(Z|UTC|[+-]\d\d:?\d\d))?)?$/;
const MONTH_OR_WEEK = /^\d{4}-(?:\d\d|W\d\d)$/;
const MIDNIGHT = /^00:00(?::00(?:\.0+)?)?$/;
/** Numbers of seconds or milliseconds outside of these years count something else. */
const YEARS = { first: 2000, last: 2099 };

/**
 * Reads a date in a form that only means one: `YYYY-MM-DD`, also with a time, `YYYY-MM` and `YYYY-Www`.
 * Midnight as it is written is the day, in whichever zone; any other time stays as it is.
 *
 * @param isDay true for what is called a date: then also `YYYYMMDD` and `{ year, month, day }`
 * @returns undefined for anything else
 */
export function readDate(value: unknown, isDay: boolean): string | undefined {
	if (isDay && isRecord(value)) return dayOfParts(value);
	const text =
		typeof value === 'string' || (isDay && typeof value === 'number') ? String(value) : '';
	if (isDay && /^\d{8}$/.test(text)) return isoDay(DateTime.fromFormat(text, 'yyyyMMdd', UTC));
	if (MONTH_OR_WEEK.test(text)) return DateTime.fromISO(text).isValid ? text : undefined;
	const [day, time] = partsOf(text);
	if (day === undefined || !DateTime.fromISO(isoOf(text), UTC).isValid) return undefined;
	return time === undefined || MIDNIGHT.test(time) ? day : text;
}

const UTC = { zone: 'utc' };
const isoDay = (date: DateTime): string | undefined => date.toISODate() ?? undefined;
const partsOf = (text: string) => (DAY.exec(text) ?? []).slice(1);

function dayOfParts({ year, month, day }: Record<string, unknown>): string | undefined {
	const parts = [year, month, day] as number[];
	return parts.every(Number.isInteger) ? isoDay(DateTime.utc(...(parts as [number]))) : undefined;
}

/** "2026-03-01 09:00 UTC" in ISO 8601. */
function isoOf(date: string): string {
	const [day, time = '00:00', zone = ''] = partsOf(date);
	return day === undefined ? date : `${day}T${time}${zone === 'UTC' ? 'Z' : zone}`;
}

/** The same, in a form that the user has named: seconds, milliseconds, or a format of Luxon. */
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

/**
 * The first and the last day of a date as `readDate` returns it. A time with a zone belongs to the day
 * that it has in the workflow's zone.
 */
export function daysOf(date: string, zone: string): [first: string, last: string] {
	const start = DateTime.fromISO(isoOf(date), { zone });
	const unit = date.includes('W') ? 'week' : date.length === 'YYYY-MM'.length ? 'month' : 'day';
	return [start.toISODate()!, start.endOf(unit).toISODate()!];
}
