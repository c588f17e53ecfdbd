import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isEmpty, type JsonObject } from '../client';
import { InputError } from '../text/inputError';
import { isSwitchedOn, namesIn } from '../host/requestSettings';
import { asValue } from '../text/words';
import { idIn } from './records';

export type Direction = 'both' | 'down' | 'up';

/** The user's settings: what to watch. */
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
	/** True if a scan is only reported if its position differs from the previous scan. */
	onlyPositionChanges: boolean;
}

const DIRECTIONS: unknown[] = ['both', 'down', 'up'];

/**
 * @param known names of all events
 * @throws InputError if no event is selected, or a setting can't be read
 */
export function readSettings(context: IPollFunctions, known: string[]): Settings {
	const events = new Set(namesIn(context.getNodeParameter('events', [])));
	if (events.size === 0) {
		throw new InputError('No event is selected', "Select at least one event under 'Events'.");
	}
	const unknown = [...events].find((event) => !known.includes(event));
	if (unknown !== undefined) {
		throw new InputError(
			`There is no event ${asValue(unknown)}`,
			`There are: ${known.join(', ')}.`,
		);
	}
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const { direction, minimumChange } = options;
	if (!isEmpty(direction) && !DIRECTIONS.includes(direction)) {
		throw mustBe("'Direction' must be both, down or up", direction);
	}
	if (!Number.isFinite(Number(minimumChange ?? 0))) {
		throw mustBe("'Minimum Change' must be a number", minimumChange);
	}
	return {
		events,
		locationIds: new Set(namesIn(context.getNodeParameter('locationIds', []))),
		fieldsToWatch: namesIn(options.fieldsToWatch),
		direction: isEmpty(direction) ? 'both' : (direction as Direction),
		minimumChange: Number(minimumChange ?? 0),
		onlyPositionChanges: isSwitchedOn('Only Position Changes', options.onlyPositionChanges),
	};
}

function mustBe(message: string, value: unknown): InputError {
	return new InputError(
		message,
		`The current value is ${asValue(value)}. Change it under Options.`,
	);
}

export function isWatched(location: JsonObject, { locationIds }: Settings): boolean {
	return locationIds.size === 0 || locationIds.has(idIn(location));
}

/** Identifies the settings that determine what has to be remembered. */
export function signatureOf({ events, locationIds, fieldsToWatch }: Settings): string {
	return JSON.stringify([[...events].sort(), [...locationIds].sort(), fieldsToWatch]);
}
