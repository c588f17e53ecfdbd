import type { JsonObject } from '../client';
import { keyword, location, post } from '../resources';
import { InputError } from '../text/inputError';
import { listed, sentences } from '../text/words';
import { idIn } from './known';
import { type EventType, eventOf, isOfScore, type TriggerEvent, type Watched } from './events';
import { assertMatching } from './neverMatching';
import { readFirst, readPicked, type Reader, readScans } from './reader';
import { changedInScan, scansBefore } from './scans';
import { eventsOf } from './settings';

/** The most locations, and keywords of each, of which records are read. */
const MAX_LOCATIONS = 5;
const MAX_KEYWORDS = 5;

const NOTE = 'A sample: a record from your account, to which nothing has happened just now';
/** The records that the events of each list need, for messages. */
const NOUNS: Record<Watched, string> = {
	keywords: 'keywords',
	locations: 'locations',
	posts: 'content posts',
	scans: 'rank scans',
};

/** An event in the form of an item, that says first what it is. */
type Sample = TriggerEvent & { sample: string };

/**
 * Records of the account in the form of the chosen events, to build a workflow with: one for each event
 * that has a record. Nothing in them is invented.
 *
 * @throws ServiceError if a list can't be read, and InputError for settings that can never match, or if
 * there is no record: otherwise, the editor would show nothing
 */
export async function sampleEvents(reader: Reader): Promise<Sample[]> {
	const { settings, notes } = reader;
	const locations = await someLocations(reader);
	const found = new Map<EventType, TriggerEvent>();
	const failures: unknown[] = [];
	for (const watched of new Set(settings.events.map(({ of }) => of))) {
		const types = eventsOf(settings, watched);
		for (const one of locations) {
			// Some samples now are worth more than all of them after others failed.
			if (failures.length > 0 || types.every((type) => found.has(type))) break;
			const samples = await samplesOf(reader, watched, one).catch((error: unknown) => {
				failures.push(error);
				return new Map<EventType, TriggerEvent>();
			});
			for (const [type, sample] of samples) if (!found.has(type)) found.set(type, sample);
		}
	}
	const absent = settings.events.filter((type) => !found.has(type));
	if (found.size === 0 && failures.length > 0) throw failures[0];
	if (found.size === 0) throw nothingFound(absent, locations, notes);
	const labels = absent.map(({ label }) => label).join(', ');
	const sample = sentences(NOTE, labels && `No record was found for ${labels}`);
	return settings.events.flatMap((type) => {
		const event = found.get(type);
		return event ? [{ sample, ...event }] : [];
	});
}

/** The first of the watched locations. */
async function someLocations(reader: Reader): Promise<JsonObject[]> {
	const picked = reader.settings.locationIds.slice(0, MAX_LOCATIONS);
	const { locations, failures } =
		picked.length > 0
			? await readPicked(reader, picked)
			: { locations: await readFirst(reader, location), failures: new Map<string, Error>() };
	await assertMatching(reader, { watched: locations, failures });
	const [failure] = failures.values();
	if (failure && locations.length === 0) throw failure;
	return locations.slice(0, MAX_LOCATIONS);
}

/** The samples that the records of one location give. */
async function samplesOf(
	reader: Reader,
	watched: Watched,
	location: JsonObject,
): Promise<Map<EventType, TriggerEvent>> {
	const { settings } = reader;
	const ids = { locationId: idIn(location) };
	const samples = new Map<EventType, TriggerEvent>();
	const show = (record?: JsonObject, more?: Partial<TriggerEvent>) => {
		for (const type of eventsOf(settings, watched)) {
			// A score has the form of its event: it is the one before, too.
			const { rank_score } = location;
			const ofScore = isOfScore(type) && { before: { rank_score }, change: 0 };
			const isFit = type.when !== 'became' || record?.status === settings.publishedStatus;
			if (record && isFit && !samples.has(type)) {
				samples.set(type, eventOf(type, record, location, { ...more, ...ofScore }));
			}
		}
	};
	if (watched === 'locations') show(location);
	if (watched === 'posts') for (const one of await readFirst(reader, post, ids)) show(one);
	if (watched !== 'keywords' && watched !== 'scans') return samples;
	const keywords = await readFirst(reader, keyword, ids);
	if (watched === 'keywords') show(keywords[0]);
	else
		for (const one of keywords.slice(0, MAX_KEYWORDS)) {
			if (samples.size > 0) break;
			const { scans } = await readScans(reader, one);
			const newest = scans.at(-1);
			if (!newest) continue;
			const before = scansBefore(scans, settings).get(newest) ?? null;
			const changed = changedInScan(before, newest.record, settings);
			show(newest.record, { before, changed, keyword: one });
		}
	return samples;
}

function nothingFound(
	absent: EventType[],
	locations: JsonObject[],
	notes: Set<string>,
): InputError {
	const nouns = [...new Set(absent.map(({ of }) => NOUNS[of]))];
	const isPublished = absent.some(({ when }) => when === 'became');
	return new InputError(
		`No ${nouns.join(' or ')} were found`,
		sentences(
			locations.length === 0 && `The account has no locations. ${location.whyEmpty}`,
			locations.length > 0 && `Looked at ${listed(locations.map(idIn), MAX_LOCATIONS)}`,
			isPublished && "Check that 'Published Status' under Options is what your service calls it",
			...notes,
			'Fetch Test Event shows a record of your account, so it needs one. Once the workflow is active, it starts with the next one',
		),
	);
}
