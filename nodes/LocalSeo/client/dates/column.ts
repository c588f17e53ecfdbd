import { isoDay, isoTime, type Moment, momentIn, utcOf } from './calendar';
import { isDigits, readStamp, type Stamp, withYear } from './stamp';
import { type Order, ordersIn, readDate, settledBy, type Written } from './written';

/** The unit of a list of dates: days, times within days, or longer periods (weeks, months, quarters). */
export type DateUnit = 'day' | 'time' | 'period';

/** A list of values that were read as dates, all in the same way. */
export interface DateColumn {
	unit: DateUnit;
	/**
	 * For each value a day ("2027-12-24"), a time ("2027-12-24T09:30:00Z") or the name of a period
	 * ("2027-W51", "2027-12", "2027-Q4"); undefined for a value that is none.
	 */
	dates: Array<string | undefined>;
}

/** The surroundings of a list of dates. */
export interface DateContext {
	/** The name of the list; empty if it has none. */
	name: string;
	/** The time zone in which its days begin, as `America/New_York`, where the response names one. */
	zone?: string;
	/** The workflow's time zone: without a named one, days may begin at its midnight. */
	ownZone?: string;
	/** The first and the last of the dates nearby: they show the year of a label like "Dec 24". */
	near?: [first: Moment, last: Moment];
}

const DAY = 86_400_000;
const MINUTE = 60_000;
/** How far labels without a year may be from the dates nearby. */
const NEAR = 31 * DAY;
/** One number among so few is a date only where its name says so. */
const FEW = 3;
/** The number of values that are looked at first: where none is a date, most are none. */
const SAMPLE = 16;
const TIME_NAME =
	/(^|[_\s])(date|day|time|time_?stamp|ts|at|x|t|key|period|start|begin|end|from|to|since|until|bucket|interval|hour|week|month)s?(_|$)|(date|time|day|start|end|month|week)$/i;
const WEEK_NAME = /(week|kw|woche|semaine|semana)$/i;

/** Whether a column is called as one of times is. */
export const isTimeName = (name: string) => TIME_NAME.test(name);

/**
 * Reads a list of dates as services write them (`readStamp`), all in one way: day and month in one order,
 * labels such as "Dec 24" with the year of the dates nearby. Where all have the same time of day, or
 * midnight in their zone or the workflow's, they are days.
 *
 * @returns undefined unless most values are dates
 */
export function readDates(values: unknown[], context: DateContext): DateColumn | undefined {
	const isWeek = WEEK_NAME.test(context.name);
	const isMost = (found: unknown[]) => 2 * found.filter(Boolean).length > values.length;
	const step = Math.ceil(values.length / SAMPLE);
	const isDate = (value: unknown, at: number) => at % step === 0 && readStamp(value, isWeek);
	if (!values.some(isDate)) return undefined;
	const stamps = values.map((value) => readStamp(value, isWeek));
	if (!isMost(stamps) || !arePlausible(values, stamps, context.name)) return undefined;
	const periods = stamps.map((stamp) => (stamp && 'period' in stamp ? stamp.period : undefined));
	if (isMost(periods)) return { unit: 'period', dates: periods };
	const written = stamps.map((stamp) => (stamp && 'period' in stamp ? undefined : stamp));
	const moments = inOneYear(values, written, context.near);
	return isMost(moments) ? inOneForm(moments, context) : undefined;
}

/** Numbers that are few and not called so, or no whole minutes, count something else. */
function arePlausible(values: unknown[], stamps: Array<Stamp | undefined>, name: string): boolean {
	const ofNumbers = stamps.filter((_, at) => isDigits(values[at]));
	const isWhole = (stamp?: Stamp) =>
		stamp && (!('moment' in stamp) || (stamp.moment.time ?? 0) % MINUTE === 0);
	const isCounted = ofNumbers.length >= FEW || isTimeName(name);
	return ofNumbers.length === 0 || (isCounted && ofNumbers.every(isWhole));
}

const isYearless = (stamp?: Written) => stamp && 'flaw' in stamp && stamp.flaw === 'no-year';

/** Labels without a year have the one that brings them nearest to the dates nearby. */
function inOneYear(
	values: unknown[],
	stamps: Array<Written | undefined>,
	near: DateContext['near'],
): Array<Moment | undefined> {
	if (!stamps.some(isYearless)) return inOneOrder(values, stamps, near);
	if (!near || near[1].year - near[0].year > 1) return [];
	const years = new Set([near[0].year - 1, near[0].year, near[1].year, near[1].year + 1]);
	const tried = [...years].map((year) => {
		const texts = values.map((value, at) =>
			isYearless(stamps[at]) ? withYear(String(value), year) : value,
		);
		return inOneOrder(texts, texts.map(readDate), near);
	});
	const nearest = values.map((_, at) =>
		tried
			.flatMap((moments) => moments[at] ?? [])
			.reduce<
				Moment | undefined
			>((best, one) => (best && distance(best, near) <= distance(one, near) ? best : one), undefined),
	);
	return nearest.some((one) => one && distance(one, near) <= NEAR) ? nearest : [];
}

/** Milliseconds from the dates nearby; 0 between them. */
function distance(moment: Moment, [first, last]: [Moment, Moment]): number {
	const [time, from, to] = [moment, first, last].map((one) =>
		utcOf({ ...one, time: 0, offset: 0 }),
	);
	return Math.max(0, from - time, time - to);
}

/**
 * The order of day and month shows in a value above 12, else in the dates nearby, or is the one in which
 * the days follow one another.
 */
function inOneOrder(
	values: unknown[],
	stamps: Array<Written | undefined>,
	near: DateContext['near'],
): Array<Moment | undefined> {
	const orderOf = ordersIn(values);
	const read = (order?: Order) =>
		stamps.map((stamp) => settledBy(stamp, (separator) => orderOf(separator) ?? order));
	const settled = read();
	const isOpen = stamps.some((stamp, at) => stamp && 'either' in stamp && !settled[at]);
	if (!isOpen) return settled;
	const both = [read('day'), read('month')];
	const isNear = (moments: Array<Moment | undefined>) =>
		near !== undefined && moments.every((one) => !one || distance(one, near) === 0);
	for (const fits of [isNear, isDense]) {
		const [fitting, ...more] = both.filter(fits);
		if (fitting && more.length === 0) return fitting;
	}
	return settled;
}

/** Whether days follow one another, with few left out. */
function isDense(moments: Array<Moment | undefined>): boolean {
	const days = moments.flatMap((one) => (one ? utcOf(one) / DAY : [])).sort((a, b) => a - b);
	return days.length >= FEW && days[days.length - 1] - days[0] <= 2 * days.length;
}

function inOneForm(moments: Array<Moment | undefined>, context: DateContext): DateColumn {
	const known = moments.filter((one) => one !== undefined);
	const isSeveral = new Set(known.map(isoDay)).size > 1;
	const days = known.every(isMidnight) ? moments : localDays(moments, known, isSeveral, context);
	const times = new Set(known.map(({ time = 0 }) => time));
	const isDaily = times.size === 1 && isSeveral;
	if (days || isDaily) {
		return { unit: 'day', dates: (days ?? moments).map((one) => one && isoDay(one)) };
	}
	const written = moments.map((one) => one && isoTime(one).replace('+00:00', 'Z'));
	return { unit: 'time', dates: written };
}

/** Whether a column is called as one of days is. */
export const isDayName = (name: string) => /^\W?(date|day)$/i.test(name);

/**
 * Midnights that are told in UTC, as the days that begin then: in the named zone, or else in the
 * workflow's, where one time alone proves nothing in a column that is not called so.
 */
function localDays(
	moments: Array<Moment | undefined>,
	known: Moment[],
	isSeveral: boolean,
	{ name, zone: named, ownZone }: DateContext,
): typeof moments | undefined {
	const zone = named ?? (isSeveral || isDayName(name) ? ownZone : undefined);
	if (zone === undefined || known.some(({ offset }) => offset !== 0)) return undefined;
	const isStart = (moment: Moment) => isMidnight(inZone(zone, moment));
	return known.every(isStart) ? moments.map((one) => one && inZone(zone, one)) : undefined;
}

const isMidnight = (moment?: Moment) => (moment?.time ?? 0) === 0;
const inZone = (zone: string, moment: Moment) => momentIn(zone, utcOf(moment));
