import type { JsonObject, Method } from '../ports';

/** A request to the service, before IDs are filled in. */
export interface ServiceRequest {
	method: Method;
	/** Below the API root, with `{name}` for the IDs: `/locations/{locationId}/posts` */
	path: string;
	/** IDs by their names in the path. */
	ids: Record<string, string>;
	/** A list as a value is sent as the name repeated. */
	query: JsonObject;
	/** A record to be sent as JSON, or JSON text that is sent unchanged. */
	body?: JsonObject | string;
	/** What the request is about, in the service's words: "content post" */
	noun: string;
}

/** The body of a write as a record, also where it is given as JSON text. */
export function fieldsOf({ body }: ServiceRequest): JsonObject {
	return typeof body === 'string' ? (JSON.parse(body) as JsonObject) : { ...body };
}

/** The whole list that a create adds to, without the query of the create, which might filter it. */
export function listOf(create: ServiceRequest): ServiceRequest {
	return { ...create, method: 'GET', query: {}, body: undefined };
}
