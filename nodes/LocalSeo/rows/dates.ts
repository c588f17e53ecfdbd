import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { rowsOfRun } from './row';

/** A day as people write it, with or without a time: "25.12.2026", "12/25/26 18:00". */
const DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:,? +(\d{1,2}:\d{2}))?$/;
/** A column of many rows need not be searched to its end for a day above 12. */
const MAX_ROWS = 1_000;

/** What a written day may mean, in the words of luxon's formats. */
type Order = 'day' | 'month';

/**
 * What to do about a value that is no date, in a field that says when something is to happen: the same
 * day as the service reads it and, where the value comes from a column, the expression that converts
 * all of it. Where the column can be read in two ways, both are named.
 *
 * @param column of the row from which the value comes, if it is one alone
 */
export function dateAdvice(
	context: IExecutePaginationFunctions,
	value: unknown,
	column?: string,
): string {
	const written = DAY.exec(String(value).trim());
	if (!written) return 'Write it as 2026-12-31 or 2026-12-31T18:00.';
	const values = column === undefined ? [value] : valuesOf(context, column);
	const orders = ordersOf(values.map((one) => DAY.exec(String(one).trim())).filter((one) => one));
	const days = orders.map((order) => isoDay(written, order)).filter((day) => day !== undefined);
	if (days.length === 0) return 'Write it as 2026-12-31 or 2026-12-31T18:00.';
	if (days.length > 1 || column === undefined) return `Write ${days.join(' or ')}.`;
	const isTimed = written[5] !== undefined;
	const format = formatOf(values, written[2], orders[0], isTimed);
	const json = /^[A-Za-z_$][\w$]*$/.test(column)
		? `$json.${column}`
		: `$json[${JSON.stringify(column)}]`;
	const toText = isTimed ? 'toISO' : 'toISODate';
	return `Write ${days[0]}, or map it with {{ DateTime.fromFormat(${json}, '${format}').${toText}() }}.`;
}

function valuesOf(context: IExecutePaginationFunctions, column: string): unknown[] {
	return rowsOfRun(context)
		.slice(0, MAX_ROWS)
		.map(({ json }) => json[column]);
}

/** Which comes first: with dots the day; else what a number above 12 says; both, where none does. */
function ordersOf(written: Array<RegExpExecArray | null>): Order[] {
	const isAbove12 = (part: number) => written.some((one) => Number(one![part]) > 12);
	if (written.some((one) => one![2] === '.') || isAbove12(1)) return ['day'];
	return isAbove12(3) ? ['month'] : ['day', 'month'];
}

/** "2026-12-25"; undefined where it is no day of the calendar. */
function isoDay([, first, , second, year, time]: RegExpExecArray, order: Order) {
	const [day, month] = order === 'day' ? [first, second] : [second, first];
	const text = [year.length === 2 ? `20${year}` : year, month, day]
		.map((part) => part.padStart(2, '0'))
		.join('-');
	const date = new Date(`${text}T00:00Z`);
	const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
	return isDay ? text + (time === undefined ? '' : `T${time.padStart(5, '0')}`) : undefined;
}

/** "dd.MM.yyyy" in luxon's terms; "d.M.yyyy" where a column has days of one digit. */
function formatOf(values: unknown[], separator: string, order: Order, isTimed: boolean): string {
	const texts = values.map((value) => String(value).trim()).filter((text) => DAY.test(text));
	const isPadded = texts.every((text) => /^\d\d\D\d\d\D/.test(text));
	const isShort = texts.every((text) => /^\d+\D\d+\D\d\d(?!\d)/.test(text));
	const [day, month] = isPadded ? ['dd', 'MM'] : ['d', 'M'];
	const parts = order === 'day' ? [day, month] : [month, day];
	return [...parts, isShort ? 'yy' : 'yyyy'].join(separator) + (isTimed ? ' HH:mm' : '');
}
