import { brotliCompressSync, gzipSync } from 'node:zlib';

import { byId, columns } from '../../support/fixture';
import { postSheet } from '../../support/sheet';
import { type Answer, rowsFor, saidIn, type Service, textsOf, useBackend } from '../backend';

// What frameworks and gateways do on the way, without any fault.

const backend = useBackend();
const update = (service: Service, city: string) => ({
	...{ resource: 'location', operation: 'update', locationId: byId(service.location()) },
	fields: columns({ city }),
});

const typed = (type: string, body: string): Answer => ({ body, headers: { 'Content-Type': type } });
const packed = (encoding: string, body: Buffer): Answer => ({
	body,
	headers: { 'Content-Encoding': encoding },
});

test.each<[string, (json: string) => Answer]>([
	['text/html (PHP)', (body) => typed('text/html; charset=UTF-8', body)],
	['problem+json', (body) => typed('application/problem+json', body)],
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
	expect(service.requests).toHaveLength(4);
	const updated = await service.run(update(service, 'Zürich 🏔'));
	expect(updated.records).toEqual([service.all('locations')[0]]);
});
