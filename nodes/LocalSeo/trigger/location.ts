import type { JsonObject } from '../client';
import type { Identified } from './identified';
import { addedEvent, sampleOfChange, type TriggerEvent } from './event';
import { differenceOf, type Fingerprint, fingerprintsOf } from './fingerprints';
import type {
	AccountMemory,
	Direction,
	EventOption,
	EventType,
	Settings,
	Subject,
} from './subject';

/** What is remembered of a location's own record. */
export interface LocationRecordMemory {
	/** Of the watched fields. */
	fingerprints: Fingerprint[];
	/** The rank score with which the next one is compared, by the name of the event. */
	rankScores: Record<string, number>;
}

const locationAdded: EventType = {
	name: 'locationAdded',
	isForEveryLocation: true,
	sample: ({ location }) => addedEvent('locationAdded', location, location),
};

const locationChanged: EventType = {
	name: 'locationChanged',
	options: ['fieldsToWatch'],
	sample: ({ location }, { fieldsToWatch }) =>
		sampleOfChange('locationChanged', location, location, fieldsToWatch),
};

interface RankScoreEvent extends EventType {
	/** The direction in which the rank score has to move. */
	direction(settings: Settings): Direction;
}

function rankScoreEvent(
	name: string,
	options: EventOption[],
	direction: RankScoreEvent['direction'],
): RankScoreEvent {
	const sample: EventType['sample'] = ({ location }, settings) => {
		const { rank_score: score } = location;
		if (typeof score !== 'number') return undefined;
		const step = Math.max(1, Math.ceil(settings.minimumChange));
		const earlier = direction(settings) === 'up' ? score - step : score + step;
		return movedScore(name, location, earlier, score);
	};
	return { name, options, direction, sample };
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

/** Each remembers the score with which it compares the next one. They are stored in this order. */
const rankScoreEvents = [
	rankScoreEvent('rankScoreChanged', ['direction', 'minimumChange'], ({ direction }) => direction),
	rankScoreEvent('rankScoreDropped', ['minimumChange'], () => 'down'),
	rankScoreEvent('rankScoreRose', ['minimumChange'], () => 'up'),
];

export const locationSubject: Subject<LocationRecordMemory> = {
	events: [locationAdded, locationChanged, ...rankScoreEvents],
	lists: [],
	learn,
	learnEmpty: () => ({}),

	compare({ account, location: known }, { location }, settings) {
		const events: TriggerEvent[] = [];
		const { changed, before } = differenceOf(location, account.fields, known.fingerprints);
		if (settings.events.has(locationChanged.name) && changed.length > 0) {
			events.push({ event: locationChanged.name, record: location, before, changed, location });
		}
		const { rankScores, moved } = compareRankScore(known.rankScores, location, settings);
		events.push(...moved);
		const fingerprints = fingerprintsOf(location, account.fields);
		return { events, remembered: { account, location: { fingerprints, rankScores } } };
	},
};

/** The event of a location that was not there before. */
export function addedLocationEvents(location: Identified, { events }: Settings): TriggerEvent[] {
	const { name } = locationAdded;
	return events.has(name) ? [addedEvent(name, location, location)] : [];
}

function learn(
	location: Identified,
	{ fields }: AccountMemory,
	settings: Settings,
): LocationRecordMemory {
	const { rankScores } = compareRankScore({}, location, settings);
	return { fingerprints: fingerprintsOf(location, fields), rankScores };
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
	for (const { name, direction } of rankScoreEvents) {
		if (!settings.events.has(name)) continue;
		const reference = known[name] ?? score;
		const change = direction(settings) === 'down' ? reference - score : score - reference;
		const distance = direction(settings) === 'both' ? Math.abs(change) : change;
		const isReported = distance > 0 && distance >= settings.minimumChange;
		if (isReported) moved.push(movedScore(name, location, reference, score));
		// Small steps add up, so the score is compared with the last reported one. A rise counts from
		// the lowest score since then, a fall from the highest.
		rankScores[name] = isReported || distance < 0 ? score : reference;
	}
	return { rankScores, moved };
}

/** In the order of the events. */
export type StoredRankScores = Array<number | null>;

export function packRankScores(rankScores: Record<string, number>): StoredRankScores {
	return rankScoreEvents.map(({ name }) => rankScores[name] ?? null);
}

export function unpackRankScores(stored: StoredRankScores): Record<string, number> {
	const known = stored.map((score, index) => [rankScoreEvents[index].name, score] as const);
	return Object.fromEntries(known.filter((entry): entry is [string, number] => entry[1] !== null));
}
