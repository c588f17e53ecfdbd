import type { JsonObject } from '../client';
import { eventOf, type EventType, isOfScore, type TriggerEvent } from './events';
import { CHECK_LENGTH, FIELD_LENGTH, idIn, type Known, keyOfId, shortHash } from './known';
import type { Settings } from './settings';

/** The most fields of a list that are watched. */
const MAX_FIELDS = 40;
/** Fields that say nothing about a change: each record has its own, for good. */
const CONSTANT = ['id', 'location_id', 'created_at'];

/** The settings of a comparison. */
interface Comparison {
	settings: Settings;
	/** The chosen events of the list. */
	types: EventType[];
	/** The location that the records belong to; absent for locations themselves. */
	location?: JsonObject;
}

interface Difference {
	events: TriggerEvent[];
	/** The records of the list: what to remember of each, and what was; `before` is absent of a new one. */
	listed: Array<{ record: JsonObject; now: Known; before?: Known }>;
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
	{ settings, types, location }: Comparison,
): Difference {
	const names = fieldsToCompare(known ?? [], records, { settings, types, location });
	const earlier = new Map(known?.map((one) => [one.key, one]));
	const listed = records.map((record) => {
		const key = keyOfId(idIn(record));
		const before = earlier.get(key);
		earlier.delete(key);
		const now: Known = { key, ...fingerprint(record, names) };
		return { record, before, now };
	});
	const [gone, missing] = [true, false].map((isMissing) =>
		[...earlier.values()].filter((one) => Boolean(one.isMissing) === isMissing),
	);
	const events = listed.flatMap(({ record, before, now }) =>
		types.flatMap((type) => {
			const isNew = known !== undefined && !before;
			const more = happens(type, { record, isNew, before, now }, settings);
			return more ? [eventOf(type, record, location ?? record, more)] : [];
		}),
	);
	const removed = types
		.filter(({ when }) => when === 'removed')
		.flatMap((type) => gone.map((one) => removedEvent(type, one, location!)));
	return {
		events: [...events, ...removed],
		listed,
		missing: missing.map((one) => ({ ...one, isMissing: true })),
		gone,
	};
}

/** A record, and what was and will be remembered of it. */
interface Compared {
	record: JsonObject;
	/** True if it was not listed before, although its list was. */
	isNew: boolean;
	before?: Known;
	now: Known;
}

/** The details of an event of a record; undefined if it does not happen. It notes score and status. */
function happens(
	type: EventType,
	{ record, isNew, before, now }: Compared,
	settings: Settings,
): Partial<TriggerEvent> | undefined {
	if (type.when === 'added') return isNew ? {} : undefined;
	if (type.when === 'changed') {
		const changed = before && changedFields(record, before, now);
		return changed && { changed };
	}
	if (type.when === 'became') {
		if (record.status !== settings.publishedStatus) return undefined;
		now.isPublished = true;
		const hasBecome = before && !before.isPublished;
		return isNew ? {} : hasBecome ? { changed: ['status'] } : undefined;
	}
	if (!isOfScore(type)) return undefined;
	const { reference, more } = moveOf(type, before?.scores?.[type.when], record, settings);
	if (reference !== undefined) now.scores = { ...now.scores, [type.when]: reference };
	return more;
}

const hashOfField = (value: unknown = null) => shortHash(value, FIELD_LENGTH);

function fingerprint(record: JsonObject, names: string[]): Pick<Known, 'check' | 'fields'> {
	const fields = new Map(names.map((name) => [name, hashOfField(record[name])]));
	const values = [...names].sort().map((name) => record[name] ?? null);
	return { fields, check: shortHash(values, CHECK_LENGTH) };
}

/** The watched fields that changed, as far as their hashes are long enough to say so; undefined if none did. */
function changedFields(record: JsonObject, before: Known, now: Known): string[] | undefined {
	const known = [...before.fields.keys()];
	const watched = known.filter((name) => now.fields.has(name));
	const changed = watched.filter(
		(name) => !now.fields.get(name)!.startsWith(before.fields.get(name)!),
	);
	const isSame = watched.length < known.length || fingerprint(record, known).check === before.check;
	return changed.length > 0 || !isSame ? changed : undefined;
}

/**
 * The names of the fields to compare: those that are watched or, if it is all of them, those that were
 * known and those that a record has now. A field that none of the records had before is learned.
 */
function fieldsToCompare(
	known: Known[],
	records: JsonObject[],
	{ settings: { fieldsToWatch }, types, location }: Comparison,
): string[] {
	if (!types.some(({ when }) => when === 'changed')) return [];
	if (!location && fieldsToWatch.length > 0) return fieldsToWatch;
	const before = known.flatMap(({ fields }) => [...fields.keys()]);
	const names = new Set([...before, ...records.flatMap((one) => Object.keys(one))]);
	return [...names].filter((name) => !CONSTANT.includes(name)).slice(0, MAX_FIELDS);
}

/**
 * Compares a score with the last reported one. A drop counts from the highest score since then, a rise
 * from the lowest, so that small steps add up.
 */
function moveOf(
	{ when }: EventType,
	earlier: number | undefined,
	{ rank_score: score }: JsonObject,
	{ minimumChange }: Settings,
): { reference?: number; more?: Partial<TriggerEvent> } {
	if (typeof score !== 'number') return { reference: earlier };
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
function removedEvent(type: EventType, { words }: Known, location: JsonObject): TriggerEvent {
	const record = { id: words?.id, location_id: location.id, keyword: words?.text };
	const known = Object.entries(record).filter(([, value]) => value !== undefined && value !== '');
	return eventOf(type, Object.fromEntries(known), location);
}
