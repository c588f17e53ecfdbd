import type { HttpResponse } from '../ports';

/**
 * A response without the API key, which a service may repeat in a text or a rejection: error
 * messages, logs and items must not contain it.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const { status, headers, body } = response;
	if (status >= 200 && status < 300) return { ...response, body: redact(body, key) };
	const redactAll = <T>(value: T): T => JSON.parse(redact(JSON.stringify(value ?? null), key)) as T;
	return { status, headers: redactAll(headers), body: redactAll(body) };
}

function redact<T>(text: T, key: string): T {
	if (typeof text !== 'string' || key === '') return text;
	const quoted = JSON.stringify(key).slice(1, -1);
	return text.replaceAll(key, '…').replaceAll(quoted, '…') as T & string;
}
