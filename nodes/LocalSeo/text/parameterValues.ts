import { isEmpty, textOf } from '../client';
import { InputError } from './inputError';
import { asValue } from './words';

const ON = ['true', '1', 'yes', 'on'];
const OFF = ['false', '0', 'no', 'off'];

/** Reads a switch, also from the text or number of an expression; undefined if it is not a clear yes or no. */
export function readSwitch(value: unknown): boolean | undefined {
	const isPlain = ['boolean', 'number', 'string'].includes(typeof value);
	const text = isPlain ? String(value).trim().toLowerCase() : '';
	if (ON.includes(text)) return true;
	return OFF.includes(text) ? false : undefined;
}

/**
 * True if a switch is on. An expression that comes out empty says neither: a Dry Run that it turned off
 * would post.
 *
 * @throws InputError if it is not a clear yes or no
 */
export function isSwitchedOn(label: string, value: unknown): boolean {
	const isOn = readSwitch(value);
	if (isOn !== undefined) return isOn;
	throw new InputError(
		`'${label}' must be true or false`,
		`The current value is ${asValue(value)}. Check its expression.`,
	);
}

/** Names separated by commas; an expression may also give a list. */
export function namesIn(value: unknown): string[] {
	if (isEmpty(value)) return [];
	const entries = Array.isArray(value) ? value : [value];
	return entries
		.flatMap((entry) => textOf(entry).split(','))
		.map((name) => name.trim())
		.filter((name) => name !== '');
}
