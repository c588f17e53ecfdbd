import { isDate, isRecord, readDate, utcOf } from '../../client';
import { inSnakeCase } from '../../resources';
import { isBlank, onlyTimeOf } from './cells';
import type { Sheet } from './sheet';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days of spreadsheets are days only so near (ms): other numbers of five digits are prices or codes. */
const NEAR = 2 * 365 * DAY;
/** The parts of a day in which spreadsheets keep a time, and how exactly. */
const MINUTES = 24 * 60;
const EXACTLY = 0.02;
/** The largest difference of a time without a zone (ms). */
const MAX_ZONE = 14 * HOUR;
const word = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
/** Headings over when to publish, in several languages: whatever stands below is a time, or one that is not understood. */
const PUBLISH = word(
	String.raw`publish(?!e[dr])\p{L}*|to be (?:published|posted)|sched\p{L}*|go live|live date|` +
		String.raw`post(?:ing)? ?(?:date|time|day|on|at|by)|planned(?= (?:for|on|at|date|time|day)|$)|` +
		String.raw`publi[ck]ar|pubblicare|publi(?:er|é le)|publiceren|veröffentlich(?:en|ung)\p{L}*|` +
		String.raw`erscheinungs?(?:datum|tag|termin)?|(?:post|sende)termine?|geplant`,
);
/** What is published, in several languages: "Tipo de publicación" says nothing of when, but its day does. */
const PUBLICATION = word(String.raw`publi[ck]a(?!d[oa])\p{L}*|pubblica(?!t[oa])\p{L}*`);
const DAY_OF = word(
	String.raw`date|day|time|data|fecha|d[ií]a|hora|giorno|ora|tag|zeit|jour|heure|dag|tijd|\p{L}*datum|\p{L}*termine?`,
);
/** What else such a heading may be about. */
const NO_TIME = word(
	'(?:(?:scheduled|planned) by|channels?|platforms?|house|id|url|link|until|ends?)$',
);
/** Headings over dates. */
const DATE = word(String.raw`date(?:s|time)?|\p{L}*datum|\p{L}*termine?|fecha|дата|when|wann`);
const ONLY_DATE =
	/^(?:(?:date(?:s|time)?|datum|termine?|fecha|data|дата|when|wann|time|zeit|uhrzeit|hora|heure|ora|and|und|y|et|e|utc|\d+)(?: |$))+$/i;
/** Dates in some languages, and anything in English. */
const DATA = word('data');
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
const START = word('starts?|begins?|beginn|ab|inicio|inizio|début|^(?:from|von)');
/** The dates of an entry of a feed, as n8n's RSS nodes call them. */
const OF_FEED = /^(?:pubDate|isoDate)$/;

/** A number as people and programs write it. */
const NUMBER = /^\s*\d+(?:[.,]\d+)?\s*$/;
/** `24/12`, alone or with a time; `1.5 GB` is none. */
const DAY_AND_MONTH = /^\s*\d{1,2}([./-])\d{1,2}\1?(?:\s*$|\s.*\d)/;
/** What a spreadsheet writes for a switch. */
const SWITCH = /^\s*(?:true|false)\s*$/i;
/** Names of a time within a cell. */
const IN_CELL = /^(?:start|begin|from|date|dateTime)$/i;
/** The longest text that may be a time (characters). */
const LONGEST_TIME = 40;

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

const wordsOf = (heading: string) =>
	inSnakeCase(heading.normalize())
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();

/** Whether a heading says that below it stands when to publish. */
export function isPublishHeading(heading: string): boolean {
	const words = wordsOf(heading);
	const isDay = PUBLICATION.test(words) && (words === 'publication' || DAY_OF.test(words));
	return (isDay || PUBLISH.test(words)) && !NO_TIME.test(words);
}

/** Whether a cell is a date that is still to come, or holds one: a calendar's `start`, or a list of dates. */
function isAhead(cell: unknown, now: number): boolean {
	if (isWrittenDate(cell)) return (latestOf(cell) ?? 0) > now;
	if (Array.isArray(cell)) return cell.some((one) => isWrittenDate(one) && isAhead(one, now));
	if (!isRecord(cell)) return false;
	return Object.entries(cell).some(([name, one]) => IN_CELL.test(name) && isAhead(one, now));
}

/** Whether a cell may say when: a switch does not, nor does an empty list. */
export function mayBeTime(cell: unknown): boolean {
	if (typeof cell === 'boolean' || (typeof cell === 'string' && SWITCH.test(cell))) return false;
	if (typeof cell !== 'object' || cell === null) return !isBlank(cell);
	return Object.values(cell).some((value) => !isBlank(value));
}

/** The same under a heading that may be about anything. */
function looksLikeTime(words: string, cell: unknown): boolean {
	if (typeof cell !== 'string' || NUMBER.test(cell)) return false;
	if (words === 'data') return cell.length <= LONGEST_TIME && /\d/.test(cell);
	return readDate(cell) !== undefined || DAY_AND_MONTH.test(cell);
}

/** For each sheet, by heading. */
const known = new WeakMap<Sheet, Map<string, boolean>>();

/**
 * Whether a column that the service does not know may say when this row is to be published: its heading
 * says so, or a date is still to come. A date that is long over is none where the heading says more than
 * that it is one ("Order Date").
 *
 * @param now by the clock of the service (ms)
 */
export function mayBePlanned(sheet: Sheet, heading: string, value: unknown, now: number): boolean {
	if (!mayBeTime(value)) return false;
	if (isPublishHeading(heading)) return true;
	const words = wordsOf(heading);
	if (END.test(words) && !START.test(words)) return false;
	if (isAhead(value, now)) return true;
	if (!PAST.test(words) && !OF_FEED.test(heading)) {
		const isOver = !ONLY_DATE.test(words) && (latestOf(value) ?? now) < now - DAY;
		const isOther = DATA.test(words) || PUBLICATION.test(words);
		if (!isOver && (DATE.test(words) || (isOther && looksLikeTime(words, value)))) return true;
	}
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
	const isSerial = (at: number) =>
		maySayMinutes(numberOf(cells[at])) && Math.abs(times[at] - now) < NEAR;
	const areSerials = cells.every((cell, at) => isSerial(at) || isWrittenDate(cell));
	const haveTimes = cells.some((cell) => !Number.isInteger(numberOf(cell)));
	const areDates = 2 * dates.length >= cells.length || (areSerials && haveTimes);
	return areDates && times.some((time) => time > now);
}

/** Whether a number may be a day and a time of a spreadsheet: a price has two decimals, which are rarely minutes. */
function maySayMinutes(days: number): boolean {
	const isOf = (parts: number, exactly: number) =>
		Math.abs(days * parts - Math.round(days * parts)) < exactly;
	return !isOf(100, 1e-6) || isOf(MINUTES, EXACTLY);
}
