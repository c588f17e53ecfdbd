import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from './host/credentialTest';
import { customOperations } from './rows/customOperations';
import { runRouted } from './rows/runItem';
import { dataToSend, fields, ifExists } from './panel/fields';
import { keywordId, locationId } from './panel/ids';
import { pathKind, postNotices, resourceAndOperation } from './panel/operations';
import { options } from './panel/options';
import { output, paging, toolDescription } from './panel/results';
import { getFields } from './editor/columns';
import { searchKeywords, searchLocations } from './editor/pickList';

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
		credentials: [{ name: 'localSeoApi', required: true, testedBy: 'testCredential' }],
		hints: [
			{
				type: 'warning',
				message:
					'The incoming data has no location: the expression in <b>Location</b> is empty for the first row. Use the column that holds the ID or the name of the location, or pick a location from the list.',
				displayCondition:
					'={{ $rawParameter.pathKind !== "account" && String($rawParameter.locationId).startsWith("=") && $input.all().length > 0 && !$parameter.locationId }}',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		// Makes the node declarative; empty, because `host/` adds address and headers.
		requestDefaults: {},
		requestOperations: { pagination: runRouted },
		properties: [
			...toolDescription,
			...resourceAndOperation,
			...pathKind,
			...locationId,
			keywordId,
			...paging,
			...output,
			fields,
			ifExists,
			...dataToSend,
			...postNotices,
			options,
		],
	};

	customOperations = customOperations;

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchLocations, searchKeywords },
		resourceMapping: { getFields },
	};
}
