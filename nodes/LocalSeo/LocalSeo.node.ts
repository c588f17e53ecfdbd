import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { runRows } from './operation/rows';
import { runOperation } from './operation/run';
import { dataToSend } from './parameters/dataToSend';
import { keywordId, locationId } from './parameters/ids';
import { options } from './parameters/options';
import { paging } from './parameters/paging';
import { pathKind } from './parameters/pathKind';
import { getFields } from './pickers/getFields';
import { searchKeywords } from './pickers/searchKeywords';
import { searchLocations } from './pickers/searchLocations';
import { insightOperations } from './resources/insight';
import { keywordOperations } from './resources/keyword';
import { locationOperations } from './resources/location';
import { postOperations } from './resources/post';
import { rankScanOperations } from './resources/rankScan';

/** What can be done with each resource, as the interface's table has it. */
const operations = [
	locationOperations,
	keywordOperations,
	rankScanOperations,
	postOperations,
	insightOperations,
];

export class LocalSeo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Local SEO',
		name: 'localSeo',
		icon: { light: 'file:../../icons/localSeo.svg', dark: 'file:../../icons/localSeo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Manage business locations, keywords, rank scans, content posts and insights',
		defaults: { name: 'Local SEO' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'localSeoApi', required: true }],
		hints: [
			{
				type: 'warning',
				message:
					'The incoming data has no location: the expression in <b>Location</b> is empty for the first row. Name the column that holds the location ID, or pick a location from the list.',
				displayCondition:
					'={{ $rawParameter.pathKind !== "account" && String($rawParameter.locationId).startsWith("=") && $input.all().length > 0 && !$parameter.locationId }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		// Address and headers are the door's; this makes the node declarative.
		requestDefaults: {},
		requestOperations: { pagination: runOperation },
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Content Post', value: 'post' },
					{ name: 'Insight', value: 'insight' },
					{ name: 'Keyword', value: 'keyword' },
					{ name: 'Location', value: 'location' },
					{ name: 'Rank Scan', value: 'rankScan' },
				],
				default: 'location',
			},
			...operations,
			...pathKind,
			locationId,
			keywordId,
			...paging,
			...dataToSend,
			options,
		],
	};

	customOperations = runRows(operations);

	methods = {
		listSearch: { searchLocations, searchKeywords },
		resourceMapping: { getFields },
	};
}
