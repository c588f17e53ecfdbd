import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { authenticate } from '../nodes/LocalSeo/host/authenticate';

export class LocalSeoApi implements ICredentialType {
	name = 'localSeoApi';

	displayName = 'Local SEO API';

	icon: Icon = { light: 'file:../icons/localSeo.svg', dark: 'file:../icons/localSeo.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-local-seo/n8n-nodes-local-seo#credential';

	// `authenticate` refuses every origin but the base URL's, so n8n's list of domains would add nothing.
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://seo.example.com/api/v1',
			description:
				'Address of the service, with or without /api/v1. The API key is only sent there.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Whatever creates, updates or deletes needs the write scope. To get data, the read scope is enough.',
			hint: 'Create one in the dashboard under Settings, API Keys. Posting needs the write scope.',
		},
		{
			displayName: 'Own Page Parameters',
			name: 'hasOwnPaging',
			type: 'boolean',
			default: false,
			description:
				'Whether your service asks for the pages of a list with other query parameters than page, or has no pages. Change it only if lists come out incomplete.',
		},
		{
			displayName: 'Page Parameter',
			name: 'pageParameter',
			type: 'string',
			default: 'page',
			placeholder: 'e.g. p',
			description:
				'What your service calls the number of the page, e.g. p if its second page is at /locations?p=2. Leave it empty if the lists of your service have no pages: then one request is the whole list.',
			displayOptions: { show: { hasOwnPaging: [true] } },
		},
		{
			displayName: 'Page Size Parameter',
			name: 'pageSizeParameter',
			type: 'string',
			default: 'per_page',
			placeholder: 'e.g. limit',
			description:
				'What your service calls the number of records on a page, e.g. limit if it understands /locations?limit=100',
			displayOptions: { show: { hasOwnPaging: [true] } },
		},
		{
			displayName: 'Page Size',
			name: 'pageSize',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'How many records to request at once; with 0, the service decides. Larger pages need fewer requests: 640 locations take 43 requests of 15, or 7 of 100.',
			displayOptions: { show: { hasOwnPaging: [true] } },
		},
	];

	authenticate = authenticate;
}
