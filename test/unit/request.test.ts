import { fillPath } from '../../nodes/LocalSeo/client/exchange/path';
import { fieldsOf, type ServiceRequest } from '../../nodes/LocalSeo/client/exchange/request';

const request: ServiceRequest = {
	method: 'PATCH',
	path: '/locations/{locationId}/keywords/{keywordId}',
	ids: { locationId: 'loc 1/2', keywordId: '$&' },
	query: {},
	noun: 'keyword',
};

test('IDs stay in their place in the path, whatever they contain', () => {
	expect(fillPath(request)).toBe('/locations/loc%201%2F2/keywords/%24%26');
});

test('a path is not sent while one of its IDs is missing, and the error names which', () => {
	expect(() => fillPath({ ...request, ids: { locationId: 'loc_1' } })).toThrow(
		expect.objectContaining({
			kind: 'invalid-id',
			facts: expect.objectContaining({ idName: 'keywordId' }),
		}),
	);
});

test('the fields of a write are the same, given as a record or as JSON text', () => {
	const body = { title: 'Open on Sunday' };
	expect(fieldsOf({ ...request, body })).toEqual(body);
	expect(fieldsOf({ ...request, body: JSON.stringify(body) })).toEqual(body);
	expect(fieldsOf(request)).toEqual({});
});
