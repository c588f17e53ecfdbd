import { DateTime, type DateTimeUnit } from 'luxon';

import { isEmpty } from '../client';
import type { Note } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, listed } from '../text/words';
import { daysOf, readDate } from './dates';
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

/**
 * The days that the option Period asks for. All but From and To end before today, whose numbers are not
 * complete yet.
 *
 * @param zone the workflow's, as `America/New_York`
 * @param now in milliseconds
 * @returns undefined for all days
 * @throws InputError for what is no period
 */
export function keptPeriod(option: unknown, zone: string, now: number): Period | undefined {
	const { days } = Object(option) as { days?: PeriodChoice };
	const { range } = Object(days) as PeriodChoice;
	if (isEmpty(range) || range === 'allDays') return undefined;
	const today = DateTime.fromMillis(now, { zone });
	const before = (count: number) => dayOn(today.minus({ days: count }));
	const whole = (unit: DateTimeUnit) => {
		const one = today.minus({ [unit]: 1 });
		return { from: dayOn(one.startOf(unit)), to: dayOn(one.endOf(unit)) };
	};
	switch (range) {
		case 'last7Days':
			return { from: before(7), to: before(1) };
		case 'last28Days':
			return { from: before(28), to: before(1) };
		case 'lastWeek':
			return whole('week');
		case 'lastMonth':
			return whole('month');
		case 'fromTo':
			return fromTo(days!, zone);
	}
	throw new InputError(
		`There is no period ${asValue(range)}`,
		"Choose one of the list under 'Period', or give last7Days, last28Days, lastWeek, lastMonth or fromTo.",
	);
}

function dayOn(date: DateTime): string {
	const day = date.toISODate();
	if (day !== null) return day;
	throw new InputError(
		`There is no time zone "${date.zoneName ?? ''}"`,
		"Choose one of the list in the settings of the workflow, under 'Timezone'.",
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
	const [first, last] = (date !== undefined && daysOf(date, zone)) || [];
	if (first !== undefined && first === last) return first;
	throw new InputError(
		`'${label}' of 'Period' is not a day`,
		`Its value is ${asValue(plain)}. Write it as 2026-12-31.`,
	);
}

/**
 * The rows of a period, and a note on its days that are missing. A week or a month counts if all of its
 * days do. Rows without a date stay.
 *
 * @param zone in which times belong to their day
 * @param of the location
 */
export function withinPeriod(
	table: TableRows,
	period: Period | undefined,
	zone: string,
	of: string,
): TableRows {
	if (!period || table.rows.every(({ date }) => date === null)) return table;
	const { from = '', to = '9999' } = period;
	const kept = table.rows.flatMap((row) => {
		const [first, last] = daysOf(String(row.date), zone) ?? ['', ''];
		return first >= from && last <= to ? [{ row, days: [first, last] as const }] : [];
	});
	const missing = missingIn(
		period,
		kept.map(({ days }) => days),
	);
	const note: Note = { say: missingDays, of: `${of} (${listed(missing, MAX_GAPS, '; ')})` };
	return {
		rows: kept.map(({ row }) => row),
		notes: [...(kept.length > 0 ? table.notes : []), ...(missing.length > 0 ? [note] : [])],
	};
}

/** How many gaps of a location a hint lists. */
const MAX_GAPS = 3;

const missingDays: Note['say'] = (names) =>
	`The service returned no data for some days of the period: ${names}. If it takes a period, e.g. as from and to, add them under 'Query Parameters'.`;

/** "Nov 16 to Nov 18, 2026": the days of a period that no row is about; an open one ends with the rows. */
function missingIn({ from, to }: Period, kept: Array<readonly [string, string]>): string[] {
	const sorted = [...kept].sort(([one], [other]) => (one < other ? -1 : 1));
	if (sorted.length === 0 && from === undefined) return [`up to ${shown(to!)}`];
	if (sorted.length === 0 && to === undefined) return [`from ${shown(from!)} on`];
	const gaps: string[] = [];
	let next = from ?? sorted[0][0];
	const end = to === undefined ? [] : [[plusDays(to, 1), to] as const];
	for (const [first, last] of [...sorted, ...end]) {
		if (first > next) gaps.push(between(next, plusDays(first, -1)));
		if (last >= next) next = plusDays(last, 1);
	}
	return gaps;
}

const plusDays = (day: string, days: number) => DateTime.fromISO(day).plus({ days }).toISODate()!;
const shown = (day: string, format = 'MMM d, yyyy') =>
	DateTime.fromISO(day, { locale: 'en' }).toFormat(format);

function between(first: string, last: string): string {
	if (first === last) return shown(first);
	const isOneYear = first.slice(0, 4) === last.slice(0, 4);
	return `${shown(first, isOneYear ? 'MMM d' : undefined)} to ${shown(last)}`;
}
