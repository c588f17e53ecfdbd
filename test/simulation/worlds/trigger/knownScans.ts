import type { JsonObject } from '../../../../nodes/LocalSeo/client';
import { timeOf } from './events';

/** The scans of a keyword that have to be known; times in seconds. */
export interface Scans {
	/** A scan that was over before is not new. */
	from: number;
	/** Times by ID and time. */
	times: Map<string, number>;
	/** True while the clocks do not say what was over at the first reading. */
	isUnsure: boolean;
}

const DAY = 86_400;
const MOST = 32;

export const secondOf = (scan: JsonObject) => Math.floor(timeOf(scan) / 1000);
const nameOf = (scan: JsonObject) => `${String(scan.id)} ${secondOf(scan)}`;

export function isNewTo({ from, times }: Scans, scan: JsonObject): boolean {
	return secondOf(scan) >= from && !times.has(nameOf(scan));
}

/** Those at most a day older than the newest, the newest 32 of them (design, section 7). */
export function withScans(known: Scans | undefined, over: JsonObject[]): Omit<Scans, 'isUnsure'> {
	const all = new Map(known?.times);
	for (const scan of over) all.set(nameOf(scan), secondOf(scan));
	if (all.size === 0) return { from: known?.from ?? 0, times: all };
	const newest = Math.max(...all.values());
	const recent = [...all].filter(([, at]) => at >= newest - DAY).sort(([, a], [, b]) => b - a);
	const times = new Map(recent.slice(0, MOST));
	const from = times.size === MOST ? Math.min(...times.values()) + 1 : newest - DAY;
	return { from, times };
}

/** The last scans of the same device that came before, all of one time. */
export function scansBefore(scan: JsonObject, scans: JsonObject[]): JsonObject[] {
	const same = scans.filter(({ device }) => device === scan.device);
	const earlier = same.filter((one) => secondOf(one) < secondOf(scan));
	const latest = Math.max(...earlier.map(secondOf));
	return earlier.filter((one) => secondOf(one) === latest);
}
