import { endsWithId, idNames, type Method, nounOfId, type ServiceRequest } from '../client';

const VERBS: Record<Method, string> = {
	GET: 'get',
	POST: 'create',
	PATCH: 'update',
	DELETE: 'delete',
};

/** A request in words: `create a content post for location "loc_1"`. */
export function describeRequest({ method, noun, path, ids }: ServiceRequest): string {
	const verb = VERBS[method];
	const owner = describeOwner({ path, ids });
	if (owner && endsWithId(path)) return `${verb} ${owner}`;
	const isRead = method === 'GET';
	const things = isRead ? `the ${noun}s` : `a ${noun}`;
	return owner ? `${verb} ${things} ${isRead ? 'of' : 'for'} ${owner}` : `${verb} ${things}`;
}

/** What the path names: `location "loc_1"`; undefined where it names nothing. */
export function describeOwner({ path, ids }: Pick<ServiceRequest, 'path' | 'ids'>) {
	const [name] = idNames(path);
	return name && `${nounOfId(name)} "${ids[name]}"`;
}
