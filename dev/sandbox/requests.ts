import type { Scope } from './access';

/** One request to /api/v1, and the status of its response. */
export interface RecordedRequest {
	method: string;
	/** Below the base URL and without the query: `/locations`. Still encoded. */
	path: string;
	/** The values of a repeated name are joined by commas. */
	query: Record<string, string>;
	/** Parsed JSON, the text where it is not JSON, undefined where there was none. */
	body?: unknown;
	/** Lower-case names, without Authorization. */
	headers: Record<string, string>;
	/** Scope of the key that was sent; undefined if it was missing or unknown. */
	scope?: Scope;
	/** Milliseconds since 1970 when it arrived, by the real clock. */
	at: number;
	/** How many requests were being handled when it arrived, itself included. */
	inFlight: number;
	/** Status of the response; undefined while there is none, or if the connection was dropped. */
	status?: number;
}

const MAX_KEPT = 100_000;

/** Keeps a request; drops the oldest if there are too many, for a sandbox that runs for days. */
export function record(requests: RecordedRequest[], request: RecordedRequest): void {
	requests.push(request);
	if (requests.length > MAX_KEPT) requests.shift();
}
