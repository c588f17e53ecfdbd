import type { Connection } from '../client';
import type { TriggerEvent } from './event';
import type { Identified } from './identified';
import { isWatched } from './listing';
import { lastScannedAt, newestFirst, readFirstPages, readLocations } from './lists';
import type { Settings } from './subject';
import { namesOf, subjects } from './subjects';

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
	const watched = lastScannedFirst(locations.filter((location) => isWatched(settings, location)));
	for (const name of settings.events) {
		const subject = subjects.find((one) => namesOf(one).includes(name));
		const eventType = subject?.events.find((one) => one.name === name);
		if (!subject || !eventType) continue;
		const candidates = eventType.isForEveryLocation ? newestFirst(locations) : watched;
		for (const location of candidates.slice(0, MAX_LOCATIONS)) {
			const listed = await readFirstPages(reader, location, subject.lists);
			const sample = eventType.sample(listed, settings);
			if (!sample) continue;
			const { event, ...others } = sample;
			return [{ event, sample: NOTE, ...others }];
		}
	}
	return [];
}

function lastScannedFirst(locations: Identified[]): Identified[] {
	return [...locations].sort((a, b) => lastScannedAt(b) - lastScannedAt(a));
}
