import type { INodeProperties } from 'n8n-workflow';

import { endsWithId, idNames, nounOfId } from '../client';
import { type Operation, type Resource, resources } from '../service';

/**
 * The kind of path that each operation has, as a hidden and literal parameter: `account` for one
 * without an ID, `location` for one that ends with a location's ID, `ofLocation` for one below it.
 * A parameter can be shown by it for combinations of resource and operation that one
 * `displayOptions` can't express, and yet be defined once: each further definition of a parameter
 * that may hold an expression costs two evaluations per row (docs/n8n-facts.md, section 2), a literal
 * costs none.
 *
 * Every combination has exactly one definition. A parameter that some operations lack would not work:
 * while a node is open, the editor keeps the values of parameters that are no longer shown.
 */
export const pathKind: INodeProperties[] = resources.flatMap((resource) => {
	const kinds = [...new Set(resource.operations.map(kindOf))];
	return kinds.map((kind) => definition(resource, kind));
});

function definition({ value, operations }: Resource, kind: string): INodeProperties {
	const ofKind = operations.filter((operation) => kindOf(operation) === kind);
	return {
		displayName: 'Path Kind',
		name: 'pathKind',
		type: 'hidden',
		default: kind,
		displayOptions: {
			show: { resource: [value], operation: ofKind.map((operation) => operation.value) },
		},
	};
}

function kindOf({ routing }: Operation): string {
	const { url } = routing.request;
	const [name] = idNames(url);
	if (name === undefined) return 'account';
	const noun = nounOfId(name);
	return endsWithId(url) ? noun : `of${noun[0].toUpperCase()}${noun.slice(1)}`;
}

/** A keyword is picked after its location, so its operations show the location too. */
export const WITH_LOCATION = { pathKind: ['keyword', 'location', 'ofKeyword', 'ofLocation'] };
export const WITH_KEYWORD = { pathKind: ['keyword', 'ofKeyword'] };
