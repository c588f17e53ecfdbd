import { isEmpty, type JsonObject, textOf } from '../client';
import type { Watched } from './events';
import { isMarked, type LocationMemory } from './memory';
import { eventsOf, type Settings } from './settings';

/** Each poll reads one in so many locations whole, whether they seem to have changed or not. */
const PARTS = 12;
/** The longest value of a field that is compared (characters). */
const LONGEST = 40;

/** A list of a location. */
export type ListName = Exclude<Watched, 'locations'>;

/** A watched location, as it is now, with what is remembered of it. */
export interface WatchedLocation {
	key: string;
	location: JsonObject;
	memory: LocationMemory;
}

/** A location with the lists to read. */
export interface Due extends WatchedLocation {
	lists: ListName[];
	/** Present if all its lists are read: what to note as `wholeAt` then. */
	wholeAt?: number;
	/** True once a list has to be left to the next poll. */
	isCut?: boolean;
}

/** A field of a location that says whether lists have changed, in a form that can be remembered. */
export function signOf(value: unknown): string | null {
	return isEmpty(value) ? null : textOf(value).slice(0, LONGEST);
}

/** True if a location itself shows that its keywords may have other scans. */
export function mayHaveNewScans({ memory, location }: WatchedLocation): boolean {
	return memory.lastScanAt !== signOf(location.last_scan_at);
}

/** True if a list may have other records. */
const mayHaveChanged: Record<ListName, (one: WatchedLocation) => boolean> = {
	keywords: ({ memory, location }) =>
		isMarked(memory, '!') || memory.keywordsCount !== signOf(location.keywords_count),
	posts: () => true,
	scans: (one) => isMarked(one.memory, '+') || mayHaveNewScans(one),
};

/**
 * The locations with lists to read, beginning with the one at which the last poll stopped.
 *
 * @param polls the number of this poll
 */
export function dueLocations(
	locations: WatchedLocation[],
	settings: Settings,
	{ polls, next }: { polls: number; next?: string },
): Due[] {
	const watched = (Object.keys(mayHaveChanged) as ListName[]).filter(
		(list) => eventsOf(settings, list).length > 0,
	);
	const due = locations.map((one, place): Due => {
		const { learns = [], wholeAt } = one.memory;
		// After the first time, the turns are spread over the polls.
		if (wholeAt === undefined) return { ...one, lists: watched, wholeAt: polls - (place % PARTS) };
		if (polls - wholeAt >= PARTS) return { ...one, lists: watched, wholeAt: polls };
		const learning = (list: ListName) =>
			eventsOf(settings, list).some(({ name }) => learns.includes(name));
		const lists = watched.filter((list) => learning(list) || mayHaveChanged[list](one));
		return { ...one, lists };
	});
	const isNext = ({ key }: Due) => key === next;
	const start = Math.max(0, due.findIndex(isNext));
	return [...due.slice(start), ...due.slice(0, start)].filter(({ lists }) => lists.length > 0);
}
