import { isRecord } from '../http/records';
import type { JsonObject } from '../ports';
import { isDay, isoDay, type Moment, momentIn } from './calendar';
import { monthNamed } from './names';
import { readDate, type Written } from './written';

/** A date as services write it: one that people write too, or a week, a month or a quarter by its name. */
export type Stamp = Written | { period: string };

const MINUTE = 60_000;
/** Milliseconds since 1970, of 2000 to 2100. */
const INSTANTS = { first: Date.UTC(2000, 0, 1), last: Date.UTC(2101, 0, 1) };
const YEARS = { first: 1900, last: 2199 };

/** "12.5" is no day of May, "46380,5" none of a spreadsheet, "4-10" a range; long texts say more than when. */
const NO_DATE = /^\s*[-+]?\d+[.,]\d+\s*$|^\s*\d{1,3}-\d{1,3}\s*$|^.{61}/s;
const HOUR_DIGITS = /^(20\d{2})(\d{2})(\d{2})(\d{2})$/;
const SHORT_DIGITS = /^(20\d{2})(\d{2})$/;
const OF_DOTNET = /^\/Date\((-?\d+)([+-]\d{2})?(\d{2})?\)\/$/;
/** As charts of JavaScript take it: months count from 0. */
const OF_SCRIPT = /^(?:new )?Date\((\d{4}), ?(\d{1,2}), ?(\d{1,2})\)?/;
const YEAR_AND_PART = /^(\d{4})[-/. ]?(w|q|week|kw)?[-/. ]?(\d{1,2})$/i;
const PART_AND_YEAR = /^(w|q|week|kw|cw)?\.? ?(\d{1,2})[-/., ]+(\d{4})$/i;
const MONTH_AND_YEAR = /^(?:(\p{L}{3,})\.?,?[ -]?(\d{4})|(\d{4})[ -](\p{L}{3,}))$/u;
/** The signs and words between the first and the last day of a period. */
const BETWEEN = /\s*(?:\/|–|—|\.\.+|~|\s-\s|\s(?:to|until|bis|au)\s)\s*/;

/**
 * Reads what services write in place of a date: all that people write (`readDate`) but a spreadsheet's
 * number of days; seconds, milliseconds and microseconds since 1970; `/Date(1798070400000)/`; the parts of
 * a date in an object. Of a period with two days, the first one.
 *
 * @param isWeek whether a year with a number means a week, and not a month
 */
export function readStamp(value: unknown, isWeek: boolean): Stamp | undefined {
	if (isDigits(value)) return ofDigits(String(value), isWeek);
	const text = isRecord(value) ? dateOfParts(value) : value;
	if (typeof text !== 'string' || !/\d/.test(text) || NO_DATE.test(text)) return undefined;
	return ofText(text.trim(), isWeek);
}

/** A year with a month, and a day, or a week or quarter: `{ year: 2027, month: 12 }` as "2027-12". */
export function dateOfParts(parts: JsonObject): string | undefined {
	if (parts.year === undefined && parts.Year === undefined) return undefined;
	const [year, month, day, week, quarter] = ['year', 'month', 'day', 'week', 'quarter'].map(
		(name) => partOf(parts[name] ?? parts[name.charAt(0).toUpperCase() + name.slice(1)]),
	);
	if (year === undefined || year < YEARS.first || year > YEARS.last) return undefined;
	if (month !== undefined && month >= 1 && month <= 12) {
		if (day === undefined) return periodOf(year, '', month);
		return isDay({ year, month, day }) ? isoDay({ year, month, day }) : undefined;
	}
	return periodOf(year, week === undefined ? 'q' : 'w', week ?? quarter ?? 0);
}

function partOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
	if (Number.isInteger(number)) return number as number;
	return typeof value === 'string' ? monthNamed(value) : undefined;
}

/** A number, or a text of digits alone. */
export function isDigits(value: unknown): boolean {
	return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
}

function ofDigits(digits: string, isWeek: boolean): Stamp | undefined {
	const [, year, ...parts] = HOUR_DIGITS.exec(digits) ?? SHORT_DIGITS.exec(digits) ?? [];
	const [month, day, hour] = parts.map(Number);
	if (parts.length === 1) return inPeriod(periodOf(Number(year), isWeek ? 'w' : '', month));
	if (parts.length === 3 && isDay({ year: Number(year), month, day }) && hour < 24) {
		return { moment: { year: Number(year), month, day, time: hour * 60 * MINUTE } };
	}
	if (digits.length === 8) return readDate(digits);
	const instant = instantOfNumber(Number(digits));
	return instant === undefined ? undefined : { moment: momentAt(instant, 0) };
}

/** Seconds, milliseconds or microseconds since 1970, in milliseconds; undefined for what is none of these. */
export function instantOfNumber(number: number): number | undefined {
	const digits = String(Math.trunc(number)).length;
	const instant = [10, 13, 16].includes(digits) ? number / 10 ** (digits - 13) : NaN;
	return instant >= INSTANTS.first && instant < INSTANTS.last ? instant : undefined;
}

/** @param offset minutes ahead of UTC */
function momentAt(instant: number, offset: number): Moment {
	return { ...momentIn('UTC', instant + offset * MINUTE), offset };
}

function ofText(text: string, isWeek: boolean): Stamp | undefined {
	const [, instant, hours = '0', minutes = '0'] = OF_DOTNET.exec(text) ?? [];
	if (instant !== undefined) {
		const offset = Number(hours) * 60 + Math.sign(Number(hours)) * Number(minutes);
		return { moment: momentAt(Number(instant), offset) };
	}
	const [, ...numbers] = OF_SCRIPT.exec(text) ?? [];
	if (numbers.length > 0) {
		const [year, month, day] = numbers.map(Number);
		return { moment: { year, month: month + 1, day } };
	}
	return inPeriod(periodIn(text, isWeek)) ?? readDate(text) ?? ofRange(text);
}

function ofRange(text: string): Written | undefined {
	const [first, last, ...more] = text.split(BETWEEN);
	if (last === undefined || more.length > 0) return undefined;
	const [begin, end] = [readDate(first), readDate(last)];
	return end && 'moment' in end && begin && 'flaw' in begin && begin.flaw === 'no-year'
		? readDate(withYear(first, end.moment.year))
		: end && begin;
}

function inPeriod(period: string | undefined): Stamp | undefined {
	return period === undefined ? undefined : { period };
}

function periodIn(text: string, isWeek: boolean): string | undefined {
	const [, ...named] = MONTH_AND_YEAR.exec(text) ?? [];
	if (named.length > 0) {
		const month = monthNamed(named[0] ?? named[3]);
		return periodOf(Number(named[1] ?? named[2]), '', month ?? 0);
	}
	const [, year, sign, part] = YEAR_AND_PART.exec(text) ?? [];
	const [, of, first, last] = PART_AND_YEAR.exec(text) ?? [];
	const number = part ?? first;
	if (number === undefined) return undefined;
	return periodOf(Number(year ?? last), sign ?? of ?? (isWeek ? 'w' : ''), Number(number));
}

/** @param sign begins with q for quarters, is empty for months, and else stands for weeks */
function periodOf(year: number, sign: string, part: number): string | undefined {
	const isQuarter = /^q/i.test(sign);
	const most = isQuarter ? 4 : sign === '' ? 12 : 53;
	if (year < YEARS.first || year > YEARS.last || part < 1 || part > most) return undefined;
	if (isQuarter) return `${year}-Q${part}`;
	return `${year}-${sign === '' ? '' : 'W'}${String(part).padStart(2, '0')}`;
}

/** A label such as "Dec 24", "24-Dec", "24.12." or "12/24" with a year. */
export function withYear(label: string, year: number): string {
	const text = label.trim().replace(/(?<=\d)-(?=\p{L})|(?<=\p{L})-(?=\d)/u, ' ');
	const [separator] = /(?<=^\d+)[./-](?=\d+$)/.exec(text) ?? [/[./-]$/.test(text) ? '' : ' '];
	return `${text}${separator}${year}`;
}
