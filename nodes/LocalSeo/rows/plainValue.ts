import { InputError } from '../host/errors';

/** What n8n's expressions make of an invalid DateTime. */
const INVALID_DATE = 'Invalid DateTime';

/**
 * A value of a row as it is sent: its JSON, with dates (`Date`, and luxon's `DateTime` as in `$now`) as
 * their ISO text, at any depth.
 *
 * @param name of the value in messages: `field "title"`
 * @throws InputError for what JSON can't express, or would change without a word: an invalid date, a
 * number that is not finite, a Map, binary data, a circular reference, and the like
 */
export function plainValue(name: string, value: unknown): unknown {
	const flaws: string[] = [];
	const text = asJson(value, (what) => flaws.push(what));
	if (flaws.length === 0) return text === undefined ? undefined : (JSON.parse(text) as unknown);
	throw new InputError(
		`The ${name} ${flaws[0]}`,
		'Nothing was sent. Use text, a number, true or false, a date, or a list or an object of these.',
	);
}

/** A row as it comes out of the node: with its dates as ISO text. */
export function withDatesAsText<T>(row: T): T {
	const text = asJson(row, () => {});
	return text === undefined ? row : (JSON.parse(text) as T);
}

/**
 * @param onFlaw is told what JSON can't express: "contains a Map"
 * @returns undefined for a circular reference, and for a value that is nested too deeply
 */
function asJson(value: unknown, onFlaw: (flaw: string) => void): string | undefined {
	try {
		return JSON.stringify(value, function (this: Record<string, unknown>, key, json: unknown) {
			const what = flawOf(json, this[key]);
			if (what !== undefined) onFlaw(`${key === '' ? 'is' : 'contains'} ${what}`);
			return typeof json === 'bigint' ? String(json) : json;
		});
	} catch (error) {
		onFlaw(
			error instanceof RangeError ? 'has too many levels' : 'contains a circular reference',
		);
		return undefined;
	}
}

/** @param json what a value with a `toJSON` gives */
function flawOf(json: unknown, value: unknown): string | undefined {
	const hasJson = typeof value === 'object' && value !== null && 'toJSON' in value;
	if (json === INVALID_DATE || (hasJson && json === null)) return 'an invalid date';
	if (typeof json === 'number' && !Number.isFinite(json)) return String(json);
	if (ArrayBuffer.isView(value)) return 'binary data';
	const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
	return ['BigInt', 'Map', 'Set', 'Symbol', 'Function'].includes(kind) ? `a ${kind}` : undefined;
}
