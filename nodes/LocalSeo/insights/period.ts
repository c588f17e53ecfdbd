import { isoDay, momentIn, readDate, settledBy, timeOf } from '../client';
import { InputError } from '../text/inputError';
import { asValue } from '../text/words';
import type { Note } from '../resources';
import type { TableRows } from './rows';

/** The option Period as n8n provides it; expressions may give anything. */
interface PeriodChoice {
	range?: unknown;
	from?: unknown;
	to?: unknown;
}

/** The days to keep, `YYYY-MM-DD`; both belong to it, and one may be open. */
export interface Period {
	from?: string;
	to?: string;
}

const DAY = 86_400_000;

/**
 * The days that the option Period asks for. All but From and To end before today, whose numbers are not
 * complete yet.
 *
 * @param zone as `America/New_York`
 * @param now in milliseconds
 * @returns undefined if the option is not set
 * @throws InputError for what is no period
 */
export function keptPeriod(option: unknown, zone: string, now: number): Period | undefined {
	const { days } = Object(option) as { days?: PeriodChoice };
	if (days === undefined) return undefined;
	const { year, month, day } = momentIn(zone, now);
	const today = Date.UTC(year, month - 1, day);
	const until = (end: number, count: number) => daysBetween(end - (count - 1) * DAY, end);
	switch (days.range) {
		case 'last7Days':
			return until(today - DAY, 7);
		case 'last28Days':
			return until(today - DAY, 28);
		case 'lastWeek':
			return until(mondayOf(today) - DAY, 7);
		case 'lastMonth':
			return daysBetween(Date.UTC(year, month - 2, 1), Date.UTC(year, month - 1, 0));
		case 'fromTo':
			return fromTo(days, zone);
	}
	throw new InputError(
		`There is no period ${asValue(days.range)}`,
		"Choose one of the list under 'Period', or give last7Days, last28Days, lastWeek, lastMonth or fromTo.",
	);
}

const isoDayAt = (time: number) => new Date(time).toISOString().slice(0, 10);
const daysBetween = (from: number, to: number) => ({ from: isoDayAt(from), to: isoDayAt(to) });
const mondayOf = (day: number) => day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;

function fromTo(given: PeriodChoice, zone: string): Period {
	const from = readEdge('From', given.from, zone);
	const to = readEdge('To', given.to, zone);
	if (from === undefined && to === undefined) {
		throw new InputError("'Period' has no dates", "Fill in 'From', 'To' or both.");
	}
	if (from !== undefined && to !== undefined && from > to) {
		throw new InputError(
			"'Period' ends before it begins",
			`'From' is ${from}, 'To' is ${to}. Swap them.`,
		);
	}
	return { from, to };
}

/** @param value as n8n's field for dates gives it, as people write it, or a date of an expression */
function readEdge(label: string, value: unknown, zone: string): string | undefined {
	const plain: unknown = JSON.parse(JSON.stringify(value ?? ''));
	if (plain === '') return undefined;
	const moment = settledBy(readDate(plain), () => undefined);
	if (!moment) {
		throw new InputError(
			`'${label}' of 'Period' is not a certain date`,
			`Its value is ${asValue(plain)}. Write it as 2026-12-31.`,
		);
	}
	// Midnight stands for the day, in whichever zone it is written.
	const { time = 0, offset } = moment;
	const isOfDay = time === 0 || offset === undefined;
	return isoDay(isOfDay ? moment : momentIn(zone, timeOf(plain) ?? 0));
}

/**
 * The rows of a period, and what is to be said if the service has not returned all of it. A week or a
 * month counts if all of its days do. Rows without a date stay.
 *
 * @param zone in which times belong to their day
 */
export function withinPeriod(
	table: TableRows,
	period: Period | undefined,
	zone: string,
): TableRows {
	if (!period) return table;
	const spans = table.rows.map(({ date }) => spanOf(String(date ?? ''), zone));
	const known = spans.filter((span) => span !== undefined);
	if (known.length === 0) {
		return table.rows.length === 0
			? table
			: { ...table, notes: [...table.notes, saying(notApplied)] };
	}
	const { from = '', to = '9999' } = period;
	const isWithin = ([first, last]: Span) => first >= from && last <= to;
	const isPartly = ([first, last]: Span) =>
		(first < from && last >= from) || (first <= to && last > to);
	const rows = table.rows.filter((_, at) => !spans[at] || isWithin(spans[at]));
	return {
		rows,
		notes: [
			...(rows.length > 0 ? table.notes : []),
			...missingDays(period, known),
			...(known.some(isPartly) ? [saying(partlyWithin(period))] : []),
		],
	};
}

/** The first and the last day of what a row is about. */
type Span = [first: string, last: string];

/** @param date as `readDates` names days, times, weeks, months and quarters */
function spanOf(date: string, zone: string): Span | undefined {
	const [, year, unit, number] = /^(\d{4})-?(W|Q|)(\d\d?)?$/.exec(date) ?? [];
	if (year !== undefined) {
		const count = Number(number);
		if (number === undefined) return [`${year}-01-01`, `${year}-12-31`];
		if (unit === 'W') {
			// The first week of a year is that of January 4 (ISO 8601).
			const monday = mondayOf(Date.UTC(Number(year), 0, 4)) + (count - 1) * 7 * DAY;
			return [isoDayAt(monday), isoDayAt(monday + 6 * DAY)];
		}
		const months = unit === 'Q' ? 3 : 1;
		const start = (count - 1) * months;
		const { from, to } = daysBetween(
			Date.UTC(Number(year), start, 1),
			Date.UTC(Number(year), start + months, 0),
		);
		return [from, to];
	}
	const isZoned = /T.*(Z|[+-]\d\d:?\d\d)$/.test(date);
	const time = isZoned ? timeOf(date) : undefined;
	const day = time === undefined ? date.slice(0, 10) : isoDay(momentIn(zone, time));
	return /^\d{4}-\d\d-\d\d$/.test(day) ? [day, day] : undefined;
}

type Sentence = [before: string, after: string];

const notApplied: Sentence = ["'Period' was not applied, because no dates were recognized", '.'];

const partlyWithin = (period: Period): Sentence => [
	`Weeks or months that are only partly in ${rangeText(period)} were left out`,
	'.',
];

function missingDays(period: Period, spans: Span[]): Array<Note['say']> {
	const first = spans.map(([day]) => day).reduce((a, b) => (a < b ? a : b));
	const last = spans.map(([, day]) => day).reduce((a, b) => (a > b ? a : b));
	const isLate = period.from !== undefined && first > period.from;
	const isEarly = period.to !== undefined && last < period.to;
	if (!isLate && !isEarly) return [];
	const returned =
		isLate && isEarly
			? rangeText({ from: first, to: last })
			: `days ${rangeText(isLate ? { from: first } : { to: last })}`;
	const before = `You asked for ${rangeText(period)}; the service returned ${returned}`;
	const advice =
		". If your service has parameters for a period, add them under 'Query Parameters'.";
	return [saying([before, isLate ? advice : '.'])];
}

function saying([before, after]: Sentence): Note['say'] {
	return (names) => `${before} (${names})${after}`;
}

/** "Nov 16 to 22", "Nov 30 to Dec 6", "Dec 28, 2026 to Jan 3, 2027", "up to Nov 20", "from Nov 20 on" */
function rangeText({ from, to }: Period): string {
	if (from === undefined) return `up to ${shortDay(to!)}`;
	if (to === undefined) return `from ${shortDay(from)} on`;
	if (from === to) return shortDay(from);
	const isOneYear = from.slice(0, 4) === to.slice(0, 4);
	const isOneMonth = from.slice(0, 7) === to.slice(0, 7);
	const end = isOneMonth ? String(Number(to.slice(8))) : shortDay(to, !isOneYear);
	return `${shortDay(from, !isOneYear)} to ${end}`;
}

function shortDay(day: string, hasYear = false): string {
	return new Intl.DateTimeFormat('en-US', {
		...{ timeZone: 'UTC', month: 'short', day: 'numeric' },
		...(hasYear && { year: 'numeric' }),
	}).format(Date.parse(day));
}
