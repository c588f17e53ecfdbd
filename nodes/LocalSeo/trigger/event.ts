import type { JsonObject } from '../client';
import { fieldOf, watchedFields } from './records';

/** An event starts the workflow with one item. */
export interface TriggerEvent {
	event: string;
	/** The record, as the service returns it; for a removed keyword, what was remembered of it. */
	record: JsonObject;
	/** Earlier values of the changed fields, if they are short; for a scan, the previous scan. */
	before: JsonObject | null;
	/** Names of the fields that changed. */
	changed: string[];
	/** Of a rank score: by how much it changed; negative where it dropped. */
	change?: number;
	/** The location that the record belongs to, or is. */
	location: JsonObject;
	/** The keyword that a scan belongs to. */
	keyword?: JsonObject;
	/** Says that this is a test event; no other event has it. */
	sample?: string;
}

export function addedEvent(event: string, record: JsonObject, location: JsonObject): TriggerEvent {
	return { event, record, before: null, changed: [], location };
}

/**
 * A sample of an event about a change. As nothing has changed, the earlier values are the current
 * ones.
 *
 * @param wanted names of fields; empty: all
 */
export function sampleOfChange(
	event: string,
	record: JsonObject,
	location: JsonObject,
	wanted?: string[],
): TriggerEvent {
	const names = watchedFields(record, wanted);
	const before = Object.fromEntries(names.map((name) => [name, fieldOf(record, name)]));
	return { event, record, before, changed: names, location };
}
