import { DateTime } from 'luxon';

import { hasOffset, instantOfIso, type JsonObject, mayBeAt, textOf } from '../../client';

// The time of a record or a row, as the service has it.

/** "Fri, Dec 24, 2027, 10:00 (Europe/Berlin)": an instant as a person reads it. */
export function asPeopleRead(at: number, zone: string): string {
	const time = DateTime.fromMillis(at, { zone, locale: 'en' });
	return `${time.toFormat('ccc, MMM d, yyyy, HH:mm')} (${zone})`;
}

/** The same of a value, which may be a day, or no time at all: then it is shown as it is. */
export function shownTime(value: unknown, zone: string): string {
	const text = textOf(value ?? '');
	const at = text.includes(':') ? instantOfIso(text) : undefined;
	return at === undefined ? text : asPeopleRead(at, zone);
}

/**
 * How a record shows a time that was sent: `unclear` may be the moment of publishing just as well, and `none` is
 * no time that can be read.
 */
export function shownFor(
	record: JsonObject,
	field: string,
	at: number,
	now: number,
): 'kept' | 'other' | 'unclear' | 'none' {
	if (!Object.hasOwn(record, field)) return 'none';
	const shown = textOf(record[field] ?? '').trim();
	if (shown === '') return 'other';
	if (!mayBeAt(shown, at)) return instantOfIso(shown) === undefined ? 'none' : 'other';
	return hasOffset(shown) || !mayBeAt(shown, now) ? 'kept' : 'unclear';
}
