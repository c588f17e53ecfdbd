import type { Scope } from './access';

type Fields = Record<string, unknown>;

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

/** Which requests a fault applies to; all given conditions must hold. */
export interface FaultCondition {
	method?: string;
	/** Below the base URL, without the query. In a string, `*` stands for one segment: `/keywords/*`. */
	path?: string | RegExp;
	/** The requested page; a request without one is for page 1. */
	page?: number;
	/** A predicate for the body, or fields that it must have with these values. */
	body?: ((body: Fields) => boolean) | Fields;
}

/** What replaces, or changes, the service's own response. */
export interface FaultResponse {
	/** With a status, the service does not act (unless `actFirst`), and this is the whole response. */
	status?: number;
	headers?: Record<string, string>;
	/** A text is sent as it is, anything else as JSON; without one, a response with a status has no body. */
	body?: unknown;
	/** Announces the whole body, sends this many bytes of it and closes the connection. */
	cutAfterBytes?: number;
}

/** The JSON of the service's response; `data` can be read as a list of records and as one record. */
export interface Envelope {
	data: Fields[] & Fields;
	meta: { current_page: number; per_page: number; total: number };
}

export interface Fault {
	when?: FaultCondition;
	/** To how many requests it applies; absent: all. */
	times?: number;
	/** Waits before anything else or, with `actFirst`, before responding. */
	delayMs?: number;
	/** The service acts on the request before the fault takes effect. */
	actFirst?: boolean;
	response?: FaultResponse;
	/** Closes the connection without a response. */
	dropConnection?: true;
	/** Changes the JSON of the service's response; gets a copy, returns what is sent. In the same process only. */
	transform?: (envelope: Envelope, request: RecordedRequest) => unknown;
}

/** Faults on demand. If several apply to a request, the one added first takes effect. */
export class Faults {
	private active: Array<Fault & { left: number }> = [];

	add(fault: Fault): void {
		this.active.push({ ...fault, left: fault.times ?? Infinity });
	}

	clear(): void {
		this.active = [];
	}

	/** The fault for a request, counted as having taken effect. */
	take(request: RecordedRequest): Fault | undefined {
		const fault = this.active.find(({ when }) => concerns(when ?? {}, request));
		if (fault && --fault.left <= 0) this.active = this.active.filter((other) => other !== fault);
		return fault;
	}
}

function concerns({ method, path, page, body }: FaultCondition, request: RecordedRequest): boolean {
	if (method !== undefined && method.toUpperCase() !== request.method) return false;
	if (path !== undefined && !patternOf(path).test(request.path)) return false;
	if (page !== undefined && page !== Number(request.query.page ?? 1)) return false;
	const fields = Object(request.body) as Fields;
	if (typeof body === 'function') return body(fields);
	return Object.entries(body ?? {}).every(([name, value]) => fields[name] === value);
}

function patternOf(path: string | RegExp): RegExp {
	// With one of these flags, a pattern remembers where it has matched.
	if (path instanceof RegExp) return new RegExp(path.source, path.flags.replace(/[gy]/g, ''));
	const parts = path.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('[^/]+')}$`);
}
