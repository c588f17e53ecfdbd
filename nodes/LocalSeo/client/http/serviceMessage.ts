import type { ServiceMessage } from '../request';
import { isRecord } from './records';

const MAX_LENGTH = 500;
/** Characters of a page in which a title is looked for. */
const MAX_READ = 20_000;
const TEXT_KEYS = ['message', 'detail', 'description', 'title', 'error_description', 'msg'];
const FIELD_KEYS = ['field', 'path', 'param', 'name', 'loc', 'property', 'propertyPath'];
/** Where frameworks put the messages about each field. */
const LIST_KEYS = ['errors', 'details', 'violations', 'detail', 'message'];

/**
 * Reads `message`, `error`, `error.message`, `errors` (a list, or texts by field), lists under other
 * usual names, texts by field without a name around them, plain text or the title of an HTML page.
 * Texts are cut at 500 characters. Any other body gives no message.
 */
export function readServiceMessage(body: unknown): ServiceMessage {
	if (typeof body === 'string') return { text: shorten(textOfPage(body)), fields: [] };
	if (!isRecord(body)) return { fields: fieldsOf(body) };
	const nested = isRecord(body.error) ? body.error : {};
	const text = textOf(body) ?? (typeof body.error === 'string' ? body.error : textOf(nested));
	const lists = LIST_KEYS.flatMap((name) => [body[name], nested[name]]);
	const errors = lists.find((value) => typeof value === 'object' && value !== null);
	const isByField = text === undefined && Object.values(body).every(Array.isArray);
	const fields = fieldsOf(errors ?? (isByField ? body : body.errors));
	if (text === undefined && fields.length === 0 && isRecord(body.data)) {
		return readServiceMessage(body.data);
	}
	return { text: shorten(text), fields };
}

function textOf(record: Record<string, unknown>): string | undefined {
	const key = TEXT_KEYS.find((name) => typeof record[name] === 'string' && record[name] !== '');
	return key === undefined ? undefined : String(record[key]);
}

function fieldsOf(errors: unknown): string[] {
	return entriesOf(errors)
		.map(shorten)
		.filter((text) => text !== undefined);
}

function entriesOf(errors: unknown): string[] {
	if (typeof errors === 'string') return [errors];
	if (Array.isArray(errors)) return errors.flatMap(fieldOfEntry);
	if (!isRecord(errors)) return [];
	return Object.entries(errors).map(
		([field, texts]) => `${field}: ${[texts].flat().map(plain).join(', ')}`,
	);
}

function fieldOfEntry(entry: unknown): string[] {
	if (typeof entry === 'string') return [entry];
	if (!isRecord(entry)) return [];
	const text = plain(entry);
	const key = FIELD_KEYS.find((name) => entry[name] !== undefined);
	return [key ? `${[entry[key]].flat().join('.')}: ${text}` : text];
}

function plain(value: unknown): string {
	if (typeof value === 'string') return value;
	return (isRecord(value) ? textOf(value) : undefined) ?? JSON.stringify(value);
}

function textOfPage(page: string): string {
	const text = page.slice(0, MAX_READ);
	const title = /<(?:title|h1)(?:\s[^<>]*)?>([^<]*)</i.exec(text)?.[1];
	return title ?? (/<[a-z!]/i.test(text) ? '' : text);
}

function shorten(text: string | undefined): string | undefined {
	const clean = text?.replace(/\s+/g, ' ').trim();
	if (!clean) return undefined;
	return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH)}…` : clean;
}
