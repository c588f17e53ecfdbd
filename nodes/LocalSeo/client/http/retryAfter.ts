import type { JsonObject } from '../ports';

/** Numbers from here on are times since 1970, in seconds or milliseconds; smaller ones are waits. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e12;

/**
 * The wait that a response asks for, in milliseconds, in any usual form:
 *
 * - `Retry-After: 30` or an HTTP date (RFC 9110, 10.2.3)
 * - `RateLimit: "default";r=0;t=30`, `RateLimit: limit=100, remaining=0, reset=30`
 *   (drafts of draft-ietf-httpapi-ratelimit-headers)
 * - `RateLimit-Reset: 30`, `X-RateLimit-Reset: 30` or as a time since 1970
 *
 * Times are measured against the response's own `Date`, so that a wrong clock does no harm, or
 * against `now` if it has none. Undefined if the response states no time, or one that has passed.
 */
export function retryAfter(headers: JsonObject, now: number): number | undefined {
	return firstWait([headers['retry-after'], ...resetsIn(headers)], headers, now);
}

/** The milliseconds until a quota begins anew, in the forms above but `Retry-After`; undefined without. */
export function resetAfter(headers: JsonObject, now: number): number | undefined {
	return firstWait(resetsIn(headers), headers, now);
}

function resetsIn(headers: JsonObject): unknown[] {
	return [
		/(?:^|[;,\s])(?:t|reset)\s*=\s*(\d+)/i.exec(text(headers.ratelimit))?.[1],
		headers['ratelimit-reset'],
		headers['x-ratelimit-reset'],
		headers['x-rate-limit-reset'],
	];
}

function firstWait(sources: unknown[], { date }: JsonObject, now: number): number | undefined {
	const respondedAt = Date.parse(text(date)) || now;
	return sources.map((source) => waitOf(text(source), respondedAt)).find((wait) => wait > 0);
}

function waitOf(value: string, now: number): number {
	if (!/^\d+(\.\d+)?$/.test(value)) return value === '' ? 0 : Date.parse(value) - now;
	const number = Number(value);
	if (number >= FIRST_EPOCH_MILLISECONDS) return number - now;
	return number >= FIRST_EPOCH_SECONDS ? number * 1000 - now : number * 1000;
}

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
