import type { IDataObject } from 'n8n-workflow';

import { createdAt } from '../client/envelope';
import { timeOf } from '../client/time';
import type { Event } from './event';
import { differenceOf, marksOf } from './marks';
import type { LocationMemory, State } from './state';
import type { Watch } from './watch';

/** Times may be in whole seconds: so much later (milliseconds) is still the same. */
const SAME_SECOND = 999;

/** What is remembered of a location at first; nothing of it is told. */
export function learn(state: State, location: IDataObject): LocationMemory {
	const lastScan = timeOf(location.last_scan_at);
	return {
		marks: marksOf(location, state.fields),
		score: scoreOf(location),
		...signsOf(location),
		// A location that was never scanned: whatever comes is later than all that is known.
		scansAfter: lastScan ? lastScan + SAME_SECOND : state.newest,
		scansSeen: '',
		lookedAt: state.polls,
		missing: 0,
	};
}

/**
 * What is remembered of a location that was not there at the poll before: all that it has is new.
 * One that is older than what was listed then was only out of sight, and is learned.
 */
export function meet(state: State, location: IDataObject): LocationMemory {
	const created = createdAt(location);
	if (created !== undefined && created < (state.newest || state.since)) {
		return learn(state, location);
	}
	return {
		...learn(state, location),
		...{ lastScanAt: null, keywordsCount: 0, scansAfter: 0 },
		keywords: new Map(),
		posts: new Map(),
	};
}

/** Where one of them moved, there is more to see (assumed; docs/assumptions.md). */
export function signsOf({ last_scan_at, keywords_count }: IDataObject) {
	return {
		lastScanAt: typeof last_scan_at === 'string' ? last_scan_at : null,
		keywordsCount: typeof keywords_count === 'number' ? keywords_count : null,
	};
}

/** What the record itself shows: changed fields, and the rank score. Brings the memory up to date. */
export function compare(
	watch: Watch,
	state: State,
	memory: LocationMemory,
	location: IDataObject,
): Event[] {
	const events: Event[] = [];
	const { changed, before } = differenceOf(location, state.fields, memory.marks);
	memory.marks = marksOf(location, state.fields);
	if (watch.events.has('locationChanged') && changed.length > 0) {
		events.push({ event: 'locationChanged', record: location, before, changed, location });
	}

	const score = scoreOf(location);
	const told = memory.score;
	if (score === null || told === null) {
		memory.score = score ?? told;
	} else if (isTold(watch, score - told)) {
		memory.score = score;
		if (watch.events.has('rankScoreChanged')) {
			events.push({
				event: 'rankScoreChanged',
				record: location,
				before: { rank_score: told },
				changed: ['rank_score'],
				location,
			});
		}
	} else if (isOtherWay(watch, score - told)) {
		memory.score = score;
	}
	return events;
}

/** Small steps add up: the score is held against what was last told. */
function isTold({ direction, minimumChange }: Watch, change: number): boolean {
	const isWanted = direction === 'both' || (direction === 'up' ? change > 0 : change < 0);
	return change !== 0 && isWanted && Math.abs(change) >= minimumChange;
}

/** A rise counts from the lowest point, a fall from the highest. */
function isOtherWay({ direction }: Watch, change: number): boolean {
	return (direction === 'up' && change < 0) || (direction === 'down' && change > 0);
}

function scoreOf({ rank_score: score }: IDataObject): number | null {
	return typeof score === 'number' ? score : null;
}
