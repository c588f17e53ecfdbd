import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isEmpty, textOf } from '../client';
import { location, post, SET_BY_SERVICE } from '../resources';
import { InputError } from '../text/inputError';
import { namesIn } from '../text/parameterValues';
import { asValue, listed } from '../text/words';
import type { Watch } from './diff';
import { type Change, type EventType, eventTypes, isOfScore, type Watched } from './events';

/** The most fields in a message. */
export const MAX_FIELDS = 20;

/** The values of options that are not added, or left empty. */
export const DEFAULTS = {
	compareScansBy: 'device',
	minimumChange: 1,
	publishedStatus: 'published',
	scanTimeField: 'scanned_at',
};

/** The user's settings: what to watch. */
export interface Settings {
	/** The chosen events, in the order of the table. */
	events: EventType[];
	/** IDs of the locations to watch; empty: all. */
	locationIds: string[];
	/** Fields of locations and posts to watch; empty: all but those that the service sets. */
	fieldsToWatch: string[];
	/** The least distance of a rank score from the last reported one. */
	minimumChange: number;
	/** The field with the time at which a scan was over. */
	scanTimeField: string;
	/** A scan is compared with an earlier one that has the same values in these fields. */
	compareScansBy: string[];
	/** The status of a post that is published. */
	publishedStatus: string;
}

/** @throws InputError if no event is selected, or the change of a score is no number */
export function readSettings(context: IPollFunctions): Settings {
	const names = namesIn(context.getNodeParameter('events', []));
	const events = eventTypes.filter(({ name }) => names.includes(name));
	if (events.length === 0) {
		throw new InputError('No event is selected', "Select at least one event under 'Events'.");
	}
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const given = (name: keyof typeof DEFAULTS) =>
		isEmpty(options[name]) ? DEFAULTS[name] : options[name];
	const minimumChange = Number(given('minimumChange'));
	if (Number.isNaN(minimumChange)) {
		throw new InputError(
			"'Minimum Change' must be a number",
			`The current value is ${asValue(options.minimumChange)}. Change it under Options.`,
		);
	}
	return {
		events,
		locationIds: [...new Set(namesIn(context.getNodeParameter('locationIds', [])))].sort(),
		fieldsToWatch: namesIn(options.fieldsToWatch),
		minimumChange,
		scanTimeField: textOf(given('scanTimeField')).trim(),
		// Emptied by the user, a scan is compared with the one before, whatever it is of.
		compareScansBy: namesIn(options.compareScansBy ?? DEFAULTS.compareScansBy),
		publishedStatus: textOf(given('publishedStatus')).trim(),
	};
}

/** The chosen events of a list. */
export const eventsOf = ({ events }: Settings, watched: Watched): EventType[] =>
	events.filter(({ of }) => of === watched);

const hasEvent = (settings: Settings, watched: Watched, change: Change): boolean =>
	eventsOf(settings, watched).some(({ when }) => when === change);

/** The fields with which a removed keyword is reported, beside its location. */
export const KEPT = ['id', 'keyword'];

/** The changes to look for in a list, by the chosen events. */
export function watchOf(settings: Settings, watched: Watched): Watch {
	const { fieldsToWatch, minimumChange, publishedStatus } = settings;
	const directions = eventsOf(settings, watched).filter(isOfScore);
	return {
		fields: hasEvent(settings, watched, 'changed') ? fieldsToWatch : undefined,
		publishedStatus: hasEvent(settings, watched, 'became') ? publishedStatus : undefined,
		scores: { directions: directions.map(({ when }) => when), minimumChange },
		keeps: hasEvent(settings, watched, 'removed') ? KEPT : undefined,
	};
}

/** The names of the fields that the records of a list have; absent of one that was not read. */
export type FieldNames = Partial<Record<Watched, Set<string>>>;

/** The resources whose fields can be watched. */
const WATCHED = { locations: location, posts: post };

/** Those of them whose changes are watched. */
const watchedLists = (settings: Settings) =>
	(['locations', 'posts'] as const).filter((one) => hasEvent(settings, one, 'changed'));

/**
 * The names in Fields to Watch that no record has. Each list whose changes are watched needs a record:
 * without one, nobody knows its fields. Those that this package knows may be filled in later.
 */
export function absentFields(settings: Settings, fieldNames: FieldNames): string[] {
	const lists = watchedLists(settings);
	if (lists.length === 0 || lists.some((one) => !fieldNames[one]?.size)) return [];
	const declared = lists.flatMap((one) => WATCHED[one].fields.map(({ id }) => id));
	const names = lists.flatMap((one) => [...fieldNames[one]!]);
	const all = new Set([...declared, ...SET_BY_SERVICE, 'status', ...names]);
	return settings.fieldsToWatch.filter((name) => !all.has(name));
}

/** @throws InputError for whoever sets up a workflow, if a field to watch is one that no record has */
export function assertFields(settings: Settings, fieldNames: FieldNames): void {
	const [absent] = absentFields(settings, fieldNames);
	if (absent === undefined) return;
	const names = watchedLists(settings).flatMap((one) => [...fieldNames[one]!]);
	throw new InputError(
		`None of the records that were read has a field ${asValue(absent)}`,
		`They have: ${listed([...new Set(names)], MAX_FIELDS)}. Correct 'Fields to Watch' under Options.`,
	);
}
