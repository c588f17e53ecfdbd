/** A day as people write it, with or without a time: "25.12.2026", "12/25/26 18:00". */
const DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})( +\d{1,2}:\d{2})?$/;

/**
 * What to do about a value that is no date, in a field that says when something is to happen: how to
 * write it and, for a day as people write it in a column, the expression that converts all of it.
 *
 * @param column of the row from which the value comes, if it is one alone
 */
export function dateAdvice(value: unknown, column?: string): string {
	const [, first, sign, second, year, time] = DAY.exec(String(value).trim()) ?? [];
	const write = 'Write it as 2026-12-31 or 2026-12-31T18:00';
	if (sign === undefined || column === undefined) return `${write}.`;
	const rest = `${sign}${'y'.repeat(year.length)}${time === undefined ? '' : ' HH:mm'}`;
	const [dayFirst, monthFirst] = [`d${sign}M${rest}`, `M${sign}d${rest}`];
	const isMonthFirst = sign !== '.' && Number(second) > 12;
	const isCertain = sign === '.' || isMonthFirst || Number(first) > 12;
	const json = /^[A-Za-z_$][\w$]*$/.test(column)
		? `$json.${column}`
		: `$json[${JSON.stringify(column)}]`;
	const format = isMonthFirst ? monthFirst : dayFirst;
	const toText = time === undefined ? 'toISODate' : 'toISO';
	const other = isCertain ? '' : `, with '${monthFirst}' where the month comes first`;
	return `${write}, or map it with {{ DateTime.fromFormat(${json}, '${format}').${toText}() }}${other}.`;
}
