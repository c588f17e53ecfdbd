import deburr from 'lodash/deburr';
import { DateTime } from 'luxon';

import { textOf, UNSEEN } from '../textOf';

/** Milliseconds. */
const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1_000;
const QUARTER_HOUR = 900_000;
const WIDEST_OFFSET = 14 * HOUR;
/** Tags of paragraphs and line breaks, which services add to a text. */
const BREAKS = /<\/?(?:p|br)(?:\s[^<>]*)?\/?>/gi;
/** A day, or a time of one, in ISO 8601 or as SQL writes it. */
const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Letters with their marks, and digits: "12-14 Main St." is `12 14 main st`. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** How texts are compared: a search term, or a record that can't be deleted, where a second one would stay. */
export type CompareAs = 'term' | 'words';

/** True for the values that count as none, like an empty cell of a sheet. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** A character that HTML writes as a basic entity, or by its number (Laravel and PHP write `&#039;`). */
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;
const BASIC: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** The largest number of a character (Unicode). */
const LAST_CHARACTER = 0x10ffff;
const INVISIBLE = new RegExp(`[${UNSEEN}]`, 'g');

function decoded(text: string): string {
	if (!text.includes('&')) return text;
	return text.replace(ENTITY, (all, name?: string, decimal?: string, hex?: string) => {
		if (name) return BASIC[name.toLowerCase()];
		const code = hex ? parseInt(hex, 16) : Number(decimal);
		return code <= LAST_CHARACTER ? String.fromCodePoint(code) : all;
	});
}

/** Collapses white space to single spaces, and leaves alone what is single, as most of it is. */
export function spaced(text: string): string {
	return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}

/**
 * The key of a value: two values are the same if their keys are equal. A text counts with its entities
 * decoded, and without tags of paragraphs and lines, forms of Unicode, invisible characters and repeated
 * white space; a time by its instant, to the second (without a zone: UTC); anything else as its JSON.
 * Empty if the value is blank.
 *
 * @param compareAs `term`: its case makes no difference; `words`: nothing but its words counts
 */
export function keyOf(value: unknown, compareAs?: CompareAs): string {
	if (value === undefined || value === null || value === '') return '';
	if (typeof value === 'object') return textOf(value);
	const plain = decoded(String(value)).replace(BREAKS, ' ').normalize().replace(INVISIBLE, '');
	const text = spaced(plain);
	if (compareAs === 'words') return (text.toLowerCase().match(WORD) ?? []).join(' ');
	const instant = instantOfIso(text);
	if (instant !== undefined) return `at ${Math.floor(instant / 1000)}`;
	return compareAs === 'term' ? text.toLowerCase() : text;
}

/** Instants that were read lately: the time of a row is asked for several times. */
const instants = new Map<string, number | undefined>();
const MOST_INSTANTS = 1_000;

/** The instant of a day or time as a service writes it (ms; without a zone: UTC); undefined for any other text. */
export function instantOfIso(text: string): number | undefined {
	if (!TIME.test(text)) return undefined;
	if (instants.has(text)) return instants.get(text);
	const time = DateTime.fromISO(text.replace(' ', 'T'), { zone: 'utc' });
	const instant = time.isValid ? time.toMillis() : undefined;
	if (instants.size === MOST_INSTANTS) instants.clear();
	instants.set(text, instant);
	return instant;
}

/** True if a value is a time that is still to come. */
export function isAheadOf(value: unknown, now: number): boolean {
	return (instantOfIso(textOf(value ?? '').trim()) ?? -Infinity) > now;
}

/** True if a time says its zone; without one it may be off by hours. */
export const hasOffset = (time: string): boolean =>
	/(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(time.slice(10));

/** True if a value is a time that is still to come, whatever its zone. */
export function isSurelyAhead(value: unknown, now: number): boolean {
	const text = textOf(value ?? '').trim();
	return isAheadOf(text, hasOffset(text) ? now : now + DAY);
}

/**
 * True if a value may be an instant (ms): less than a minute apart, as services cut and round; without an
 * offset in one of the world's zones, and a day at one of its times.
 */
export function mayBeAt(value: unknown, at: number): boolean {
	const text = textOf(value ?? '').trim();
	const instant = instantOfIso(text);
	if (instant === undefined) return false;
	const later = at - instant;
	if (hasOffset(text)) return Math.abs(later) < MINUTE;
	if (!text.includes(':')) return -WIDEST_OFFSET < later && later < WIDEST_OFFSET + DAY;
	// Zones differ by quarter hours.
	const beyond = Math.abs(later) % QUARTER_HOUR;
	const isOfZone = beyond < MINUTE || beyond > QUARTER_HOUR - MINUTE;
	return isOfZone && Math.abs(later) < WIDEST_OFFSET + MINUTE;
}

/** The instants that a time may mean (ms): without an offset, its wall clock may be that of UTC, or of the zone. */
export function instantsOf(value: unknown, zone = 'utc'): number[] {
	const text = textOf(value ?? '').trim();
	const instant = instantOfIso(text);
	if (instant === undefined) return [];
	if (hasOffset(text)) return [instant];
	const local = DateTime.fromISO(text.replace(' ', 'T'), { zone });
	return local.isValid ? [instant, local.toMillis()] : [instant];
}

/**
 * True if a service shows the time that a row has sent: the same instant to the second, or cut to the minute.
 *
 * @param zone of times without an offset, besides UTC
 */
export function isTimeShown(shown: unknown, sent: unknown, zone?: string): boolean {
	const [at] = instantsOf(sent, zone);
	if (at === undefined) return keyOf(shown) === keyOf(sent);
	const isSame = (one: number) =>
		Math.floor(one / SECOND) === Math.floor(at / SECOND) ||
		(one % MINUTE === 0 && Math.floor(at / MINUTE) * MINUTE === one);
	return instantsOf(shown, zone).some(isSame);
}

/** The fields that tell records of a resource apart. */
export interface Matching {
	/** Their names. */
	fields: string[];
	/** The field with the time at which a record goes live, and the zone of times without an offset (default: UTC). */
	time?: string;
	zone?: string;
	/** How their texts are compared; absent: as they are. */
	compareAs?: CompareAs;
}

/** A text as it is compared with what a person types: without case, accents and repeated white space. */
export function folded(text: string): string {
	return spaced(deburr(text.normalize('NFD')).toLowerCase());
}
