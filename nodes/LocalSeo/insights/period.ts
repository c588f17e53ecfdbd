import uniqBy from 'lodash/uniqBy';
import { DateTime } from 'luxon';

import type { Note } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, listed } from '../text/words';
import { datesOfList, dayOf, isWeekOrMonth, readDate } from './dates';
import { noWholeDays } from './questions';
import { severalRows, type TableRows } from './rows';

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

/** The first and the last day of each range. They end before today, whose numbers are not complete yet. */
const RANGES = new Map<unknown, (today: DateTime) => [first: DateTime, last: DateTime]>([
	['last7Days', (today) => [today.minus({ days: 7 }), today.minus({ days: 1 })]],
	['last28Days', (today) => [today.minus({ days: 28 }), today.minus({ days: 1 })]],
	['lastWeek', (today) => whole('week', today.minus({ weeks: 1 }))],
	['lastMonth', (today) => whole('month', today.minus({ months: 1 }))],
]);

const whole = (unit: 'week' | 'month', day: DateTime): [DateTime, DateTime] => [
	day.startOf(unit),
	day.endOf(unit),
];

/**
 * The days that the option Period asks for.
 *
 * @param zone the workflow's, as `America/New_York`
 * @param now in milliseconds
 * @returns undefined for all days
 * @throws InputError for what is no period
 */
export function keptPeriod(option: unknown, zone: string, now: number): Period | undefined {
	const { days } = Object(option) as { days?: PeriodChoice };
	if (days === undefined || days.range === 'allDays') return undefined;
	if (days.range === 'fromTo') return fromTo(days, zone);
	const range = RANGES.get(days.range);
	if (range) {
		const [from, to] = range(DateTime.fromMillis(now, { zone })).map((day) => day.toISODate()!);
		return { from, to };
	}
	throw new InputError(
		`There is no period ${asValue(days.range)}`,
		"Choose one of the list under 'Period', or give allDays, last7Days, last28Days, lastWeek, lastMonth or fromTo.",
	);
}

function fromTo(given: PeriodChoice, zone: string): Period {
	const from = readEdge('From', given.from, zone);
	const to = readEdge('To', given.to, zone);
	if (from === undefined && to === undefined) {
		throw new InputError("'Period' has no dates", "Fill in 'From', 'To' or both.");
	}
	if (from === undefined || to === undefined || from <= to) return { from, to };
	throw new InputError(
		"'Period' ends before it begins",
		`'From' is ${from}, 'To' is ${to}. Swap them.`,
	);
}

/** @param value ISO text, as n8n's field for dates gives it, or a date of an expression */
function readEdge(label: string, value: unknown, zone: string): string | undefined {
	const plain: unknown = JSON.parse(JSON.stringify(value ?? ''));
	if (plain === '') return undefined;
	const date = readDate(plain, false);
	// Midnight, as it is written, is the day.
	if (date !== undefined && !isWeekOrMonth(date)) return dayOf(datesOfList([date])[0], zone);
	throw new InputError(
		`'${label}' of 'Period' is not a day`,
		`Its value is ${asValue(plain)}. Write it as 2026-12-31.`,
	);
}

/**
 * The rows of a period, and a note on its days that are missing.
 *
 * @param zone in which times belong to their day
 * @param of the location
 * @throws InputError for weeks and months, which may be in it in part
 */
export function withinPeriod(
	table: TableRows,
	period: Period | undefined,
	zone: string,
	of: string,
): TableRows {
	if (!period || table.rows.length === 0) return table;
	if (table.isOfPeriods) throw noWholeDays();
	const { from = '', to = '9999' } = period;
	const days: string[] = [];
	const rows = table.rows.filter(({ date }) => {
		const day = dayOf(String(date), zone);
		const isKept = from <= day && day <= to;
		if (isKept) days.push(day);
		return isKept;
	});
	const areRepeated = uniqBy(rows, 'date').length < rows.length;
	const notes = table.notes.filter(({ say }) => areRepeated || say !== severalRows);
	const gaps = gapsIn(period, days);
	const missing: Note = { say: missingDays, of: `${of} (${listed(gaps, MAX_GAPS)})` };
	return {
		rows,
		notes: [...(rows.length > 0 ? notes : []), ...(gaps.length > 0 ? [missing] : [])],
	};
}

/** How many gaps of a location a hint lists. */
const MAX_GAPS = 3;

const missingDays: Note['say'] = (names) =>
	`Some days of the period are missing: ${names}. If the service takes a period, e.g. as from and to, add them under 'Query Parameters'.`;

/** "2026-11-16 to 2026-11-18": the days of a period without rows; an open period ends with its rows. */
function gapsIn({ from, to }: Period, days: string[]): string[] {
	const sorted = [...days].sort();
	const gaps: string[] = [];
	let next = from ?? sorted[0] ?? to!;
	for (const day of to === undefined ? sorted : [...sorted, addDays(to, 1)]) {
		const before = addDays(day, -1);
		if (next <= before) gaps.push(next === before ? next : `${next} to ${before}`);
		if (day >= next) next = addDays(day, 1);
	}
	return gaps;
}

const addDays = (day: string, days: number): string =>
	DateTime.fromISO(day).plus({ days }).toISODate()!;
