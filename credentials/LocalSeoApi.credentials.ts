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
	];

	authenticate = authenticate;
}
