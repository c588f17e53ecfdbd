import { type JsonObject, timeOf } from '../client';
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
	'A sample to build the workflow with: the record is from your account, but this did not happen just now, and the values that changed may be made up.';

/**
 * Recent records of the account, to build a workflow with: one in the form of each selected event that
 * has a record.
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
	const partly = new Set<string>();
	if (locations.length < watched.length) {
		partly.add(`Looked at ${locations.length} of ${watched.length} locations`);
	}
	const { samples, failure } = await readSamples(reader, settings, locations, partly);
	const chosen = [...settings.events].flatMap(
		(name) => eventTypes.find((one) => one.name === name) ?? [],
	);
	if (samples.size > 0) {
		const absent = chosen.filter(({ name }) => !samples.has(name)).map(({ label }) => label);
		const none = absent.length > 0 && `No record was found for a sample of ${absent.join(', ')}`;
		const note = sentences(NOTE, none);
		return chosen.flatMap(({ name }) => {
			const event = samples.get(name);
			return event ? [{ ...event, sample: note }] : [];
		});
	}
	if (failure) throw failure;
	const missing = [...new Set(chosen.map(({ records }) => records))];
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

/** The samples by the name of their event, and the first reason why a list could not be read. */
async function readSamples(
	reader: Reader,
	settings: Settings,
	locations: JsonObject[],
	partly: Set<string>,
): Promise<{ samples: Map<string, TriggerEvent>; failure: unknown }> {
	const samples = new Map<string, TriggerEvent>();
	let failure: unknown;
	for (const { lists, events } of subjects) {
		for (const location of locations) {
			const wanted = events.filter(({ name }) => settings.events.has(name) && !samples.has(name));
			// Some samples now are worth more than all of them after a wait.
			if (wanted.length === 0 || isTemporary(failure)) break;
			const listing = await readLists(reader, location, lists).catch((error: unknown) => {
				if (isTemporary(error) && samples.size === 0) throw error;
				failure = isTemporary(error) ? error : (failure ?? error);
				return undefined;
			});
			if (!listing) continue;
			for (const { name, sample } of wanted) {
				const event = sample(listing, settings);
				if (event) samples.set(name, event);
			}
			if (lists.includes('scans') && listing.keywords.length > SAMPLED_KEYWORDS) {
				partly.add(`Looked at ${SAMPLED_KEYWORDS} keywords of each location`);
			}
		}
	}
	return { samples, failure };
}

/** "content posts, rank scans or keywords" */
function joinedWithOr(names: string[]): string {
	const [last, ...others] = [...names].reverse();
	return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}
