import type { JsonObject } from '../../nodes/LocalSeo/client';
import type { Settings } from '../../nodes/LocalSeo/trigger/settings';
import type {
	AccountMemory,
	Listed,
	ListSubject,
	LocationMemory,
	TriggerEvent,
} from '../../nodes/LocalSeo/trigger/subject';

/** When the triggers of the unit tests polled first. */
export const SINCE = Date.parse('2026-03-02T09:00:00Z');
export const minutesLater = (minutes: number) => SINCE + minutes * 60_000;
export const timeAt = (minutes: number) => new Date(minutesLater(minutes)).toISOString();

/** All that the trigger reports. */
export const EVENTS = [
	'keywordAdded',
	'keywordRemoved',
	'locationAdded',
	'locationChanged',
	'postAdded',
	'postChanged',
	'postPublished',
	'rankScanCompleted',
	'rankScoreChanged',
	'rankScoreDropped',
	'rankScoreRose',
];

export const LOCATION = { id: 'loc_1', name: 'Marlow Dental Care' };

/** A location with empty lists. */
export const NOTHING: Listed = {
	location: LOCATION,
	keywords: [],
	scans: [],
	isComplete: true,
	isScanning: false,
	posts: [],
};

export function watching(events: string[], options: Partial<Settings> = {}): Settings {
	return {
		events: new Set(events),
		locationIds: new Set(),
		fieldsToWatch: [],
		direction: 'both',
		minimumChange: 0,
		onlyPositionChanges: false,
		...options,
	};
}

export function accountMemory(more: Partial<AccountMemory> = {}): AccountMemory {
	return { watch: '', polls: 2, since: SINCE, polledAt: minutesLater(60), ...more };
}

/** Of a location whose lists were not read yet. */
export function locationMemory(more: Partial<LocationMemory> = {}): LocationMemory {
	return {
		rankScores: {},
		keywordsCount: null,
		lastScanAt: null,
		scansAfter: SINCE,
		checkedAt: 1,
		...more,
	};
}

/** Compares, and checks that what went in is still as it was. */
export function compare(
	subject: ListSubject,
	known: LocationMemory,
	lists: Partial<Listed>,
	settings: Settings,
): { events: TriggerEvent[]; memory: LocationMemory } {
	const listed = { ...NOTHING, ...lists };
	const before = structuredClone({ known, listed });
	const outcome = subject.compare(known, listed, { settings, account: accountMemory() });
	expect({ known, listed }).toEqual(before);
	return outcome;
}

/** `[event, ID of the record]` of each. */
export function reported(events: TriggerEvent[]): Array<[string, unknown]> {
	return events.map(({ event, record }) => [event, (record as JsonObject).id]);
}
