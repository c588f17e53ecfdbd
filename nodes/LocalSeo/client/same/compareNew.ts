import { isDate } from '../dates/ofService';
import type { JsonObject } from '../ports';
import { textOf } from '../textOf';
import { compareValues, type Likeness } from './compare';
import { isEmpty, lettersIn, plainText, withoutAccents } from './text';

/**
 * Whether a record that is new may be what was just sent. The service may have put something before or
 * behind a text, cut it or masked a word: one text of several words that is left, or a part of it,
 * leaves it open. So does a record that shows nothing that was sent.
 */
export function compareNew(record: JsonObject, sent: JsonObject): Likeness {
	const shown = Object.keys(sent).filter(
		(name) => Object.hasOwn(record, name) && tells(sent[name]),
	);
	if (shown.length === 0) return 'similar';
	const likenesses = shown.map((name) => compareNewValue(record[name], sent[name]));
	if (likenesses.every((one) => one === 'same')) return 'same';
	const lengthOf = (name: string) => lettersIn(plainText(textOf(sent[name]))).length;
	const longest = shown.reduce((best, name) => (lengthOf(name) > lengthOf(best) ? name : best));
	const isLeft = shown.some(
		(name, at) => likenesses[at] !== 'different' && (name === longest || isOfWords(sent[name])),
	);
	return isLeft ? 'similar' : 'different';
}

function compareNewValue(stored: unknown, sent: unknown): Likeness {
	const likeness = compareValues(stored, sent, { isNew: true });
	if (likeness !== 'different') return likeness;
	if (isDate(stored) && isDate(sent)) return 'similar';
	const [a, b] = [stored, sent].map((value) => lettersIn(withoutAccents(plainText(textOf(value)))));
	return b !== '' && (a.includes(b) || b.includes(a)) ? 'similar' : 'different';
}

/** Whether a value can tell two records apart: many have no text, or an empty list of tags. */
function tells(value: unknown): boolean {
	return !isEmpty(value) && JSON.stringify(value) !== '[]' && JSON.stringify(value) !== '{}';
}

/** Whether a text can tell a record from others: not a status or a type, which many have. */
function isOfWords(value: unknown): boolean {
	return (
		typeof value === 'string' && /\S\s+\S/.test(value) && lettersIn(plainText(value)).length >= 8
	);
}
