import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { idOf } from '../client/envelope';
import { DEFAULT_PAGING, type Paging } from '../client/page';

export type EventName =
	| 'keywordAdded'
	| 'keywordRemoved'
	| 'locationAdded'
	| 'locationChanged'
	| 'postAdded'
	| 'postChanged'
	| 'rankScanCompleted'
	| 'rankScoreChanged';

/** What a trigger is set to watch. */
export interface Watch {
	events: Set<EventName>;
	/** Empty: all. */
	locationIds: Set<string>;
	/** Fields of a location; empty: all. */
	fields: string[];
	direction: 'both' | 'down' | 'up';
	minimumChange: number;
	onlyPositionChanges: boolean;
	paging: Paging;
	watchesKeywords: boolean;
	watchesPosts: boolean;
	watchesScans: boolean;
}

interface Options extends Partial<Paging> {
	direction?: Watch['direction'];
	fieldsToWatch?: string;
	minimumChange?: number;
	onlyPositionChanges?: boolean;
}

/** @throws NodeOperationError when no event is chosen */
export function readWatch(context: IPollFunctions): Watch {
	const events = new Set(list(context.getNodeParameter('events', [])) as EventName[]);
	if (events.size === 0) {
		throw new NodeOperationError(context.getNode(), 'No event is chosen', {
			description: 'Choose in Events what is to start the workflow.',
		});
	}
	const options = context.getNodeParameter('options', {}) as Options;
	const has = (...names: EventName[]) => names.some((name) => events.has(name));
	return {
		events,
		locationIds: new Set(list(context.getNodeParameter('locationIds', []))),
		fields: list(options.fieldsToWatch),
		direction: options.direction ?? 'both',
		minimumChange: Number(options.minimumChange) || 0,
		onlyPositionChanges: options.onlyPositionChanges ?? false,
		paging: {
			pageSize: options.pageSize || undefined,
			pageParameter: options.pageParameter || DEFAULT_PAGING.pageParameter,
			pageSizeParameter: options.pageSizeParameter || DEFAULT_PAGING.pageSizeParameter,
		},
		watchesKeywords: has('keywordAdded', 'keywordRemoved'),
		watchesPosts: has('postAdded', 'postChanged'),
		watchesScans: has('rankScanCompleted'),
	};
}

export function isWatched({ locationIds }: Watch, location: IDataObject): boolean {
	return locationIds.size === 0 || locationIds.has(idOf(location) ?? '');
}

/** An expression may give a list, or text with commas. */
function list(value: unknown): string[] {
	const entries = Array.isArray(value) ? value : String(value ?? '').split(',');
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}
