/** Milliseconds that requests take at least: all of them alike, or GET and the others apart. */
export type Latency = number | LatencyByKind;

export interface LatencyByKind {
	reads: number;
	writes: number;
}

export function latencyOf(milliseconds: Latency = 0): LatencyByKind {
	if (typeof milliseconds === 'object') return { ...milliseconds };
	return { reads: milliseconds, writes: milliseconds };
}

export function latencyFor(latency: LatencyByKind, { method }: { method: string }): number {
	return method === 'GET' ? latency.reads : latency.writes;
}
