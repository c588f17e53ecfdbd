import type { JsonObject } from '../client';
import { differenceOf, fingerprintsOf } from './records';
import type { Direction, Settings } from './settings';
import {
	addedEvent,
	type EventOption,
	type EventType,
	type Listed,
	type LocationMemory,
	type Outcome,
	sampleOfChange,
	type TriggerEvent,
} from './subject';

export const locationAdded: EventType = {
	name: 'locationAdded',
	label: 'Location Added',
	description: 'A location was added to the account, whichever locations you select below',
	sample: ({ location }) => addedEvent('locationAdded', location, location),
};

const locationChanged: EventType = {
	name: 'locationChanged',
	label: 'Location Changed',
	description: 'A field of a location changed: any field, or one of those in Fields to Watch',
	options: ['fieldsToWatch'],
	sample: ({ location }, { fieldsToWatch }) =>
		sampleOfChange('locationChanged', location, location, fieldsToWatch),
};

function rankScoreEvent(verb: string, became: string, options: EventOption[]): EventType {
	const name = `rankScore${verb}`;
	return {
		name,
		label: `Rank Score ${verb}`,
		description: `The rank score of a location ${became}`,
		options,
		sample: (listed, settings) => sampleScore(name, listed, settings),
	};
}

/** Each remembers the score with which it compares the next one. */
const rankScoreEvents = [
	rankScoreEvent('Changed', 'changed', ['direction', 'minimumChange']),
	rankScoreEvent('Dropped', 'became lower', ['minimumChange']),
	rankScoreEvent('Rose', 'became higher', ['minimumChange']),
];

/** The direction in which the rank score has to move for an event. */
function directionOf(event: string, settings: Settings): Direction {
	if (event === 'rankScoreChanged') return settings.direction;
	return event === 'rankScoreDropped' ? 'down' : 'up';
}

function sampleScore(event: string, { location }: Listed, settings: Settings) {
	const { rank_score: score } = location;
	if (typeof score !== 'number') return undefined;
	const step = Math.max(1, Math.ceil(settings.minimumChange));
	const earlier = directionOf(event, settings) === 'up' ? score - step : score + step;
	return movedScore(event, location, earlier, score);
}

function movedScore(
	event: string,
	location: JsonObject,
	earlier: number,
	score: number,
): TriggerEvent {
	const before = { rank_score: earlier };
	const changed = ['rank_score'];
	return { event, record: location, before, changed, change: score - earlier, location };
}

/** What is watched in the list of locations itself. */
export const locationEvents: EventType[] = [locationAdded, locationChanged, ...rankScoreEvents];

type RecordMemory = Pick<LocationMemory, 'fields' | 'rankScores'>;

export function learnRecord(location: JsonObject, settings: Settings): RecordMemory {
	return {
		fields: watchedFieldsOf(location, settings),
		rankScores: compareRankScore({}, location, settings).rankScores,
	};
}

/** @param added fields that the service has added to all its locations */
export function compareRecord(
	memory: LocationMemory,
	location: JsonObject,
	added: Set<string>,
	settings: Settings,
): Outcome {
	const events: TriggerEvent[] = [];
	const fields = watchedFieldsOf(location, settings);
	if (memory.fields && fields) {
		const difference = differenceOf(memory.fields, fields, added);
		const event = { event: locationChanged.name, record: location, ...difference, location };
		if (difference.changed.length > 0) events.push(event);
	}
	const { rankScores, moved } = compareRankScore(memory.rankScores, location, settings);
	return { events: [...events, ...moved], memory: { ...memory, fields, rankScores } };
}

export function watchedFieldsOf(
	location: JsonObject,
	{ events, fieldsToWatch }: Settings,
): LocationMemory['fields'] {
	return events.has(locationChanged.name) ? fingerprintsOf(location, fieldsToWatch) : undefined;
}

/** The scores to remember from now on, and the events of a score that has moved far enough. */
function compareRankScore(
	known: Record<string, number>,
	location: JsonObject,
	settings: Settings,
): { rankScores: Record<string, number>; moved: TriggerEvent[] } {
	const { rank_score: score } = location;
	const rankScores = { ...known };
	const moved: TriggerEvent[] = [];
	if (typeof score !== 'number') return { rankScores, moved };
	for (const { name } of rankScoreEvents) {
		if (!settings.events.has(name)) continue;
		const direction = directionOf(name, settings);
		const reference = known[name] ?? score;
		const change = direction === 'down' ? reference - score : score - reference;
		const distance = direction === 'both' ? Math.abs(change) : change;
		const isReported = distance > 0 && distance >= settings.minimumChange;
		if (isReported) moved.push(movedScore(name, location, reference, score));
		// Small steps add up, so the score is compared with the last reported one. A rise counts from
		// the lowest score since then, a fall from the highest.
		rankScores[name] = isReported || distance < 0 ? score : reference;
	}
	return { rankScores, moved };
}
