import {
	fieldsOf,
	fillPath,
	requestForList,
	type ServiceRequest,
} from '../../../nodes/LocalSeo/client';

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

test.each(['', '.', '..', 'loc_\uD800'])(
	'an ID that is %j can not stand in a path',
	(locationId) => {
		const ids = { ...request.ids, locationId };
		expect(() => fillPath({ ...request, ids })).toThrow(
			expect.objectContaining({ facts: expect.objectContaining({ idName: 'locationId' }) }),
		);
	},
);

test('an ID of three dots, or with a dot, can', () => {
	expect(fillPath({ ...request, ids: { locationId: '...', keywordId: 'a.b' } })).toBe(
		'/locations/.../keywords/a.b',
	);
});

test('the list that a create adds to is read whole, without what is created', () => {
	const create = { ...request, method: 'POST' as const, query: { a: 1 }, body: { title: 'Open' } };
	expect(requestForList(create)).toEqual({ ...request, method: 'GET', query: {}, body: undefined });
});

test('the fields of a write are the same, given as a record or as JSON text', () => {
	const body = { title: 'Open on Sunday' };
	expect(fieldsOf({ ...request, body })).toEqual(body);
	expect(fieldsOf({ ...request, body: JSON.stringify(body) })).toEqual(body);
	expect(fieldsOf(request)).toEqual({});
});
