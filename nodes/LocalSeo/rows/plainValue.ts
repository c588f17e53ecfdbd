import { InputError } from '../host/errors';

/** Levels of lists and objects in a value; beyond them, neither JSON nor n8n's own copies are safe. */
const MAX_DEPTH = 100;

/** What n8n's expressions make of an invalid DateTime. */
const INVALID_DATE = 'Invalid DateTime';

/** Characters of a path that a message shows. */
const MAX_SHOWN = 60;

/** Called for a value that JSON can't express; what it returns takes the value's place. */
type OnFlaw = (what: string, path: string, value: unknown) => unknown;

/**
 * A value of a row as it is sent: dates (`Date`, and luxon's `DateTime` as in `$now`) as their ISO
 * text, at any depth. Expressions may also give what JSON drops or changes without a word.
 *
 * @param name of the value in messages: `field "title"`
 * @throws InputError for an invalid date, a number that is not finite, a BigInt, a Map, a Set, binary
 * data, a function, a circular reference, and more than 100 levels
 */
export function plainValue(name: string, value: unknown): unknown {
	return plain(value, '', [], (what, path) => {
		const place = path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path;
		throw new InputError(
			path === '' ? `The ${name} is ${what}` : `The ${name} contains ${what}, at ${place}`,
			'Nothing was sent. Use text, a number, true or false, a date, or a list or an object of these.',
		);
	});
}

/** A row as it comes out of the node: with its dates as ISO text, and everything else as it is. */
export function withDatesAsText<T>(row: T): T {
	return plain(row, '', [], (_what, _path, value) => value) as T;
}

function plain(value: unknown, path: string, around: unknown[], onFlaw: OnFlaw): unknown {
	if (typeof value !== 'object' || value === null) {
		const what = flawOf(value);
		return what === undefined ? value : onFlaw(what, path, value);
	}
	if (around.includes(value)) return onFlaw('a circular reference', path, value);
	if (around.length >= MAX_DEPTH) return onFlaw(`more than ${MAX_DEPTH} levels`, path, value);
	const inner = [...around, value];
	if (Array.isArray(value)) {
		return Array.from(value, (entry, index) => plain(entry, `${path}[${index}]`, inner, onFlaw));
	}
	if (ArrayBuffer.isView(value)) return onFlaw('binary data', path, value);
	if (hasJson(value)) {
		const json = value.toJSON();
		if (json === null) return onFlaw('an invalid date', path, value);
		return plain(json, path, inner, onFlaw);
	}
	const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
	if (kind !== 'Object') return onFlaw(`a ${kind}`, path, value);
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [
			key,
			plain(entry, path === '' ? key : `${path}.${key}`, inner, onFlaw),
		]),
	);
}

function flawOf(value: unknown): string | undefined {
	if (value === INVALID_DATE) return 'an invalid date';
	if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
	return { bigint: 'a BigInt', function: 'a function', symbol: 'a symbol' }[typeof value as string];
}

/** A `Date`, luxon's `DateTime` and the like; as JSON, an invalid date is null. */
function hasJson(value: object): value is { toJSON(): unknown } {
	return 'toJSON' in value && typeof value.toJSON === 'function';
}
