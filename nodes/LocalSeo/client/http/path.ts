import { ServiceError } from '../errors';
import { ID_NAME, type ServiceRequest } from '../request';

/**
 * Text that can't stand in a path: dots alone, which encoding leaves as they are, a slash or backslash, which
 * servers and gateways may decode before they read the path, and half of a character.
 */
const UNSAFE = /^\.*$|[/\\]|\p{Surrogate}/u;

/**
 * The path with its IDs filled in and encoded.
 *
 * @throws ServiceError `invalid-id` for an ID that is empty, or could be read as another path
 */
export function fillPath(request: ServiceRequest): string {
	return request.path.replace(ID_NAME, (_, name: string) => {
		const id = request.ids[name] ?? '';
		if (UNSAFE.test(id)) throw new ServiceError({ kind: 'invalid-id', request, idName: name });
		return encodeURIComponent(id);
	});
}
