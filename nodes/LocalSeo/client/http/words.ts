import type { ServiceMessage } from '../errors';
import { textOf } from '../textOf';
import { isRecord } from './records';

/** The longest text, name of a field and beginning of a body (characters). */
const LONGEST = { text: 500, name: 100, body: 200 };
/** The most fields, and the most texts of each. */
const MAX_ENTRIES = 10;
/** The most characters of a text or a page that are read. */
const MAX_READ = 20_000;

/**
 * The service's words about a refusal: `message`, `error`, `error.message`, `detail`, `title` or
 * `data.message`, and `errors` (texts, or texts by field); the title of a web page; else the beginning
 * of the body.
 */
export function wordsOf(body: unknown): ServiceMessage {
	if (!isRecord(body)) return { text: beginningOf(body), fields: [] };
	const { errors } = body;
	const entries = typeof errors === 'object' ? Object.entries(errors ?? {}) : [['0', errors ?? '']];
	const texts = entries.slice(0, MAX_ENTRIES).map(([name, said]) => {
		const text = saidIn(said);
		return text === '' || Number.isInteger(Number(name))
			? text
			: `${String(name).slice(0, LONGEST.name)}: ${text}`;
	});
	const fields = texts.flatMap((text) => shortened(text, LONGEST.text) ?? []);
	const text = shortened(textIn(body), LONGEST.text);
	const more = entries.length > MAX_ENTRIES ? { more: entries.length - MAX_ENTRIES } : {};
	if (text !== undefined || fields.length > 0) return { text, fields, ...more };
	return { text: beginningOf(body), fields: [] };
}

/** The text of a record of words; empty if it has none. */
function textIn({ message, error, detail, title, data }: Record<string, unknown>): string {
	const nested = isRecord(error) ? error.message : error;
	// NestJS lists its messages.
	const said = Array.isArray(message)
		? message.slice(0, MAX_ENTRIES).map(textOf).join('; ')
		: message;
	const inData = isRecord(data) ? data.message : undefined;
	const texts = [said, nested, detail, title, inData];
	return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? '';
}

/** One entry of `errors`: a text, some texts, or an object with words and the name of its field. */
function saidIn(said: unknown): string {
	if (Array.isArray(said)) return said.slice(0, MAX_ENTRIES).map(saidIn).join(', ');
	const text = (isRecord(said) && textIn(said)) || textOf(said);
	const field = isRecord(said) && typeof said.field === 'string' ? said.field : '';
	return field === '' ? text : `${field.slice(0, LONGEST.name)}: ${text}`;
}

/** The beginning of a body, of a web page its title; undefined if there is nothing to show. */
export function beginningOf(body: unknown): string | undefined {
	if (typeof body !== 'string') {
		const isNothing = typeof (body ?? {}) === 'object' && Object.keys(body ?? {}).length === 0;
		return isNothing ? undefined : shortened(textOf(body), LONGEST.body);
	}
	const text = body.slice(0, MAX_READ);
	const title = /<(?:title|h1)(?:\s[^<>]*)?>([^<]*)</i.exec(text)?.[1];
	return shortened(title ?? (/<[a-z!]/i.test(text) ? '' : text), LONGEST.text);
}

function shortened(text: string, longest: number): string | undefined {
	const clean = text.slice(0, MAX_READ).replace(/\s+/g, ' ').trim();
	if (clean === '') return undefined;
	return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}
