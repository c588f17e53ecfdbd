import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { InputError } from '../host/errors';
import { namesIn, readPageOptions } from '../panel/values';
import type { Direction, Settings } from './subject';

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
		onlyPositionChanges: Boolean(options.onlyPositionChanges),
		paging: readPageOptions(options),
	};
}
