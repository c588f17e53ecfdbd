import pick from 'lodash/pick';

import { idOf, type JsonObject } from '../client';
import { keyword, location as resource, post } from '../resources';
import { InputError } from '../text/inputError';
import { sentences } from '../text/words';
import { type Found, keyIn, keyOfId } from './diff';
import { eventOf, type EventType, isOfScore, type TriggerEvent, type Watched } from './events';
import { type Reader, readFirst, readRecords } from './reader';
import type { Round } from './round';
import { readScans } from './scanPages';
import { exampleOfScan } from './scans';
import { assertFields, eventsOf, KEPT, type Settings } from './settings';

/** The most locations, and keywords of each, of which records are read. */
const MOST = 3;
const NOTE = 'A sample: a record from your account, to which nothing has happened just now';

/** A record with its location and, of a scan, its keyword. */
type Example = Found & { location: JsonObject; keyword?: JsonObject };

/**
 * Records of the account in the form of the chosen events, to build a workflow with: one for each event
 * that has a record. Nothing in them is invented.
 *
 * @throws ServiceError if a list can't be read, and InputError if there is no record, or for a field to
 * watch that no record has
 */
export async function sampleEvents(round: Round): Promise<TriggerEvent[]> {
	const { settings } = round.reader;
	const examples: Partial<Record<Watched, Example[]>> = {};
	const exampleFor = (type: EventType) =>
		examples[type.of]?.find((one) => isFor(type, one, settings));
	const lists = [...new Set(settings.events.map(({ of }) => of))];
	const locations = await round.within(someLocations);
	for (const location of locations) {
		for (const of of lists) {
			if (eventsOf(settings, of).every(exampleFor)) continue;
			const more = await round.within((reader) => examplesOf(reader, of, location));
			examples[of] = [...(examples[of] ?? []), ...more];
		}
	}
	for (const of of lists) {
		const records = (examples[of] ?? []).map(({ record }) => record);
		round.noteFields(of, records);
	}
	assertFields(settings, round.fieldNames);
	const absent = settings.events.filter((type) => !exampleFor(type));
	const labels = absent.map(({ label }) => label).join(', ');
	const sample = sentences(NOTE, labels && `No record was found for ${labels}`);
	const samples = settings.events.flatMap((type) => {
		const example = exampleFor(type);
		return example ? [{ sample, ...sampleOf(type, example) }] : [];
	});
	// Otherwise, the editor would show nothing.
	if (samples.length === 0) throw nothingFound(labels, locations.length);
	return samples;
}

/** The first of the watched locations. */
async function someLocations(reader: Reader): Promise<JsonObject[]> {
	const { locationIds } = reader.settings;
	if (locationIds.length === 0) return (await readFirst(reader, resource)).slice(0, MOST);
	const picked = new Set(locationIds.map(keyOfId));
	const all = await readRecords(reader, resource);
	return all.filter((one) => picked.has(keyIn(one))).slice(0, MOST);
}

async function examplesOf(reader: Reader, of: Watched, location: JsonObject): Promise<Example[]> {
	if (of === 'locations') return [{ record: location, location }];
	const records = await readFirst(reader, of === 'posts' ? post : keyword, location);
	if (of !== 'scans') return records.map((record) => ({ record, location }));
	for (const record of records.slice(0, MOST)) {
		const newest = exampleOfScan(await readScans(reader, record), reader.settings);
		if (newest) return [{ ...newest, location, keyword: record }];
	}
	return [];
}

const isFor = ({ when }: EventType, { record }: Example, { publishedStatus }: Settings) =>
	when !== 'became' || record.status === publishedStatus;

/** An example in the form of an event: the score is the one before, too, and of a removed record less is known. */
function sampleOf(type: EventType, { location, ...example }: Example): TriggerEvent {
	const { rank_score } = location;
	const ofScore = isOfScore(type) && { before: { rank_score }, change: 0 };
	const kept = { ...pick(example.record, KEPT), location_id: idOf(location) };
	const ofRemoved = type.when === 'removed' && { record: kept };
	return eventOf(type, location, { ...example, ...ofScore, ...ofRemoved });
}

function nothingFound(labels: string, count: number): InputError {
	return new InputError(
		`No record was found for ${labels}`,
		sentences(
			count === 0 && 'The account has none of the locations to watch',
			count > 0 && `Of the locations to watch, the first ${count} were looked at`,
			"Check 'Location Names or IDs' and, for published posts, 'Published Status' under Options",
			'Once the workflow is active, it starts with the next record',
		),
	);
}
