import has from 'lodash/has';
import last from 'lodash/last';
import toPath from 'lodash/toPath';

import { isEmpty, type JsonObject } from '../client';
import { InputError } from '../text/inputError';
import { asValue } from '../text/words';
import type { ValuePath } from './columns';
import { readDate, readFormatted, saysDay } from './dates';

/** The members that hold a date without the option Days; of several, the first one counts. */
const DATE_NAMES = ['date', 'day', 'week', 'month'];
/** The members that may hold a day in digits or parts. */
const DAY_NAMES = ['date', 'day'];
/** The members that are a list of days also if they are empty. */
const LIST_NAMES = ['days', 'daily'];
/** The members whose date stands for more than a day. */
const PERIOD_NAMES = ['week', 'month'];

/** The place of the dates in a response, and how they are written. */
export interface Days {
	/** The names of the members around the list of days, joined by dots; empty: it may be anywhere. */
	list: string;
	/** The field of an entry that is its date; empty: `date`, `day`, `week` or `month`. */
	date: string;
	/** The field that names a series; empty: the one that is a text in each of them. */
	series: string;
	/** `auto`, `seconds`, `milliseconds`, or a format of Luxon. */
	format: string;
}

export const ANY_DAYS: Days = { list: '', date: '', series: '', format: 'auto' };

/**
 * The option Days as n8n provides it; expressions may give anything.
 *
 * @throws InputError for a format that does not make a day
 */
export function readDays(option: unknown): Days {
	const given = (Object(option) as { read?: Record<string, unknown> }).read ?? {};
	const textOf = (name: keyof Days) =>
		isEmpty(given[name]) ? ANY_DAYS[name] : String(given[name]).trim();
	const days: Days = {
		...{ list: textOf('list'), date: textOf('date') },
		...{ series: textOf('series'), format: textOf('format') },
	};
	if (['auto', 'seconds', 'milliseconds'].includes(days.format) || saysDay(days.format))
		return days;
	throw new InputError(
		`The format ${asValue(days.format)} in 'Days' has no year, month and day`,
		'Enter auto, seconds, milliseconds, or a format of Luxon, such as M/d/yyyy or dd.MM.yyyy.',
	);
}

/** A field of an entry: by its own name, or by the names that lead to it. */
const pathsTo = (field: string): string[][] => [[field], toPath(field)];

/** The path of the date in the entries of a list: the first of the names that one of them has, whatever its value. */
export function datePathIn(entries: JsonObject[], { date }: Days): string[] | undefined {
	const paths = date === '' ? DATE_NAMES.map((name) => [name]) : pathsTo(date);
	return paths.find((path) => entries.some((entry) => has(entry, path)));
}

/** The path of the option Series Name, if an entry of a list has it. */
export function seriesPathIn(entries: unknown[], { series }: Days): string[] | undefined {
	if (series === '') return undefined;
	return pathsTo(series).find((path) => entries.some((entry) => has(entry, path)));
}

/** The date in a member of this path, as ISO text; undefined if it is none. */
export function dateIn(value: unknown, path: string[], { date, format }: Days): string | undefined {
	if (format !== 'auto') return readFormatted(value, format);
	// "2026-10" is the tenth week there, or October.
	if (date === '' && last(path) === 'week' && /^\d{4}-\d\d$/.test(String(value))) return undefined;
	return readDate(value, date !== '' || DAY_NAMES.includes(last(path) ?? ''));
}

/** True if a member of this name stands for more than a day. */
export const isOfPeriod = (path: string[]): boolean => PERIOD_NAMES.includes(last(path) ?? '');

const fieldsIn = (place: ValuePath): string[] =>
	place.flatMap(({ name, isLabel }) => (isLabel ? [] : name));

/** True for what stands at the list that the user has named, or in it; its path may begin with `data`. */
export function isInList(place: ValuePath, { list }: Days): boolean {
	const path = `${fieldsIn(place).join('.')}.`;
	return list === '' || [path, `data.${path}`].some((one) => one.startsWith(`${list}.`));
}

/** True for a list that is one of days even if it is empty: the one that the user has named, or `days` or `daily`. */
export function isListOfDays(place: ValuePath, days: Days): boolean {
	if (days.list === '') return LIST_NAMES.includes(place.at(-1)?.name ?? '');
	return [fieldsIn(place).join('.'), listName(place)].includes(days.list);
}

/** A list as the option Days takes it. */
export function listName(place: ValuePath): string {
	const fields = fieldsIn(place);
	// Alone, `data` stands for the response.
	return (fields.length === 0 || fields[0] === 'data' ? ['data', ...fields] : fields).join('.');
}
