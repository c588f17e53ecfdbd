import { brotliCompressSync, gzipSync } from 'node:zlib';

import { byId, columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import {
	type Answer,
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

test.each([307, 308])('%i on the same origin: a create, an update, a deletion', async (status) => {
	// Django's APPEND_SLASH and its kin: every path ends with a slash.
	const service: Service = backend({
		instead: ({ path }) => {
			if (path.endsWith('/')) return undefined;
			const Location = `${new URL(service.credential.baseUrl).pathname}${path}/`;
			return { status, headers: { Location } };
		},
	});
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
