import { ServiceError } from '../errors';
import type { ServiceRequest } from './request';

/** The names of the IDs in a path: `locationId` in `/locations/{locationId}/posts`. */
export function idNames(path: string): string[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/** What an ID names, in the service's words: `location` for `locationId`. */
export function nounOfId(name: string): string {
	return name.replace(/Id$/, '');
}

/** Whether the path ends with its ID: `/locations/{locationId}` names a location itself. */
export function endsWithId(path: string): boolean {
	return path.endsWith('}');
}

/**
 * The path with its IDs filled in, encoded.
 *
 * @throws ServiceError `invalid-id` for an ID that is empty, or that a URL parser would take as a path
 * segment of its own: encoding leaves `.` and `..` unchanged
 */
export function fillPath(request: ServiceRequest): string {
	return idNames(request.path).reduce((path, name) => {
		const id = request.ids[name] ?? '';
		if (id === '' || id === '.' || id === '..' || /\p{Surrogate}/u.test(id)) {
			throw new ServiceError({ kind: 'invalid-id', request, idName: name });
		}
		return path.replace(`{${name}}`, () => encodeURIComponent(id));
	}, request.path);
}
