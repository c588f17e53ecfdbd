import { InputError } from '../../text/inputError';
import { asValue, capitalized } from '../../text/words';
import { singleSpaced } from './cells';

// Dates of two numbers and a year, of which either number may be the day.

/** The part of "03/04/2027" that comes first, if the user says it. */
export type DateOrder = 'ask' | 'day' | 'month';
export type FirstPart = Exclude<DateOrder, 'ask'>;

export const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d:])/;
/** The order that holds for numbers with a separator: with dots, the day is first. */
export function orderInForce(separator: string, order: DateOrder): FirstPart | undefined {
	if (order !== 'ask') return order;
	return separator === '.' ? 'day' : undefined;
}

/** The order of a date with two numbers, if the date itself shows it; with its separator. */
function orderShownBy(value: unknown): { separator: string; order?: FirstPart } | undefined {
	const [, first, separator, second, year] =
		(typeof value === 'string' && YEAR_LAST.exec(singleSpaced(value))) || [];
	// Others are refused by name.
	if (separator === undefined || (year.length === 2 && separator !== '.')) return undefined;
	const isDay = (number: string) => Number(number) > 12 && Number(number) <= 31;
	if (isDay(first) && Number(second) <= 12) return { separator, order: 'day' };
	if (isDay(second) && Number(first) <= 12) return { separator, order: 'month' };
	return { separator };
}

/**
 * The question about a run whose dates need both orders, or another one than the one in force; undefined if
 * there is none.
 */
export function orderQuestion(values: unknown[], order: DateOrder): InputError | undefined {
	const shown = values.flatMap((value) => {
		const one = orderShownBy(value);
		return one ? [{ value, ...one, inForce: orderInForce(one.separator, order) }] : [];
	});
	const [byDay, byMonth] = (['day', 'month'] as const).map((part) =>
		shown.find((date) => date.order === part),
	);
	if (byDay && byMonth) {
		return new InputError(
			`${asValue(byMonth.value)} has the month first, and ${asValue(byDay.value)} the day`,
			'Write all of them the same way.',
		);
	}
	const against = shown.find((date) => date.order && date.inForce && date.order !== date.inForce);
	if (!against) return undefined;
	const part = against.order!;
	const other = shown.find((date) => date.order === undefined);
	return new InputError(
		`${asValue(against.value)} has the ${part} first` +
			(other ? `, and ${asValue(other.value)} may have it` : ''),
		`Set 'Date Order' to ${capitalized(part)} First.`,
	);
}
