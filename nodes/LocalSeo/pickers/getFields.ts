import type { IDataObject, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { createdAt, idOf, isRecord } from '../client/envelope';
import { NOUNS } from '../client/nouns';
import { readPage } from '../client/page';
import { columnsFor } from './columns';
import { pagingOf, pickedLocation, requestOf } from './request';

/** Where each row names its own location, so many of the account's newest are looked at. */
const LOCATIONS = 5;

const TEMPLATES: Record<string, string> = {
	location: '/locations',
	keyword: '/locations/{locationId}/keywords',
	post: '/locations/{locationId}/posts',
};

/**
 * The columns of the column mapper, read from the account's own records: the newest of the picked
 * location, or of some of the account's locations where none is picked.
 *
 * @throws NodeApiError, NodeOperationError as `send` does
 */
export async function getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const resource = this.getCurrentNodeParameter('resource') as string;
	if (resource === 'location') {
		return { fields: columnsFor(resource, await newestOf(this, resource)) };
	}
	const picked = pickedLocation(this);
	const locations = picked === undefined ? await someLocations(this) : [picked];
	const records = await Promise.all(
		locations.map(async (locationId) => await newestOf(this, resource, locationId)),
	);
	return { fields: columnsFor(resource, records.flat()) };
}

async function someLocations(context: ILoadOptionsFunctions): Promise<string[]> {
	const locations = await newestOf(context, 'location');
	return locations
		.sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0))
		.map((location) => idOf(location))
		.filter((id) => id !== undefined)
		.slice(0, LOCATIONS);
}

/** Records of the first page and of the last one: whichever way a list is sorted, the newest are there. */
async function newestOf(
	context: ILoadOptionsFunctions,
	resource: string,
	locationId = '',
): Promise<IDataObject[]> {
	const request = requestOf({
		template: TEMPLATES[resource],
		ids: { locationId },
		noun: NOUNS[resource],
	});
	const paging = pagingOf(context);
	const first = await readPage(context, request, paging, 1);
	const size = first.records.length;
	const last = size === 0 ? 1 : Math.ceil((first.meta.total ?? 0) / size);
	const pages = last > 1 ? [first, await readPage(context, request, paging, last)] : [first];
	return pages.flatMap(({ records }) => records).filter(isRecord);
}
