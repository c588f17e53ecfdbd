import { idOf, type JsonObject, timeOf } from '../client';
import type { TriggerEvent } from './event';
import { canonicalJson, digest, fieldOf } from './fingerprints';
import { type Identified, keyOf } from './identified';
import {
	type AccountMemory,
	type EventType,
	isPlausible,
	type ListSubject,
	type Scan,
	type Settings,
} from './subject';

/** What is remembered of the rank scans at a location. */
export interface ScanMemory {
	/** The location's `last_scan_at`: if it differs now, there are new scans. */
	lastScanAt: string | null;
	/** Scans dated after this (milliseconds) are new, unless they are among the known ones. */
	scansAfter: number;
	/** Digests of the known scans that are dated after that; undefined while they have not been listed. */
	knownScans?: string[];
}

/** Characters of a scan's digest: enough to tell the scans of one location apart. */
export const SCAN_DIGEST_LENGTH = 4;
/** Known scans of a location that are remembered one by one: those listed, and those that are not, which may only be missing briefly. */
const MAX_KNOWN = 500;
/** `last_scan_at` may come in whole seconds: a scan so many milliseconds later may be the same one. */
const WITHIN_SECOND = 999;

const DATE = /^\d{4}-\d{2}-\d{2}($|[T ]\d{2}:\d{2})/;
/** Fields whose date lies ahead: it says nothing of when a scan was. */
const AHEAD = /^(next|expire|valid)/i;
/** Every scan has an ID and times of its own, so they say nothing about a change. */
const ID_OR_TIME = /^id$|_at$/;

const rankScanCompleted: EventType = {
	name: 'rankScanCompleted',
	options: ['onlyPositionChanges'],
	sample: ({ location, keywords: [keyword], scans: [scans = []] }, settings) => {
		const events = scans.map((_, index) => scanEvent(scans, index, location, keyword));
		const [latest] = events;
		if (!latest?.before) return latest;
		const shown = events.find((event) => event.before && isReported(event, settings));
		if (shown) return shown;
		// The position has been the same all the time.
		const { position } = latest.record;
		const earlier = typeof position === 'number' ? position + 1 : 1;
		return { ...latest, before: { ...latest.before, position: earlier }, changed: ['position'] };
	},
};

/** @param scans of a keyword, the latest first */
function scanEvent(
	scans: Scan[],
	index: number,
	location: Identified,
	keyword: Identified,
): TriggerEvent {
	const { record, at } = scans[index];
	const previous = scans.slice(index + 1).find((scan) => scan.at < at);
	const before = previous?.record ?? null;
	const changed = before ? changedFields(before, record) : [];
	return { event: rankScanCompleted.name, record, before, changed, location, keyword };
}

function isReported({ record, before, changed }: TriggerEvent, settings: Settings): boolean {
	const hasSamePosition = before !== null && 'position' in record && !changed.includes('position');
	return !(settings.onlyPositionChanges && hasSamePosition);
}

export const scanSubject: ListSubject<ScanMemory> = {
	events: [rankScanCompleted],
	lists: ['keywords', 'scans'],

	learn(location, account) {
		return {
			lastScanAt: lastScanOf(location),
			scansAfter: latestScanAt(location, account),
			knownScans: undefined,
		};
	},
	learnEmpty: () => ({ lastScanAt: null, scansAfter: 0, knownScans: [] }),
	mayHaveChanged: ({ lastScanAt }, location) => lastScanAt !== lastScanOf(location),

	compare({ account, location: memory }, { location, keywords, scans }, settings) {
		const known = new Set(memory.knownScans);
		const listed = scans.map((ofKeyword = [], index) =>
			ofKeyword.map((scan) => ({ ...scan, digest: digestOf(scan.record, keywords[index]) })),
		);
		const isNew = ({ record, at, digest }: ListedScan) =>
			at > memory.scansAfter &&
			!known.has(digest) &&
			!known.has(earlierDigestOf(record)) &&
			(memory.knownScans !== undefined || mayBeNewAtFirst(at));
		// When they are listed first, one that is dated far ahead was there before. Where the location does
		// not show when it was scanned, one has to be dated after the first poll.
		const isShown = typeof (memory.lastScanAt ?? lastScanOf(location)) === 'string';
		const mayBeNewAtFirst = (at: number) =>
			isPlausible(at, account) && (isShown || at > account.since);

		const found: Array<{ at: number; event: TriggerEvent }> = [];
		keywords.forEach((keyword, index) => {
			listed[index].forEach((scan, position) => {
				if (!isNew(scan)) return;
				const event = scanEvent(listed[index], position, location, keyword);
				if (isReported(event, settings)) found.push({ at: scan.at, event });
			});
		});
		const events = found.sort((a, b) => a.at - b.at).map(({ event }) => event);

		// Keywords that can't be read now may have scans that are dated before those of the others.
		const isComplete = !scans.includes(undefined);
		const lastScanAt = isComplete ? lastScanOf(location) : memory.lastScanAt;
		const passed = isComplete ? latestKnown(known, listed.flat(), account) : 0;
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			remembered: { account, location: { ...remember(memory, listed.flat(), passed), lastScanAt } },
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
 */
function latestKnown(known: Set<string>, listed: ListedScan[], account: AccountMemory): number {
	return listed
		.filter(({ digest, at }) => known.has(digest) && isPlausible(at, account))
		.reduce((latest, { at }) => Math.max(latest, at), 0);
}

/** @param passed the time up to which all scans are known, as far as this check shows */
function remember(
	{ scansAfter, knownScans = [] }: ScanMemory,
	listed: ListedScan[],
	passed: number,
): Pick<ScanMemory, 'scansAfter' | 'knownScans'> {
	const latestFirst = listed.map(({ at }) => at).sort((a, b) => b - a);
	const after = Math.max(scansAfter, passed, latestFirst[MAX_KNOWN] ?? 0);
	const digests = new Set(listed.map(({ digest }) => digest));
	const unlisted = knownScans.filter((digest) => !digests.has(digest)).slice(-MAX_KNOWN);
	const later = listed.filter(({ at }) => at > after).map(({ digest }) => digest);
	return { scansAfter: after, knownScans: [...unlisted, ...later] };
}

/** The time up to which the scans of a location are taken for known at first. */
function latestScanAt(location: Identified, account: AccountMemory): number {
	const lastScan = timeOf(location.last_scan_at);
	if (lastScan !== undefined && isPlausible(lastScan, account)) return lastScan + WITHIN_SECOND;
	// Of a location that was never scanned, every scan is later than anything listed so far.
	return account.newest;
}

/**
 * Scans with their time; the interface does not show which field it is, so the latest is taken. A date
 * without a time, of a service that scans once a day, counts where there is no other.
 */
export function datedScans(records: JsonObject[]): Scan[] {
	return records.flatMap((record) => {
		const dates = Object.entries(record)
			.filter(([name, value]) => typeof value === 'string' && DATE.test(value) && !AHEAD.test(name))
			.map(([, value]) => String(value));
		const exact = dates.filter((date) => date.length > 'YYYY-MM-DD'.length);
		const times = (exact.length > 0 ? exact : dates)
			.map(timeOf)
			.filter((time) => time !== undefined);
		return times.length > 0 ? [{ record, at: Math.max(...times) }] : [];
	});
}

function lastScanOf({ last_scan_at: lastScan }: JsonObject): string | null {
	return typeof lastScan === 'string' ? lastScan : null;
}

/** Services may number the scans of each keyword. One without an ID is recognized by its content. */
function digestOf(scan: JsonObject, keyword: Identified): string {
	return digest(`${keyOf(keyword)} ${idOf(scan) ?? canonicalJson(scan)}`, SCAN_DIGEST_LENGTH);
}

/** As version 0.1 remembered it. */
function earlierDigestOf(scan: JsonObject): string {
	return digest(idOf(scan) ?? JSON.stringify(scan), SCAN_DIGEST_LENGTH);
}

function changedFields(before: JsonObject, record: JsonObject): string[] {
	return Object.keys(record)
		.filter((name) => !ID_OR_TIME.test(name))
		.filter(
			(name) => canonicalJson(fieldOf(record, name)) !== canonicalJson(fieldOf(before, name)),
		);
}
