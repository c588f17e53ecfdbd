import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isEmpty, textOf } from '../client';
import { InputError } from '../text/inputError';
import { namesIn } from '../text/parameterValues';
import { asValue } from '../text/words';
import { type Change, type EventType, eventTypes, type Watched } from './events';

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
	/** Fields of a location to watch; empty: all. */
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

/** @throws InputError if no event is selected, or a setting can't be read */
export function readSettings(context: IPollFunctions): Settings {
	const names = namesIn(context.getNodeParameter('events', []));
	if (names.length === 0) {
		throw new InputError('No event is selected', "Select at least one event under 'Events'.");
	}
	const known = eventTypes.map(({ name }) => name);
	const unknown = names.find((name) => !known.includes(name));
	if (unknown !== undefined) {
		const there = `There are: ${known.join(', ')}.`;
		throw new InputError(`There is no event ${asValue(unknown)}`, there);
	}
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const given = (name: keyof typeof DEFAULTS) =>
		isEmpty(options[name]) ? DEFAULTS[name] : options[name];
	const minimumChange = Number(given('minimumChange'));
	if (!Number.isFinite(minimumChange)) {
		throw new InputError(
			"'Minimum Change' must be a number",
			`The current value is ${asValue(options.minimumChange)}. Change it under Options.`,
		);
	}
	return {
		events: eventTypes.filter(({ name }) => names.includes(name)),
		locationIds: [...new Set(namesIn(context.getNodeParameter('locationIds', [])))],
		fieldsToWatch: namesIn(options.fieldsToWatch),
		minimumChange,
		scanTimeField: textOf(given('scanTimeField')).trim(),
		// Emptied by the user, a scan is compared with the one before, whatever it is of.
		compareScansBy: namesIn(options.compareScansBy ?? DEFAULTS.compareScansBy),
		publishedStatus: textOf(given('publishedStatus')).trim(),
	};
}

/** The chosen events of something that is watched. */
export function eventsOf({ events }: Settings, watched: Watched): EventType[] {
	return events.filter(({ of }) => of === watched);
}

/** True if an event is chosen that watches a list for such a change. */
export function hasEvent(settings: Settings, watched: Watched, change: Change): boolean {
	return eventsOf(settings, watched).some(({ when }) => when === change);
}
