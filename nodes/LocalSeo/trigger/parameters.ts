import type { INodeProperties } from 'n8n-workflow';

import { amount, text, toggle } from '../panel/options';
import { eventTypes } from './events';
import { rankScoreEvents } from './location';

const RANK_SCORE_EVENTS = rankScoreEvents.map(({ name }) => name);

export const triggerParameters: INodeProperties[] = [
	{
		displayName:
			"Each poll costs requests, most for content posts. Select the locations to watch, and set 'Mode' above to 'Every Hour'.",
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
			{
				displayName: 'Direction',
				name: 'direction',
				type: 'options',
				options: [
					{ name: 'Both', value: 'both' },
					{ name: 'Down', value: 'down' },
					{ name: 'Up', value: 'up' },
				],
				default: 'both',
				description: 'Which way the rank score has to move',
				displayOptions: { show: { '/events': ['rankScoreChanged'] } },
			},
			text('Fields to Watch', 'fieldsToWatch', {
				placeholder: 'e.g. name, status',
				description: 'Fields of a location, separated by commas. Leave empty to watch every field.',
				displayOptions: { show: { '/events': ['locationChanged'] } },
			}),
			amount('Minimum Change', 'minimumChange', 0, {
				default: 1,
				description:
					'Minimum change since the last reported score. Drops are measured from the highest score since the last event, rises from the lowest.',
				displayOptions: { show: { '/events': RANK_SCORE_EVENTS } },
			}),
			toggle('Only Position Changes', 'onlyPositionChanges', {
				description:
					"Whether to report a scan only if its position differs from the keyword's previous scan",
				displayOptions: { show: { '/events': ['rankScanCompleted'] } },
			}),
		],
	},
];
