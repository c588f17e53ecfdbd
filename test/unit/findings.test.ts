import { type ErrorKind, ServiceError } from '../../nodes/LocalSeo/client';
import { InputError } from '../../nodes/LocalSeo/host/errors';
import { Findings, isOfRow } from '../../nodes/LocalSeo/rows/findings';
import { rowContext } from '../support/rowContext';

const POSTS = '/locations/{locationId}/posts';
const serviceError = (kind: ErrorKind, status?: number, path = POSTS) =>
	new ServiceError({
		kind,
		status,
		request: { method: 'GET', path, ids: {}, query: {}, noun: 'content post' },
	});

test.each<[string, unknown, boolean]>([
	['what the row holds', new InputError('The row is odd'), true],
	['an ID that can be none', serviceError('invalid-id'), true],
	['an ID that is refused', serviceError('rejected', 400), true],
	['one that does not exist', serviceError('rejected', 404), true],
	['one that is gone', serviceError('rejected', 410), true],
	['one that is not understood', serviceError('rejected', 422), true],
	['a path without an ID', serviceError('rejected', 404, '/locations'), false],
	['a key that is refused', serviceError('rejected', 401), false],
	['a key that may not do it', serviceError('rejected', 403), false],
	['a service that fails', serviceError('rejected', 500), false],
	['no response', serviceError('timeout'), false],
	['a list that does not add up', serviceError('incomplete-list', 404), false],
	['a bug', new TypeError('A bug'), false],
])('%s says something about the row, or not', (_, thrown, isIt) => {
	expect(isOfRow(thrown)).toBe(isIt);
});

describe('what a dry run finds', () => {
	const findings = () => new Findings(rowContext({ parameters: {} }));
	const odd = new InputError('The row is odd', 'Look at it.');

	test('in a part that it reads is a problem, said once, whatever it is', () => {
		const found = findings();
		expect(found.attempt(() => 7)).toBe(7);
		for (const thrown of [odd, odd, new InputError('Another')]) {
			const read = () => {
				throw thrown;
			};
			expect(found.attempt(read)).toBeUndefined();
		}
		expect([...found.problems]).toEqual(['The row is odd. Look at it.', 'Another']);
		expect(found.warnings.size).toBe(0);
	});

	test('in a check is a problem if it is about the row, and otherwise fails', async () => {
		const found = findings();
		expect(await found.check(async () => 7)).toBe(7);
		expect(await found.check(async () => await Promise.reject(odd))).toBeUndefined();
		expect([...found.problems]).toEqual(['The row is odd. Look at it.']);
		const refused = serviceError('rejected', 401);
		await expect(found.check(async () => await Promise.reject(refused))).rejects.toBe(refused);
		expect(found.problems.size).toBe(1);
	});
});
