import { encodeHTML } from 'entities';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;', "'": '&#39;' };

function curly(text: string): string {
	return text.replace(/"(.*?)"/g, '“$1”').replaceAll("'", '’');
}

/** How services store a text. */
export const TEXTS = {
	plain: (text: string) => text,
	trimmed: (text: string) => text.trim().replace(/\s+/g, ' '),
	truncated: (text: string) => text.slice(0, 40),
	ellipsis: (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text),
	entities: (text: string) => text.replace(/[&<"']/g, (character) => ENTITIES[character]),
	nfc: (text: string) => text.normalize('NFC'),
	nfd: (text: string) => text.normalize('NFD'),
	nfkc: (text: string) => text.normalize('NFKC'),
	curly,
	/** As a program for blogs does it. */
	'curly, as entities': (text: string) => encodeHTML(curly(text)),
	html: (text: string) => `<p>${text.replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')}</p>`,
	'short links': (text: string) => text.replace(/https:\/\/\S+/g, 'https://sho.rt/x1'),
	'lower case': (text: string) => text.toLowerCase(),
	translated: (text: string) => text.split(' ').reverse().join(' '),
	'dates in words': (text: string) =>
		/^\d{4}-\d{2}-\d{2}T/.test(text) ? new Date(text).toUTCString() : text,
};
export type TextName = keyof typeof TEXTS;
