import { isEmpty, type JsonObject } from '../client';
import { location as resource } from '../resources';
import { asValue } from '../text/words';
import { compareRecord, difference, scoreIn } from './difference';
import type { WatchedLocation } from './due';
import { isLocationAdded, isOfScore, type TriggerEvent } from './events';
import { locationFields } from './fields';
import { idIn, keyOfId } from './known';
import { recordsIn, type State, textOfRecords } from './memory';
import { type Reader, readPicked, readRecords } from './reader';
import { eventsOf, hasEvent } from './settings';

const OTHER_ACCOUNT =
	'None of the locations that were known is listed, as with another account: the trigger starts from scratch';
const ODD_SCORES = 'Some rank scores are not numbers, so their changes are not seen';
const NO_SCORES = "No location has a 'rank_score', so no event of rank scores can happen";

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
	const { notes, settings } = reader;
	const { events, locationIds } = settings;
	if (locationIds.length > 0 && !events.some(isLocationAdded)) {
		const { locations, failures } = await readPicked(reader, locationIds);
		return { watched: locations, failures };
	}
	const listing = await readRecords(reader, resource);
	const listed = new Set(listing.map(idIn));
	for (const id of locationIds) {
		if (!listed.has(id)) notes.add(`The account has no location ${asValue(id)}, which is picked`);
	}
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
	const events = listing ? compareListing(reader, listing, state) : [];
	if (!listing) delete state.listing;
	const picked = settings.locationIds.map(keyOfId);
	for (const key of picked.length > 0 ? Object.keys(state.locations) : []) {
		if (!picked.includes(key)) delete state.locations[key];
	}
	const types = eventsOf(settings, 'locations').filter((type) => !isLocationAdded(type));
	const isWatched = hasEvent(settings, 'locations', 'changed');
	const fields = isWatched
		? locationFields(state.fields.locations, watched, settings.fieldsToWatch)
		: undefined;
	if (types.some(isOfScore)) for (const note of notesOnScores(watched)) notes.add(note);
	const locations = watched.map((location): WatchedLocation => {
		const key = keyOfId(idIn(location));
		const known = state.locations[key];
		const memory = (state.locations[key] ??= {});
		const { hash = '', scores, learns } = memory;
		const before = known && { key, hash, scores };
		const comparison = { settings, types, fields, learns };
		const compared = compareRecord(location, before, false, comparison);
		for (const event of compared.events) events.push(event);
		Object.assign(memory, { hash: compared.now.hash || undefined, scores: compared.now.scores });
		memory.learns = learns?.filter((name) => types.every((type) => type.name !== name));
		return { key, location, memory };
	});
	return { events, locations };
}

/** Compares the list of all locations with the one before; those that are gone are forgotten. */
function compareListing(
	{ notes, settings }: Reader,
	listing: JsonObject[],
	state: State,
): TriggerEvent[] {
	// An account does not lose all its locations at once: an empty list says nothing.
	if (listing.length === 0 && state.listing !== undefined) return [];
	const types = eventsOf(settings, 'locations').filter(isLocationAdded);
	const { learns } = state;
	const compared = difference(recordsIn(state.listing), listing, { settings, types, learns });
	const { events, listed, missing, gone } = compared;
	const isOther = Boolean(state.listing) && listed.every(({ before }) => !before);
	if (isOther) {
		notes.add(OTHER_ACCOUNT);
		state.locations = {};
	}
	for (const { key } of gone) delete state.locations[key];
	state.listing = textOfRecords([...listed.map(({ now }) => now), ...(isOther ? [] : missing)]);
	delete state.learns;
	return isOther ? [] : events;
}

function notesOnScores(locations: JsonObject[]): string[] {
	const unread = locations.filter((location) => scoreIn(location) === undefined);
	const isOdd = unread.some(({ rank_score: score }) => !isEmpty(score));
	if (isOdd) return [ODD_SCORES];
	return unread.length > 0 && unread.length === locations.length ? [NO_SCORES] : [];
}
