import { timeOf } from '../client';
import { InputError } from '../host/errors';
import { sentences } from '../text/words';
import { keywordSubject } from './keyword';
import { isForNow, type Reader, readLists, readLocations, SAMPLED_KEYWORDS } from './lists';
import { hasOddScore, locationEvents, ODD_SCORES } from './location';
import { neverMatching } from './neverMatching';
import { postSubject } from './post';
import { scanSubject } from './scan';
import { isWatched, type Settings } from './settings';
import type { ListSubject, TriggerEvent } from './subject';

/** What is watched by lists of a location, beside the list of locations itself. */
export const listSubjects = [keywordSubject, scanSubject, postSubject];

/** All that the trigger offers. */
const subjects: Array<Pick<ListSubject, 'events' | 'lists'>> = [
	{ events: locationEvents, lists: [] },
	...listSubjects,
];
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
 * @throws ServiceError as `readRecords` does, and InputError for settings that can never match, or where
 * there is no record: without a word, the editor would show nothing
 */
export async function sampleEvents(reader: Reader, settings: Settings): Promise<TriggerEvent[]> {
	const listed = await readLocations(reader);
	const wrong = neverMatching(settings, listed);
	if (wrong) throw wrong;
	const watched = listed.filter((location) => isWatched(location, settings));
	const locations = [...watched]
		.sort((a, b) => (timeOf(b.last_scan_at) ?? 0) - (timeOf(a.last_scan_at) ?? 0))
		.slice(0, MAX_LOCATIONS);
	if (locations.some(hasOddScore)) reader.notes.add(ODD_SCORES);
	const chosen = [...settings.events].flatMap((name) =>
		subjects.flatMap(({ lists, events }) => {
			const eventType = events.find((one) => one.name === name);
			return eventType ? [{ lists, eventType }] : [];
		}),
	);
	let failure: unknown;
	const partly = new Set<string>();
	if (locations.length < watched.length) {
		partly.add(`Looked at ${locations.length} of ${watched.length} locations`);
	}
	for (const { lists, eventType } of chosen) {
		for (const location of locations) {
			const of = await readLists(reader, location, lists).catch((error: unknown) => {
				if (isForNow(error)) throw error;
				failure ??= error;
				return undefined;
			});
			const sample = of && eventType.sample(of, settings);
			if (sample) return [{ ...sample, sample: NOTE }];
			if (of && lists.includes('scans') && of.keywords.length > SAMPLED_KEYWORDS) {
				partly.add(`Looked at ${SAMPLED_KEYWORDS} keywords of each location`);
			}
		}
	}
	if (failure) throw failure;
	const missing = [...new Set(chosen.map(({ eventType }) => eventType.records))];
	const isSure = partly.size === 0 && reader.notes.size === 0;
	throw new InputError(
		isSure ? `There are no ${alternatives(missing)} yet` : `No ${alternatives(missing)} were found`,
		sentences(
			listed.length === 0 && 'The account has no locations',
			...partly,
			...reader.notes,
			'Fetch Test Event shows a recent record of your account, so it needs one. Once the workflow is active, it starts with the next one',
		),
	);
}

/** "content posts, rank scans or keywords" */
function alternatives(names: string[]): string {
	const [last, ...others] = [...names].reverse();
	return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}
