/**
 * The text of any value of a response or a row, for messages, labels and comparisons: a date as its ISO
 * text, any other object or list as JSON. It never throws: JSON may well name a member `toString`, at
 * which `String` fails, and so do templates and `join`.
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

/** The text of a header, without the spaces around it; empty where there is none, or several. */
export function headerText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
