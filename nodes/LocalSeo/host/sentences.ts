/** The first of some names: "a, b and 3 more". */
export function listed(names: string[], most: number, separator = ', '): string {
	const more = names.length - most;
	return names.slice(0, most).join(separator) + (more > 0 ? ` and ${more} more` : '');
}

/** Texts one after the other, each a sentence: with a full stop, unless it, or a quote at its end, has one. */
export function sentences(...texts: Array<string | null | undefined | false>): string {
	return texts
		.map((text) => (text || '').trim())
		.filter((text) => text !== '')
		.map((text) => (/[.?!…]["”’»)]*$/.test(text) ? text : `${text}.`))
		.join(' ');
}
