import sortBy from 'lodash/sortBy';

import { idOf, instantOfIso, isAheadOf, isRecord, type JsonObject, keyOf, textOf } from '../client';
import { KEY_LENGTH, shortHash, valueIn } from './known';
import type { Settings } from './settings';

/** Fields in which every scan differs from the one before. */
const OWN = ['id', 'created_at', 'updated_at'];
/** How much earlier than the newest known scan one may be over that is told (s). */
const LATEST = 86_400;
/** The most scans of a keyword that are remembered, unless more have the newest time. */
const MOST = 32;
/** Marks a memory that had no room for all scans of the last day. */
const CUT = '+';

/** A scan that is over. */
export interface Scan {
	record: JsonObject;
	/** The time at which it was over (s since 1970). */
	at: number;
	/** A short hash of its ID and its time. */
	key: string;
}

/** The scans of a keyword that are over, the oldest first; of one second, the last of the list first. */
export function overScans(records: unknown[], settings: Settings, now: number): Scan[] {
	const over = records.filter(isRecord).flatMap((record): Scan[] => {
		const at = timeOfScan(record, settings, now);
		return at === undefined ? [] : [{ record, at, key: shortHash([idOf(record) ?? record, at]) }];
	});
	return sortBy(over.reverse(), 'at');
}

/** When a scan was over (s); undefined as long as it has no time, or one that is still to come. */
function timeOfScan(
	record: JsonObject,
	{ scanTimeField }: Settings,
	now: number,
): number | undefined {
	const time = valueIn(record, scanTimeField);
	const instant = instantOfIso(textOf(time ?? '').trim());
	return instant === undefined || isAheadOf(time, now) ? undefined : Math.floor(instant / 1000);
}

/** True if the field has no time that can be read, and is not empty either, as it may be until a scan is over. */
export function lacksTime(record: JsonObject, { scanTimeField }: Settings): boolean {
	const text = textOf(valueIn(record, scanTimeField) ?? '').trim();
	return text === '' ? !Object.hasOwn(record, scanTimeField) : instantOfIso(text) === undefined;
}

/**
 * The scans that are new, and what to remember from now on: the newest that are known, as a text.
 *
 * @param scans in the order of `overScans`
 * @param known absent for the first reading, which only learns
 */
export function compareScans(scans: Scan[], known?: string): { added: Scan[]; now: string } {
	const { from, times } = known === undefined ? { from: 0, times: new Map() } : knownIn(known);
	const isNew = ({ at, key }: Scan) => known !== undefined && at >= from && !times.has(key);
	const added = scans.filter(isNew);
	for (const { at, key } of scans) times.set(key, at);
	return { added, now: times.size > 0 ? textOfKnown(times) : scansSince(from) };
}

/** The memory of a keyword of which no scan is known; one that was over before this time (s) is not new. */
export const scansSince = (time: number) => time.toString(36);

/** The time of the newest scan, then its key and that of each other one that counts, with its age. */
function textOfKnown(times: Map<string, number>): string {
	const [newest, ...others] = sortBy([...times], ([, at]) => -at);
	const all = [newest, ...others.filter(([, at]) => at >= newest[1] - LATEST)];
	const kept = all.filter(([, at], index) => index < MOST || at === newest[1]);
	const texts = kept.map(([key, at]) => `${key}${(newest[1] - at).toString(36)}`);
	return [scansSince(newest[1]) + (kept.length < all.length ? CUT : ''), ...texts].join(' ');
}

function knownIn(text: string): { from: number; times: Map<string, number> } {
	const [newest, ...keys] = text.split(' ');
	const at = parseInt(newest, 36);
	if (keys.length === 0) return { from: at, times: new Map() };
	const ages = keys.map((one) => parseInt(one.slice(KEY_LENGTH), 36));
	const times = new Map(keys.map((one, index) => [one.slice(0, KEY_LENGTH), at - ages[index]]));
	// Scans that were left out for want of room are not new either.
	const oldest = ages.at(-1)!;
	const from = newest.endsWith(CUT) ? at - Math.max(0, oldest - 1) : at - LATEST;
	return { from, times };
}

/**
 * The scans that came before: of each, the last earlier one with the same values in Compare Scans By.
 *
 * @param scans in the order of `overScans`
 */
export function scansBefore(scans: Scan[], { compareScansBy }: Settings): Map<Scan, JsonObject> {
	const before = new Map<Scan, JsonObject>();
	const latest = new Map<string, Scan>();
	for (const scan of scans) {
		const values = compareScansBy.map((name) => keyOf(valueIn(scan.record, name)));
		const group = JSON.stringify(values);
		const last = latest.get(group);
		// Scans of one second have the same one before.
		const earlier = last && (last.at < scan.at ? last.record : before.get(last));
		if (earlier) before.set(scan, earlier);
		latest.set(group, scan);
	}
	return before;
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
			![...OWN, scanTimeField].includes(name) &&
			keyOf(record[name]) !== keyOf(valueIn(before, name)),
	);
}
