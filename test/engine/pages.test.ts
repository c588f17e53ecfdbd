import type { Envelope, Fault } from '../../sandbox';
import { useSandbox } from '../support/fixture';

const service = useSandbox();
const { run, requests } = service;

const list = { resource: 'location', operation: 'getAll' };
const idsOf = (records: unknown[]) => records.map((record) => (record as { id: string }).id);
const allIds = () => idsOf(service.sandbox.account.locations);
const change = (transform: Fault['transform'], fault: Fault = {}) =>
	service.sandbox.faults.add({ ...fault, transform });

describe('a limit takes as many pages of 15 as it needs, and no more', () => {
	test.each([
		[1, 1],
		[15, 1],
		[16, 2],
		[30, 2],
		[1000, 5],
	])('limit %i: %i pages', async (limit, pages) => {
		const { json, error } = await run({ ...list, limit });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(allIds().slice(0, limit));
		expect(requests()).toHaveLength(pages);
		expect(requests()[0]).toBe('GET /locations');
	});
});

test('Return All returns every location once and in order', async () => {
	const { json } = await run({ ...list, returnAll: true });
	expect(idsOf(json)).toEqual(allIds());
	expect(new Set(requests()).size).toBe(5);
});

test('a page size is requested with every page', async () => {
	const { json } = await run({ ...list, returnAll: true, options: { pageSize: 50 } });
	expect(json).toHaveLength(64);
	expect(requests()).toEqual(['GET /locations?per_page=50', 'GET /locations?per_page=50&page=2']);
});

test('the names of the page parameters can be set', async () => {
	const options = { pageSize: 50, pageParameter: 'p', pageSizeParameter: 'size' };
	await run({ ...list, limit: 20, options });
	expect(requests()).toEqual(['GET /locations?size=50', 'GET /locations?size=50&p=2'].slice(0, 2));
});

describe('a service that ignores the page parameter', () => {
	const alwaysPageOne = ({ meta }: Envelope) => ({
		data: service.sandbox.account.locations.slice(0, 15),
		meta: { ...meta, current_page: 1 },
	});

	const withTotalOnly = (envelope: Envelope) => ({
		...alwaysPageOne(envelope),
		meta: { total: envelope.meta.total },
	});

	test.each([
		['and says so', alwaysPageOne],
		['and does not say so', withTotalOnly],
	])('%s: the message names the options', async (_, transform) => {
		change(transform);
		const { error, json } = await run({ ...list, returnAll: true });
		expect(json).toEqual([]);
		expect(error?.message).toBe('Incomplete list: the service returned 15 of 64 locations');
		expect(error?.description).toMatch(/"page".*Page Parameter/);
		const { json: some } = await run({ ...list, limit: 50 });
		expect(idsOf(some)).toEqual(allIds().slice(0, 15));
	});
});

describe('a list that does not add up', () => {
	test('is refused when it is another one each time', async () => {
		let readings = 0;
		change(
			({ data, meta }) => ({
				data: [...data, { id: `new_${readings}` }],
				meta: { ...meta, total: 100 + readings++ },
			}),
			{ when: { page: 5 } },
		);
		const { error } = await run({ ...list, returnAll: true });
		expect(error?.message).toBe('Incomplete list: the service returned 65 of 102 locations');
		expect(error?.description).toMatch(/set Limit to 65/);
	});
});

describe('a sign of more', () => {
	test('that leads nowhere is reported', async () => {
		change(({ data }) => ({ data, meta: { next_cursor: 'abc' } }));
		const { error } = await run({ ...list, returnAll: true });
		expect(error?.message).toBe(
			'Incomplete list: the service returned 64 locations and says that there are more',
		);
	});
});

test('a list of texts returns items with a value', async () => {
	change(() => ({ data: ['a', 'b'] }));
	const { json } = await run({ ...list, returnAll: true });
	expect(json).toEqual([{ value: 'a' }, { value: 'b' }]);
});

test.each([0, -1, 2.5, 'many'])(
	'a limit of %p is refused before anything is sent',
	async (limit) => {
		const { error } = await run({ ...list, limit });
		expect(error?.message).toBe('Limit must be a whole number of 1 or more');
		expect(requests()).toEqual([]);
	},
);
