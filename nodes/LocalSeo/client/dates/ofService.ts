import { type Moment, utcOf } from './calendar';
import { readDate } from './written';

/** ISO 8601, or as in HTTP headers. */
const FORM = /^(?:\d{4}-\d{2}-\d{2}(?:[T ]|$)|[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} )/;

/** The moment that a text of the service certainly means; digits alone may be anything. */
function momentOf(value: unknown): Moment | undefined {
	if (typeof value !== 'string' || !/\D/.test(value)) return undefined;
	const written = readDate(value);
	return written && 'moment' in written ? written.moment : undefined;
}

/**
 * A time in milliseconds, to be compared with other times of the service; undefined if it is not one.
 * One without a zone is read as UTC, never as the time zone of this machine.
 */
export function timeOf(value: unknown): number | undefined {
	const moment = momentOf(value);
	return moment && utcOf(moment);
}

/** Whether a value is certainly a date: one in ISO 8601, or as in HTTP headers. */
export function isDate(value: unknown): boolean {
	return typeof value === 'string' && FORM.test(value) && timeOf(value) !== undefined;
}

/** When a record was created: known for locations, assumed for the others; undefined if not known. */
export function createdAt({ created_at: value }: { created_at?: unknown }): number | undefined {
	return timeOf(value);
}

/** Milliseconds since 1970, of 2000 to 2100. */
const INSTANTS = { first: Date.UTC(2000, 0, 1), last: Date.UTC(2101, 0, 1) };

/** Seconds, milliseconds or microseconds since 1970, in milliseconds; undefined for what is none of these. */
export function instantOfNumber(number: number): number | undefined {
	const digits = String(Math.trunc(number)).length;
	const instant = [10, 13, 16].includes(digits) ? number / 10 ** (digits - 13) : NaN;
	return instant >= INSTANTS.first && instant < INSTANTS.last ? instant : undefined;
}
