import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from './host/credentialTest';
import { customOperations, runRouted } from './rows/run';
import { dryRun, fields, ifExists, whenToPublish } from './panel/fields';
import { keywordId, locationId, missingLocation } from './panel/ids';
import { resourceAndOperation } from './panel/operations';
import { options } from './panel/options';
import { output, paging, toolDescription } from './panel/results';
import { getFields } from './editor/columns';
import { searchKeywords, searchLocations } from './editor/pickList';

/**
 * The request, parameters and result of each operation are declared in `resources/`, one file a resource. `panel/`
 * shows it, `customOperations` runs it in workflows, and n8n's routing runs it as a tool (`runRouted`).
 */
export class LocalSeo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Local SEO',
		name: 'localSeo',
		icon: { light: 'file:../../icons/localSeo.svg', dark: 'file:../../icons/localSeo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ $parameter["operation"] + ": " + $parameter["resource"] + ($rawParameter["dryRun"] === true ? " (dry run)" : "") }}',
		description: 'Manage business locations, keywords, rank scans, content posts and insights',
		defaults: { name: 'Local SEO' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'localSeoApi', required: true, testedBy: 'testCredential' }],
		hints: [missingLocation],
		// Makes the node declarative; empty, because `host/` adds address and headers.
		requestDefaults: {},
		requestOperations: { pagination: runRouted },
		properties: [
			...toolDescription,
			...resourceAndOperation,
			dryRun,
			...locationId,
			...keywordId,
			...paging,
			...output,
			whenToPublish,
			fields,
			ifExists,
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
