import { createdAt, timeOf } from '../client';
import type { TriggerEvent } from './event';
import { withFieldsOf } from './fingerprints';
import { type Identified, keyOf } from './identified';
import { addedLocationEvents, locationSubject } from './location';
import { learn, learnAdded, type LocationMemory, type State } from './remembered';
import { type AccountMemory, isPlausible, type Settings } from './subject';
import { watchesEveryLocation } from './subjects';

/** A location is forgotten once it has been missing from this many polls in a row. */
const FORGOTTEN_AFTER = 12;
const NO_LISTS = { keywords: [], scans: [], posts: [] };

/** Compares the list of locations with what is remembered. Pure; the first poll only learns. */
export function compareListing(
	state: State,
	listed: Identified[],
	settings: Settings,
): { events: TriggerEvent[]; remembered: State } {
	const isFirst = state.account.polls === 1;
	const fields = withFieldsOf(state.account.fields, listed, settings.fieldsToWatch);
	const account = { ...state.account, fields };
	const locations = withoutForgotten(state.locations, listed);
	const events: TriggerEvent[] = [];
	for (const location of listed) {
		const id = keyOf(location);
		const known = locations.get(id);
		const watched = isWatched(settings, location);
		if (!watched && !watchesEveryLocation(settings)) continue;
		if (known && watched) {
			const remembered = { account, location: known };
			const outcome = locationSubject.compare(remembered, { location, ...NO_LISTS }, settings);
			events.push(...outcome.events);
			locations.set(id, { ...known, ...outcome.remembered.location });
		} else if (!known && isFirst) {
			locations.set(id, learn(location, account, settings));
		} else if (!known) {
			const learnIt = wasThereBefore(location, account) ? learn : learnAdded;
			locations.set(id, learnIt(location, account, settings));
			events.push(...addedLocationEvents(location, settings));
		}
	}
	return { events, remembered: { account, locations } };
}

export function isWatched({ locationIds }: Settings, location: Identified): boolean {
	return locationIds.size === 0 || locationIds.has(keyOf(location));
}

/** A location created before the previous listing is not new: it was only missing for a while. */
function wasThereBefore(location: Identified, { newest, since }: AccountMemory): boolean {
	const created = createdAt(location);
	return created !== undefined && created < (newest || since);
}

function withoutForgotten(
	locations: Map<string, LocationMemory>,
	listed: Identified[],
): Map<string, LocationMemory> {
	// An account does not lose all its locations at once: an empty list means nothing.
	if (listed.length === 0) return new Map(locations);
	const ids = new Set(listed.map(keyOf));
	const remembered = new Map<string, LocationMemory>();
	for (const [id, memory] of locations) {
		const missing = ids.has(id) ? 0 : memory.missing + 1;
		if (missing < FORGOTTEN_AFTER) remembered.set(id, { ...memory, missing });
	}
	return remembered;
}

/** The latest plausible time in a list of locations: the service's clock has passed it. */
export function latestTimeIn(locations: Identified[], account: AccountMemory): number {
	const times = locations.flatMap(({ last_scan_at, created_at }) => [
		timeOf(last_scan_at) ?? 0,
		timeOf(created_at) ?? 0,
	]);
	return times
		.filter((time) => isPlausible(time, account))
		.reduce((latest, time) => Math.max(latest, time), 0);
}
