import type { JsonObject } from '../client';
import type { KnownField, Resource } from './resource';

/** Fields that the service sets itself, and the location's ID, which is in the path. */
const SET_BY_SERVICE = /^(_?id|uuid|location_id|(.+_)?(count|score)|.+_at)$/;
/** Times that a user decides on: when something is to happen, not when it has happened. */
const SET_BY_USER = /^(.+_)?(publish|scheduled?|starts?|begins?|ends?|expires?)_at$/;
/** `publish_at`, `scheduledFor`, `publish_date`: when something is to happen, not when it has. */
const SCHEDULE = /^(.+_)?(publish|schedule|scheduled|go_live)(_(at|on|for|date|time|datetime))?$/;

/** Fields whose values only a service knows, whatever a row says: rows that it gave have them, too. */
const SERVICE_ONLY =
	/^((created|updated|modified|deleted|submitted)_(at|on)|last_.+_(at|on)|rank_score|keywords_count)$/;

/** The fields that can be sent, as far as they are known: those of the resource, and those seen in records. */
interface SendableFields {
	/** An assumed field is in it if records have it, or if there are none. */
	known: KnownField[];
	/** Names of other fields that records have. */
	others: string[];
	/** Names of all fields that records have. */
	seen: Set<string>;
}

export function sendableFields({ fields }: Resource, records: JsonObject[]): SendableFields {
	const seen = new Set(records.flatMap((record) => Object.keys(record)));
	const known = fields.filter(({ id, isAssumed }) => !isAssumed || seen.size === 0 || seen.has(id));
	const others = [...seen].filter(
		(id) => isSetByUser(id) && !known.some((field) => field.id === id),
	);
	return { known, others, seen };
}

const ownNames = new WeakMap<Resource, string[]>();

/** Names of the fields of a resource that the node knows of itself, as far as a user decides on them. */
export function namesOf(resource: Resource): string[] {
	const { fields, leadingFields = [] } = resource;
	const names = ownNames.get(resource) ?? [
		...fields.map(({ id }) => id),
		...leadingFields.filter(isSetByUser),
	];
	ownNames.set(resource, names);
	return names;
}

/** `updatedAt` as `updated_at`: a record may have either. */
export function inSnakeCase(name: string): string {
	return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Whether a user decides on the value of a field, and not the service. */
export function isSetByUser(id: string): boolean {
	const name = inSnakeCase(id);
	return SET_BY_USER.test(name) || SCHEDULE.test(name) || !SET_BY_SERVICE.test(name);
}

/** Whether no user can mean to set a field: a column of that name is left over from a reading. */
export function isSetByServiceOnly(id: string): boolean {
	return SERVICE_ONLY.test(inSnakeCase(id));
}

/** Whether a field says by its name when something is to happen: `publish_at`, `scheduled_for`. */
export function isTime(id: string): boolean {
	const name = inSnakeCase(id);
	return (
		SET_BY_USER.test(name) || (SCHEDULE.test(name) && !/(publish|scheduled?|live)$/.test(name))
	);
}

/** Whether that is certain: `publish_time` may hold "09:00", beside a `publish_date`. */
export function isTimeForSure(id: string): boolean {
	return isTime(id) && /_(at|datetime)$/.test(inSnakeCase(id));
}

/** Whether a field says when something is to happen, such as the publication of a post. */
export function isSchedule(id: string): boolean {
	return SCHEDULE.test(inSnakeCase(id));
}
