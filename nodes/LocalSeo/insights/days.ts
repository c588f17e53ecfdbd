import toPath from 'lodash/toPath';

import { isEmpty } from '../client';
import { InputError } from '../text/inputError';
import { asValue } from '../text/words';
import { readDate, readFormatted, saysDay } from './dates';

/** The members that hold a date without the option Days, the finest first. */
const DATE_NAMES = ['date', 'day', 'week', 'month'];
/** The members that may hold a day in digits or parts. */
const DAY_NAMES = ['date', 'day'];

/** Where the dates of a response are, and how they are written. */
export interface Days {
	/** The names of the members around the list of days, joined by dots; empty: it may be anywhere. */
	list: string;
	/** The field of an entry that is its date; empty: `date`, `day`, `week` or `month`. */
	date: string;
	/** `auto`, `seconds`, `milliseconds`, or a format of Luxon. */
	format: string;
}

export const ANY_DAYS: Days = { list: '', date: '', format: 'auto' };

/**
 * The option Days as n8n provides it; expressions may give anything.
 *
 * @throws InputError for a format that does not make a day
 */
export function readDays(option: unknown): Days {
	const given = (Object(option) as { read?: Record<string, unknown> }).read ?? {};
	const textOf = (name: keyof Days) =>
		isEmpty(given[name]) ? ANY_DAYS[name] : String(given[name]).trim();
	const days = { list: textOf('list'), date: textOf('date'), format: textOf('format') };
	if (['auto', 'seconds', 'milliseconds'].includes(days.format) || saysDay(days.format))
		return days;
	throw new InputError(
		`The format ${asValue(days.format)} in 'Days' has no year, month and day`,
		'Enter auto, seconds, milliseconds, or a format of Luxon, such as M/d/yyyy or dd.MM.yyyy.',
	);
}

/** The paths at which an entry may have its date. */
export function datePaths({ date }: Days): string[][] {
	return date === '' ? DATE_NAMES.map((name) => [name]) : [[date], toPath(date)];
}

/** The date in a member of this name, as ISO text; undefined if it is none. */
export function dateIn(value: unknown, name: string, { date, format }: Days): string | undefined {
	if (format !== 'auto') return readFormatted(value, format);
	return readDate(value, date !== '' || DAY_NAMES.includes(name));
}

/** True for what stands at the list that the user has named, or in it; its path may begin with `data`. */
export function isInList(names: string[], { list }: Days): boolean {
	const path = `${names.join('.')}.`;
	return list === '' || [path, `data.${path}`].some((one) => one.startsWith(`${list}.`));
}
