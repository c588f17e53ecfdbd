import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { JsonObject, Paging } from '../client';
import { InputError } from '../host/errors';
import { isSwitchedOn, namesIn, readPageOptions } from '../host/requestSettings';
import { idIn } from './records';

export type Direction = 'both' | 'down' | 'up';

/** What the user has set: what to watch, and how lists are requested. */
export interface Settings {
	/** Names of the events to report. */
	events: Set<string>;
	/** IDs of the locations to watch; empty: all. */
	locationIds: Set<string>;
	/** Fields of a location to watch; empty: all. */
	fieldsToWatch: string[];
	/** The direction in which the rank score has to move. */
	direction: Direction;
	/** Minimum change of the rank score since the last reported one. */
	minimumChange: number;
	/** Whether a scan is reported only if its position differs from the previous scan. */
	onlyPositionChanges: boolean;
	paging: Paging;
}

/** @throws InputError when no event is selected */
export function readSettings(context: IPollFunctions): Settings {
	const events = new Set(namesIn(context.getNodeParameter('events', [])));
	if (events.size === 0) {
		throw new InputError('No event is selected', 'Select at least one event under Events.');
	}
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		events,
		locationIds: new Set(namesIn(context.getNodeParameter('locationIds', []))),
		fieldsToWatch: namesIn(options.fieldsToWatch),
		direction: (options.direction as Direction | undefined) ?? 'both',
		minimumChange: Number(options.minimumChange) || 0,
		onlyPositionChanges: isSwitchedOn('Only Position Changes', options.onlyPositionChanges),
		paging: readPageOptions(options),
	};
}

export function isWatched(location: JsonObject, { locationIds }: Settings): boolean {
	return locationIds.size === 0 || locationIds.has(idIn(location));
}

/** The settings that determine what has to be remembered. */
export function signatureOf({ events, locationIds, fieldsToWatch }: Settings): string {
	return JSON.stringify([[...events].sort(), [...locationIds].sort(), fieldsToWatch]);
}
