import { idOf, isDate, type JsonObject, timeOf } from '../client';
import { differenceOf, digestOf, fingerprintsOf, keyOf } from './records';
import type { Settings } from './settings';
import {
	type AccountMemory,
	type EventType,
	isNewAtFirst,
	isPlausible,
	type ListSubject,
	type LocationMemory,
	type Scan,
	type TriggerEvent,
} from './subject';

/** Known scans of a location that are remembered one by one: those listed, and those that are not, which may only be missing briefly. */
const MAX_KNOWN = 500;
/** `last_scan_at` may come in whole seconds: a scan so many milliseconds later may be the same one. */
const WITHIN_SECOND = 999;
/** Fields whose date lies ahead: it says nothing of when a scan was. */
const AHEAD = /^(next|expire|valid)/i;
/** Every scan has an ID and times of its own, so they say nothing about a change. */
const ID_OR_TIME = /^id$|_at$/;

const rankScanCompleted: EventType = {
	name: 'rankScanCompleted',
	label: 'Rank Scan Completed',
	description: 'A keyword of a location has a new rank scan',
	options: ['onlyPositionChanges'],
	sample: ({ location, keywords: [keyword], scans: [scans = []] }, settings) => {
		const latest = scans.length > 0 ? scanEvent(scans, 0, location, keyword) : undefined;
		if (!latest?.before || isReported(latest, settings)) return latest;
		const { position } = latest.record;
		const earlier = typeof position === 'number' ? position + 1 : 1;
		return { ...latest, before: { ...latest.before, position: earlier }, changed: ['position'] };
	},
};

/** @param scans of a keyword, the latest first */
function scanEvent(
	scans: Scan[],
	index: number,
	location: JsonObject,
	keyword: JsonObject,
): TriggerEvent {
	const { record, at } = scans[index];
	const previous = scans.slice(index + 1).find((scan) => scan.at < at);
	const before = previous?.record ?? null;
	const changed = before ? changedFields(before, record) : [];
	return { event: rankScanCompleted.name, record, before, changed, location, keyword };
}

function changedFields(before: JsonObject, record: JsonObject): string[] {
	const { changed } = differenceOf(fingerprintsOf(before), fingerprintsOf(record), new Set());
	return changed.filter((name) => name in record && !ID_OR_TIME.test(name));
}

function isReported({ record, before, changed }: TriggerEvent, settings: Settings): boolean {
	const hasSamePosition = before !== null && 'position' in record && !changed.includes('position');
	return !(settings.onlyPositionChanges && hasSamePosition);
}

export const scanSubject: ListSubject = {
	events: [rankScanCompleted],
	lists: ['keywords', 'scans'],
	mayHaveChanged: ({ lastScanAt }, location) => lastScanAt !== lastScanOf(location),

	compare(memory, { location, keywords, scans }, { settings, account }) {
		const known = memory.knownScans && new Set(memory.knownScans);
		const isNew = ({ at, digest }: ListedScan) =>
			known
				? at > memory.scansAfter && !known.has(digest)
				: isNewAtFirst(at, account, memory.scansAfter);
		const listed = scans.map((ofKeyword = [], index) =>
			ofKeyword.map((scan) => ({ ...scan, digest: digestOfScan(scan.record, keywords[index]) })),
		);
		const events = keywords
			.flatMap((keyword, index) =>
				listed[index].flatMap((scan, nth) =>
					isNew(scan)
						? [{ at: scan.at, event: scanEvent(listed[index], nth, location, keyword) }]
						: [],
				),
			)
			.sort((a, b) => a.at - b.at)
			.map(({ event }) => event);

		const isComplete = !scans.includes(undefined);
		return {
			events: events.filter((event) => isReported(event, settings)),
			memory: {
				...memory,
				...remember(memory, listed.flat(), isComplete, account),
				lastScanAt: isComplete ? lastScanOf(location) : memory.lastScanAt,
			},
		};
	},
};

interface ListedScan extends Scan {
	digest: string;
}

/**
 * A scan may be listed later than others that are dated after it. So the time from which scans are
 * new moves up only to scans that were known at the check before; those dated later are remembered
 * one by one. It follows listed dates, not a clock: a clock that runs ahead for a moment would hide all
 * later scans.
 *
 * @param isComplete false: keywords that can't be read now may have scans dated before those of others
 */
function remember(
	memory: LocationMemory,
	listed: ListedScan[],
	isComplete: boolean,
	account: AccountMemory,
): Pick<LocationMemory, 'scansAfter' | 'knownScans'> {
	const { knownScans = [] } = memory;
	const known = new Set(knownScans);
	const latestFirst = [...listed].sort((a, b) => b.at - a.at);
	const passed = latestFirst.find(
		({ digest, at }) => known.has(digest) && isPlausible(at, account),
	);
	const scansAfter = Math.max(
		memory.scansAfter,
		latestFirst[MAX_KNOWN]?.at ?? 0,
		isComplete && passed ? passed.at : 0,
	);
	const digests = new Set(listed.map(({ digest }) => digest));
	const unlisted = knownScans.filter((digest) => !digests.has(digest)).slice(-MAX_KNOWN);
	const later = latestFirst.filter(({ at }) => at > scansAfter).map(({ digest }) => digest);
	return { scansAfter, knownScans: [...unlisted, ...later] };
}

/** The time up to which the scans of a location are taken for known at first. */
export function lastScanTime(location: JsonObject, account: AccountMemory): number {
	const lastScan = timeOf(location.last_scan_at);
	const isKnown = lastScan !== undefined && isPlausible(lastScan, account);
	return isKnown ? lastScan + WITHIN_SECOND : account.polledAt;
}

export function lastScanOf({ last_scan_at: lastScan }: JsonObject): string | null {
	return typeof lastScan === 'string' ? lastScan : null;
}

/**
 * The scans of a list with their time, the latest first. The interface does not show which field it
 * is, so the latest is taken. A date without a time, of a service that scans once a day, counts where
 * there is no other.
 */
export function datedScans(records: JsonObject[]): Scan[] {
	const scans = records.flatMap((record) => {
		const dates = Object.entries(record)
			.filter(([name, value]) => isDate(value) && !AHEAD.test(name))
			.map(([, value]) => String(value));
		const exact = dates.filter((date) => date.length > 'YYYY-MM-DD'.length);
		const times = (exact.length > 0 ? exact : dates).map((date) => timeOf(date) ?? 0);
		return times.length > 0 ? [{ record, at: Math.max(...times) }] : [];
	});
	return scans.sort((a, b) => b.at - a.at);
}

/** Services may number the scans of each keyword. One without an ID is recognized by its content. */
function digestOfScan(scan: JsonObject, keyword: JsonObject): string {
	return digestOf([keyOf(keyword), idOf(scan) ?? scan]);
}
