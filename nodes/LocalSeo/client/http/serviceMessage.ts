import type { ServiceMessage } from '../request';
import { textOf } from '../textOf';
import { isRecord } from './records';

/** The longest text and the longest name of a field (characters). */
const MAX_LENGTH = 500;
const MAX_NAME = 100;
/** The most fields, and the most texts of each. */
const MAX_ENTRIES = 10;
/** The most characters of a text or a page that are read. */
const MAX_READ = 20_000;
const TEXT_KEYS = ['message', 'detail', 'description', 'title', 'error_description', 'msg'];
const FIELD_KEYS = ['field', 'path', 'param', 'name', 'loc', 'property', 'propertyPath'];
/** Names under which frameworks list the messages about each field. */
const LIST_KEYS = ['errors', 'details', 'violations', 'detail', 'message'];

/**
 * Reads `message`, `error`, `error.message`, `errors` (a list, or texts by field), lists under other
 * usual names, texts by field without a name around them, plain text, or the title of an HTML page. It
 * reads ten fields, and cuts texts at 500 characters and names at 100. Any other body gives no message.
 */
export function readServiceMessage(body: unknown): ServiceMessage {
	if (typeof body === 'string') return { text: shorten(titleOf(body)), fields: [] };
	if (!isRecord(body)) return fieldMessagesIn(body);
	const nested = isRecord(body.error) ? body.error : {};
	const text = messageIn(body) ?? (typeof body.error === 'string' ? body.error : messageIn(nested));
	const lists = LIST_KEYS.flatMap((name) => [body[name], nested[name]]);
	const errors = lists.find((value) => typeof value === 'object' && value !== null);
	const isByField = text === undefined && Object.values(body).every(Array.isArray);
	const found = fieldMessagesIn(errors ?? (isByField ? body : body.errors));
	if (text === undefined && found.fields.length === 0 && isRecord(body.data)) {
		return readServiceMessage(body.data);
	}
	return { text: shorten(text), ...found };
}

function messageIn(record: Record<string, unknown>): string | undefined {
	return TEXT_KEYS.map((name) => record[name]).find(
		(text): text is string => typeof text === 'string' && text !== '',
	);
}

function fieldMessagesIn(errors: unknown): Pick<ServiceMessage, 'fields' | 'more'> {
	const entries: unknown[] = typeof errors === 'string' ? [errors] : entriesOf(errors);
	const texts = entries.slice(0, MAX_ENTRIES).map(textOfEntry);
	const fields = texts.map(shorten).filter((text) => text !== undefined);
	return entries.length > MAX_ENTRIES ? { fields, more: entries.length - MAX_ENTRIES } : { fields };
}

/** The entries of a list, or the name-value pairs of an object. */
function entriesOf(errors: unknown): unknown[] {
	if (Array.isArray(errors))
		return errors.filter((one) => typeof one === 'string' || isRecord(one));
	return isRecord(errors) ? Object.entries(errors) : [];
}

function textOfEntry(entry: unknown): string {
	if (Array.isArray(entry)) return withFieldName(entry[0], firstOf(entry[1]).map(said).join(', '));
	const key = isRecord(entry) ? FIELD_KEYS.find((name) => entry[name] !== undefined) : undefined;
	if (!isRecord(entry) || key === undefined) return said(entry);
	return withFieldName(firstOf(entry[key]).map(textOf).join('.'), said(entry));
}

function withFieldName(name: string, text: string): string {
	return `${name.slice(0, MAX_NAME)}: ${text}`;
}

function firstOf(value: unknown): unknown[] {
	return [value].flat().slice(0, MAX_ENTRIES);
}

function said(value: unknown): string {
	return (isRecord(value) ? messageIn(value) : undefined) ?? textOf(value);
}

function titleOf(page: string): string {
	const text = page.slice(0, MAX_READ);
	const title = /<(?:title|h1)(?:\s[^<>]*)?>([^<]*)</i.exec(text)?.[1];
	return title ?? (/<[a-z!]/i.test(text) ? '' : text);
}

function shorten(text: string | undefined): string | undefined {
	const clean = text?.slice(0, MAX_READ).replace(/\s+/g, ' ').trim();
	if (!clean) return undefined;
	return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH)}…` : clean;
}
