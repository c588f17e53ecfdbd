import { createdAt, isEmpty, type JsonObject } from '../client';
import { keywordsCountOf } from './keyword';
import {
	addedFields,
	subtractExactly,
	memoryKey,
	type KnownFields,
	rememberedFields,
	numberIn,
} from './records';
import { sampleChange } from './sampleChange';
import { lastScanOf, lastScanTime } from './scan';
import { isWatched, type Settings } from './settings';
import {
	addedEvent,
	changedEvents,
	type EventType,
	type LocationMemory,
	type Changes,
	type TriggerEvent,
	type Watch,
} from './subject';

/** The most unlisted locations that are remembered, so that one that returns is not new. */
const MAX_GONE = 1_000;

const locationAdded: EventType = {
	name: 'locationAdded',
	label: 'Location Added',
	description: 'A location was added to the account, whichever locations you select below',
	records: 'locations',
	sample: ({ location }) => addedEvent('locationAdded', location, location),
};

const locationChanged: EventType = {
	name: 'locationChanged',
	label: 'Location Changed',
	description: 'A field of a location changed: any field, or one of those in Fields to Watch',
	records: 'locations',
	sample: ({ location }, { fieldsToWatch }) => {
		const names = fieldsToWatch.length > 0 ? fieldsToWatch : ['status', 'name'];
		return sampleChange('locationChanged', location, location, names);
	},
};

/** The least change of the score in a sample. */
const SAMPLE_STEP = 5;

/** @param direction the direction in which the score has to move; absent: as set by the user */
function rankScoreEvent(
	verb: string,
	became: string,
	direction?: Settings['direction'],
): EventType & { direction?: Settings['direction'] } {
	const name = `rankScore${verb}`;
	return {
		name,
		label: `Rank Score ${verb}`,
		description: `The rank score of a location ${became}`,
		records: 'rank scores',
		sample: ({ location }, { minimumChange, direction: chosen }) => {
			const score = numberIn(location.rank_score);
			if (score === undefined) return undefined;
			const step = Math.max(minimumChange, SAMPLE_STEP);
			const isRise = (direction ?? chosen) === 'up';
			return scoreEvent(name, location, score + (isRise ? -step : step), score);
		},
		direction,
	};
}

/** Each event remembers the score with which it compares the next one. */
export const rankScoreEvents = [
	rankScoreEvent('Changed', 'changed'),
	rankScoreEvent('Dropped', 'became lower', 'down'),
	rankScoreEvent('Rose', 'became higher', 'up'),
];

/** Events that come from the list of locations itself. */
export const locationEvents = [locationAdded, locationChanged, ...rankScoreEvents];

function scoreEvent(
	event: string,
	location: JsonObject,
	earlier: number,
	score: number,
): TriggerEvent {
	const before = { rank_score: earlier };
	const changed = ['rank_score'];
	return {
		event,
		record: location,
		before,
		changed,
		change: subtractExactly(score, earlier),
		location,
	};
}

export const ODD_SCORES = 'Rank scores that are not numbers are left out';

/** True if a rank score is not empty, and not a number that can be compared. */
export function hasOddScore({ rank_score: score }: JsonObject): boolean {
	return !isEmpty(score) && numberIn(score) === undefined;
}

/** Keys are IDs as `memoryKey` shortens them. */
export type Memories = Map<string, LocationMemory>;

/** Compares the list of locations with the memory of them. Pure; the first poll only learns. */
export function compareListing(
	memories: Memories,
	listed: JsonObject[],
	watch: Watch,
): { events: TriggerEvent[]; memories: Memories } {
	// An account does not lose all its locations at once, so an empty list is ignored.
	if (listed.length === 0) return { events: [], memories };
	const { settings, account } = watch;
	const isAddedWatched = settings.events.has(locationAdded.name);
	const watched = listed.filter((location) => isAddedWatched || isWatched(location, settings));
	const ids = new Set(watched.map(memoryKey));
	const gone = [...memories].filter(([id]) => !ids.has(id)).slice(-MAX_GONE);
	const updated: Memories = new Map(gone);
	const known = [...memories.values()].map(({ fields }) => fields);
	const added = addedFields(known, listed);
	const events: TriggerEvent[] = [];
	for (const location of watched) {
		const id = memoryKey(location);
		const memory = memories.get(id);
		if (!memory && isAddedWatched && account.polls > 1) {
			events.push(addedEvent(locationAdded.name, location, location));
		}
		const isCompared = memory && isWatched(location, settings);
		const changes = isCompared ? compareLocation(memory, location, added, settings) : undefined;
		events.push(...(changes?.events ?? []));
		updated.set(id, changes?.memory ?? memory ?? learn(location, watch));
	}
	return { events, memories: updated };
}

/**
 * The first memory of a location. If it was created since the first poll, everything in it will be new;
 * otherwise, nothing that is there now.
 */
function learn(location: JsonObject, { settings, account }: Watch): LocationMemory {
	const isNew = account.polls > 1 && (createdAt(location) ?? Infinity) > account.since;
	const unseen = { keywords: [], posts: [], knownScans: [], scansAfter: 0 };
	return {
		fields: watchedFields(location, settings),
		rankScores: compareRankScore({}, location, settings).rankScores,
		keywordsCount: isNew ? 0 : keywordsCountOf(location),
		lastScanAt: isNew ? null : lastScanOf(location),
		...(isNew ? unseen : { scansAfter: lastScanTime(location, account) }),
		checkedAt: account.polls,
	};
}

/** @param added fields that the service has added to all its locations */
function compareLocation(
	memory: LocationMemory,
	location: JsonObject,
	added: string[],
	settings: Settings,
): Changes {
	const fields = watchedFields(location, settings);
	const changes =
		memory.fields && fields
			? changedEvents(locationChanged.name, location, location, [memory.fields, fields], added)
			: [];
	const { rankScores, moved } = compareRankScore(memory.rankScores, location, settings);
	return { events: [...changes, ...moved], memory: { ...memory, fields, rankScores } };
}

function watchedFields(
	location: JsonObject,
	{ events, fieldsToWatch }: Settings,
): KnownFields | undefined {
	return events.has(locationChanged.name) ? rememberedFields(location, fieldsToWatch) : undefined;
}

/** Returns the scores to remember from now on, and the events of those that have moved far enough. */
function compareRankScore(
	known: Record<string, number>,
	location: JsonObject,
	settings: Settings,
): { rankScores: Record<string, number>; moved: TriggerEvent[] } {
	const score = numberIn(location.rank_score);
	const rankScores = { ...known };
	const moved: TriggerEvent[] = [];
	if (score === undefined) return { rankScores, moved };
	for (const { name, direction = settings.direction } of rankScoreEvents) {
		if (!settings.events.has(name)) continue;
		const reference = known[name] ?? score;
		const rise = subtractExactly(score, reference);
		const change = direction === 'down' ? -rise : rise;
		const distance = direction === 'both' ? Math.abs(change) : change;
		const isReported = distance > 0 && distance >= settings.minimumChange;
		if (isReported) moved.push(scoreEvent(name, location, reference, score));
		// Small steps add up, so the score is compared with the last reported one. A rise counts from the
		// lowest score since then, a fall from the highest.
		rankScores[name] = isReported || distance < 0 ? score : reference;
	}
	return { rankScores, moved };
}
