import type { JsonObject } from '../client';
import { location as resource } from '../resources';
import { difference } from './difference';
import { idIn, keyOfId } from './known';
import type { WatchedLocation } from './due';
import { isLocationAdded, isOfScore, type TriggerEvent } from './events';
import type { LocationMemory, State } from './memory';
import { type Reader, readPicked, readRecords } from './reader';
import { eventsOf } from './settings';

const OTHER_ACCOUNT =
	'None of the locations that were known is listed, as with another account: the trigger starts from scratch';
const ODD_SCORES = 'Some rank scores are not numbers, so their changes are not seen';

/** The locations of the account that a poll has to do with. */
export interface ReadLocations {
	/** All of the account; absent if they are not listed. */
	listing?: JsonObject[];
	/** The watched ones. */
	watched: JsonObject[];
	/** Why picked ones could not be read, by ID. */
	failures: Map<string, Error>;
}

/**
 * Reads the locations: all of them by listing, picked ones one by one, unless the account is listed
 * anyway, for Location Added.
 */
export async function readLocations(reader: Reader): Promise<ReadLocations> {
	const { events, locationIds } = reader.settings;
	if (locationIds.length > 0 && !events.some(isLocationAdded)) {
		const { locations, failures } = await readPicked(reader, locationIds);
		return { watched: locations, failures };
	}
	const listing = await readRecords(reader, resource);
	const isPicked = (one: JsonObject) => locationIds.length === 0 || locationIds.includes(idIn(one));
	return { listing, watched: listing.filter(isPicked), failures: new Map() };
}

/** Compares the locations with the state, which it changes to what they are compared with next. */
export function compareLocations(
	reader: Reader,
	{ listing, watched }: ReadLocations,
	state: State,
): { events: TriggerEvent[]; locations: WatchedLocation[] } {
	const { notes, settings } = reader;
	const { locations } = state;
	const added = compareListing(reader, listing, state);
	const picked = settings.locationIds.map(keyOfId);
	for (const key of picked.length > 0 ? locations.keys() : []) {
		if (!picked.includes(key)) locations.delete(key);
	}
	const types = eventsOf(settings, 'locations').filter((type) => !isLocationAdded(type));
	if (types.some(isOfScore) && watched.some(hasOddScore)) notes.add(ODD_SCORES);
	const selves = [...locations.values()].flatMap(({ self }) => self ?? []);
	const { events, listed } = difference(selves, watched, { settings, types });
	const hasLearned = ({ event, record }: TriggerEvent) =>
		!locations.get(keyOfId(idIn(record)))?.learns?.includes(event);
	const changes = events.filter(hasLearned);
	const compared = listed.map(({ record: location, now }): WatchedLocation => {
		const memory: LocationMemory = locations.get(now.key) ?? {};
		memory.self = types.length > 0 ? now : undefined;
		memory.learns = memory.learns?.filter((name) => types.every((type) => type.name !== name));
		locations.set(now.key, memory);
		return { key: now.key, location, memory };
	});
	return { events: [...added, ...changes], locations: compared };
}

/** Compares the list of all locations with the one before; those that are gone are forgotten. */
function compareListing(
	{ notes, settings }: Reader,
	listing: JsonObject[] | undefined,
	state: State,
): TriggerEvent[] {
	// An account does not lose all its locations at once: an empty list says nothing.
	if (listing?.length === 0 && state.listing) return [];
	const types = eventsOf(settings, 'locations').filter(isLocationAdded);
	const isLearning = types.some(({ name }) => state.learns?.includes(name));
	const { events, listed, missing, gone } = difference(state.listing, listing ?? [], {
		settings,
		types,
	});
	const isOther = state.listing?.length && listed.every(({ before }) => !before);
	if (listing && isOther) {
		notes.add(OTHER_ACCOUNT);
		state.locations.clear();
	}
	for (const { key } of gone) state.locations.delete(key);
	state.listing = listing && [...listed.map(({ now }) => now), ...(isOther ? [] : missing)];
	state.learns = [];
	return isLearning || isOther ? [] : events;
}

function hasOddScore({ rank_score: score }: JsonObject): boolean {
	return !['number', 'undefined'].includes(typeof (score ?? undefined));
}
