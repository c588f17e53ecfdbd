import { isEmpty, type JsonObject } from '../client';
import { rememberedFields } from './records';
import type { TriggerEvent } from './subject';

/** The status before each, for a sample. */
const EARLIER_STATUS: Record<string, string> = {
	active: 'paused',
	live: 'scheduled',
	posted: 'scheduled',
	published: 'scheduled',
	scheduled: 'draft',
};

/**
 * The event of a record in which one field has changed, for a sample. The earlier value is made up: the
 * current one would not look like a change.
 *
 * @param names of the fields that may have changed, the best first
 */
export function sampleChange(
	event: string,
	record: JsonObject,
	location: JsonObject,
	names: string[],
): TriggerEvent | undefined {
	const others = Object.keys(rememberedFields(record));
	const name = [...names, ...others].find((one) => !isEmpty(record[one]));
	if (name === undefined) return undefined;
	const before = { [name]: earlierThan(record[name]) };
	return { event, record, before, changed: [name], location };
}

function earlierThan(value: unknown): unknown {
	if (typeof value === 'number') return value - 1;
	if (typeof value === 'boolean') return !value;
	if (typeof value !== 'string' || /^\d{4}-\d\d-\d\d/.test(value)) return null;
	return Object.hasOwn(EARLIER_STATUS, value) ? EARLIER_STATUS[value] : `${value} (before)`;
}
