import findLast from 'lodash/findLast';
import max from 'lodash/max';
import uniqBy from 'lodash/uniqBy';

import { instantOfIso, isRecord, type JsonObject, keyOf, textOf } from '../client';
import { differing, type Found, keyIn } from './diff';
import type { ScanMemory } from './memory';
import type { Settings } from './settings';

/** Seconds. */
const HOUR = 3_600;
export const DAY = 24 * HOUR;
/** Fields in which every scan differs from the one before. */
const OWN_FIELDS = ['id', 'created_at', 'updated_at'];

/** A scan that is over. */
export interface Scan {
	record: JsonObject;
	key: string;
	/** The time at which it was over (s since 1970). */
	at: number;
}

/** The scans that are over, each once. */
export function scansIn(records: unknown[], { scanTimeField }: Settings): Scan[] {
	const scans = records.filter(isRecord).flatMap((record): Scan[] => {
		const instant = instantOfIso(textOf(record[scanTimeField] ?? '').trim());
		if (instant === undefined) return [];
		return [{ record, key: keyIn(record), at: Math.floor(instant / 1000) }];
	});
	return uniqBy(scans, 'key');
}

/**
 * The memory of a keyword whose scans were not read yet, and which has none from before this time (s). A scan
 * may say nothing but its day, or the time of its place.
 */
export const scansAfter = (time: number): ScanMemory => ({ since: time - DAY, times: {} });

/** True for a scan that is not known, and at most a day older than the newest one that is. */
export const isNew = ({ key, at }: Scan, { since, times }: ScanMemory): boolean =>
	at >= since && !Object.hasOwn(times, key);

/** True for a scan that the first reading learns: an hour longer, so that what is not new is surely known. */
export const isRecent = (at: number, newest: number): boolean => at >= newest - DAY - HOUR;

/**
 * The new scans, and what to remember of all.
 *
 * @param scans the oldest first
 * @param known absent for the first reading, which only learns
 * @param now the time by the clock on the wall (s)
 */
export function compareScans(
	scans: Scan[],
	known: ScanMemory | undefined,
	settings: Settings,
	now: number,
): { found: Found[]; memory: ScanMemory } {
	const before = scansBefore(scans, settings);
	const added = known ? scans.filter((scan) => isNew(scan, known)) : [];
	const found = added.map((scan) => foundScan(scan, before.get(scan), settings));
	const isEmpty = scans.length === 0 && Object.keys(known?.times ?? {}).length > 0;
	// As of any list: the first empty one is not believed.
	if (known && isEmpty && !known.isInDoubt) return { found, memory: { ...known, isInDoubt: true } };
	const read = scans.map(({ key, at }): [string, number] => [key, at]);
	const all = [...Object.entries(known?.times ?? {}), ...read];
	const newest = max(all.map(([, at]) => at));
	if (newest === undefined) return { found, memory: known ?? scansAfter(now) };
	// A scan that is planned for a later time must not hide those that are over before it.
	const since = Math.max(Math.min(newest, now) - DAY, known?.since ?? 0);
	const times = Object.fromEntries(all.filter(([, at]) => at >= since - HOUR));
	return { found, memory: { since, times } };
}

/** The values by which scans are compared, as text. */
export const groupOf = ({ record }: Scan, { compareScansBy }: Settings): string =>
	JSON.stringify(compareScansBy.map((name) => keyOf(record[name])));

/** The scans that came before: of each, the last earlier one with the same values in Compare Scans By. */
function scansBefore(scans: Scan[], settings: Settings): Map<Scan, JsonObject> {
	const before = new Map<Scan, JsonObject>();
	const groups = new Map<string, Scan[]>();
	for (const scan of scans) {
		const group = groupOf(scan, settings);
		const alike = groups.get(group) ?? [];
		const earlier = findLast(alike, ({ at }) => at < scan.at);
		if (earlier) before.set(scan, earlier.record);
		groups.set(group, alike);
		alike.push(scan);
	}
	return before;
}

/** The newest scan, to show what an event of one looks like; undefined if there is none. */
export function exampleOfScan(scans: Scan[], settings: Settings): Found | undefined {
	const newest = scans.at(-1);
	return newest && foundScan(newest, scansBefore(scans, settings).get(newest), settings);
}

/** A scan with the fields in which it differs from the one before. */
function foundScan({ record }: Scan, before: JsonObject | undefined, settings: Settings): Found {
	const own = [...OWN_FIELDS, settings.scanTimeField];
	const names = Object.keys(record).filter((name) => !own.includes(name));
	const changed = before ? differing(before, record, names) : [];
	return { record, before: before ?? null, changed };
}
