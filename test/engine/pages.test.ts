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

test('further pages are fetched in parallel, more of them as long as responses are good', async () => {
	service.sandbox.faults.add({ delayMs: 30 });
	const { json } = await run({ ...list, returnAll: true, options: { pageSize: 4 } });
	expect(idsOf(json)).toEqual(allIds());
	const most = Math.max(...service.sandbox.requests.map(({ inFlight }) => inFlight));
	expect(most).toBeGreaterThan(4);
	expect(most).toBeLessThanOrEqual(16);
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

test('an account without locations returns no items', async () => {
	change(() => ({ data: [], meta: { current_page: 1, per_page: 15, total: 0 } }));
	const { json, error } = await run({ ...list, returnAll: true });
	expect([json, error]).toEqual([[], undefined]);
});

test('a list answered with 204 is empty', async () => {
	service.sandbox.faults.add({ response: { status: 204 } });
	const { json, error } = await run({ ...list, returnAll: true });
	expect([json, error]).toEqual([[], undefined]);
});

describe('what meta says', () => {
	const asText = ({ data, meta }: Envelope) => ({
		data,
		meta: Object.fromEntries(Object.entries(meta).map(([name, value]) => [name, String(value)])),
	});
	const withoutMeta = ({ data }: Envelope) => ({ data });
	const withoutPageSize = ({ data, meta }: Envelope) => ({
		data,
		meta: { current_page: meta.current_page, total: meta.total },
	});
	const wrongPageSize = ({ data, meta }: Envelope) => ({ data, meta: { ...meta, per_page: 1000 } });
	const nonsense = ({ data }: Envelope) => ({
		data,
		meta: { current_page: 'one', per_page: -1, total: null },
	});

	test.each([
		['numbers as text', asText, 5],
		['nothing: pages follow until one is short', withoutMeta, 5],
		['no page size', withoutPageSize, 5],
		['a wrong page size', wrongPageSize, 5],
		['nonsense', nonsense, 5],
	])('%s', async (_, transform, pages) => {
		change(transform);
		const { json, error } = await run({ ...list, returnAll: true });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(allIds());
		expect(requests()).toHaveLength(pages);
	});

	test('without meta a full last page is followed by an empty one', async () => {
		change(withoutMeta);
		const { json } = await run({ ...list, returnAll: true, options: { pageSize: 32 } });
		expect(json).toHaveLength(64);
		expect(requests()).toHaveLength(3);
	});

	test('without meta a limit still ends the reading', async () => {
		change(withoutMeta);
		const { json } = await run({ ...list, limit: 20 });
		expect(idsOf(json)).toEqual(allIds().slice(0, 20));
		expect(requests()).toHaveLength(2);
	});
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

	test('without meta it is a list of one page', async () => {
		change((envelope) => ({ data: alwaysPageOne(envelope).data }));
		const { json, error } = await run({ ...list, returnAll: true });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(15);
		expect(requests()).toHaveLength(2);
	});
});

describe('a list that does not add up', () => {
	test('is read again, and a location that moved between pages is there once', async () => {
		const { locations } = service.sandbox.account;
		const shifted = [...locations.slice(0, 15), ...locations.slice(14, 29)];
		change(({ meta }) => ({ data: shifted.slice(15, 30), meta }), { when: { page: 2 }, times: 1 });
		const { json, error } = await run({ ...list, returnAll: true });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(allIds());
		expect(requests()).toHaveLength(10);
	});

	test('is read again when its total moves', async () => {
		change(({ data, meta }) => ({ data, meta: { ...meta, total: 65 } }), {
			when: { page: 3 },
			times: 1,
		});
		const { json, error } = await run({ ...list, returnAll: true });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(allIds());
	});

	test('comes out if two readings agree, though the total is more than the service returns', async () => {
		change(({ data, meta }) => ({ data, meta: { ...meta, total: 80 } }));
		const { json, error } = await run({ ...list, returnAll: true });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(allIds());
		// Each reading asks for the page that is not there.
		expect(requests()).toHaveLength(12);
	});

	test('is no reason for a thousand requests, however large the total', async () => {
		change(({ data, meta }) => ({ data, meta: { ...meta, total: 1_000_000_000 } }));
		const { json, error } = await run({ ...list, returnAll: true });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(allIds());
		expect(requests().length).toBeLessThan(60);
	});

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
	test.each([
		['last_page', { last_page: 5 }],
		['has_more', { has_more: true }],
		['a next page', { next: '/locations?page=9' }],
	])('is followed where there is no total: %s', async (_, sign) => {
		change(({ data }) => ({ data: data.slice(0, 10), meta: sign }), { when: { page: 1 } });
		change(({ data }) => ({ data, meta: {} }), {});
		const { json, error } = await run({ ...list, returnAll: true });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(59);
	});

	test('that leads nowhere is reported', async () => {
		change(({ data }) => ({ data, meta: { next_cursor: 'abc' } }));
		const { error } = await run({ ...list, returnAll: true });
		expect(error?.message).toBe(
			'Incomplete list: the service returned 64 locations and says that there are more',
		);
	});
});

test('records without an ID are all kept', async () => {
	change(({ data, meta }) => ({ data: data.map(({ name }) => ({ name })), meta }));
	const { json } = await run({ ...list, returnAll: true });
	expect(json).toHaveLength(64);
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

test('if one page fails, the whole list fails', async () => {
	service.sandbox.faults.add({ when: { page: 3 }, response: { status: 500 } });
	const { error, json } = await run({ ...list, returnAll: true, options: { maxWait: 0 } });
	expect(json).toEqual([]);
	expect(error).toMatchObject({ httpCode: '500' });
});
