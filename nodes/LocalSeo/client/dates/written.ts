import { UNSEEN } from '../textOf';
import { isDay, type Moment, weekdayOf } from './calendar';
import { monthNamed, weekdaysNamed } from './names';

/** The part of "03/04/2027" that comes first. */
export type Order = 'day' | 'month';

/** Why something that looks like a date is none. */
export type DateFlaw = 'no-such-day' | 'no-such-time' | 'other-weekday' | 'no-year';

/**
 * The meaning of a value as a date: one moment; one for each order where the value leaves it open
 * (`separator` is what stands between its numbers); or why it is none. Undefined for what is no date.
 */
export type Written =
	| { moment: Moment }
	| { either: Record<Order, Moment>; separator: string }
	| { flaw: DateFlaw };

/** The days since 1899-12-30, as which spreadsheets keep days: those of 2000 to 2099. */
const SERIALS = { first: 36_526, last: 73_050 };
const SERIAL_ZERO = Date.UTC(1899, 11, 30);
const DAY = 86_400_000;
/** A longer text says more than when. */
const MAX_LENGTH = 60;
const FIRST_YEAR = 1900;
/** Eight digits of a later year are most likely no date. */
const LAST_OF_DIGITS = 2199;

/** White space of all kinds, and what nobody sees. */
const BLANK = new RegExp(`[\\s${UNSEEN}]+`, 'g');
const DIGITS = /^(\d{4})(\d{2})(\d{2})$/;
const SERIAL = /^\d{5}(?:[.,]\d+)?$/;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)\.?/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d:])\.?/;
const CHARACTERS = /^(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日/;
const DAY_FIRST =
	/^(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[ -]?(?:of |de |d')? ?(\p{L}{3,})\.?,?[ -](?:de |del )?(\d{4}|\d{2})(?![\d:])/u;
const MONTH_FIRST = /^(\p{L}{3,})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?![\d:])/u;
const WITHOUT_YEAR =
	/^(?:\d{1,2}[./-]\d{1,2}[./-]?|\d{1,2}(?:st|nd|rd|th|\.)? (?:de )?\p{L}{3,}\.?|\p{L}{3,}\.? \d{1,2}(?:st|nd|rd|th)?)$/u;
const WEEKDAY = /^(\p{L}{2,})\.?,? (?=\S)/u;
const TIME =
	/^(?:t|,? (?:at |um |à )?)(\d{1,2})(?:[:.h](\d{2}))?(?::(\d{2})(?:[.,](\d+))?)?( ?[ap]\.? ?m\b\.?| ?uhr| ?h)?/u;
const ZONE = /^ ?(?:(z|utc|gmt)|(?:utc|gmt)?([+-])(\d{2}):?(\d{2})?)$/;

/**
 * Reads a date as people and services write it: ISO 8601 in all spellings; a day with or without a time in
 * 24 or 12 hours, with dots, slashes, dashes or the name of its month; digits alone (`20271224`); and the
 * number of days as which spreadsheets keep it. It never depends on this machine's time zone or
 * language, and never guesses: what is not certainly a date is none.
 */
export function readDate(value: unknown): Written | undefined {
	if (typeof value === 'number') return ofSerial(value);
	if (typeof value !== 'string' || value.length > MAX_LENGTH || !/\d/.test(value)) return undefined;
	const text = value.replace(BLANK, ' ').trim().toLowerCase();
	if (SERIAL.test(text)) return ofSerial(Number(text.replace(',', '.')));
	const [, ...digits] = DIGITS.exec(text) ?? [];
	if (digits.length > 0) return ofNumbers(...(digits.map(Number) as Ymd));
	return readText(text);
}

type Ymd = [year: number, month: number, day: number];

function ofNumbers(...[year, month, day]: Ymd): Written | undefined {
	return year >= FIRST_YEAR && year <= LAST_OF_DIGITS ? certain(year, month, day, {}) : undefined;
}

/** A number of days; with its fraction, the time of day, to the second: `46380.395833333336` is 9:30:00. */
function ofSerial(serial: number): Written | undefined {
	if (!(serial >= SERIALS.first && serial < SERIALS.last + 1)) return undefined;
	const date = new Date(SERIAL_ZERO + Math.round(serial * 86_400) * 1000);
	const time = date.getTime() - Math.floor(date.getTime() / DAY) * DAY;
	return certain(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), {
		time: Number.isInteger(serial) ? undefined : time,
	});
}

/** @param text in lower case, with single spaces */
function readText(text: string): Written | undefined {
	const whole = readDayAndTime(text);
	const [start, weekday] = WEEKDAY.exec(text) ?? [];
	// "Mar" is a month in English, and a weekday in Spanish.
	const expected = whole || start === undefined ? [] : weekdaysNamed(weekday);
	if (expected.length === 0) return whole;
	const read = readDayAndTime(text.slice(start!.length));
	if (!read || 'flaw' in read) return read;
	const fitting = ('moment' in read ? [read.moment] : Object.values(read.either)).filter((moment) =>
		expected.includes(weekdayOf(moment)),
	);
	if (fitting.length === 1) return { moment: fitting[0] };
	return fitting.length === 0 ? { flaw: 'other-weekday' } : read;
}

function readDayAndTime(text: string): Written | undefined {
	const day = readDay(text);
	if (!day) return WITHOUT_YEAR.test(text) && isDayOfYear(text) ? { flaw: 'no-year' } : undefined;
	const clock = readClock(text.slice(day.length));
	if (!clock) return undefined;
	return clock === 'no-such-time' ? { flaw: clock } : day.read(clock);
}

type ClockTime = Pick<Moment, 'time' | 'offset'>;

interface DayText {
	/** Characters that it takes. */
	length: number;
	read(clock: ClockTime): Written;
}

function readDay(text: string): DayText | undefined {
	const yearFirst = YEAR_FIRST.exec(text);
	if (yearFirst) {
		const [all, year, , month, day] = yearFirst;
		return dayText(all, (clock) => certain(+year, +month, +day, clock));
	}
	const yearLast = YEAR_LAST.exec(text);
	if (yearLast) {
		const [all, first, separator, second, year] = yearLast;
		return dayText(all, (clock) => either(+first, +second, fullYear(year), separator, clock));
	}
	const characters = CHARACTERS.exec(text);
	if (characters) {
		const [all, year, month, day] = characters;
		return dayText(all, (clock) => certain(+year, +month, +day, clock));
	}
	const [all, ...named] = DAY_FIRST.exec(text) ?? MONTH_FIRST.exec(text) ?? [];
	if (all === undefined) return undefined;
	const [day, name, year] = /^\d/.test(all) ? named : [named[1], named[0], named[2]];
	const month = monthNamed(name);
	if (month === undefined) return undefined;
	return dayText(all, (clock) => certain(fullYear(year), month, +day, clock));
}

function dayText(all: string, read: DayText['read']): DayText {
	return { length: all.length, read };
}

/** Whether what looks like a day without its year may be one: "24.12.", not "9-5". */
function isDayOfYear(text: string): boolean {
	const [name] = /\p{L}{3,}/u.exec(text) ?? [];
	return name === undefined || monthNamed(name) !== undefined;
}

function fullYear(year: string): number {
	return year.length === 2 ? 2000 + Number(year) : Number(year);
}

/** A time of day with its zone; nothing, where a day stands alone; undefined for anything else. */
function readClock(text: string): ClockTime | 'no-such-time' | undefined {
	if (text === '') return {};
	const [all, hours, minutes, seconds, fraction = '0', suffix = ''] = TIME.exec(text) ?? [];
	const isHourAlone = minutes === undefined && suffix === '';
	if (all === undefined || isHourAlone) return undefined;
	const half = /[ap](?=\.? ?m)/.exec(suffix)?.[0];
	const hour = half === undefined ? Number(hours) : hourOf(Number(hours), half === 'p');
	// "10:00-12:00" is an hour and its end.
	const mayBeRange = !all.startsWith('t') && seconds === undefined;
	const offset = readZone(text.slice(all.length), mayBeRange);
	if (offset === undefined) return undefined;
	if (hour === undefined || hour > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) {
		return 'no-such-time';
	}
	const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000);
	const time =
		((hour * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000 + milliseconds;
	return { time, ...offset };
}

/** 12 AM is midnight. */
function hourOf(hour: number, isAfternoon: boolean): number | undefined {
	if (hour < 1 || hour > 12) return undefined;
	return (hour % 12) + (isAfternoon ? 12 : 0);
}

/** A zone, or none; undefined for what is none: abbreviations like CST have several. */
function readZone(text: string, mayBeRange: boolean): Pick<Moment, 'offset'> | undefined {
	if (text === '') return {};
	if (mayBeRange && /^ ?-/.test(text)) return undefined;
	const [all, utc, sign, hours, minutes = '0'] = ZONE.exec(text) ?? [];
	if (all === undefined) return undefined;
	if (utc !== undefined) return { offset: 0 };
	const offset = Number(hours) * 60 + Number(minutes);
	return offset <= 14 * 60 ? { offset: sign === '-' ? -offset : offset } : undefined;
}

function certain(year: number, month: number, day: number, clock: ClockTime): Written {
	const moment = { year, month, day, ...clock };
	return year >= FIRST_YEAR && isDay(moment) ? { moment } : { flaw: 'no-such-day' };
}

function either(
	first: number,
	second: number,
	year: number,
	separator: string,
	clock: ClockTime,
): Written {
	if (first > 12 || first === second) return certain(year, second, first, clock);
	if (second > 12) return certain(year, first, second, clock);
	const of = (month: number, day: number) => ({ year, month, day, ...clock });
	return { either: { day: of(second, first), month: of(first, second) }, separator };
}
