import { brotliCompressSync, gzipSync } from 'node:zlib';

import { byId, columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import {
	type Answer,
	type Call,
	READS_OF_NEW_ACCOUNT,
	rowsFor,
	saidIn,
	type Service,
	textsOf,
	useBackend,
} from '../backend';

// What frameworks and gateways do on the way, without any fault.

const backend = useBackend();
const update = (service: Service, city: string) => ({
	...{ resource: 'location', operation: 'update', locationId: byId(service.location()) },
	fields: columns({ city }),
});
const getMany = { resource: 'post', operation: 'getAll', returnAll: true };

describe('redirects', () => {
	/** Django's APPEND_SLASH and its kin: every path ends with a slash. */
	const withSlash = (status: number, location: (call: Call, base: string) => string) => {
		const service: Service = backend({
			instead: (call) => {
				if (call.path.endsWith('/')) return undefined;
				return { status, headers: { Location: location(call, service.credential.baseUrl) } };
			},
		});
		return service;
	};
	const withQuery = ({ path, query }: Call) =>
		`${path}/?${new URLSearchParams(query as Record<string, string>)}`.replace(/\?$/, '');
	const absolute = (call: Call, base: string) => `${base}${withQuery(call)}`;
	const relative = (call: Call, base: string) => `${new URL(base).pathname}${withQuery(call)}`;

	test.each([
		[301, absolute],
		[302, relative],
		[307, absolute],
		[308, relative],
	])('%i on the same origin: a list is read', async (status, to) => {
		const service = withSlash(status, to);
		const posts = service.addPosts(...textsOf(20));
		const list = { ...getMany, locationId: byId(service.location()) };
		const { json, ...said } = await service.run(list);
		expect([json, ...saidIn(said)]).toEqual([posts]);
	});

	test.each([307, 308])('%i: a create, an update, a deletion', async (status) => {
		const service = withSlash(status, relative);
		const { records, error } = await service.run(createPosts, { rows: rowsFor(service) });
		expect([records, error]).toEqual([service.all('posts'), undefined]);
		const updated = await service.run(update(service, 'York'));
		expect(updated.records).toEqual([service.all('locations')[0]]);
		const { id } = service.add('keywords', { location_id: service.location(), keyword: 'a' });
		const remove = { resource: 'keyword', operation: 'delete', keywordId: byId(id) };
		expect((await service.run(remove)).records).toEqual([{ id, deleted: true }]);
		expect(service.all('keywords')).toEqual([]);
		// Each of the five twice, and what shows the fields.
		expect(service.requests).toHaveLength(2 * (5 + READS_OF_NEW_ACCOUNT + 1));
	});

	test.each([301, 307, 308])('%i to another origin: the key stays here', async (status) => {
		const other = backend();
		const elsewhere = other.credential.baseUrl.replace('127.0.0.1', 'localhost');
		const service = backend({
			instead: ({ path }) => ({ status, headers: { Location: `${elsewhere}${path}` } }),
		});
		for (const parameters of [createPosts, postSheet]) {
			const { error } = await service.run(parameters, { rows: rowsFor(service, 1) });
			expect(`${error?.message} ${error?.description}`).toMatch(/redirect/i);
		}
		expect(other.requests).toEqual([]);
	});
});

const typed = (type: string, body: string): Answer => ({ body, headers: { 'Content-Type': type } });
const packed = (encoding: string, body: Buffer): Answer => ({
	body,
	headers: { 'Content-Encoding': encoding },
});

test.each<[string, (json: string) => Answer]>([
	['text/html (PHP)', (body) => typed('text/html; charset=UTF-8', body)],
	['a byte order mark', (body) => ({ body: `\uFEFF${body}` })],
	['gzip', (body) => packed('gzip', gzipSync(body))],
	['br', (body) => packed('br', brotliCompressSync(body))],
])('JSON as %s is read', async (_, says) => {
	const service = backend({
		created: (data) => ({ ...says(JSON.stringify({ data })), status: 201 }),
		updated: (data) => says(JSON.stringify({ data })),
		page: ({ data }) => says(JSON.stringify({ data, meta: { total: data.length } })),
	});
	service.addPosts(...textsOf(1, 'Old'));
	const { records, ...said } = await service.run(postSheet, { rows: rowsFor(service) });
	expect([records, ...saidIn(said)]).toEqual([service.all('posts').slice(1)]);
	expect(service.requests).toHaveLength(5);
	const updated = await service.run(update(service, 'Zürich 🏔'));
	expect(updated.records).toEqual([service.all('locations')[0]]);
});
