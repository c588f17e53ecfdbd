import type { INodeProperties } from 'n8n-workflow';

import { pageOptions } from '../panel/options';
import { eventTypes, eventsWith } from './events';
import { keywordSubject } from './keyword';
import { postSubject } from './post';
import { scanSubject } from './scan';
import { type EventOption, namesOf } from './subject';

/** An option is shown where an event is selected that it concerns. */
const shownWith = (option: EventOption) => ({ show: { '/events': eventsWith(option) } });

/** @param events with which it is shown; absent: always */
function notice(name: string, displayName: string, events?: string[]): INodeProperties {
	const displayOptions = events && { show: { events } };
	return { displayName, name, type: 'notice', default: '', displayOptions };
}

export const triggerParameters: INodeProperties[] = [
	notice(
		'pollNotice',
		'Every poll sends requests. Unless you need to know sooner, choose Every Hour as the Mode of the poll times above.',
	),
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
	notice(
		'rankScoreNotice',
		'The rank score is the service’s overall ranking score of a location. Dropped means that the number became lower, Rose that it became higher. The service’s interface does not state that higher is better: check this in its dashboard.',
		eventsWith('minimumChange'),
	),
	notice(
		'postsNotice',
		'Each poll lists the content posts of every watched location, because a location does not show whether its posts changed. Select the locations to watch, and poll no more often than you need.',
		namesOf(postSubject),
	),
	notice(
		'keywordsNotice',
		'Each poll lists the locations, and the keywords of those whose keyword count changed. Every 12th poll lists the keywords of every watched location.',
		namesOf(keywordSubject),
	),
	notice(
		'scansNotice',
		'Each poll lists the locations and, for those that were scanned, the rank scans of each keyword. Every 12th poll lists the scans of every watched location.',
		namesOf(scanSubject),
	),
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
				displayOptions: shownWith('direction'),
			},
			{
				displayName: 'Fields to Watch',
				name: 'fieldsToWatch',
				type: 'string',
				default: '',
				placeholder: 'e.g. name, status',
				description: 'Fields of a location, separated by commas. Leave empty to watch every field.',
				displayOptions: shownWith('fieldsToWatch'),
			},
			{
				displayName: 'Minimum Change',
				name: 'minimumChange',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 1,
				description:
					'Minimum change since the last reported score. Dropped counts from the highest score since then, Rose from the lowest.',
				displayOptions: shownWith('minimumChange'),
			},
			{
				displayName: 'Only Position Changes',
				name: 'onlyPositionChanges',
				type: 'boolean',
				default: true,
				description:
					"Whether to report a scan only if its position differs from the keyword's previous scan",
				displayOptions: shownWith('onlyPositionChanges'),
			},
			...pageOptions,
		],
	},
];
