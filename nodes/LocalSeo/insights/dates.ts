import get from 'lodash/get';
import last from 'lodash/last';
import toPath from 'lodash/toPath';
import { DateTime } from 'luxon';

import { isEmpty, isRecord } from '../client';
import { InputError } from '../text/inputError';
import { asValue } from '../text/words';

/** The option Dates: where an entry has its date, and how it is written. */
export interface Dates {
	/** Its path in an entry, such as `timeRange.start` or `keys.0`; empty: one of `DATE_NAMES`. */
	field: string;
	/** `auto`, `seconds`, `milliseconds`, or a format of Luxon. */
	format: string;
}

export const AUTOMATIC: Dates = { field: '', format: 'auto' };

/** The members that hold a date if no field is named. Of several, the first that can be read counts. */
const DATE_NAMES = ['date', 'day', 'week', 'month'];

/** A month, a week, or a day, alone or with a time of day and its zone. */
const ISO =
	/^\d{4}-(?:W\d\d|\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?)?)$/;
const MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?$/;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
/** Seconds that are read as milliseconds are in 1970. */
const FIRST_YEAR = 2000;
const UTC = { zone: 'utc' };

/**
 * The option Dates as n8n provides it; expressions may give anything.
 *
 * @throws InputError for a format that does not make a day
 */
export function readDates(option: unknown): Dates {
	const given = (Object(option) as { read?: Record<string, unknown> }).read ?? {};
	const textOf = (name: keyof Dates) =>
		isEmpty(given[name]) ? AUTOMATIC[name] : String(given[name]).trim();
	const [field, format] = [textOf('field'), textOf('format')];
	if (['auto', 'seconds', 'milliseconds'].includes(format) || makesDay(format)) {
		return { field, format };
	}
	throw new InputError(
		`The format ${asValue(format)} in 'Dates' has no year, month and day`,
		'Enter auto, seconds, milliseconds, or a format of Luxon, such as M/d/yyyy or dd.MM.yyyy.',
	);
}

/** Luxon fills in what a format lacks, so a day has to come back as itself. */
function makesDay(format: string): boolean {
	const day = DateTime.utc(2019, 11, 23);
	const read = DateTime.fromFormat(day.toFormat(format, { locale: 'en' }), format, UTC);
	return read.isValid && read.hasSame(day, 'day');
}

/**
 * The path of the date in the entries of a list: the first that can be read in some entry, else the first
 * that is filled; undefined if no entry has one.
 */
export function datePathIn(entries: unknown[], dates: Dates): string[] | undefined {
	const objects = entries.filter((entry) => typeof entry === 'object' && entry !== null);
	const names = dates.field === '' ? DATE_NAMES : [dates.field];
	const paths = names.map((name) =>
		objects.some((entry) => Object.hasOwn(entry, name)) ? [name] : toPath(name),
	);
	const readable = paths.find((path) =>
		objects.some((entry) => dateAt(entry, path, dates) !== undefined),
	);
	return readable ?? paths.find((path) => objects.some((entry) => !isEmpty(get(entry, path))));
}

/** The date of an entry at this path, as it is written, or in ISO 8601; undefined if it is none. */
export const dateAt = (entry: unknown, path: string[], dates: Dates): string | undefined =>
	dateOf(get(entry, path), path, dates);

/** The same, of the value at this path. */
export function dateOf(
	value: unknown,
	path: string[],
	{ field, format }: Dates,
): string | undefined {
	if (format !== 'auto') return readFormatted(value, format);
	// "2026-10" is the tenth week there, or October.
	if (last(path) === 'week' && /^\d{4}-\d\d$/.test(String(value))) return undefined;
	// Eight digits are a day only where the user says that there is one.
	const isStamp = field !== '' && /^\d{8}$/.test(String(value));
	return isStamp ? readFormatted(value, 'yyyyMMdd') : readAutomatic(value);
}

/** The date that the name of a member is. Most names are none, and Luxon is slow. */
export function dateOfName(name: string, { format }: Dates): string | undefined {
	if (!/\d/.test(name)) return undefined;
	return format === 'auto' ? readAutomatic(name) : readFormatted(name, format);
}

function readAutomatic(value: unknown): string | undefined {
	if (typeof value === 'string') return ISO.test(value) && isReal(value) ? value : undefined;
	return isRecord(value) ? dayOfParts(value) : undefined;
}

/** True for a date that the calendar has. Luxon is slow, and most dates are days. */
function isReal(date: string): boolean {
	if (date.length !== DAY_LENGTH) return parsed(date).isValid;
	const time = Date.parse(date);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** A date with more members, such as hours, is not read: they would be lost. */
function dayOfParts({ year, month, day, ...others }: Record<string, unknown>): string | undefined {
	const parts = [year, month, day].map((part) => (Number.isInteger(part) ? Number(part) : NaN));
	const date = DateTime.utc(...(parts as [number, number, number]));
	return date.isValid && Object.keys(others).length === 0 ? date.toISODate() : undefined;
}

/** A date in a form that the user has named, with its time. Seconds and milliseconds are in UTC. */
function readFormatted(value: unknown, format: string): string | undefined {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	const unit = { seconds: 1000, milliseconds: 1 }[format];
	const time =
		unit === undefined
			? DateTime.fromFormat(text, format, { ...UTC, setZone: true, locale: 'en' })
			: DateTime.fromMillis(/^\d+(\.\d+)?$/.test(text) ? Number(text) * unit : NaN, UTC);
	if (unit !== undefined && !(time.year >= FIRST_YEAR)) return undefined;
	// Without a zone (`z` or `Z`), a time is that of the place.
	const includeOffset = unit !== undefined || /z/i.test(format);
	return readAutomatic(time.toISO({ includeOffset, suppressMilliseconds: true }));
}

/** Luxon reads "2026-03-01 09:00 UTC" as 2026-03-01T09:00Z. */
function parsed(date: string, options = UTC): DateTime {
	const iso = date
		.replace(/(\d) (?=\d)/, '$1T')
		.replace('UTC', 'Z')
		.replace(' ', '');
	return DateTime.fromISO(iso, options);
}

/**
 * The dates of a list: midnight, as it is written, stands for the day. If a day has two times, the list is
 * one of hours, and each date keeps its time.
 */
export function datesOfList(dates: string[]): string[] {
	const withoutMidnight = dates.map((date) => date.replace(MIDNIGHT, ''));
	const days = new Set(withoutMidnight.map((date) => date.slice(0, DAY_LENGTH)));
	const areHours = new Set(withoutMidnight).size > days.size;
	return areHours ? dates : withoutMidnight;
}

/** True for a day or a time of one; false for a week or a month, by its form or its name. */
export function isOfDay(date: string, path: string[] = []): boolean {
	return date.length >= DAY_LENGTH && !['week', 'month'].includes(last(path) ?? '');
}

/**
 * The day (`YYYY-MM-DD`) of a date. A time with a zone belongs to the day that it has in the workflow's.
 *
 * @param zone the workflow's, as `America/New_York`
 */
export const dayOf = (date: string, zone: string): string =>
	date.length === DAY_LENGTH ? date : parsed(date, { zone }).toISODate()!;
