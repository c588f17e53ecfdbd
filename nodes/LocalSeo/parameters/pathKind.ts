import type { INodeProperties } from 'n8n-workflow';

/**
 * The kind of path that an operation has, as a hidden and literal parameter. A parameter can be
 * shown by it for combinations of resource and operation that one `displayOptions` can't express,
 * and yet be defined once: each further definition of a parameter that may hold an expression costs
 * two evaluations a row (n8n-facts, section 2), a literal costs none.
 *
 * Every combination has exactly one definition. A parameter that came and went would not do: while
 * a node is open, the editor keeps the values of parameters that are no longer shown.
 */
function pathKindFor(kind: string, show: Record<string, string[]>): INodeProperties {
	return {
		displayName: 'Path Kind',
		name: 'pathKind',
		type: 'hidden',
		default: kind,
		displayOptions: { show },
	};
}

export const pathKind: INodeProperties[] = [
	pathKindFor('account', { resource: ['location'], operation: ['create', 'getAll'] }),
	pathKindFor('location', { resource: ['location'], operation: ['get', 'update'] }),
	pathKindFor('ofLocation', { resource: ['keyword'], operation: ['create', 'getAll'] }),
	pathKindFor('ofLocation', { resource: ['insight', 'post'] }),
	pathKindFor('keyword', { resource: ['keyword'], operation: ['delete'] }),
	pathKindFor('ofKeyword', { resource: ['rankScan'] }),
];

/** A keyword is picked after its location, so its operations show the location too. */
export const WITH_LOCATION = { pathKind: ['keyword', 'location', 'ofKeyword', 'ofLocation'] };
export const WITH_KEYWORD = { pathKind: ['keyword', 'ofKeyword'] };
/** Answers that hold records of a resource; insight data is none. */
export const RECORDS = {
	'/resource': ['keyword', 'location', 'post', 'rankScan'],
	'/operation': ['get', 'getAll'],
};
