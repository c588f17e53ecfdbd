import { timeOf } from '../client';
import { keywordSubject } from './keyword';
import { type Reader, readLists, readLocations } from './lists';
import { locationEvents } from './location';
import { postSubject } from './post';
import { scanSubject } from './scan';
import { isWatched, type Settings } from './settings';
import type { TriggerEvent } from './subject';

/** What is watched by lists of a location, beside the list of locations itself. */
export const listSubjects = [keywordSubject, scanSubject, postSubject];

/** All that the trigger offers. */
const subjects = [{ events: locationEvents, lists: [] }, ...listSubjects];
export const eventTypes = subjects.flatMap(({ events }) => events);

/** Locations that are read for a sample before the next event is tried. */
const MAX_LOCATIONS = 5;

/** In the item itself, since a trigger has no other place in the editor to say it. */
const NOTE =
	'A sample to build the workflow with: the record is from your account, but this did not happen just now, and earlier values may be the current ones.';

/**
 * A recent record of the account, in the form of the first selected event for which there is one, so
 * that a workflow can be built with it.
 *
 * @throws ServiceError as `readRecords` does
 */
export async function sampleEvents(reader: Reader, settings: Settings): Promise<TriggerEvent[]> {
	const listed = await readLocations(reader);
	const watched = listed.filter((location) => isWatched(location, settings));
	// Of a mock, say, which lists others each time.
	const locations = (watched.length > 0 ? watched : listed)
		.sort((a, b) => (timeOf(b.last_scan_at) ?? 0) - (timeOf(a.last_scan_at) ?? 0))
		.slice(0, MAX_LOCATIONS);
	for (const name of settings.events) {
		for (const { lists, events } of subjects) {
			const eventType = events.find((one) => one.name === name);
			if (!eventType) continue;
			for (const location of locations) {
				const sample = eventType.sample(await readLists(reader, location, lists), settings);
				if (!sample) continue;
				return [{ ...sample, sample: NOTE }];
			}
		}
	}
	return [];
}
