import { isDate, readDate, utcOf } from '../../client';
import { inSnakeCase } from '../../resources';
import { isBlank } from './cells';
import type { Sheet } from './sheet';
import { onlyTimeOf } from './times';

const HOUR = 3_600_000;
/** Days of spreadsheets are days only so near (ms): other numbers of five digits are prices or codes. */
const NEAR = 2 * 365 * 24 * HOUR;
/** The largest difference of a time without a zone (ms). */
const MAX_ZONE = 14 * HOUR;

const word = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
/** Headings that say when, in several languages: whatever stands below is a time, or one that is not understood. */
const WHEN = word(
	String.raw`date(?:s|time)?|\p{L}*datum|\p{L}*termine?|fecha|data|when|wann|publish|publishing|publication|` +
		String.raw`publi(?:er|é le)|veröffentlich(?:en|ung)\p{L}*|sched\p{L}*`,
);
/** Headings over dates of something else: what has happened, unless it is still to come. */
const PAST = word(
	'created?|creation|creaci[oó]n|creazione|création|modified|modification|modifica|edited|updated?|' +
		'changed|submitted|submission|received|approved|reviewed|imported|published|posted|last|timestamp|' +
		String.raw`erstellt|erstellung\p{L}*|geändert|änderung\p{L}*|aktualisiert|eingereicht|zeitstempel|` +
		String.raw`horodateur|aanmaak\p{L}*|birth ?(?:day|date)?|geburts\p{L}*|naissance|nacimiento|nascita`,
);
/** Headings over when something ends: no time to publish. */
const END = word(
	String.raw`until|expir\p{L}*|ends?|enddatum|bis|ablauf\p{L}*|hasta|scadenza|vencimiento|vervaldatum|` +
		String.raw`date limite|jusqu\p{L}*`,
);
/** The dates of an entry of a feed, as n8n's RSS nodes call them; "Data" is a date only alone. */
const OTHER = /^(?:pubDate|isoDate)$|\bdata\b.*\p{L}|\p{L}.*\bdata\b/iu;

/** A number as people and programs write it. */
const NUMBER = /^\s*\d+(?:[.,]\d+)?\s*$/;

/** Whether a text is a date in any spelling; numbers alone may be anything. */
export function isWrittenDate(cell: unknown): boolean {
	const value = onlyTimeOf(cell);
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
function latestOf(cell: unknown): number | undefined {
	const value = onlyTimeOf(cell);
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
 * Whether a column that the service does not know may say when this row is to be published: its heading
 * says so, or a date is still to come.
 *
 * @param now by the clock of the service (ms)
 */
export function mayBePlanned(sheet: Sheet, heading: string, value: unknown, now: number): boolean {
	const words = inSnakeCase(heading.normalize()).replace(/[^\p{L}\p{N}]+/gu, ' ');
	if (END.test(words)) return false;
	if (isWrittenDate(value) && (latestOf(value) ?? 0) > now) return true;
	if (WHEN.test(words) && !PAST.test(words) && !OTHER.test(heading)) return true;
	const columns = known.get(sheet) ?? new Map<string, boolean>();
	known.set(sheet, columns);
	if (!columns.has(heading)) columns.set(heading, areAhead(sheet, heading, now));
	return columns.get(heading)!;
}

/** Whether a column has dates, at least in every second cell, and one of them is still to come. */
function areAhead(sheet: Sheet, heading: string, now: number): boolean {
	const cells = sheet.valuesIn(heading).filter((cell) => !isBlank(cell));
	const dates = cells.filter(isWrittenDate);
	const times = cells.map((cell) => latestOf(cell) ?? NaN);
	const isSerial = (at: number) => !isNaN(numberOf(cells[at])) && Math.abs(times[at] - now) < NEAR;
	const areSerials = cells.every((cell, at) => isSerial(at) || isWrittenDate(cell));
	const haveTimes = cells.some((cell) => !Number.isInteger(numberOf(cell)));
	const areDates = 2 * dates.length >= cells.length || (areSerials && haveTimes);
	return areDates && times.some((time) => time > now);
}
