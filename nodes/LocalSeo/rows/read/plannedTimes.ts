import { isDate, readDate, utcOf } from '../../client';
import { inSnakeCase } from '../../resources';
import { isBlank } from './cells';
import type { Sheet } from './sheet';

const HOUR = 3_600_000;
/** Days of spreadsheets are days only so near (ms): other numbers of five digits are prices or codes. */
const NEAR = 2 * 365 * 24 * HOUR;
/** The largest difference of a time without a zone (ms). */
const MAX_ZONE = 14 * HOUR;

const word = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
/** Words of headings over dates, in several languages. */
const DATE = word(
	String.raw`date(?:s|time)?|data|\p{L}*datum|\p{L}*termine?|fecha|when|wann|day|tag|jour|publish\p{L}*|` +
		String.raw`publication|publi(?:é|er)|veröffentlich\p{L}*|sched\p{L}*|time|zeit(?:punkt)?|uhrzeit`,
);
/** Words of headings over what has happened, or when something ends: neither is a time to publish. */
const OTHER = word(
	'created?|creation|modified|modification|edited|updated?|changed|submitted|submission|received|' +
		'approved|imported|last|timestamp|erstellt|erstellung|geändert|änderung|aktualisiert|eingereicht|' +
		String.raw`zeitstempel|création|horodateur|birth ?(?:day|date)?|geburts\p{L}*|naissance|deadline|due|` +
		String.raw`until|expir\p{L}*|valid|bis|gültig\p{L}*|frist|fällig\p{L}*|ablauf\p{L}*|échéance`,
);
/** The dates of an entry of a feed, as n8n's RSS nodes call them. */
const OF_FEED = /^(?:pubDate|isoDate)$/;

/** A number as people and programs write it. */
const NUMBER = /^\s*\d+(?:[.,]\d+)?\s*$/;

/** Whether a text is a date in any spelling; numbers alone may be anything. */
export function isWrittenDate(value: unknown): boolean {
	if (typeof value !== 'string' || NUMBER.test(value)) return isDate(value);
	const written = readDate(value);
	return written !== undefined && !('flaw' in written);
}

/** A cell as the number that it is, in a file of texts, too; NaN for any other one. */
function numberOf(value: unknown): number {
	const isText = typeof value === 'string' && NUMBER.test(value);
	return isText ? Number(value.replace(',', '.')) : typeof value === 'number' ? value : NaN;
}

/** The latest time that a cell may mean (ms), with what a missing zone leaves open. */
function latestOf(value: unknown): number | undefined {
	const number = numberOf(value);
	const written = readDate(isNaN(number) ? value : number);
	if (!written || 'flaw' in written) return undefined;
	const moments = 'moment' in written ? [written.moment] : Object.values(written.either);
	return Math.max(
		...moments.map((moment) => utcOf(moment) + (moment.offset === undefined ? MAX_ZONE : 0)),
	);
}

/** For each sheet, by heading. */
const known = new WeakMap<Sheet, Map<string, boolean>>();

/**
 * Whether a column that the service does not know may say when to publish: it has dates, and its heading
 * says so or one of them is still to come. Beside a date, "TBD" is not to be published at once either.
 *
 * @param now by the clock of the service (ms)
 */
export function mayBePlanned(sheet: Sheet, heading: string, now: number): boolean {
	const columns = known.get(sheet) ?? new Map<string, boolean>();
	known.set(sheet, columns);
	if (!columns.has(heading)) columns.set(heading, arePlans(sheet, heading, now));
	return columns.get(heading)!;
}

function arePlans(sheet: Sheet, heading: string, now: number): boolean {
	const words = inSnakeCase(heading.normalize()).replace(/[^\p{L}\p{N}]+/gu, ' ');
	if (OTHER.test(words)) return false;
	const isCalledSo = DATE.test(words) && !OF_FEED.test(heading);
	const cells = sheet.valuesIn(heading).filter((cell) => !isBlank(cell));
	const dates = cells.filter(isWrittenDate);
	const times = cells.map((cell) => latestOf(cell) ?? NaN);
	const isSerial = (at: number) => !isNaN(numberOf(cells[at])) && Math.abs(times[at] - now) < NEAR;
	const areSerials = cells.every((cell, at) => isSerial(at) || isWrittenDate(cell));
	if (isCalledSo) return dates.length > 0 || (areSerials && cells.length > 0);
	const haveTimes = cells.some((cell) => !Number.isInteger(numberOf(cell)));
	const areDates = 2 * dates.length >= cells.length || (areSerials && haveTimes);
	return areDates && times.some((time) => time > now);
}
