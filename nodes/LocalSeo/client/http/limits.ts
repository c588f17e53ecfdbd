import type { Quota } from '../pace/permit';
import type { JsonObject } from '../ports';
import { headerText } from '../textOf';

/** Larger numbers are times since 1970, in seconds or milliseconds; smaller ones are waits. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e12;
/** Prefixes of the headers about a rate limit. */
const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/**
 * The wait that a response asks for (ms), in any usual form:
 *
 * - `Retry-After: 30` or an HTTP date (RFC 9110, 10.2.3)
 * - `RateLimit: "default";r=0;t=30`, `RateLimit: limit=100, remaining=0, reset=30` (drafts of
 *   draft-ietf-httpapi-ratelimit-headers)
 * - `RateLimit-Reset: 30`, `X-RateLimit-Reset: 30` or as a time since 1970
 *
 * Times are measured against the response's own `Date`, so that a wrong clock does no harm, or against
 * `now` if it has none. Undefined if the response states no time, or one that has passed.
 */
export function retryAfter(headers: JsonObject, now: number): number | undefined {
	const values = [headers['retry-after'], ...limitHeaders(headers, 't|reset', 'reset')].filter(
		isStated,
	);
	if (values.length === 0) return undefined;
	const respondedAt = Date.parse(headerText(headers.date)) || now;
	return values.map((value) => waitOf(headerText(value), respondedAt)).find((wait) => wait > 0);
}

/** The quota that a response says is left, and the time until it is reset (ms), stated as above; undefined if none is. */
export function quotaIn(headers: JsonObject, now: number): Quota | undefined {
	const left = remainingIn(headers);
	if (!/^\d{1,9}$/.test(left)) return undefined;
	return { left: Number(left), forMs: retryAfter({ ...headers, 'retry-after': '' }, now) };
}

function remainingIn(headers: JsonObject): string {
	const left = limitHeaders(headers, 'r|remaining', 'remaining').map(headerText);
	return left.find((text) => text !== '') ?? '';
}

const isStated = (value: unknown) => value !== undefined && value !== '';

/** The values of a member in the header `RateLimit` and in the headers that are named after it. */
function limitHeaders(headers: JsonObject, names: string, suffix: string): unknown[] {
	const own = PREFIXES.map((prefix) => headers[`${prefix}-${suffix}`]).filter(isStated);
	if (headers.ratelimit === undefined) return own;
	const member = new RegExp(`(?:^|[;,\\s])(?:${names})\\s*=\\s*(\\d+)`, 'i');
	return [member.exec(headerText(headers.ratelimit))?.[1], ...own];
}

function waitOf(value: string, now: number): number {
	if (!/^\d+(\.\d+)?$/.test(value)) return value === '' ? 0 : Date.parse(value) - now;
	const number = Number(value);
	if (number >= FIRST_EPOCH_MILLISECONDS) return number - now;
	return number >= FIRST_EPOCH_SECONDS ? number * 1000 - now : number * 1000;
}
