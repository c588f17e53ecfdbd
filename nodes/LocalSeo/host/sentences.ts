/** Texts one after the other, each a sentence: with a full stop, unless it has an end of its own. */
export function sentences(...texts: Array<string | null | undefined | false>): string {
	return texts
		.map((text) => (text || '').trim())
		.filter((text) => text !== '')
		.map((text) => text.replace(/[^.?!…]$/, '$&.'))
		.join(' ');
}
