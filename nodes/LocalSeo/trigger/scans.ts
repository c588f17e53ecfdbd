import {
	idOf,
	instantOfIso,
	isAheadOf,
	isEmpty,
	isRecord,
	type JsonObject,
	keyOf,
	textOf,
} from '../client';
import { type KnownScans, shortHash } from './known';
import type { Settings } from './settings';

/** Fields in which every scan differs from the one before. */
const OWN = ['id', 'created_at', 'updated_at'];

/** The length of the hash by which a scan is told from others of the same time (characters). */
const SCAN_LENGTH = 3;
/** A scan that is over. */
export interface Scan {
	record: JsonObject;
	/** The time at which it was over (s since 1970). */
	at: number;
	key: string;
}

/** The scans of a keyword that are over, in the order of their list. */
export function overScans(records: unknown[], settings: Settings, now: number): Scan[] {
	return records.filter(isRecord).flatMap((record) => {
		const at = timeOfScan(record, settings, now);
		const key = shortHash(idOf(record) ?? record, SCAN_LENGTH);
		return at === undefined ? [] : [{ record, at, key }];
	});
}

/** When a scan was over (s); undefined as long as it has no time, or one that is still to come. */
function timeOfScan(
	record: JsonObject,
	{ scanTimeField }: Settings,
	now: number,
): number | undefined {
	const time = record[scanTimeField];
	const instant = instantOfIso(textOf(time ?? '').trim());
	return instant === undefined || isAheadOf(time, now) ? undefined : Math.floor(instant / 1000);
}

/** True if the field has no time that can be read, and is not empty either, as it may be until a scan is over. */
export function lacksTime(record: JsonObject, { scanTimeField }: Settings): boolean {
	const time = record[scanTimeField];
	if (isEmpty(time)) return !Object.hasOwn(record, scanTimeField);
	return instantOfIso(textOf(time).trim()) === undefined;
}

/** The scans that came after those that are known, the oldest first, and what to remember from now on. */
export function compareScans(known: KnownScans, scans: Scan[]): { added: Scan[]; now: KnownScans } {
	const added = scans
		.filter(({ at, key }) => at > known.at || (at === known.at && !known.keys.includes(key)))
		.reverse()
		.sort((a, b) => a.at - b.at);
	const newest = added.at(-1)?.at ?? known.at;
	const keys = new Set(newest === known.at ? known.keys : []);
	for (const { at, key } of added) if (at === newest) keys.add(key);
	return { added, now: { at: newest, keys: [...keys] } };
}

/** The memory after a first reading. */
export function learnScans(scans: Scan[]): KnownScans {
	return compareScans({ at: 0, keys: [] }, scans).now;
}

/** The scan that came before: the last earlier one with the same values in Compare Scans By. */
export function scanBefore(
	{ record, at }: Scan,
	scans: Scan[],
	{ compareScansBy }: Settings,
): JsonObject | undefined {
	const isSame = (one: Scan) =>
		compareScansBy.every((name) => keyOf(one.record[name]) === keyOf(record[name]));
	const earlier = scans.filter((one) => one.at < at && isSame(one));
	return earlier.sort((a, b) => b.at - a.at)[0]?.record;
}

/** The fields in which a scan differs from the one before, without its ID and times. */
export function changedInScan(
	before: JsonObject | null,
	record: JsonObject,
	{ scanTimeField }: Settings,
): string[] {
	if (!before) return [];
	return Object.keys(record).filter(
		(name) =>
			![...OWN, scanTimeField].includes(name) && keyOf(record[name]) !== keyOf(before[name]),
	);
}

/**
 * True if a first page is enough: it begins with the newest scan, reaches those that are known, and has
 * for each new one the one that came before.
 */
export function isEnough(
	scans: Scan[],
	known: KnownScans | undefined,
	settings: Settings,
): boolean {
	const steps = scans.slice(1).map(({ at }, index) => at - scans[index].at);
	// Scans of one time do not show the order.
	if (!steps.every((step) => step <= 0) || !steps.some((step) => step < 0)) return false;
	if (!known) return true;
	if (scans[scans.length - 1].at >= known.at) return false;
	const { added } = compareScans(known, scans);
	return added.every((scan) => scanBefore(scan, scans, settings));
}
