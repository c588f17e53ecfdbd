import type { CompareAs, JsonObject, Method, ServiceRequest } from '../client';

/** A field that can be sent. */
interface KnownField {
	id: string;
	name: string;
	type: 'string' | 'dateTime';
	/** Not in the interface: sent under this name only while the account has no records of the resource. */
	isAssumed?: boolean;
}

/** The parameters that an operation can take beside the options. `panel/` shows them: a test compares the two. */
export type ParameterName =
	| 'allLocations'
	| 'fields'
	| 'ifExists'
	| 'keywordId'
	| 'limit'
	| 'locationId'
	| 'output'
	| 'returnAll'
	| 'whenToPublish';

/**
 * The items that come out of a response: one for each record of the list in `data`, the record itself,
 * rows of a table that `insights/` makes of data of any shape, or what was deleted.
 */
export type Output = 'deletion' | 'record' | 'records' | 'table';

/**
 * An operation: what n8n's panel offers, the request that it declares (a path template, not an
 * expression), what it takes and what comes out. Dropdowns, runs, schemas and docs are derived from it.
 */
export interface Operation {
	name: string;
	value: string;
	action: string;
	description: string;
	routing: { request: { method: Method; url: string } };
	parameters: ParameterName[];
	output: Output;
	/** The operation that changes a record which exists already; else none is changed. */
	updatesBy?: string;
}

/** The location that a record belongs to; its name is null if it is not known. */
export interface NamedLocation {
	id: string;
	name: string | null;
}

/** Everything specific to one resource of the service. */
export interface Resource {
	/** As stored in saved workflows. */
	value: string;
	/** As shown in n8n's panel. */
	displayName: string;
	/** In sentences, in the service's words: "content post". */
	noun: string;
	/** The word for one that was created, in sentences: "posted"; absent: "created". */
	created?: string;
	operations: Operation[];
	/** Fields that can be sent. Those of a location are known, the others are assumed. */
	fields: KnownField[];
	/** The field with the time at which a record goes live, unless the user names another one. */
	publishTime?: string;
	/** The fields that identify a record, unless the user names others; absent: none can be created. */
	matchFields?: string[];
	/** How these are compared: `term`, where case makes no difference, or `words`, as records can't be deleted. */
	compareAs?: CompareAs;
	/** The likely reason for an empty list, and what to check. */
	whyEmpty?: string;
	/** How a list to pick from shows a record with an ID. */
	label?: (record: JsonObject, id: string) => string;
}

/** Fields that the service sets itself: automatic mapping leaves out such a column without a word. */
export const SET_BY_SERVICE = [
	'id',
	'created_at',
	'updated_at',
	'last_scan_at',
	'rank_score',
	'keywords_count',
];

/**
 * Fields that a column of the same name hardly means: a sheet keeps a status of its own, and the location
 * is in the path. Automatic mapping asks about them.
 */
export const NOT_IN_SHEETS = ['status', 'location_id'];

/** A predicate: true for an operation that takes the parameter. */
export const takes =
	(name: ParameterName) =>
	({ parameters }: Operation): boolean =>
		parameters.includes(name);

/** True if an operation changes something at the service. */
export const isWrite = ({ routing }: Operation): boolean => routing.request.method !== 'GET';

/** True if an operation updates a record if it already exists, and creates it otherwise. */
export const isUpsert = ({ updatesBy }: Operation): boolean => updatesBy !== undefined;

/** Get Many or, of a resource that has no list, what there is instead. */
export function mainOperation(operations: Operation[]): Operation {
	return operations.find(({ value }) => value === 'getAll') ?? operations[0];
}

/** A request for a list of records. */
export function listRequest(
	{ operations, noun }: Resource,
	ids: Record<string, string> = {},
): ServiceRequest {
	const path = mainOperation(operations).routing.request.url;
	return { method: 'GET', path, ids, query: {}, noun };
}
