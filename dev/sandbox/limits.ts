import type { Scope } from './access';

/** The state of a key in its current period. */
export interface Standing {
	allowed: boolean;
	/** X-RateLimit-* and, if the request is refused, Retry-After. */
	headers: Record<string, string>;
}

/** A limit of requests per fixed period, counted separately for each key. */
export class Limits {
	private periods = new Map<Scope, { startedAt: number; used: number }>();

	constructor(private perSecond?: number) {}

	/** Requests per second for each key; below 1 the period is longer, undefined means no limit. */
	set(perSecond?: number): void {
		this.perSecond = perSecond;
		this.periods.clear();
	}

	/** Counts a request; undefined if there is no limit. */
	take(scope: Scope): Standing | undefined {
		if (this.perSecond === undefined) return undefined;
		const limit = Math.max(1, Math.floor(this.perSecond));
		const length = 1000 * Math.max(1, 1 / this.perSecond);
		const now = Date.now();

		let period = this.periods.get(scope);
		if (!period || now >= period.startedAt + length) {
			period = { startedAt: now, used: 0 };
			this.periods.set(scope, period);
		}
		period.used += 1;

		const endsAt = period.startedAt + length;
		const allowed = period.used <= limit;
		const headers: Record<string, string> = {
			'x-ratelimit-limit': String(limit),
			'x-ratelimit-remaining': String(Math.max(0, limit - period.used)),
			'x-ratelimit-reset': String(Math.ceil(endsAt / 1000)),
		};
		if (!allowed) headers['retry-after'] = String(Math.max(1, Math.ceil((endsAt - now) / 1000)));
		return { allowed, headers };
	}
}
