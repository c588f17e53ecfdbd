import { DateTime, FixedOffsetZone, IANAZone, Info } from 'luxon';

import { InputError } from '../../text/inputError';
import { asValue, capitalized } from '../../text/words';
import { singleSpaced } from './cells';
import { Question } from '../outcome';

/** The part of "03/04/2027" that comes first, if the user says it. */
export type DateOrder = 'ask' | 'day' | 'month';
type FirstPart = Exclude<DateOrder, 'ask'>;

/** How the times of a field are read. */
interface TimeFormat {
	/** The field, for messages. */
	name: string;
	/** The workflow's time zone. */
	zone: string;
	order: DateOrder;
}

/** Milliseconds. */
const DAY = 86_400_000;
const YEARS = { first: 1955, last: 2099 };
/** The day from which spreadsheets count. */
const SERIAL_ZERO = Date.UTC(1899, 11, 30);
/** The numbers of the first and the last day (exclusive). */
const SERIALS = { first: 20_090, last: 73_051 };

const SERIAL = /^\d{5}(?:[.,]\d+)?$/;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d:])/;
const DAY_FIRST = /^(\d{1,2})\.?[ -](\p{L}+)\.?,?[ -](\d{4})(?![\d:])/u;
const MONTH_FIRST = /^(\p{L}+)\.? (\d{1,2}),? (\d{4})(?![\d:])/u;
const CLOCK = /^(\d{1,2})(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(?: ?([ap])\.? ?m\.?)?/i;
const OFFSET = /^(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/i;

const en = { locale: 'en' };
const MONTHS = [Info.months('long', en), Info.months('short', en)];

/** The number of an English month, from 1; 0 if it is none. */
function monthOf(name: string): number {
	const isIt = (one: string) => one.toLowerCase() === name.toLowerCase();
	return 1 + Math.max(...MONTHS.map((months) => months.findIndex(isIt)));
}

/** A text without its zone: the clock on the wall. */
interface Wall {
	/** As UTC (ms). */
	local: number;
	/** Minutes. */
	offset?: number;
}

type Ymd = [year: number, month: number, day: number];

/**
 * Reads a time as people and spreadsheets write it.
 *
 * @returns its ISO text with the offset of the zone
 * @throws InputError for what is not certainly one moment; it says what to set or to write
 */
export function readTime(value: unknown, format: TimeFormat): string {
	const { name, zone } = format;
	const { local, offset } = wallOf(value, format);
	const instants = offset === undefined ? instantsIn(zone, local) : [local - offset * 60_000];
	if (instants.length === 1) {
		const [at] = instants;
		const own = offset === undefined ? zone : FixedOffsetZone.instance(offset);
		return DateTime.fromMillis(at, { zone: own }).toISO({ suppressMilliseconds: true })!;
	}
	throw new InputError(
		`${name}: ${asValue(value)} ${instants.length === 0 ? 'does not exist' : 'comes twice'} in ${zone}, where the clocks change`,
		'Write another time, or one with an offset, such as 2027-12-24T10:00:00+01:00.',
	);
}

const FORMAT_TIME = 'Write it as 2027-12-24 10:00; a whole column can be formatted so.';

/** The instants (ms) at which clocks in a zone show this; none or two where they are changed. */
function instantsIn(zone: string, local: number): number[] {
	const rule = IANAZone.create(zone);
	const offsets = new Set([local - DAY, local + DAY].map((at) => rule.offset(at)));
	return [...offsets]
		.map((offset) => ({ offset, at: local - offset * 60_000 }))
		.filter(({ offset, at }) => rule.offset(at) === offset)
		.map(({ at }) => at);
}

function wallOf(value: unknown, format: TimeFormat): Wall {
	if (typeof value === 'number') return ofSerial(value, value, format);
	if (typeof value !== 'string') throw unreadable(value, format);
	const text = singleSpaced(value);
	if (SERIAL.test(text)) return ofSerial(Number(text.replace(',', '.')), value, format);
	const found = dayIn(text, value, format);
	if (!found) throw unreadable(value, format);
	const { ymd, rest } = found;
	const [year, month, day] = ymd;
	const clock = clockIn(rest);
	if (!clock) throw unreadable(value, format);
	const { hour, minute, second, millisecond, offset } = clock;
	const time = DateTime.utc(year, month, day, hour, minute, second, millisecond);
	if (!time.isValid || hour > 23 || year < YEARS.first || year > YEARS.last) {
		throw new InputError(
			`${format.name}: ${asValue(value)} isn't a valid date`,
			`Enter a day and an hour that exist, in the years ${YEARS.first} to ${YEARS.last}.`,
		);
	}
	return { local: time.toMillis(), offset };
}

/** A number of days; with its fraction, the time of day, to the second. */
function ofSerial(serial: number, value: unknown, format: TimeFormat): Wall {
	if (!(serial >= SERIALS.first && serial < SERIALS.last)) throw unreadable(value, format);
	const local = SERIAL_ZERO + Math.round(serial * 86_400) * 1000;
	return { local };
}

interface DayText {
	ymd: Ymd;
	/** The rest of the text. */
	rest: string;
}

function dayIn(text: string, value: unknown, format: TimeFormat): DayText | undefined {
	const yearFirst = YEAR_FIRST.exec(text);
	if (yearFirst) return after(text, yearFirst[0], [+yearFirst[1], +yearFirst[3], +yearFirst[4]]);
	const yearLast = YEAR_LAST.exec(text);
	if (yearLast) return ofNumbers(text, yearLast, value, format);
	return withMonthName(text);
}

const after = (text: string, day: string, ymd: Ymd): DayText => ({
	ymd,
	rest: text.slice(day.length),
});

/** "24.12.2027", "03/04/2027": two numbers of which either may be the day. */
function ofNumbers(
	text: string,
	[all, first, separator, second, years]: RegExpExecArray,
	value: unknown,
	{ name, order }: TimeFormat,
): DayText | undefined {
	if (years.length === 2 && separator !== '.') return undefined;
	const year = years.length === 2 ? 2000 + Number(years) : Number(years);
	const readings: Record<FirstPart, Ymd> = {
		day: [year, +second, +first],
		month: [year, +first, +second],
	};
	const days = (['day', 'month'] as const).filter((one) => DateTime.utc(...readings[one]).isValid);
	// With dots, the day is first.
	const inForce = order === 'ask' ? (separator === '.' ? 'day' : undefined) : order;
	const [only, ...others] = days;
	if (inForce && only && others.length === 0 && only !== inForce) {
		throw new Question(
			`${name}: ${asValue(value)} has the ${only} first`,
			`Correct the cell; or, if the ${only} comes first in all of them, set 'Date Order' to ${capitalized(only)} First.`,
		);
	}
	if (inForce) return after(text, all, readings[inForce]);
	if (days.length < 2 || +first === +second) return after(text, all, readings[days[0] ?? 'day']);
	const inWords = (one: FirstPart) => DateTime.utc(...readings[one]).toFormat('d MMMM', en);
	throw new InputError(
		`${name}: ${asValue(value)} makes two days`,
		`Set 'Date Order' to Month First (${inWords('month')}) or Day First (${inWords('day')}).`,
	);
}

/** A day with an English month. */
function withMonthName(text: string): DayText | undefined {
	const dayFirst = DAY_FIRST.exec(text);
	const [all, month, day, year] = dayFirst
		? [dayFirst[0], dayFirst[2], dayFirst[1], dayFirst[3]]
		: (MONTH_FIRST.exec(text) ?? []);
	if (all === undefined || month === undefined || monthOf(month) === 0) return undefined;
	return after(text, all, [Number(year), monthOf(month), Number(day)]);
}

interface ClockTime {
	hour: number;
	minute: number;
	second: number;
	millisecond: number;
	offset?: number;
}

/** A time of day after a day; undefined for anything else, such as a range. */
function clockIn(rest: string): ClockTime | undefined {
	if (rest === '') return { hour: 0, minute: 0, second: 0, millisecond: 0 };
	const [start] = /^(?:T|,? )/i.exec(rest) ?? [];
	if (start === undefined) return undefined;
	const isIso = /^t$/i.test(start);
	const clock = rest.slice(start.length);
	const [all, hours, minutes, seconds, fraction = '', half] = CLOCK.exec(clock) ?? [];
	if (all === undefined || (minutes === undefined && half === undefined)) return undefined;
	const hour =
		half === undefined ? Number(hours) : hourOf(Number(hours), half.toLowerCase() === 'p');
	const zone = clock.slice(all.length);
	// Elsewhere, "10:00-12:00" is an hour and its end.
	const hasOffset = isIso && OFFSET.test(zone);
	if (hour === undefined || (zone !== '' && !hasOffset)) return undefined;
	const offset = hasOffset
		? DateTime.fromISO(`2000-01-01T00:00${zone}`, { setZone: true }).offset
		: undefined;
	return {
		...{ hour, minute: Number(minutes ?? 0), second: Number(seconds ?? 0) },
		...{ millisecond: Number(`${fraction}000`.slice(0, 3)), offset },
	};
}

/** 12 AM is midnight. */
function hourOf(hour: number, isAfternoon: boolean): number | undefined {
	if (hour < 1 || hour > 12) return undefined;
	return (hour % 12) + (isAfternoon ? 12 : 0);
}

function unreadable(value: unknown, { name }: TimeFormat): InputError {
	return new InputError(`${name}: ${asValue(value)} can't be read as a time`, FORMAT_TIME);
}
