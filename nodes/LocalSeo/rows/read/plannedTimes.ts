import { isDate, isRecord, readDate, utcOf } from '../../client';
import { isBlank, onlyTimeOf } from './cells';
import { ANY_DAY, dateAlone, isDayAlone } from './datesInText';
import type { Sheet } from './sheet';
import { dateHeading, isEndHeading, isPastHeading, isPublishHeading } from './timeHeadings';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days of spreadsheets are days only so near (ms): other numbers of five digits are prices or codes. */
const NEAR = 2 * 365 * DAY;
/** The parts of a day in which spreadsheets keep a time, and how exactly. */
const MINUTES = 24 * 60;
const EXACTLY = 0.02;
/** The largest difference of a time without a zone (ms). */
const MAX_ZONE = 14 * HOUR;
/** A number as people and programs write it. */
const NUMBER = /^\s*\d+(?:[.,]\d+)?\s*$/;
/** `24/12`, alone or with a time; `1.5 GB` is none. */
const DAY_AND_MONTH = /^\s*\d{1,2}([./-])\d{1,2}\1?(?:\s*$|\s.*\d)/;
/** The longest text of any words that may be a time, below a heading that is no more than "Data" (characters). */
const LONGEST_OF_ANY = 40;
/** A switch, as spreadsheets write it. */
const SWITCH = /^\s*(?:true|false)\s*$/i;
/** Names of a time within a cell. */
const IN_CELL = /^(?:start|begin|from|date|dateTime)$/i;
/** Whether a text is a date in any spelling; numbers alone may be anything. */
export function isWrittenDate(cell: unknown): boolean {
	const value = onlyTimeOf(cell);
	if (typeof value !== 'string' || NUMBER.test(value)) return isDate(value);
	const written = readDate(value);
	return written !== undefined && !('flaw' in written);
}

/** A cell as the number that it is, in a file of texts, too; NaN for any other one. */
function numberOf(value: unknown): number {
	const isText = typeof value === 'string' && NUMBER.test(value);
	return isText ? Number(value.replace(',', '.')) : typeof value === 'number' ? value : NaN;
}

/** The latest time that a cell may mean (ms), with what a missing zone leaves open. */
function latestOf(cell: unknown): number | undefined {
	const value = onlyTimeOf(cell);
	const number = numberOf(value);
	const written = readDate(isNaN(number) ? value : number);
	if (!written || 'flaw' in written) return undefined;
	const moments = 'moment' in written ? [written.moment] : Object.values(written.either);
	return Math.max(
		...moments.map((moment) => utcOf(moment) + (moment.offset === undefined ? MAX_ZONE : 0)),
	);
}

/** Whether a cell is a date that is still to come, or holds one: a calendar's `start`, or a list of dates. */
function isAhead(cell: unknown, now: number): boolean {
	if (isWrittenDate(cell)) return (latestOf(cell) ?? 0) > now;
	if (typeof cell === 'string') return saysAhead(cell, now);
	if (Array.isArray(cell)) return cell.some((one) => isWrittenDate(one) && isAhead(one, now));
	if (!isRecord(cell)) return false;
	return Object.entries(cell).some(
		([name, one]) => (IN_CELL.test(name) || isPublishHeading(name)) && isAhead(one, now),
	);
}

/** Whether a text is a date to come, and nothing else: "Mo 24.12.2026, ab 10 Uhr". */
function saysAhead(cell: string, now: number): boolean {
	const date = dateAlone(cell);
	if (date === undefined) return false;
	// A month of several languages may be the last one.
	return (latestOf(date) ?? Date.UTC(Number(/\d{4}/.exec(date)), 11, 31)) > now;
}

/** Whether a cell may say when: a switch does not, nor does an empty list. */
export function mayBeTime(cell: unknown): boolean {
	if (typeof cell === 'boolean' || (typeof cell === 'string' && SWITCH.test(cell))) return false;
	if (typeof cell !== 'object' || cell === null) return !isBlank(cell);
	return Object.values(cell).some((value) => !isBlank(value));
}

/** The same under a heading that may be about anything. */
function looksLikeTime(cell: unknown, isBare = false): boolean {
	if (typeof cell !== 'string' || NUMBER.test(cell)) return false;
	if (isBare) return cell.length <= LONGEST_OF_ANY && /\d/.test(cell);
	return isDayAlone(cell, ANY_DAY) || readDate(cell) !== undefined || DAY_AND_MONTH.test(cell);
}

/** Whether a cell says when, and that is not certainly over. */
export function saysWhen(cell: unknown, now: number): boolean {
	const latest = latestOf(cell);
	return latest === undefined ? looksLikeTime(cell) : latest > now;
}

/** For each sheet, by heading. */
const known = new WeakMap<Sheet, Map<string, boolean>>();

/**
 * Whether a column that the service does not know may say when this row is to be published: its heading
 * says so, or a date is still to come. A date that is long over is none where the heading says more than
 * that it is one ("Order Date").
 *
 * @param now by the clock of the service (ms)
 */
export function mayBePlanned(sheet: Sheet, heading: string, value: unknown, now: number): boolean {
	if (!mayBeTime(value)) return false;
	if (isPublishHeading(heading)) return true;
	if (isEndHeading(heading)) return false;
	if (isAhead(value, now) || (!isPastHeading(heading) && isDayAlone(value))) return true;
	const date = dateHeading(heading);
	const isOver = date?.isBare === false && (latestOf(value) ?? now) < now - DAY;
	if (date && !isOver && (!date.isOpen || looksLikeTime(value, date.isBare))) return true;
	const columns = known.get(sheet) ?? new Map<string, boolean>();
	known.set(sheet, columns);
	if (!columns.has(heading)) columns.set(heading, areAhead(sheet, heading, now));
	return columns.get(heading)!;
}

/** Whether a column has dates, at least in every second cell, and one of them is still to come. */
function areAhead(sheet: Sheet, heading: string, now: number): boolean {
	const cells = sheet.valuesIn(heading).filter((cell) => !isBlank(cell));
	const dates = cells.filter(isWrittenDate);
	const times = cells.map((cell) => latestOf(cell) ?? NaN);
	const isSerial = (at: number) =>
		maySayMinutes(numberOf(cells[at])) && Math.abs(times[at] - now) < NEAR;
	const areSerials = cells.every((cell, at) => isSerial(at) || isWrittenDate(cell));
	const haveTimes = cells.some((cell) => !Number.isInteger(numberOf(cell)));
	const areDates = 2 * dates.length >= cells.length || (areSerials && haveTimes);
	return areDates && times.some((time) => time > now);
}

/** Whether a number may be a day and a time of a spreadsheet: a price has two decimals, which are rarely minutes. */
function maySayMinutes(days: number): boolean {
	const isOf = (parts: number, exactly: number) =>
		Math.abs(days * parts - Math.round(days * parts)) < exactly;
	return !isOf(100, 1e-6) || isOf(MINUTES, EXACTLY);
}
