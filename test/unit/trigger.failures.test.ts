import { type ErrorFacts, ServiceError } from '../../nodes/LocalSeo/client';
import { Failures } from '../../nodes/LocalSeo/trigger/failures';

const request = {
	method: 'GET',
	path: '/locations',
	ids: {},
	query: {},
	noun: 'location',
} as const;
const errorOf = (facts: Pick<ErrorFacts, 'kind'> & Partial<ErrorFacts>) =>
	new ServiceError({ request, ...facts });
const broken = () => errorOf({ kind: 'rejected', status: 500 });
const read = (): Promise<object> => Promise.resolve({});

/** Lets reads fail one after the other, and says how many of them were skipped. */
async function skip(failures: Failures, ...errors: Error[]): Promise<number> {
	let skipped = 0;
	for (const error of errors) {
		const result = await failures.skipFailed(() => Promise.reject(error)).catch(() => error);
		if (result) break;
		skipped++;
	}
	return skipped;
}

test('what is read is passed on', async () => {
	const record = { id: 'loc_1' };
	const failures = new Failures(() => {});
	expect(await failures.skipFailed(() => Promise.resolve(record))).toBe(record);
	expect(failures.errors).toEqual([]);
});

test.each<[string, Error]>([
	['no connection', errorOf({ kind: 'unreachable' })],
	['an unknown host', errorOf({ kind: 'unknown-host' })],
	['a certificate', errorOf({ kind: 'insecure' })],
	['no response', errorOf({ kind: 'timeout' })],
	['the rate limit', errorOf({ kind: 'rate-limited' })],
	['the end of the execution', errorOf({ kind: 'cancelled' })],
	['a rule of n8n', errorOf({ kind: 'other' })],
	['the key', errorOf({ kind: 'rejected', status: 401 })],
	['the rate limit, as a status', errorOf({ kind: 'rejected', status: 429 })],
	['a mistake of ours', new TypeError('x is not a function')],
])('what concerns all records is thrown: %s', async (_, error) => {
	const failures = new Failures(() => {});
	await expect(failures.skipFailed(() => Promise.reject(error))).rejects.toBe(error);
	expect(failures.errors).toEqual([]);
});

test.each([403, 404, 410])(
	'records that can not be read are skipped, however many: %d',
	async (status) => {
		const reported: Error[] = [];
		const failures = new Failures((error) => reported.push(error));
		const errors = Array.from({ length: 9 }, () => errorOf({ kind: 'rejected', status }));
		expect(await skip(failures, ...errors)).toBe(9);
		expect(reported).toEqual(errors);
		expect(failures.errors).toEqual(errors);
	},
);

test('records whose ID can not stand in an address are skipped, and nothing has failed', async () => {
	const reported: Error[] = [];
	const failures = new Failures((error) => reported.push(error));
	const errors = Array.from({ length: 9 }, () => errorOf({ kind: 'invalid-id' }));
	expect(await skip(failures, ...errors)).toBe(9);
	expect(reported).toEqual(errors);
	expect(failures.errors).toEqual([]);
});

test('three that fail are skipped, a fourth one means trouble', async () => {
	const reported: Error[] = [];
	const failures = new Failures((error) => reported.push(error));
	expect(await skip(failures, broken(), broken(), broken(), broken())).toBe(3);
	expect(reported).toHaveLength(3);
});

test('as many may fail as can be read', async () => {
	const failures = new Failures(() => {});
	for (let index = 0; index < 5; index++) await failures.skipFailed(read);
	expect(await skip(failures, ...Array.from({ length: 9 }, broken))).toBe(5);
});
