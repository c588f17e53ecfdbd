import { textOf } from '../client';
import { InputError } from './inputError';
import { asValue } from './words';

const SWITCH: Record<string, boolean | undefined> = {
	true: true,
	'1': true,
	yes: true,
	on: true,
	false: false,
	'0': false,
	no: false,
	off: false,
};

/** Reads a switch, also from the text or number of an expression; undefined if it is not a clear yes or no. */
export function readSwitch(value: unknown): boolean | undefined {
	const isPlain = ['boolean', 'number', 'string'].includes(typeof value);
	return isPlain ? SWITCH[String(value).trim().toLowerCase()] : undefined;
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
	const entries = Array.isArray(value) ? value : [value ?? ''];
	return entries
		.flatMap((entry) => textOf(entry).split(','))
		.map((name) => name.trim())
		.filter((name) => name !== '');
}
