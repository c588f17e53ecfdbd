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
	const sample: EventType['sample'] = ({ location }) =>
		sampleOfChange(name, location, location, ['rank_score']);
	return { name, options, direction, sample };
}

/** Each remembers the score with which it compares the next one. */
const rankScoreEvents = [
	rankScoreEvent('rankScoreChanged', ['direction', 'minimumChange'], ({ direction }) => direction),
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
		for (const event of moved) {
			const earlier = { rank_score: known.rankScores[event] };
			const changed = ['rank_score'];
			events.push({ event, record: location, before: earlier, changed, location });
		}
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

/** The scores to remember from now on, and the events for which the score has moved far enough. */
function compareRankScore(
	known: Record<string, number>,
	{ rank_score: score }: JsonObject,
	settings: Settings,
): { rankScores: Record<string, number>; moved: string[] } {
	const rankScores = { ...known };
	const moved: string[] = [];
	if (typeof score !== 'number') return { rankScores, moved };
	for (const { name, direction } of rankScoreEvents) {
		if (!settings.events.has(name)) continue;
		const reference = known[name] ?? score;
		const change = direction(settings) === 'down' ? reference - score : score - reference;
		const distance = direction(settings) === 'both' ? Math.abs(change) : change;
		const isReported = distance > 0 && distance >= settings.minimumChange;
		if (isReported) moved.push(name);
		// Small steps add up, so the score is compared with the last reported one. A rise counts from
		// the lowest score since then, a fall from the highest.
		rankScores[name] = isReported || distance < 0 ? score : reference;
	}
	return { rankScores, moved };
}

/** Stored as a number while only one event compares scores. */
export type StoredRankScores = Record<string, number> | number | null;

const [{ name: RANK_SCORE_CHANGED }] = rankScoreEvents;

export function packRankScores(rankScores: Record<string, number>): StoredRankScores {
	const names = Object.keys(rankScores);
	if (names.some((name) => name !== RANK_SCORE_CHANGED)) return rankScores;
	return rankScores[RANK_SCORE_CHANGED] ?? null;
}

export function unpackRankScores(stored: StoredRankScores): Record<string, number> {
	if (stored === null) return {};
	return typeof stored === 'number' ? { [RANK_SCORE_CHANGED]: stored } : stored;
}
