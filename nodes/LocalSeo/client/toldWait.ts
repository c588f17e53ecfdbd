import type { IDataObject } from 'n8n-workflow';

/** Numbers from here on are times since 1970, in seconds or milliseconds; smaller ones are waits. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e12;

/**
 * The wait that the service asks for, in milliseconds, in any usual form:
 *
 * - `Retry-After: 30` or an HTTP date (RFC 9110, 10.2.3)
 * - `RateLimit: "default";r=0;t=30`, `RateLimit: limit=100, remaining=0, reset=30`
 *   (drafts of draft-ietf-httpapi-ratelimit-headers)
 * - `RateLimit-Reset: 30`, `X-RateLimit-Reset: 30` or as a time since 1970
 *
 * Times are measured against the answer's own `Date`, so that a clock that is off does no harm.
 * Undefined where nothing is said, or nothing that lies ahead.
 */
export function toldWait(headers: IDataObject): number | undefined {
	const sources = [
		headers['retry-after'],
		/(?:^|[;,\s])(?:t|reset)\s*=\s*(\d+)/i.exec(text(headers.ratelimit))?.[1],
		headers['ratelimit-reset'],
		headers['x-ratelimit-reset'],
		headers['x-rate-limit-reset'],
	];
	const now = Date.parse(text(headers.date)) || Date.now();
	return sources.map((told) => waitOf(text(told), now)).find((wait) => wait > 0);
}

function waitOf(told: string, now: number): number {
	if (!/^\d+(\.\d+)?$/.test(told)) return told === '' ? 0 : Date.parse(told) - now;
	const number = Number(told);
	if (number >= FIRST_EPOCH_MILLISECONDS) return number - now;
	return number >= FIRST_EPOCH_SECONDS ? number * 1000 - now : number * 1000;
}

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
