import { UNSEEN } from '../../client';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';

/** All that a failed formula leaves in a cell, in any language: `#REF!`, `#DIV/0!`, `#NV`, `####`. */
const FORMULA_ERROR = /^#[\p{Lu}\d/_#]*[!?]?$/u;
/** How Excel writes a character that XML has no place for: `_x000D_`. */
const ESCAPED = /_x[\dA-F]{4}_/;
/** The texts that programs write for a value that they do not have, in just this spelling. */
const NO_VALUE = ['undefined', 'null', 'NaN', 'Invalid DateTime'];
const OBJECT = '[object Object]';
/** The sign in place of a letter that could not be read. */
const LOST_LETTER = '\uFFFD';
/** Characters that no text has, but a file that was read in the wrong encoding; line breaks and tabs aside. */
const CONTROL = /(?![\t\n\v\f\r])\p{Cc}/gu;
const INK = new RegExp(`[^\\s${UNSEEN}]`);
const INVISIBLE = new RegExp(`[${UNSEEN}]+`, 'g');

/** A text without what nobody sees, with single spaces, and none around it. */
export const singleSpaced = (text: string): string =>
	text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();

/** True if a cell looks empty: it may hold spaces, or characters that nobody sees. */
export function isBlank(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	return typeof value === 'string' && !INK.test(value);
}

/**
 * Refuses a value that is no value: the error of a formula, the name of nothing, or a text with letters
 * that are lost.
 *
 * @param name of the value in messages: `title`, `location ID`
 * @throws InputError
 */
export function refuseBroken(name: string, value: unknown): void {
	const text = typeof value === 'string' ? value.trim() : '';
	if (FORMULA_ERROR.test(text)) {
		throw new InputError(
			`${name}: ${text} is what a failed formula leaves`,
			'Correct the formula. If it is meant, write more than that.',
		);
	}
	if (NO_VALUE.includes(text) || text.includes(OBJECT)) {
		const found = text.includes(OBJECT) ? OBJECT : text;
		throw new InputError(
			`${name}: ${found} stands in place of a value`,
			'An earlier step has written it. Correct that step, or the expression.',
		);
	}
	const whole = textsIn(value).join(' ');
	const [escaped] = ESCAPED.exec(whole) ?? [];
	if (escaped !== undefined) {
		throw new InputError(
			`${name}: ${escaped} stands in place of a character`,
			'Excel writes it for a line break or the like. Remove it from the cell.',
		);
	}
	const shown = whole.replace(CONTROL, LOST_LETTER);
	if (shown.includes(LOST_LETTER)) {
		throw new InputError(
			`${name}: ${asValue(shown)} has letters that could not be read`,
			'The file was read in another encoding than its own. In the step that extracts the rows, set the option Encoding, or save the file as .xlsx or as CSV UTF-8.',
		);
	}
	if (/\p{Surrogate}/u.test(whole)) {
		throw new InputError(
			`${name}: the text was cut in the middle of an emoji`,
			'Shorten it elsewhere.',
		);
	}
}

/** All texts of a value as JSON has them, also within lists and objects. */
function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return typeof value === 'string' ? [value] : [];
	const texts: string[] = [];
	JSON.stringify(value, (name, inner: unknown) => {
		texts.push(name, ...(typeof inner === 'string' ? [inner] : []));
		return inner;
	});
	return texts;
}

/**
 * A value as it is sent: its JSON, with dates (`Date`, and luxon's `DateTime` as in `$now`) as their ISO
 * text, at any depth.
 *
 * @param name of the value in messages
 * @throws InputError for what JSON would change to null, an invalid date or a number that is not finite,
 * and for a number that has lost digits
 */
export function plainValue(name: string, value: unknown): unknown {
	if (typeof value !== 'object' && typeof value !== 'number') return value;
	const replace = function (this: Record<string, unknown>, key: string, json: unknown) {
		if (typeof json === 'number' && Number.isInteger(json) && !Number.isSafeInteger(json)) {
			throw new InputError(
				`${name}: ${json} is a number that cannot be kept exactly`,
				'Write it as text: have the step before give it in quotes.',
			);
		}
		const isOfDate = json === null && this[key] !== null;
		const isNumber = typeof json !== 'number' || Number.isFinite(json);
		if (isNumber && !isOfDate) return json;
		throw new InputError(
			`${name}: ${isNumber ? 'an invalid date' : String(json)} stands in place of a value`,
			'An earlier step has written it. Correct that step, or the expression.',
		);
	};
	return JSON.parse(JSON.stringify(value, replace)) as unknown;
}
