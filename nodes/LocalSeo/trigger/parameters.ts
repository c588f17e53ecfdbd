import type { INodeProperties } from 'n8n-workflow';

import { amount, text } from '../panel/options';
import { eventTypes, isOfScore } from './events';
import { DEFAULTS } from './settings';

const RANK_SCORE_EVENTS = eventTypes.filter(isOfScore).map(({ name }) => name);

export const triggerParameters: INodeProperties[] = [
	{
		displayName:
			"Set 'Mode' above to 'Every Hour', because every poll reads the account anew and takes from the rate limit of your API key",
		name: 'pollNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: [],
		options: eventTypes
			.map(({ name, label, description }) => ({ name: label, value: name, description }))
			.sort((a, b) => a.name.localeCompare(b.name)),
	},
	{
		displayName: 'Location Names or IDs',
		name: 'locationIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getLocations' },
		default: [],
		hint: 'Leave empty to watch all locations',
		description:
			'The locations to watch. Leave empty to watch all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName:
			'Dropped means that the number became lower, Rose that it became higher. Your dashboard shows whether higher is better.',
		name: 'rankScoreNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: RANK_SCORE_EVENTS } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			text('Compare Scans By', 'compareScansBy', {
				default: DEFAULTS.compareScansBy,
				placeholder: 'e.g. device, engine',
				description:
					'Comma-separated fields of a scan. It is compared with the last earlier scan that has the same values in them. Leave empty to compare it with the one before, whatever device it is of.',
				displayOptions: { show: { '/events': ['rankScanCompleted'] } },
			}),
			text('Fields to Watch', 'fieldsToWatch', {
				placeholder: 'e.g. name, status',
				description: 'Fields of a location, separated by commas. Leave empty to watch every field.',
				displayOptions: { show: { '/events': ['locationChanged'] } },
			}),
			amount('Minimum Change', 'minimumChange', 0, {
				default: DEFAULTS.minimumChange,
				description:
					'Minimum change since the last reported score. Drops are measured from the highest score since the last event, rises from the lowest.',
				displayOptions: { show: { '/events': RANK_SCORE_EVENTS } },
			}),
			text('Published Status', 'publishedStatus', {
				default: DEFAULTS.publishedStatus,
				placeholder: 'e.g. live',
				description: 'The status of a content post that went live, as your service spells it',
				displayOptions: { show: { '/events': ['postPublished'] } },
			}),
			text('Scan Time Field', 'scanTimeField', {
				default: DEFAULTS.scanTimeField,
				placeholder: 'e.g. completed_at',
				description:
					'What your service calls the field with the time at which a scan was over. A scan without a time is not over yet.',
				displayOptions: { show: { '/events': ['rankScanCompleted'] } },
			}),
		],
	},
];
