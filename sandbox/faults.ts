import type { RecordedRequest } from './requests';

type Fields = Record<string, unknown>;

/** Which requests a fault concerns; all conditions that are given must hold. */
export interface FaultCondition {
	method?: string;
	/** Below the base URL, without the query. In a text `*` stands for one part: `/keywords/*`. */
	path?: string | RegExp;
	/** The page asked for; a request that names none asks for page 1. */
	page?: number;
	/** A test of the body, or fields that it must have with these values. */
	body?: ((body: Fields) => boolean) | Fields;
}

/** What is answered in place of, or changed about, the service's own answer. */
export interface FaultAnswer {
	/** With a status the service does not act (unless `actFirst`) and this answer stands alone. */
	status?: number;
	headers?: Record<string, string>;
	/** A text is sent as it is, anything else as JSON; absent with a status: no body. */
	body?: unknown;
	/** Announces the whole body, sends this many bytes of it and closes the connection. */
	cutAfterBytes?: number;
}

/** The JSON of the service's answer; `data` can be read as a list of records and as one record. */
export interface Envelope {
	data: Fields[] & Fields;
	meta: { current_page: number; per_page: number; total: number };
}

export interface Fault {
	when?: FaultCondition;
	/** How many requests it concerns; absent: all. */
	times?: number;
	/** Waits before anything else is done, or before answering where `actFirst` is set. */
	delayMs?: number;
	/** The service does what it is asked before the fault takes effect. */
	actFirst?: boolean;
	answer?: FaultAnswer;
	/** Closes the connection without an answer. */
	dropConnection?: true;
	/** Changes the JSON of the service's answer; gets a copy, returns what is sent. In process only. */
	transform?: (envelope: Envelope, request: RecordedRequest) => unknown;
}

/** Faults on demand. Of several that concern a request the one added first takes effect. */
export class Faults {
	private active: Array<Fault & { left: number }> = [];

	add(fault: Fault): void {
		this.active.push({ ...fault, left: fault.times ?? Infinity });
	}

	clear(): void {
		this.active = [];
	}

	/** Those still to take effect. */
	get list(): readonly Fault[] {
		return this.active;
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
	if (body === undefined) return true;
	const fields = Object(request.body) as Fields;
	if (typeof body === 'function') return body(fields);
	return Object.entries(body).every(([name, value]) => fields[name] === value);
}

function patternOf(path: string | RegExp): RegExp {
	if (path instanceof RegExp) return new RegExp(path.source, path.flags.replace(/[gy]/g, ''));
	const parts = path.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${parts.join('[^/]+')}$`);
}
