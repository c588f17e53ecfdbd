import { idOf, type JsonObject, timeOf } from '../client';
import type { TriggerEvent } from './event';
import { digest } from './fingerprints';
import type { EventType, Scan, Subject } from './subject';

/** What is remembered of the rank scans at a location. */
export interface ScanMemory {
	/** The location's `last_scan_at`: if it differs now, there are new scans. */
	lastScanAt: string | null;
	/** Scans dated after this (milliseconds) are new, unless they are among the known ones. */
	scansAfter: number;
	/** Digests of the known scans that are dated after that. */
	knownScans: string[];
}

/** Characters of a scan's digest: enough to tell the scans of one location apart. */
export const SCAN_DIGEST_LENGTH = 4;
/** Known scans that are remembered although they are not listed: they may only be missing briefly. */
const MAX_UNLISTED = 500;
/** `last_scan_at` may come in whole seconds: a scan so many milliseconds later may be the same one. */
const WITHIN_SECOND = 999;

const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
/** Every scan has an ID and times of its own, so they say nothing about a change. */
const ID_OR_TIME = /^id$|_at$/;

const rankScanCompleted: EventType = {
	name: 'rankScanCompleted',
	options: ['onlyPositionChanges'],
	sample: ({ location, keywords: [keyword], scans: [scans = []] }) => {
		const [scan, previous] = scans;
		if (!scan) return undefined;
		const { record } = scan;
		const before = previous?.record ?? null;
		return {
			event: 'rankScanCompleted',
			record,
			before,
			changed: ['position'],
			location,
			keyword,
		};
	},
};

export const scanSubject: Subject<ScanMemory> = {
	events: [rankScanCompleted],
	lists: ['keywords', 'scans'],

	learn(location, { newest }) {
		const lastScan = timeOf(location.last_scan_at);
		return {
			lastScanAt: lastScanOf(location),
			// Of a location that was never scanned, every scan is later than anything listed so far.
			scansAfter: lastScan ? lastScan + WITHIN_SECOND : newest,
			knownScans: [],
		};
	},
	learnEmpty: () => ({ lastScanAt: null, scansAfter: 0, knownScans: [] }),
	mayHaveChanged: ({ lastScanAt }, location) => lastScanAt !== lastScanOf(location),

	compare({ account, location: memory }, { location, keywords, scans }, settings) {
		const known = new Set(memory.knownScans);
		const listed = scans.map((ofKeyword) =>
			ofKeyword.map((scan) => ({ ...scan, digest: digestOf(scan.record) })),
		);

		const found: Array<{ at: number; event: TriggerEvent }> = [];
		keywords.forEach((keyword, index) => {
			listed[index].forEach(({ record, at, digest }, position) => {
				if (at <= memory.scansAfter || known.has(digest)) return;
				const previous = listed[index].slice(position + 1).find((scan) => scan.at < at);
				const before = previous?.record ?? null;
				const changed = before ? changedFields(before, record) : [];
				const hasSamePosition =
					before !== null && 'position' in record && !changed.includes('position');
				if (settings.onlyPositionChanges && hasSamePosition) return;
				const event = { event: rankScanCompleted.name, record, before, changed };
				found.push({ at, event: { ...event, location, keyword } });
			});
		});
		const events = found.sort((a, b) => a.at - b.at).map(({ event }) => event);

		const later = remember(memory, listed.flat());
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			remembered: { account, location: { ...later, lastScanAt: lastScanOf(location) } },
		};
	},
};

/**
 * A scan may be listed later than others that are dated after it. So the time from which scans are
 * new moves up only to scans that were known at the check before; those dated later are remembered
 * one by one. It follows listed dates, not a clock: a clock that runs ahead for a moment would hide all
 * later scans.
 */
function remember(
	memory: ScanMemory,
	listed: Array<{ at: number; digest: string }>,
): Pick<ScanMemory, 'scansAfter' | 'knownScans'> {
	const known = new Set(memory.knownScans);
	const knownTimes = listed.filter(({ digest }) => known.has(digest)).map(({ at }) => at);
	const scansAfter = knownTimes.reduce((a, b) => Math.max(a, b), memory.scansAfter);
	const listedDigests = new Set(listed.map(({ digest }) => digest));
	const unlisted = [...known].filter((digest) => !listedDigests.has(digest)).slice(-MAX_UNLISTED);
	const later = listed.filter(({ at }) => at > scansAfter).map(({ digest }) => digest);
	return { scansAfter, knownScans: [...unlisted, ...later] };
}

/** Scans with their time; the interface does not show which field it is, so the latest is taken. */
export function datedScans(records: JsonObject[]): Scan[] {
	return records.flatMap((record) => {
		const times = Object.values(record)
			.filter((value) => typeof value === 'string' && DATE_AND_TIME.test(value))
			.map(timeOf)
			.filter((time) => time !== undefined);
		return times.length > 0 ? [{ record, at: Math.max(...times) }] : [];
	});
}

function lastScanOf({ last_scan_at: lastScan }: JsonObject): string | null {
	return typeof lastScan === 'string' ? lastScan : null;
}

function digestOf(scan: JsonObject): string {
	return digest(idOf(scan) ?? JSON.stringify(scan), SCAN_DIGEST_LENGTH);
}

function changedFields(before: JsonObject, record: JsonObject): string[] {
	return Object.keys(record)
		.filter((name) => !ID_OR_TIME.test(name))
		.filter((name) => JSON.stringify(record[name]) !== JSON.stringify(before[name]));
}
