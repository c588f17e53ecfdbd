import type { INodeProperties } from 'n8n-workflow';

import { pageOptions } from './pageOptions';

export const triggerParameters: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: [],
		options: [
			{
				name: 'Content Post Added',
				value: 'postAdded',
				description: 'A location has a new content post',
			},
			{
				name: 'Content Post Changed',
				value: 'postChanged',
				description: 'A content post is different, e.g. because it was published',
			},
			{
				name: 'Keyword Added',
				value: 'keywordAdded',
				description: 'A location has a new keyword',
			},
			{
				name: 'Keyword Removed',
				value: 'keywordRemoved',
				description: 'A location has a keyword no longer',
			},
			{
				name: 'Location Added',
				value: 'locationAdded',
				description: 'The account has a new location, whichever locations are picked below',
			},
			{
				name: 'Location Changed',
				value: 'locationChanged',
				description: 'Any field of a location is different, or one of those in Fields to Watch',
			},
			{
				name: 'Rank Scan Completed',
				value: 'rankScanCompleted',
				description: 'A keyword of a location has a new rank scan',
			},
			{
				name: 'Rank Score Changed',
				value: 'rankScoreChanged',
				description: 'The ranking score of a location is different',
			},
		],
	},
	{
		displayName: 'Location Names or IDs',
		name: 'locationIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getLocations' },
		default: [],
		description:
			'The locations to watch; none means all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName:
			'Posts can only be watched by listing them: each poll asks for the posts of every watched location. Pick the locations to watch, and poll no more often than you need.',
		name: 'postsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: ['postAdded', 'postChanged'] } },
	},
	{
		displayName:
			'A poll lists the locations, and the keywords of those where something moved. Every 12th poll looks at the keywords of every watched location.',
		name: 'keywordsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: ['keywordAdded', 'keywordRemoved'] } },
	},
	{
		displayName:
			'A poll lists the locations, and the scans of each keyword where a location was scanned. Every 12th poll looks at the scans of every watched location.',
		name: 'scansNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: ['rankScanCompleted'] } },
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
				description: 'Which way the rank score has to go',
				displayOptions: { show: { '/events': ['rankScoreChanged'] } },
			},
			{
				displayName: 'Fields to Watch',
				name: 'fieldsToWatch',
				type: 'string',
				default: '',
				placeholder: 'e.g. name, status',
				description: 'Fields of a location, separated by commas. Leave empty to watch every field.',
				displayOptions: { show: { '/events': ['locationChanged'] } },
			},
			{
				displayName: 'Minimum Change',
				name: 'minimumChange',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 1,
				description:
					'By how much the rank score has to differ from what it was when it was last told',
				displayOptions: { show: { '/events': ['rankScoreChanged'] } },
			},
			{
				displayName: 'Only Position Changes',
				name: 'onlyPositionChanges',
				type: 'boolean',
				default: true,
				description:
					'Whether to leave out scans whose position is the same as in the scan of the keyword before',
				displayOptions: { show: { '/events': ['rankScanCompleted'] } },
			},
			...pageOptions,
		],
	},
];
