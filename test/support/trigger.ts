import type { JsonObject } from '../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../nodes/LocalSeo/trigger/event';
import type {
	AccountMemory,
	Listed,
	Settings,
	Subject,
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
	'rankScanCompleted',
	'rankScoreChanged',
	'rankScoreDropped',
	'rankScoreRose',
];

export const LOCATION = { id: 'loc_1', name: 'Marlow Dental Care' };

export function watching(events: string[], options: Partial<Settings> = {}): Settings {
	return {
		events: new Set(events),
		locationIds: new Set(),
		fieldsToWatch: [],
		direction: 'both',
		minimumChange: 0,
		onlyPositionChanges: false,
		paging: { pageParameter: 'page', pageSizeParameter: 'per_page' },
		...options,
	};
}

export function accountMemory(more: Partial<AccountMemory> = {}): AccountMemory {
	return {
		polls: 2,
		polledAt: minutesLater(1),
		since: SINCE,
		serviceTime: minutesLater(60),
		newest: SINCE,
		fields: { names: [], late: [] },
		postFields: { names: [], late: [] },
		...more,
	};
}

/** Compares, and checks that what went in is still as it was. */
export function compare<Memory>(
	subject: Subject<Memory>,
	known: Memory,
	lists: Partial<Listed>,
	settings: Settings,
	account = accountMemory(),
): { events: TriggerEvent[]; memory: Memory; account: AccountMemory } {
	const listed = { location: LOCATION, keywords: [], scans: [], posts: [], ...lists };
	const before = structuredClone({ account, known, listed });
	const { events, remembered } = subject.compare({ account, location: known }, listed, settings);
	expect({ account, known, listed }).toEqual(before);
	return { events, memory: remembered.location, account: remembered.account };
}

/** `[event, ID of the record]` of each. */
export function reported(events: TriggerEvent[]): Array<[string, unknown]> {
	return events.map(({ event, record }) => [event, (record as JsonObject).id]);
}
