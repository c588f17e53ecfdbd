/** Digits with what separates them, a sign, a currency or a percent sign around them: `1,234.5 %`. */
const NUMERIC = /^[^\p{L}\d]*\d[\d.,'\s]*([^\p{L}\d.,'\s][^\p{L}\d]*)?$/u;
/** As JSON writes them, with as many digits as a number keeps. */
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/;
const MISSING = /^(|-|–|—|n\/?a|null)$/i;
const IDENTIFIER = /(^|[_\s])(id|code|zip|postal|phone|number)$/i;
/** Between the words of `placeId`. */
const BETWEEN_WORDS = /(?<=[a-z])(?=[A-Z])/g;

/** @param path the names around it from the outside, each after a line break */
const isIdentifier = (path: string) => IDENTIFIER.test(path.replace(BETWEEN_WORDS, '_'));

/** A number, or a text that a sheet takes for one. */
export function isNumeric(value: unknown): boolean {
	if (typeof value !== 'string') return typeof value === 'number';
	return NUMERIC.test(value) || (value.trim() !== '' && !Number.isNaN(Number(value)));
}

/** Whether a value is a list of numbers, of which some may be missing. */
export function areNumeric(value: unknown): value is unknown[] {
	if (!Array.isArray(value) || !value.some(isNumeric)) return false;
	return value.every((one) => one === null || isNumeric(one));
}

/**
 * The values of a column with numbers in place of texts, where all its texts are numbers or stand for a
 * missing one, which is null then. "1,204" may be read in two ways, so a column with it stays as it is,
 * and so does one of identifiers.
 */
export function withNumbers(name: string, values: unknown[]): unknown[] {
	const texts = values.filter((value) => typeof value === 'string' && !MISSING.test(value));
	const isNumber = (text: unknown) => typeof text === 'string' && NUMBER.test(text);
	if (texts.length === 0 || !texts.every(isNumber) || isIdentifier(name)) return values;
	return values.map((value) => {
		if (typeof value !== 'string') return value;
		return MISSING.test(value) ? null : Number(value);
	});
}
