import { isDate, isEmpty, linksIn, MAX_COMPARED, plainText, spaced, timeOf } from '../client';

/** A text that is shorter was not cut by a service, even if it ends with an ellipsis. */
const SHORTEST_CUT = 20;
const ELLIPSIS = /\s*(\.\.\.|…)$/;

/**
 * Whether a record already has a value that is sent, also where the service has changed its form:
 * entities, tags, Unicode forms, quotes, dashes, white space, numbers as text, dates in another form, a
 * text that is cut with an ellipsis. What a person may have corrected makes another value: capitals,
 * accents, punctuation, signs and links.
 */
export function isSameValue(stored: unknown, sent: unknown): boolean {
	if (isEmpty(stored) || isEmpty(sent)) return isEmpty(stored) && isEmpty(sent);
	if (typeof stored === 'object' || typeof sent === 'object') {
		return JSON.stringify(stored) === JSON.stringify(sent);
	}
	if (isDate(stored) && isDate(sent)) return timeOf(stored) === timeOf(sent);
	if (typeof stored === 'number' || typeof sent === 'number')
		return Number(stored) === Number(sent);
	return areSameTexts(String(stored), String(sent));
}

function areSameTexts(stored: string, sent: string): boolean {
	if (spaced(stored) === spaced(sent)) return true;
	if (linksIn(stored).join(' ') !== linksIn(sent).join(' ')) return false;
	if (Math.max(stored.length, sent.length) > MAX_COMPARED) return false;
	const [a, b] = [formOf(stored), formOf(sent)];
	const beginning = a.replace(ELLIPSIS, '');
	const isCut = beginning !== a && a.length >= SHORTEST_CUT;
	return a === b || (isCut && b.startsWith(beginning));
}

/** Without what services change in a text, and without its links. */
function formOf(text: string): string {
	const plain = plainText(text)
		.replace(/[‘’‚‛`´]/g, "'")
		.replace(/[“”„‟«»]/g, '"')
		.replace(/[‐‑‒–—―−]/g, '-');
	return spaced(plain);
}
