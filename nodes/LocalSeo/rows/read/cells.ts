import { isEmpty, isRecord, UNSEEN } from '../../client';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';

/** The texts that a failed formula leaves in a cell, in Excel and Google Sheets, in several languages. */
const FAILED_FORMULA =
	/^#(N\/A|N\/D|NV|REF!|BEZUG!|RIF!|VALUE!|WERT!|VALEUR!|VALORE!|¡VALOR!|VALOR!|DIV\/0!|NAME\?|NOM\?|¿NOMBRE\?|NOME\?|NUM!|ZAHL!|NOMBRE!|¡NUM!|NULL!|NUL!|¡NULO!|SPILL!|CALC!|ERROR!|FIELD!|BLOCKED!|BUSY!|GETTING_DATA|#+)$|^#{3,}$/i;
/** The texts that programs write for a value that they do not have. */
const LOST_VALUE = /^(undefined|null|nan|\[object object\])$/i;
/** The sign in place of a letter that could not be read. */
const LOST_LETTER = '\uFFFD';
/** Characters without a shape: the letters of Windows (€, –, „) become these where a file is read as Latin-1. */
const SHAPELESS = /[\u0080-\u009f]/gu;
const SAVE_AS_UTF8 =
	'Nothing was sent. Save the file as "CSV UTF-8" or as an Excel workbook, and read it again.';

const BLANK = new RegExp(`^[\\s${UNSEEN}]*$`);

/** Whether a cell looks empty: it may hold spaces, or characters that nobody sees. */
export function isBlank(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	return typeof value === 'string' && BLANK.test(value);
}

/** Whether a cell holds no time: it is blank, or Airtable's lookup of nothing. */
export function isNoTime(value: unknown): boolean {
	return isBlank(value) || (Array.isArray(value) && value.every(isBlank));
}

/** The one time in a list of lookups, as Airtable has them, or in a range of Notion without an end or a zone. */
export function onlyTimeOf(value: unknown): unknown {
	if (Array.isArray(value) && value.length === 1) return value[0];
	if (!isRecord(value) || !isEmpty(value.end) || !isEmpty(value.time_zone)) return value;
	return value.start ?? value;
}

/**
 * A value of a row, as it is.
 *
 * @param what it is in messages: `field "title"`
 * @throws InputError for one that stands for a value which is not there, or with letters that are lost
 */
export function wholeCell<T>(what: string, value: T): T {
	const text = typeof value === 'string' ? value.trim() : undefined;
	if (text !== undefined && FAILED_FORMULA.test(text)) {
		throw new InputError(
			`The ${what} has no value: a formula gives ${asValue(text)}`,
			'Nothing was sent. Correct the formula, or clear the cell.',
		);
	}
	if (text !== undefined && (LOST_VALUE.test(text) || text.includes('[object Object]'))) {
		throw new InputError(
			`The ${what} has no value, but the text ${asValue(text)}`,
			'Nothing was sent. An earlier step has written it in place of the value: correct that step, or clear the cell.',
		);
	}
	return withAllLetters(what, value);
}

/**
 * A value of a row, as it is.
 *
 * @throws InputError for one with letters that are lost: a file was read in another encoding than its
 * own, or a text was cut within an emoji
 */
export function withAllLetters<T>(what: string, value: T): T {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	const isLost = text.includes(LOST_LETTER);
	if (isLost || isMisread(text) || text.search(SHAPELESS) >= 0) {
		const shown = isLost ? `"${LOST_LETTER}"` : asValue(text.replace(SHAPELESS, LOST_LETTER));
		throw new InputError(`The ${what} has unreadable letters: ${shown}`, SAVE_AS_UTF8);
	}
	if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
		throw new InputError(
			`The ${what} has half an emoji: the text was cut in the middle of it`,
			'Nothing was sent. Shorten the text elsewhere.',
		);
	}
	return value;
}

/** The characters that Windows has for the bytes 80 to 9f; some versions of Node.js decode them wrongly. */
const WINDOWS = new Map(
	Array.from(
		'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ',
		(character, at): [string, number] => [character, 0x80 + at],
	),
);

/**
 * Letters that come about where signs of Latin-1 stand together by chance: "Strauß’" would be one of N'Ko,
 * "CAFÉ®" one of phonetics.
 */
const BY_CHANCE = /[\u0180-\u02ff\u0500-\u058f\u0700-\u08ff]/;

/** Whether a text is UTF-8 that was read as Latin-1: "FÃ¼r". Its letters make bytes of UTF-8 throughout. */
function isMisread(text: string): boolean {
	if (!/[\u00c2-\u00f4][^\p{ASCII}]/u.test(text)) return false;
	const bytes = Array.from(text, (character) => WINDOWS.get(character) ?? character.charCodeAt(0));
	if (bytes.some((byte) => byte > 0xff)) return false;
	const decoded = Buffer.from(bytes).toString('utf8');
	return !decoded.includes(LOST_LETTER) && !BY_CHANCE.test(decoded);
}

const INVISIBLE = new RegExp(`[${UNSEEN}]`);

/** @throws InputError for an ID with a character that nobody sees */
export function refuseInvisible(what: string, text: string): void {
	const at = text.search(INVISIBLE);
	if (at < 0) return;
	const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
	const where = at === 0 ? 'at its beginning' : `after ${asValue(text.slice(0, at))}`;
	throw new InputError(
		`The ${what} has an invisible character ${where}`,
		`Nothing was sent. It is U+${code}: retype the cell.`,
	);
}
