/** Names separated by commas; an expression may also give a list. */
export function namesIn(value: unknown): string[] {
	const entries = Array.isArray(value) ? value : [value ?? ''];
	return entries
		.flatMap((entry) => String(entry).split(','))
		.map((name) => name.trim())
		.filter((name) => name !== '');
}
