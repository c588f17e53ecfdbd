import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { testCredential } from './host/credentialTest';
import { triggerParameters } from './trigger/parameters';
import { getLocations } from './editor/pickList';
import { poll } from './trigger/poll';

export class LocalSeoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Local SEO Trigger',
		name: 'localSeoTrigger',
		icon: { light: 'file:../../icons/localSeo.svg', dark: 'file:../../icons/localSeo.dark.svg' },
		group: ['trigger'],
		version: 1,
		// Shows `rankScoreDropped` as "rank score dropped", because n8n does not name the node after an event.
		subtitle: '={{ $parameter["events"].join(", ").replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description: 'Posts, insights, keywords, rankings: actions and triggers',
		defaults: { name: 'Local SEO Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'localSeoApi', required: true, testedBy: 'testCredential' }],
		properties: triggerParameters,
	};

	methods = { credentialTest: { testCredential }, loadOptions: { getLocations } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
