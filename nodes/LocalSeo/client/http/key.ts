import type { HttpResponse, JsonObject } from '../ports';

/** Replaces the key. */
const REMOVED = '…';
/**
 * Shorter keys are left in, because they are words and numbers that occur in any text: removing them
 * would damage records, and whatever is written back from them. Such a key can be guessed without a
 * response.
 */
const SHORTEST = 6;
/** Replaces what can't be written as JSON, or read again; it counts as JSON that was cut off. */
const CUT_OFF = '[';

/**
 * Removes the API key from a response, names included: error messages, logs and items must not contain
 * it. A body that is nested too deeply to be written as JSON counts as cut off, so that no function that
 * walks through it fails.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const headers = cleaned(response.headers, key) as JsonObject;
	return { ...response, headers, body: cleaned(response.body, key) };
}

/** Removes the key from a text; keys that are too short stay. */
export function textWithoutKey(text: string, key: string): string {
	return key.length < SHORTEST ? text : text.replaceAll(key, REMOVED);
}

/** Searches a value as one JSON text: hardly any has the key, and only those are read again. */
function cleaned(value: unknown, key: string): unknown {
	if (typeof value === 'string') return textWithoutKey(value, key);
	try {
		const json = JSON.stringify(value) ?? '';
		const inJson = JSON.stringify(key).slice(1, -1);
		if (key.length < SHORTEST || !json.includes(inJson)) return value;
		return JSON.parse(json.replaceAll(inJson, REMOVED)) as unknown;
	} catch {
		return CUT_OFF;
	}
}
