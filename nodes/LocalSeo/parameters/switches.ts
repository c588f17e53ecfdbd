import type { INodeProperties } from 'n8n-workflow';

type Combination = Record<string, string[]>;

/**
 * A hidden, literal parameter that is there for the given combinations alone. It lets a parameter
 * be shown for combinations that one `displayOptions` can't express, and yet be defined once: each
 * further definition of a parameter that may hold an expression costs two evaluations a row
 * (n8n-facts, section 2), a literal none.
 */
function shownFor(name: string, ...combinations: Combination[]): INodeProperties[] {
	return combinations.map((show) => ({
		displayName: name,
		name,
		type: 'hidden',
		default: 'yes',
		displayOptions: { show },
	}));
}

/** The operation needs a location, to send or to pick a keyword from. */
export const IS_OF_LOCATION = { isOfLocation: ['yes'] };
/** The operation needs a keyword. */
export const IS_OF_KEYWORD = { isOfKeyword: ['yes'] };
/** The answer may be a list of several pages. */
export const IS_LIST = { isList: ['yes'] };

export const switches: INodeProperties[] = [
	...shownFor(
		'isOfLocation',
		{ resource: ['insight', 'keyword', 'post', 'rankScan'] },
		{ resource: ['location'], operation: ['get', 'update'] },
	),
	...shownFor(
		'isOfKeyword',
		{ resource: ['rankScan'] },
		{ resource: ['keyword'], operation: ['delete'] },
	),
	...shownFor('isList', { operation: ['getAll'] }, { resource: ['insight'] }),
];
