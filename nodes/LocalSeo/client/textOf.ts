/**
 * The text of any value of a response or a row, for messages, labels and comparisons: a date as its ISO
 * text, any other object or list as JSON. It never throws: JSON may name a member `toString`, on which
 * `String`, templates and `join` fail.
 */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Object(value) !== value) return String(value);
	try {
		const json = JSON.stringify(value) ?? '';
		return json.startsWith('"') ? (JSON.parse(json) as string) : json;
	} catch {
		return typeof value;
	}
}

/**
 * Characters that nobody sees, between the brackets of a regular expression: a byte order mark, marks of
 * direction, joiners and selectors of a variant.
 */
export const UNSEEN =
	'\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff';

/** The text of a header without surrounding spaces; empty if there is none, or several. */
export function headerText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
