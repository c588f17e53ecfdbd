import type { Scope } from './access';

/** One request to /api/v1, as it arrived and was answered. */
export interface RecordedRequest {
	method: string;
	/** Below the base URL and without the query: `/locations`. Still encoded. */
	path: string;
	/** A name that comes twice has its values joined by a comma. */
	query: Record<string, string>;
	/** Parsed JSON, the text where it is not JSON, undefined where there was none. */
	body?: unknown;
	/** Lower-case names, without Authorization. */
	headers: Record<string, string>;
	/** Scope of the key that was sent; undefined where it was missing or not known. */
	scope?: Scope;
	/** Milliseconds since 1970 when it arrived, by the real clock. */
	at: number;
	/** How many requests were being handled when it arrived, itself included. */
	underway: number;
	/** Status of the answer; undefined while there is none, or where the connection was dropped. */
	status?: number;
}

const MOST_KEPT = 100_000;

/** Keeps a request; the oldest goes when there are too many for a sandbox that runs for days. */
export function record(requests: RecordedRequest[], request: RecordedRequest): void {
	requests.push(request);
	if (requests.length > MOST_KEPT) requests.shift();
}
