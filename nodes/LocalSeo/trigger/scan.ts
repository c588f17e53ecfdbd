import {
	hashOf,
	idOf,
	instantOfNumber,
	isDate,
	isRecord,
	type JsonObject,
	textOf,
	timeOf,
} from '../client';
import { inSnakeCase } from '../text/words';
import { diffFields, idIn, rememberedFields, remembered } from './records';
import type { Settings } from './settings';
import {
	type AccountMemory,
	CLOCK_ERROR,
	DAY,
	type EventType,
	isNewAtFirst,
	isPlausible,
	type ListSubject,
	type LocationMemory,
	type Scan,
	type TriggerEvent,
} from './subject';

/**
 * The most listed scans of a location that are remembered one by one, and the most unlisted ones, which
 * may only be missing for a moment.
 */
const MAX_KNOWN = 500;
/** The length of the hash by which a scan is remembered (characters). */
const KEY_LENGTH = 8;
/** `last_scan_at` may be in whole seconds, so a scan up to this much later may be the same one (ms). */
const WITHIN_SECOND = 999;
/** It may also say when the scan began: its record is dated up to this much later (ms). */
const LONGEST_SCAN = 10 * 60_000;
/** A scan with one of these is not over yet, or has come to nothing; assumptions (docs/assumptions.md). */
const UNFINISHED =
	/^\s*(pending|queued|scheduled|(not[ _-]?)?started|retrying|running|processing|in[ _-]?progress|waiting|new|created|crawling|scanning)\s*$/i;
const FAILED = /^\s*(failed|failure|error|errored|cancell?ed|aborted|timed?[ _-]?out)\s*$/i;
/** When a scan was over; without a status, it is not while one of these is there and empty. */
const FINISHED_AT = ['scanned_at', 'completed_at', 'finished_at'];
/** Fields with a future date, which is not the time of the scan. */
const AHEAD = /^(next|expire|valid)/i;
const UPDATED = /^(updated|modified)_at$/;
/** Every scan has its own ID and times, so they do not count as changes. */
const ID_OR_TIME = /^id$|_at$/;

const rankScanCompleted: EventType = {
	name: 'rankScanCompleted',
	label: 'Rank Scan Completed',
	description: 'A keyword of a location has a new rank scan',
	records: 'rank scans',
	sample: ({ location, scans }) => {
		const eventOf = (scan: Scan) => scanEvent(scan, scans, location);
		const [latest] = scans;
		const moved = scans.find((scan) => eventOf(scan).changed.includes('position'));
		return latest && eventOf(moved ?? latest);
	},
	lacks: ({ scans }, { onlyPositionChanges }) =>
		onlyPositionChanges && lackPosition(scans)
			? "Rank scans without a position are all reported, also with 'Only Position Changes'"
			: undefined,
};

/** @param latestFirst all scans of the location */
function scanEvent(scan: Scan, latestFirst: Scan[], location: JsonObject): TriggerEvent {
	const { record, keyword, at } = scan;
	const previous = latestFirst.find((one) => one.keyword === keyword && one.at < at);
	const before = previous?.record ?? null;
	const changed = before ? changedFields(before, record) : [];
	return { event: rankScanCompleted.name, record, before, changed, location, keyword };
}

function changedFields(before: JsonObject, record: JsonObject): string[] {
	const now = rememberedFields(record);
	const { changed } = diffFields(rememberedFields(before), now);
	return changed.filter((name) => Object.hasOwn(now, name) && !ID_OR_TIME.test(name));
}

/** True if Only Position Changes can't leave out any of the scans. */
function lackPosition(scans: Scan[]): boolean {
	return scans.length > 0 && !scans.some(({ record }) => Object.hasOwn(record, 'position'));
}

function isReported({ record, before, changed }: TriggerEvent, settings: Settings): boolean {
	const hasSamePosition =
		before !== null && Object.hasOwn(record, 'position') && !changed.includes('position');
	return !(settings.onlyPositionChanges && hasSamePosition);
}

export const scanSubject: ListSubject = {
	events: [rankScanCompleted],
	lists: ['keywords', 'scans'],
	mayHaveChanged: ({ lastScanAt }, location) => lastScanAt !== lastScanOf(location),

	compare(memory, { location, scans, isComplete, isScanning }, { settings, account }) {
		const known = memory.knownScans && new Set(memory.knownScans);
		const isNew = ({ at, key }: Scan) =>
			known
				? at > memory.scansAfter && !known.has(key)
				: isNewAtFirst(at, account, knownUntil(memory, location, account));
		const events = scans
			.filter(isNew)
			.reverse()
			.map((scan) => scanEvent(scan, scans, location));
		return {
			events: events.filter((event) => isReported(event, settings)),
			memory: {
				...memory,
				...remember(memory, scans, isComplete, account),
				// As long as one goes on, its result is still to come.
				lastScanAt: isComplete && !isScanning ? lastScanOf(location) : memory.lastScanAt,
			},
		};
	},
};

/**
 * Moves the time from which scans are new up to scans that the previous check knew, and remembers later
 * ones one by one, because a scan may be listed after others with a later date. It follows listed
 * dates, not a clock: a clock that runs ahead for a moment would hide all later scans.
 *
 * @param isComplete false: keywords that can't be read now may have scans dated before those of others
 */
function remember(
	{ scansAfter: before, knownScans = [] }: LocationMemory,
	latestFirst: Scan[],
	isComplete: boolean,
	account: AccountMemory,
): Pick<LocationMemory, 'scansAfter' | 'knownScans'> {
	const known = new Set(knownScans);
	const passed = latestFirst.find(({ key, at }) => known.has(key) && isPlausible(at, account));
	const scansAfter = Math.max(
		before,
		latestFirst[MAX_KNOWN]?.at ?? 0,
		// Scans of one run may all have one date, and be listed one after the other.
		isComplete && passed ? passed.at - DAY : 0,
	);
	const listed = new Set(latestFirst.map(({ key }) => key));
	const unlisted = knownScans.filter((key) => !listed.has(key)).slice(-MAX_KNOWN);
	const later = latestFirst.filter(({ at }) => at > scansAfter).map(({ key }) => key);
	return { scansAfter, knownScans: [...unlisted, ...later] };
}

/**
 * The time up to which the scans of a location count as known when they are first listed. It is not 0
 * if the location still says that it was never scanned, against its own list.
 */
function knownUntil(
	{ scansAfter, lastScanAt }: LocationMemory,
	location: JsonObject,
	{ since }: AccountMemory,
): number {
	if (scansAfter === 0 && isNeverScanned(location)) return since;
	const lastScan = timeOf(location.last_scan_at);
	if (lastScan === undefined || scansAfter === 0) return scansAfter;
	// A scan that has come since is not dated as long before the location; some never date it again.
	const isSame = lastScanAt === lastScanOf(location);
	const before = isSame ? since - 2 * CLOCK_ERROR : lastScan - LONGEST_SCAN;
	return Math.max(scansAfter, Math.min(scansAfter + LONGEST_SCAN, before));
}

function isNeverScanned({ last_scan_at: lastScan }: JsonObject): boolean {
	return lastScan === null || lastScan === '';
}

/** The time of a location's last scan, up to which its scans are known (ms); 0 if it has none. */
export function lastScanTime(location: JsonObject, account: AccountMemory): number {
	if (isNeverScanned(location)) return 0;
	const lastScan = timeOf(location.last_scan_at);
	const isKnown = lastScan !== undefined && isPlausible(lastScan, account);
	return isKnown ? lastScan + WITHIN_SECOND : account.polledAt;
}

export function lastScanOf({ last_scan_at: lastScan }: JsonObject): string | null {
	return typeof lastScan === 'string' || typeof lastScan === 'number'
		? remembered(String(lastScan))
		: null;
}

/** The scans of a keyword that are over and have a date, in the order of the list. */
export function datedScans(records: unknown[], keyword: JsonObject): Scan[] {
	return records.filter(isOver).flatMap((record) => {
		const at = timeOfScan(record);
		if (at === undefined) return [];
		// Services may number the scans of each keyword, so the keyword's ID counts, too. A scan without an
		// ID is recognized by its content.
		const key = hashOf([idIn(keyword), idOf(record) ?? record]).slice(0, KEY_LENGTH);
		return [{ record, keyword, at, key }];
	});
}

/** True for a scan that is over and has not failed. */
export function isOver(record: unknown): record is JsonObject {
	return isRecord(record) && !isUnfinished(record) && !FAILED.test(textOf(record.status));
}

/** True for a scan that goes on: it has begun, and not before `since` (ms), or it has most likely died. */
export function isScanning(
	record: unknown,
	{ since, now }: { since: number; now: number },
): boolean {
	if (!isRecord(record) || !isUnfinished(record)) return false;
	const at = timeOfScan(record);
	return at !== undefined && at >= since && at <= now;
}

function isUnfinished(record: JsonObject): boolean {
	if (typeof record.status === 'string') return UNFINISHED.test(record.status);
	return Object.entries(record).some(
		([name, value]) => value === null && FINISHED_AT.includes(inSnakeCase(name)),
	);
}

/**
 * The time of a scan (ms): when it was over. Where no field says so, the latest date is taken. A date
 * without a time, of a service that scans once a day, counts if there is no other.
 */
function timeOfScan(record: JsonObject): number | undefined {
	const entries = Object.entries(record).map(
		([name, value]) => [inSnakeCase(name), value] as const,
	);
	for (const finished of FINISHED_AT) {
		const [, value] = entries.find(([name]) => name === finished) ?? [];
		if (typeof value === 'number') return instantOfNumber(value);
		if (isExact(value)) return timeOf(value);
	}
	const dated = entries.filter(([name, value]) => isDate(value) && !AHEAD.test(name));
	// A record may be written again long after its scan.
	const first = dated.filter(([name]) => !UPDATED.test(name));
	const dates = (first.length > 0 ? first : dated).map(([, value]) => value);
	const exact = dates.filter(isExact);
	const times = (exact.length > 0 ? exact : dates).map((date) => timeOf(date) ?? 0);
	return times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined;
}

/** Whether a value is a date with a time. */
function isExact(value: unknown): boolean {
	return isDate(value) && String(value).length > 'YYYY-MM-DD'.length;
}
