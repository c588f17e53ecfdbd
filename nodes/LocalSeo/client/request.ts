import type { JsonObject, Method } from './ports';

/** A request to the service, before IDs are filled in. */
export interface ServiceRequest {
	method: Method;
	/** Relative to the API root, with `{name}` for the IDs: `/locations/{locationId}/posts` */
	path: string;
	/** IDs by their names in the path. */
	ids: Record<string, string>;
	/** The names of the records with these IDs, where they are known. */
	names?: Record<string, string>;
	/** A list is sent as a repeated name. */
	query: JsonObject;
	/** A record to send as JSON. */
	body?: JsonObject;
	/** Names the subject of the request in the service's words: "content post" */
	noun: string;
	/** True if `data` may have any shape, as that of insights. */
	isOfAnyShape?: boolean;
}

/** The request for the whole list that a create adds to, without its query, which might filter the list. */
export function requestForList(create: ServiceRequest): ServiceRequest {
	return { ...create, method: 'GET', query: {}, body: undefined };
}

/** An ID in a path template. */
export const ID_NAME = /\{(\w+)\}/g;

/** The names of the IDs in a path: `locationId` in `/locations/{locationId}/posts`. */
export function idNames(path: string): string[] {
	return [...path.matchAll(ID_NAME)].map(([, name]) => name);
}

/** The noun for an ID in the service's words: `location` for `locationId`. */
export function nounOfId(name: string): string {
	return name.replace(/Id$/, '');
}

/** True if the path ends with an ID, as `/locations/{locationId}` does: it names a location itself. */
export function endsWithId(path: string): boolean {
	return path.endsWith('}');
}
