import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

/** Fields that can be sent. Those of a location are known, the others are assumed. */
const FIELDS: Record<string, Array<[id: string, name: string]>> = {
	location: [
		['name', 'Name'],
		['address', 'Address'],
		['city', 'City'],
		['country', 'Country'],
	],
	keyword: [['keyword', 'Keyword']],
	post: [
		['title', 'Title'],
		['content', 'Content'],
	],
};

export async function getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const resource = this.getCurrentNodeParameter('resource') as string;
	return {
		fields: (FIELDS[resource] ?? []).map(([id, displayName]) => ({
			id,
			displayName,
			type: 'string',
			display: true,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
		})),
	};
}
