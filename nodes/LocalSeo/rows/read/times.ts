import {
	type DateFlaw,
	instantIn,
	instantOf,
	isoDay,
	isoIn,
	type Moment,
	readDate,
	settledBy,
	type Written,
} from '../../client';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import { onlyTimeOf } from './cells';
import type { Sheet } from './sheet';

/** A value of a row that says when something is to happen. */
export interface TimeCell {
	/** As messages call it: "Publish At". */
	label: string;
	value: unknown;
	/** The columns of the sheet that it comes from: their other values show the order of day and month. */
	columns: string[];
	/** Whether a day stays one; else it is its midnight, since a service may take it for that in UTC. */
	takesDays: boolean;
}

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const FLAWS: Record<DateFlaw, string> = {
	'no-such-day': 'is a day that does not exist',
	'no-such-time': 'is a time that does not exist',
	'other-weekday': 'names another weekday than its date has',
	'no-year': 'has no year',
};

/**
 * A time as the service gets it: an instant in ISO 8601, with the offset of the workflow's time zone where
 * none is written. Where a row alone leaves open which day is meant, its column decides.
 *
 * @throws InputError for what is not certainly one moment
 */
export function readTime(row: { sheet: Sheet; zone: string }, cell: TimeCell): string {
	const { columns, takesDays } = cell;
	const value = onlyTimeOf(cell.value);
	if (typeof value === 'string' && ISO_INSTANT.test(value) && instantOf(value) !== undefined) {
		return value;
	}
	const written = readDate(value);
	const moment = settledBy(written, row.sheet.ordersIn(columns));
	if (!moment) throw notATime(row.sheet, cell, written);
	if (takesDays && moment.time === undefined) return isoDay(moment);
	return isoIn(row.zone, instantIn(row.zone, moment));
}

/** Why a value is not a certain time, and what to write in its place. */
function notATime(sheet: Sheet, cell: TimeCell, written: Written | undefined): InputError {
	const field = `The field "${cell.label}"`;
	const its = `Its value is ${asValue(cell.value)}. Nothing was sent.`;
	if (written && 'either' in written) {
		const { day, month } = written.either;
		const why =
			sheet.size === 1
				? 'In an execution with one item, no other value of the column shows which comes first, the day or the month.'
				: 'No other value of its column shows which comes first, the day or the month.';
		return new InputError(
			`${field} can be read as two days`,
			`${its} ${why} Write ${inIso(day)} or ${inIso(month)}.`,
		);
	}
	const flaw = written && 'flaw' in written ? FLAWS[written.flaw] : 'is not a certain date';
	return new InputError(
		`${field} ${flaw}`,
		`${its} Write it as 2026-12-31${cell.takesDays ? '' : ' 18:00'}, or clear the cell.`,
	);
}

/** "2027-04-03 17:00" */
function inIso(moment: Moment): string {
	const { time } = moment;
	if (time === undefined) return isoDay(moment);
	return `${isoDay(moment)} ${new Date(time).toISOString().slice(11, 16)}`;
}

/** "Thu, Dec 24, 2027, 9:00 AM New York": a time that is sent, as a person reads it in the workflow's zone. */
export function asPeopleRead(timeZone: string, value: unknown): string | undefined {
	const instant = instantOf(value);
	if (instant === undefined) return undefined;
	const text = new Intl.DateTimeFormat('en-US', {
		...{ timeZone, weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
		...{ hour: 'numeric', minute: '2-digit' },
	}).format(instant);
	const place = timeZone.split('/').pop()!.replaceAll('_', ' ');
	return `${text.replace(/\s/g, ' ')} ${place}`;
}
