import type { Quota } from '../pace/permit';
import type { JsonObject } from '../ports';
import { headerText } from '../textOf';

/** Larger numbers are times since 1970, in seconds or milliseconds; smaller ones are waits. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e12;
/** A longer wait (ms) is none: no service means it, it is a time in another unit. */
const LONGEST = 365 * 86_400_000;
/** Prefixes of the headers about a rate limit. */
const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/**
 * The wait that a response asks for (ms), in any usual form:
 *
 * - `Retry-After: 30` or an HTTP date (RFC 9110, 10.2.3): if there is one, it counts, 0 too
 * - `RateLimit: "default";r=0;t=30`, `RateLimit: limit=100, remaining=0, reset=30` (drafts of
 *   draft-ietf-httpapi-ratelimit-headers)
 * - `RateLimit-Reset: 30`, `X-RateLimit-Reset: 30` or as a time since 1970
 *
 * Times are measured against the response's own `Date`, so that a wrong clock does no harm, or against
 * `now` if it has none. Undefined if the response states no time, or one that has passed.
 */
export function retryAfter(headers: JsonObject, now: number): number | undefined {
	return waitOf(headers['retry-after'], respondedAt(headers, now)) ?? resetIn(headers, now);
}

/**
 * The quota that a response says is left, and the time until it is reset (ms), stated as above. Undefined
 * if either is missing: what is left says nothing without the time at which it is filled again.
 */
export function quotaIn(headers: JsonObject, now: number): Quota | undefined {
	const left = limitHeaders(headers, 'r|remaining', 'remaining').find((text) => text !== '') ?? '';
	const forMs = resetIn(headers, now);
	if (!/^\d{1,9}$/.test(left) || forMs === undefined) return undefined;
	return { left: Number(left), forMs };
}

/** The time until the limit is reset (ms), if it is still to come. */
function resetIn(headers: JsonObject, now: number): number | undefined {
	const from = respondedAt(headers, now);
	const waits = limitHeaders(headers, 't|reset', 'reset').map((value) => waitOf(value, from));
	return waits.find((wait) => wait !== undefined && wait > 0);
}

function respondedAt(headers: JsonObject, now: number): number {
	return Date.parse(headerText(headers.date)) || now;
}

/** The values of a member in the header `RateLimit` and in the headers that are named after it. */
function limitHeaders(headers: JsonObject, names: string, suffix: string): string[] {
	const own = PREFIXES.map((prefix) => headerText(headers[`${prefix}-${suffix}`]));
	if (headers.ratelimit === undefined) return own;
	const member = new RegExp(`(?:^|[;,\\s])(?:${names})\\s*=\\s*(\\d+)`, 'i');
	return [member.exec(headerText(headers.ratelimit))?.[1] ?? '', ...own];
}

function waitOf(value: unknown, now: number): number | undefined {
	const text = headerText(value);
	const wait = /^\d+(\.\d+)?$/.test(text)
		? millisecondsOf(Number(text), now)
		: Date.parse(text) - now;
	return wait >= 0 && wait <= LONGEST ? wait : undefined;
}

function millisecondsOf(number: number, now: number): number {
	if (number >= FIRST_EPOCH_MILLISECONDS) return number - now;
	return number >= FIRST_EPOCH_SECONDS ? number * 1000 - now : number * 1000;
}
