import { DateTime } from 'luxon';

import { hasOffset, instantOfIso, textOf } from '../../client';

// The time of a record or a row, as the service has it.

/** Milliseconds. */
const MINUTE = 60_000;

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** The instant of a time (ms), of a day its midnight in a zone; undefined for anything else. */
export function instantIn(zone: string, value: unknown): number | undefined {
	const text = textOf(value ?? '');
	return isDay(text) ? DateTime.fromISO(text, { zone }).toMillis() : instantOfIso(text);
}

/** True if a service may show a time so: without its offset, as the clock of the zone, or without its seconds. */
export function mayShow(shown: unknown, sent: unknown, zone: string): boolean {
	const text = textOf(shown ?? '').trim();
	const [own, at] = [instantIn(zone, sent), instantOfIso(text)];
	if (own === undefined || at === undefined || isDay(textOf(sent))) return false;
	const time = DateTime.fromMillis(own, { zone });
	if (isDay(text)) return [time, time.toUTC()].some((one) => one.toISODate() === text);
	const isWhole = at % MINUTE === 0;
	const same = (one: number) => at === one || (isWhole && at === one - (one % MINUTE));
	if (hasOffset(text)) return same(own);
	return same(own) || same(time.setZone('utc', { keepLocalTime: true }).toMillis());
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
