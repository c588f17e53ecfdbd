import type { Connection } from '../client';
import { subjects } from './events';
import { lastScannedAt, readLists, readLocations } from './lists';
import { locationAdded } from './location';
import { newestFirst } from './records';
import { isWatched, type Settings } from './settings';
import type { TriggerEvent } from './subject';

/** Locations that are read for a sample before the next event is tried. */
const MAX_LOCATIONS = 5;

/** In the item itself, since a trigger has no other place in the editor to say it. */
const NOTE =
	'A sample to build the workflow with: the record is from your account, but this did not happen just now, and earlier values may be made up.';

/**
 * A recent record of the account, in the form of the first selected event for which there is one, so
 * that a workflow can be built with it: with a change that the settings would let through.
 *
 * @throws ServiceError as `readRecords` does
 */
export async function sampleEvents(
	connection: Connection,
	settings: Settings,
): Promise<TriggerEvent[]> {
	const reader = { connection, paging: settings.paging };
	const locations = await readLocations(reader);
	const watched = locations
		.filter((location) => isWatched(location, settings))
		.sort((a, b) => lastScannedAt(b) - lastScannedAt(a));
	const selected = subjects.flatMap(({ lists, events }) =>
		events.map((eventType) => ({ lists, eventType })),
	);
	for (const name of settings.events) {
		const { lists, eventType } = selected.find((one) => one.eventType.name === name) ?? {};
		if (!lists || !eventType) continue;
		const candidates = eventType === locationAdded ? newestFirst(locations) : watched;
		for (const location of candidates.slice(0, MAX_LOCATIONS)) {
			const listed = await readLists(reader, location, lists);
			const sample = eventType.sample(listed, settings);
			if (!sample) continue;
			const { event, ...others } = sample;
			return [{ event, sample: NOTE, ...others }];
		}
	}
	return [];
}
