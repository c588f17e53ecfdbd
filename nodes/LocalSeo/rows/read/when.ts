import { DateTime } from 'luxon';

import { instantOfIso, textOf } from '../../client';

// The time of a record or a row, as the service has it.

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** The instant of a time (ms), of a day its midnight in a zone; undefined for anything else. */
export function instantIn(zone: string, value: unknown): number | undefined {
	const text = textOf(value ?? '');
	return isDay(text) ? DateTime.fromISO(text, { zone }).toMillis() : instantOfIso(text);
}

/** "Fri, Dec 24, 2027, 10:00 (Europe/Berlin)": an instant as a person reads it. */
export function asPeopleRead(at: number, zone: string): string {
	const time = DateTime.fromMillis(at, { zone, locale: 'en' });
	return `${time.toFormat('ccc, MMM d, yyyy, HH:mm')} (${zone})`;
}

/** Two values as people read them, with their seconds where nothing else differs. */
export function shownTimes(values: [unknown, unknown], zone: string): string[] {
	const shown = values.map((value) => shownTime(value, zone));
	if (shown[0] !== shown[1]) return shown;
	return values.map((value) => {
		const at = instantIn(zone, value);
		if (at === undefined) return textOf(value ?? '');
		return DateTime.fromMillis(at, { zone, locale: 'en' }).toFormat('ccc, MMM d, yyyy, HH:mm:ss');
	});
}

/** The same of a value, which may be a day, or no time at all: then it is shown as it is. */
export function shownTime(value: unknown, zone: string): string {
	const at = instantIn(zone, value);
	const text = textOf(value ?? '');
	if (at === undefined || isDay(text)) return text;
	return asPeopleRead(at, zone);
}
