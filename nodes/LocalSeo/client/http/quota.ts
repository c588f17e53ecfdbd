import type { Quota } from '../pace/window';
import type { JsonObject } from '../ports';
import { resetAfter } from './retryAfter';

/** How the names of such headers begin. */
const PREFIXES = ['x-ratelimit', 'ratelimit', 'x-rate-limit'];

/**
 * The quota that a response states, in any usual form:
 *
 * - `X-RateLimit-Limit: 100` with `X-RateLimit-Remaining: 40`; also `RateLimit-…`, `X-Rate-Limit-…`
 * - `RateLimit: limit=100, remaining=40, reset=30`
 * - `RateLimit: "default";r=40;t=30` with `RateLimit-Policy: "default";q=100;w=60`
 *   (drafts of draft-ietf-httpapi-ratelimit-headers)
 *
 * Undefined unless it states both numbers, and no more is left than there is. When it begins anew is
 * read as `retryAfter` does.
 */
export function quotaOf(headers: JsonObject, now: number): Quota | undefined {
	const { ratelimit, 'ratelimit-policy': policy } = headers;
	const most = firstOf([
		...PREFIXES.map((prefix) => headers[`${prefix}-limit`]),
		valueIn(ratelimit, 'limit'),
		valueIn(policy, 'q'),
	]);
	const left = firstOf([
		...PREFIXES.map((prefix) => headers[`${prefix}-remaining`]),
		valueIn(ratelimit, 'remaining'),
		valueIn(ratelimit, 'r'),
	]);
	const isStated = most > 0 && left <= most;
	return isStated ? { most, left, resetMs: resetAfter(headers, now) } : undefined;
}

/** The first whole number at the beginning of a value; NaN without one. */
function firstOf(values: unknown[]): number {
	const numbers = values.map((value) => /^\s*(\d{1,9})\s*(?:[,;]|$)/.exec(String(value))?.[1]);
	return Number(numbers.find((digits) => digits !== undefined));
}

function valueIn(header: unknown, name: string): unknown {
	return new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+)`, 'i').exec(String(header))?.[1];
}
