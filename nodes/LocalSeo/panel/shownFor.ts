import { type Operation, type Resource, resources } from '../service';

/** `displayOptions.show` for the operations to which something applies; options need the prefix `/`. */
export function shownFor(
	applies: (operation: Operation, resource: Resource) => boolean,
	prefix: '' | '/' = '',
): Record<string, string[]> {
	const found = resources.flatMap((resource) =>
		resource.operations
			.filter((operation) => applies(operation, resource))
			.map((operation) => ({ resource: resource.value, operation: operation.value })),
	);
	return {
		[`${prefix}resource`]: [...new Set(found.map(({ resource }) => resource))].sort(),
		[`${prefix}operation`]: [...new Set(found.map(({ operation }) => operation))].sort(),
	};
}

/** Operations that send fields of a record. */
export const sendsFields = ({ routing }: Operation): boolean =>
	['PATCH', 'POST'].includes(routing.request.method);

/** Operations that change something at the service. */
export const writes = ({ routing }: Operation): boolean => routing.request.method !== 'GET';

/** Operations that create a record. */
export const createsRecord = ({ value }: Operation): boolean => value === 'create';

/** Operations that update a record if it already exists, and create it otherwise. */
export const upsertsRecord = ({ value }: Pick<Operation, 'value'>): boolean => value === 'upsert';

/** Operations that return records; insight data does not count as one. */
export const getsRecords = ({ routing }: Operation, { leadingFields }: Resource): boolean =>
	routing.request.method === 'GET' && leadingFields !== undefined;
