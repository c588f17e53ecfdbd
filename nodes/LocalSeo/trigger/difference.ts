import type { JsonObject } from '../client';
import { eventOf, type EventType, isOfScore, type TriggerEvent } from './events';
import type { Fields } from './fields';
import { idIn, type Known, keyOfId } from './known';
import type { Settings } from './settings';

/** The settings of a comparison. */
interface Comparison {
	settings: Settings;
	/** The chosen events of the list. */
	types: EventType[];
	/** The names of those that have to learn first. */
	learns?: string[];
	/** The watched fields; absent if their changes are not watched. */
	fields?: Fields;
	/** The location that the records belong to; absent for locations themselves. */
	location?: JsonObject;
}

/** A record of a list, what to remember of it, and what was; `before` is absent of a new one. */
export interface Listed {
	record: JsonObject;
	now: Known;
	before?: Known;
}

export interface Difference {
	events: TriggerEvent[];
	listed: Listed[];
	/** Records that are not listed, for the first and for the second time. */
	missing: Known[];
	gone: Known[];
}

/**
 * The difference of two lists: its events, and what to remember.
 *
 * @param known absent for the first reading, which only learns
 */
export function difference(
	known: Known[] | undefined,
	records: JsonObject[],
	comparison: Comparison,
): Difference {
	const earlier = new Map(known?.map((one) => [one.key, one]));
	const events: TriggerEvent[] = [];
	const listed = records.map((record): Listed => {
		const key = keyOfId(idIn(record));
		const before = earlier.get(key);
		earlier.delete(key);
		const isNew = known !== undefined && !before;
		const compared = compareRecord(record, before, isNew, comparison);
		events.push(...compared.events);
		return { record, before, now: compared.now };
	});
	const [gone, missing] = [true, false].map((isMissing) =>
		[...earlier.values()].filter((one) => Boolean(one.isMissing) === isMissing),
	);
	const { types, learns = [], location } = comparison;
	for (const type of types) {
		if (type.when !== 'removed' || learns.includes(type.name)) continue;
		for (const one of gone) events.push(removedEvent(type, one, location!));
	}
	return {
		events,
		listed,
		missing: missing.map((one) => ({ ...one, isMissing: true })),
		gone,
	};
}

/**
 * Compares a record with what is remembered of it.
 *
 * @param isNew true if it was not listed before, although its list was
 */
export function compareRecord(
	record: JsonObject,
	before: Known | undefined,
	isNew: boolean,
	comparison: Comparison,
): { now: Known; events: TriggerEvent[] } {
	const { types, learns = [], fields, location = record } = comparison;
	const now: Known = { key: keyOfId(idIn(record)), hash: fields?.hashOf(record) ?? '' };
	const events = types.flatMap((type) => {
		// For an event that has to learn, this is the first reading.
		const compared = learns.includes(type.name)
			? { record, now, isNew: false }
			: { record, now, isNew, before };
		const more = happens(type, compared, comparison);
		return more ? [eventOf(type, record, location, more)] : [];
	});
	return { now, events };
}

/** The details of an event of a record; undefined if it does not happen. It notes score and status. */
function happens(
	type: EventType,
	{ record, now, before, isNew }: Listed & { isNew: boolean },
	{ fields, settings }: Comparison,
): Partial<TriggerEvent> | undefined {
	if (type.when === 'added') return isNew ? {} : undefined;
	if (type.when === 'changed') {
		const changed = before && fields?.changed(record, before, now);
		return changed && { changed };
	}
	if (type.when === 'became') {
		const earlier = isNew ? false : before?.isPublished;
		if (Object.hasOwn(record, 'status')) {
			now.isPublished = record.status === settings.publishedStatus;
		} else {
			// A status that is missing once says nothing; if none was ever seen, the post is not published.
			now.isPublished = earlier ?? (before ? false : undefined);
		}
		return now.isPublished && earlier === false ? {} : undefined;
	}
	if (!isOfScore(type)) return undefined;
	const { reference, more } = moveOf(type, before?.scores?.[type.when], record, settings);
	if (reference !== undefined) now.scores = { ...now.scores, [type.when]: reference };
	return more;
}

/** A rank score, also one that is given as text; undefined if it is no number. */
export function scoreIn({ rank_score: score }: JsonObject): number | undefined {
	const isText = typeof score === 'string' && score.trim() !== '';
	const number = isText ? Number(score) : score;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Compares a score with the last reported one. A drop counts from the highest score since then, a rise
 * from the lowest, so that small steps add up.
 */
function moveOf(
	{ when }: EventType,
	earlier: number | undefined,
	record: JsonObject,
	{ minimumChange }: Settings,
): { reference?: number; more?: Partial<TriggerEvent> } {
	const score = scoreIn(record);
	if (score === undefined) return { reference: earlier };
	if (earlier === undefined) return { reference: score };
	// Without the digits that a difference of fractions adds: 70.5 - 69.2 is 1.3.
	const change = Number((score - earlier).toPrecision(12));
	const distance = when === 'down' ? -change : when === 'up' ? change : Math.abs(change);
	if (distance < 0) return { reference: score };
	if (distance === 0 || distance < minimumChange) return { reference: earlier };
	const before = { rank_score: earlier };
	return { reference: score, more: { before, changed: ['rank_score'], change } };
}

/** The event of a keyword that was removed: what is remembered of it. */
function removedEvent(type: EventType, { id, text }: Known, location: JsonObject): TriggerEvent {
	const record = { id, location_id: location.id, ...(text !== '' && { keyword: text }) };
	return eventOf(type, record, location);
}
