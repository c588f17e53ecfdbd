import { createdAt, type JsonObject } from '../client';
import { keywordsCountOf } from './keyword';
import { compareRecord, learnRecord, locationAdded, watchedFieldsOf } from './location';
import { addedFields, type Fingerprints, keyOf } from './records';
import { lastScanOf, lastScanTime } from './scan';
import { isWatched } from './settings';
import { addedEvent, type LocationMemory, type TriggerEvent, type Watch } from './subject';

/** Locations that are no longer listed are remembered, so that one that returns is not new: so many. */
const MAX_GONE = 1_000;

/** By ID. */
export type Memories = Map<string, LocationMemory>;

/** Compares the list of locations with what is remembered. Pure; the first poll only learns. */
export function compareListing(
	memories: Memories,
	listed: JsonObject[],
	watch: Watch,
): { events: TriggerEvent[]; memories: Memories } {
	// An account does not lose all its locations at once: an empty list says nothing.
	if (listed.length === 0) return { events: [], memories };
	const { settings, account } = watch;
	const isAddedWatched = settings.events.has(locationAdded.name);
	const watched = listed.filter((location) => isAddedWatched || isWatched(location, settings));
	const ids = new Set(watched.map(keyOf));
	const gone = [...memories].filter(([id]) => !ids.has(id)).slice(-MAX_GONE);
	const updated: Memories = new Map(gone);
	const added = fieldsAddedToAll(memories, watched, watch);
	const events: TriggerEvent[] = [];
	for (const location of watched) {
		const id = keyOf(location);
		const memory = memories.get(id);
		if (!memory) {
			updated.set(id, learn(location, watch));
			const isReported = account.polls > 1 && isAddedWatched;
			if (isReported) events.push(addedEvent(locationAdded.name, location, location));
		} else if (isWatched(location, settings)) {
			const outcome = compareRecord(memory, location, added, settings);
			events.push(...outcome.events);
			updated.set(id, outcome.memory);
		} else {
			updated.set(id, memory);
		}
	}
	return { events, memories: updated };
}

function fieldsAddedToAll(
	memories: Memories,
	listed: JsonObject[],
	{ settings }: Watch,
): Set<string> {
	const isThere = (fields?: Fingerprints) => fields !== undefined;
	const before = [...memories.values()].map(({ fields }) => fields).filter(isThere);
	const now = listed.map((location) => watchedFieldsOf(location, settings)).filter(isThere);
	return addedFields(before, now);
}

/**
 * What is remembered of a location at first. If it was created since the first poll, everything there
 * will be new; of another one, nothing that is there now.
 */
export function learn(location: JsonObject, { settings, account }: Watch): LocationMemory {
	const isNew = account.polls > 1 && (createdAt(location) ?? Infinity) > account.since;
	return {
		...learnRecord(location, settings),
		keywords: isNew ? [] : undefined,
		keywordsCount: isNew ? 0 : keywordsCountOf(location),
		posts: isNew ? [] : undefined,
		lastScanAt: isNew ? null : lastScanOf(location),
		scansAfter: isNew ? 0 : lastScanTime(location, account),
		knownScans: isNew ? [] : undefined,
		checkedAt: account.polls,
	};
}
