import { ServiceError } from '../errors';
import { ID_NAME, type ServiceRequest } from '../request';

/**
 * The path with its IDs filled in and encoded.
 *
 * @throws ServiceError `invalid-id` for an ID that is empty or that a URL parser would read as a path
 * segment of its own: encoding leaves `.` and `..` unchanged
 */
export function fillPath(request: ServiceRequest): string {
	return request.path.replace(ID_NAME, (_, name: string) => {
		const id = request.ids[name] ?? '';
		if (id === '' || id === '.' || id === '..' || /\p{Surrogate}/u.test(id)) {
			throw new ServiceError({ kind: 'invalid-id', request, idName: name });
		}
		return encodeURIComponent(id);
	});
}
