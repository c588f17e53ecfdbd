import { isRecord } from '../http/records';
import { type Moment, utcOf } from './calendar';
import type { DateContext } from './column';
import { readStamp } from './stamp';

const ZONE = /(zone|tz)(_?id)?$/i;

/**
 * Finds what a response says about the dates in it: their time zone, and the first and the last date beside its
 * lists. When something was created says nothing about what it is about.
 */
export function datesNearby(response: unknown): Pick<DateContext, 'zone' | 'near'> {
	const moments: Moment[] = [];
	let zone: string | undefined;
	const look = (key: string, value: unknown): void => {
		if (Array.isArray(value)) {
			if (value.length === 1) look(key, value[0]);
		} else if (isRecord(value)) {
			for (const [name, inner] of Object.entries(value)) look(name, inner);
		} else {
			if (ZONE.test(key) && isZone(value)) zone ??= value;
			if (!/creat/i.test(key)) moments.push(...momentsIn(key, value));
		}
	};
	look('', response);
	moments.sort((one, other) => utcOf(one) - utcOf(other));
	return { zone, near: moments.length > 0 ? [moments[0], moments[moments.length - 1]] : undefined };
}

/** A day as it is; of a month or a year, its first and its last day. */
function momentsIn(key: string, value: unknown): Moment[] {
	if (/^year$/i.test(key)) {
		const [first, last] = [`${String(value)}-01-01`, `${String(value)}-12-31`];
		return [first, last].flatMap((day) => momentsIn('', day));
	}
	const stamp = typeof value === 'string' ? readStamp(value, false) : undefined;
	if (!stamp || !('period' in stamp)) return stamp && 'moment' in stamp ? [stamp.moment] : [];
	return /-\d+$/.test(stamp.period)
		? ['01', '28'].flatMap((day) => momentsIn('', `${stamp.period}-${day}`))
		: [];
}

function isZone(value: unknown): value is string {
	try {
		return (
			typeof value === 'string' &&
			value !== '' &&
			Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
		);
	} catch {
		return false;
	}
}
