import { timeOf } from '../client';
import { InputError } from '../text/inputError';
import { sentences } from '../text/words';
import { keywordSubject } from './keyword';
import { isTemporary, type Reader, readLists, readLocations, SAMPLED_KEYWORDS } from './lists';
import { hasOddScore, locationEvents, ODD_SCORES } from './location';
import { neverMatching } from './neverMatching';
import { postSubject } from './post';
import { scanSubject } from './scan';
import { isWatched, type Settings } from './settings';
import type { ListSubject, TriggerEvent } from './subject';

/** Subjects that are read from lists of a location; its own fields are in the list of locations. */
export const listSubjects = [keywordSubject, scanSubject, postSubject];

/** Everything that the trigger offers. */
const subjects: Array<Pick<ListSubject, 'events' | 'lists'>> = [
	{ events: locationEvents, lists: [] },
	...listSubjects,
];
export const eventTypes = subjects.flatMap(({ events }) => events);

/** The most locations that are read for a sample before the next event is tried. */
const MAX_LOCATIONS = 5;

/** Shown in the item itself, because the editor has no other place where a trigger can say it. */
const NOTE =
	'A sample to build the workflow with: the record is from your account, but this did not happen just now, and earlier values may be the current ones.';

/**
 * A recent record of the account, to build a workflow with. It has the form of the first selected event
 * that has a record.
 *
 * @throws ServiceError as `readCompleteList` does, and InputError for settings that can never match, or
 * if there is no record: otherwise, the editor would show nothing
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
				if (isTemporary(error)) throw error;
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
		isSure ? `There are no ${joinedWithOr(missing)} yet` : `No ${joinedWithOr(missing)} were found`,
		sentences(
			listed.length === 0 && 'The account has no locations',
			...partly,
			...reader.notes,
			'Fetch Test Event shows a recent record of your account, so it needs one. Once the workflow is active, it starts with the next one',
		),
	);
}

/** "content posts, rank scans or keywords" */
function joinedWithOr(names: string[]): string {
	const [last, ...others] = [...names].reverse();
	return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}
