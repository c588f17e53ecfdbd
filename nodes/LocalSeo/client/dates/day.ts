import { type DateColumn, type DateContext, isDayName, readDates } from './column';

/** A column of dates among the columns of a table. */
export interface DateChoice extends Pick<DateColumn, 'dates'> {
	name: string;
	/** An event happened then; all else is counted by days, times or longer periods. */
	unit: DateColumn['unit'] | 'event';
	/** Whether it says for certain what day each entry is about. */
	isSure: boolean;
}

const END = /(^|_)(ends?|to|until|till|last|expir[a-z]*|due)(_|$)/i;
const EVENT = /(^|_)(creat|updat|modif|publish|post|scan|refresh|generat|sync|seen|review)/i;
const DAY_LENGTH = 86_400_000;

/**
 * The columns of a table that are dates: first the one that most likely says what day each entry is
 * about; none, where the only entry is about the time from one date to another.
 *
 * @param nameOf the part of a column's name that says something
 */
export function datesAmong(
	columns: Map<string, unknown[]>,
	nameOf: (column: string) => string,
	around: Omit<DateContext, 'name'>,
): DateChoice[] {
	const found = [...columns].flatMap(([column, values]) => {
		const name = nameOf(column).replace(/(?<=[a-z])(?=[A-Z])/g, '_');
		const read = readDates(values, { ...around, name });
		if (!read) return [];
		const { dates, unit } = read;
		const isEvent = EVENT.test(name);
		const kind = isDayName(name) ? -8 : (isEvent ? 40 : 0) + (END.test(name) ? 20 : 0);
		const isUnique = dates.length > 1 && 2 * new Set(dates).size > dates.length;
		const isSure = kind < 0 || (kind === 0 && isUnique);
		const rank = kind + (unit === 'day' ? 0 : 4);
		return [{ name: column, dates, unit: isEvent ? ('event' as const) : unit, isSure, rank }];
	});
	const [best, ...others] = found.sort((one, other) => one.rank - other.rank);
	const hours = [...columns].find(([column]) => /^hour$/i.test(nameOf(column)));
	if (best?.unit === 'day' && hours && !hasOneEach(best)) return byHour(best, others, hours);
	const start = Date.parse(String(best?.dates[0]));
	const isApart = ({ dates: [date], unit }: DateChoice) =>
		unit !== 'event' && Math.abs(Date.parse(String(date)) - start) > DAY_LENGTH;
	const isPeriod = best?.dates.length === 1 && !best.isSure && others.some(isApart);
	return isPeriod ? [] : found;
}

const hasOneEach = ({ dates }: DateChoice) => new Set(dates).size === dates.length;

/** Days with the hours of another column, where these are whole ones. */
function byHour(
	best: DateChoice,
	others: DateChoice[],
	[name, hours]: [string, unknown[]],
): DateChoice[] {
	const dates = best.dates.map((date, at) => {
		const hour = Number(hours[at]);
		return date && Number.isInteger(hour) && hour >= 0 && hour < 24
			? `${date}T${String(hour).padStart(2, '0')}:00:00`
			: undefined;
	});
	if (dates.includes(undefined)) return [best, ...others];
	return [{ ...best, dates, unit: 'time' }, { ...best, name, dates }, ...others];
}
